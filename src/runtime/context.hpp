// The object behind dpep::context: its devices, their memory pools, and the queues that use them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <dpep/context.hpp>

#include "backend/backend.hpp"
#include "runtime/pool.hpp"

namespace dpep::runtime {

class ordered_memory;

class context_object final : public object {
public:
  explicit context_object(std::vector<device> devices);
  ~context_object() override;

  const std::vector<device> devices;

  /// The pool for a kind of memory of a device (empty for host memory), made when first asked for.
  memory_pool &pool(usm_kind, const device &);
  memory_account &account(usm_kind kind) noexcept { return accounts_[static_cast<std::size_t>(kind)]; }
  std::uint64_t trim();

  /// What queues keep for their own work is there for all, after waiting for all work; not at all when nothing is kept.
  void reclaim();
  void add_ordered(ordered_memory &);
  void remove_ordered(ordered_memory &) noexcept;

  void add_queue(const std::shared_ptr<backend::queue> &);
  /// Waits for all work of all queues; their errors stay for their own waits.
  void finish_pending_work() noexcept;

private:
  std::mutex mutex_;
  std::array<memory_account, 4> accounts_;
  std::map<std::pair<usm_kind, const object *>, std::unique_ptr<memory_pool>> pools_;
  std::vector<std::weak_ptr<backend::queue>> queues_;
  std::vector<ordered_memory *> ordered_;
};

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
context_object &implementation_of(const context &, const char *operation = "context");

}  // namespace dpep::runtime
