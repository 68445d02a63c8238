// The mark of a forked child.
#include "backend/common/forked_child.hpp"

#include <atomic>

namespace dpep::backend {
namespace {

constinit std::atomic<bool> forked{false};

}  // namespace

bool in_forked_child() noexcept { return forked.load(std::memory_order_relaxed); }
void mark_forked_child() noexcept { forked.store(true, std::memory_order_relaxed); }

}  // namespace dpep::backend
