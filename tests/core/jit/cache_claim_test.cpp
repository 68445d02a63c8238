// Tests claims of the disk cache: of several processes that need one entry, one compiles and the others wait for it,
// but not for a process that has ended.
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/compile/cache.hpp"
#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;
using namespace std::chrono_literals;
using jit::digest;
using jit::disk_cache;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr auto long_enough = 60s;  // far more than any wait here, also on a busy machine

double seconds_of(const auto &action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A child process that claims the key and holds the claim until it is killed.
class holder {
public:
  holder(const disk_cache &cache, const digest &key) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) {
      const disk_cache::claim claim = cache.claim_for(key);
      const char answer = claim ? 'y' : 'n';
      if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    char answer = 0;
    has_claim = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
    ::close(ready[0]);
  }
  holder(const holder &) = delete;
  ~holder() { end(); }
  void end() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }
  void stop() const { ::kill(child_, SIGSTOP); }

  bool has_claim = false;

private:
  pid_t child_ = 0;
};

TEST(cache_claims, a_claim_is_for_one_process_and_one_key) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const holder other(cache, {0x1234, 1});
  ASSERT_TRUE(other.has_claim);
  EXPECT_FALSE(cache.claim_for({0x1234, 1}, 20ms));
  EXPECT_TRUE(cache.claim_for({0x0200'0000'0000'1234, 1}, long_enough));  // in the same shard
}

TEST(cache_claims, a_claim_ends_with_its_scope) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(cache.claim_for({1, 2}, long_enough));
  const disk_cache::claim first = cache.claim_for({1, 2}, long_enough);
  EXPECT_FALSE(cache.claim_for({1, 2}, 5ms));  // the same for another thread
}

TEST(cache_claims, a_killed_process_releases_its_claim) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  holder other(cache, {1, 2});
  ASSERT_TRUE(other.has_claim);
  std::jthread killer([&] {
    std::this_thread::sleep_for(50ms);
    other.end();
  });
  EXPECT_TRUE(cache.claim_for({1, 2}, long_enough));
}

TEST(cache_claims, waiting_for_a_stopped_process_ends_at_the_timeout) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const holder other(cache, {1, 2});
  ASSERT_TRUE(other.has_claim);
  other.stop();
  const double waited = seconds_of([&] { EXPECT_FALSE(cache.claim_for({1, 2}, 100ms)); });
  EXPECT_GE(waited, 0.1);
}

TEST(cache_claims, a_forked_child_does_not_prolong_a_claim) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  pid_t child = 0;
  {
    const disk_cache::claim claim = cache.claim_for({1, 2}, long_enough);
    child = ::fork();
    if (child == 0)
      for (;;) ::pause();
  }
  EXPECT_TRUE(cache.claim_for({1, 2}, long_enough));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(cache_claims, without_a_usable_folder_nothing_is_claimed) {
  for (const char *path : {"", "/proc/no/such/folder"})
    EXPECT_FALSE(disk_cache(path, plenty).claim_for({1, 2}, long_enough)) << path;
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  EXPECT_TRUE(cache.claim_for({1, 2}, long_enough));
  const auto file = folder.path / digest{1, 2}.hex().substr(0, 2) / ".claims";
  ASSERT_TRUE(std::filesystem::is_regular_file(file));
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/etc/passwd", file);
  EXPECT_FALSE(cache.claim_for({1, 2}, long_enough));
}

TEST(cache_claims, processes_that_need_one_kernel_compile_it_once) {
  constexpr int processes = 4;
  for (int round = 0; round < 3; ++round) {
    const scratch_folder folder;
    const environment cache("DPEP_CACHE", folder.path.string());
    const std::string ir = scale_ir(7000 + round);
    int start[2];
    ASSERT_EQ(::pipe(start), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        ::close(start[1]);
        char unused = 0;
        (void)!::read(start[0], &unused, 1);  // until the parent closes its end
        const jit::compile_counts before = jit::counts();
        std::vector<float> a(100, 1);
        queue q = cpu_queue();
        launch(q, ir_kernel(ir), flat(100), packed(scale_arguments{a.data(), 2}));
        q.wait();
        const jit::compile_counts now = jit::counts();
        const bool correct =
            a == std::vector<float>(100, 2) && now.compiled + now.from_disk == before.compiled + before.from_disk + 1;
        ::_exit(!correct ? 99 : static_cast<int>(now.compiled - before.compiled));
      }
      children.push_back(child);
    }
    ::close(start[0]);
    ::close(start[1]);
    int compiled = 0;
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << status;
      compiled += WEXITSTATUS(status);
    }
    EXPECT_EQ(compiled, 1);
  }
}

}  // namespace
}  // namespace dpep
