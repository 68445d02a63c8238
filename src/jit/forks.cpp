// A lock that compilations share and a fork has for itself. Without it the child would inherit compilations that nobody
// finishes, and LLVM's locks.
#include "jit/forks.hpp"

#include <pthread.h>

namespace dpep::jit {
namespace {

// glibc lets readers in before a writer that waits, so one that holds it may take it again.
constinit pthread_rwlock_t compiling = PTHREAD_RWLOCK_INITIALIZER;

void before() { pthread_rwlock_wrlock(&compiling); }
void after_in_parent() { pthread_rwlock_unlock(&compiling); }
void after_in_child() { compiling = PTHREAD_RWLOCK_INITIALIZER; }

// When the library is loaded, so that the handlers of what starts later are called first: the CPU back end's waits for
// host tasks, which may compile.
[[maybe_unused]] const int registered = pthread_atfork(before, after_in_parent, after_in_child);

}  // namespace

no_fork_meanwhile::no_fork_meanwhile() noexcept { pthread_rwlock_rdlock(&compiling); }
no_fork_meanwhile::~no_fork_meanwhile() { pthread_rwlock_unlock(&compiling); }

}  // namespace dpep::jit
