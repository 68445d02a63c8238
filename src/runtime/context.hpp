// The implementation of dpep::context: its devices, their memory pools and queues.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <dpep/queue.hpp>

#include "backend/backend.hpp"
#include "runtime/pool.hpp"

namespace dpep::runtime {

/// Freed slots that are kept for reuse outside their pools, while work may still use their memory.
class slot_cache {
public:
  virtual ~slot_cache() = default;
  /// Moves all slots to the vector. Call recycle() on them when the work of all queues so far is complete.
  virtual void take_all(std::vector<pool_slot> &) = 0;
};

class context_object final : public object {
public:
  explicit context_object(std::vector<device> devices);
  ~context_object() override;

  const std::vector<device> devices;

  /// The pool for a kind of memory of a device (empty for host memory), created at the first call.
  memory_pool &pool(usm_kind, const device &);
  /// The same, but null if there is none yet, or if another thread has the lock.
  memory_pool *find_pool(usm_kind, const device &) noexcept;
  memory_account &account(usm_kind kind) noexcept { return accounts_[static_cast<std::size_t>(kind)]; }
  /// Returns the pools' cached memory to the system; returns the number of bytes.
  std::uint64_t trim();

  /// Returns the memory in queues' caches to the pools, after waiting for all work. Without such memory, does not wait.
  void reclaim();
  void add_queue_cache(slot_cache &);
  void remove_queue_cache(slot_cache &) noexcept;

  /// Receives the errors of queues without a handler of their own. Set before the context has queues.
  async_handler handler;

  void add_queue(const std::shared_ptr<backend::queue> &);
  /// Waits for all work of all queues. Their errors stay pending.
  void finish_pending_work() noexcept;

private:
  std::mutex mutex_;
  std::array<memory_account, 4> accounts_;
  std::map<std::pair<usm_kind, const object *>, std::unique_ptr<memory_pool>> pools_;
  std::vector<std::weak_ptr<backend::queue>> queues_;
  std::vector<slot_cache *> queue_caches_;
};

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
context_object &implementation_of(const context &, const char *operation = "context");

}  // namespace dpep::runtime
