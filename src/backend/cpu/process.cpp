// Waits for running tasks before a fork, because the child has no threads to finish them, and before exit, because they
// may use objects that static destructors destroy.
#include "backend/cpu/process.hpp"

#include <cstdlib>
#include <mutex>

#include <pthread.h>

#include "backend/common/fork_guard.hpp"
#include "backend/cpu/host_threads.hpp"
#include "backend/cpu/interrupts.hpp"
#include "backend/cpu/process_state.hpp"

namespace dpep::backend::cpu::process {
namespace {

void before_fork() {
  fork_guard::block_new();  // first: no thread may submit further tasks
  wait_for_tasks();
  host_threads::lock();
  interrupts::lock();
}
void after_fork_in_parent() {
  interrupts::unlock();
  host_threads::unlock();
}
void after_fork_in_child() {
  interrupts::reset();
  host_threads::reset();
  set_forked();
}

}  // namespace

void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    fork_guard::set_wait(wait_for_tasks);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    // registered before the first task, so it runs after destructors of static objects that were created later
    std::atexit([] {
      interrupts::begin_exit();
      wait_for_tasks();
    });
  });
}

}  // namespace dpep::backend::cpu::process
