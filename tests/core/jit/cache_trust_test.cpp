// Tests which folders the disk cache trusts. Runs the checks as an ordinary user, also if root runs the tests.
#include "jit/compile/cache_trust.hpp"

#include <algorithm>
#include <functional>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/compile/cache.hpp"
#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr uid_t nobody = 65534;

bool is_root() { return ::geteuid() == 0; }

/// The result of a function in a child process of an ordinary user, and its output on stderr.
struct answer {
  std::string text, errors;
};
answer as_ordinary_user(const std::function<std::string()> &f) {
  int results[2], errors[2];
  if (::pipe(results) != 0 || ::pipe(errors) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(errors[1], STDERR_FILENO);
    if (is_root() && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(1);
    const std::string text = f();
    (void)!::write(results[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(results[1]), ::close(errors[1]);
  const auto all_of = [](int file) {
    std::string all;
    char part[256];
    for (ssize_t n; (n = ::read(file, part, sizeof part)) > 0;) all.append(part, std::size_t(n));
    ::close(file);
    return all;
  };
  answer got{all_of(results[0]), all_of(errors[0])};
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return got;
}

/// A folder of the ordinary user, in a folder that only that user can write to.
struct home {
  scratch_folder folder;
  fs::path path = folder.path / "home";

  home() {
    ::chmod(folder.path.c_str(), 0755);
    make("home", 0700);
  }
  fs::path make(const std::string &name, mode_t mode, bool ours = true) const {
    const fs::path made = folder.path / name;
    fs::create_directory(made);
    if (is_root()) EXPECT_EQ(::chown(made.c_str(), ours ? nobody : 12345, ours ? nobody : 12345), 0);
    ::chmod(made.c_str(), mode);
    return made;
  }
};

std::string reason_for(const fs::path &path) {
  return as_ordinary_user([&] { return jit::untrusted_reason(path.string()); }).text;
}

TEST(cache_trust, an_own_folder_is_trusted_also_before_it_exists) {
  const home user;
  EXPECT_EQ(reason_for(user.path), "");
  EXPECT_EQ(reason_for(user.path / "later" / "dpep"), "");
  EXPECT_EQ(reason_for(user.path / "later" / ".." / "dpep" / ""), "");
}

TEST(cache_trust, a_folder_that_other_users_can_write_to_is_rejected) {
  const home user;
  for (const mode_t mode : {0777, 0770, 0702, 01777}) {
    ::chmod(user.path.c_str(), mode);
    EXPECT_NE(reason_for(user.path).find("home is writable by other users (mode"), std::string::npos) << mode;
  }
}

TEST(cache_trust, a_folder_of_another_user_is_rejected) {
  if (!is_root()) GTEST_SKIP() << "only root can change the owner of a folder";
  const home user;
  const fs::path foreign = user.make("foreign", 0755, false);
  EXPECT_NE(reason_for(foreign).find("foreign belongs to another user (mode 0755, owner 12345)"), std::string::npos);
  EXPECT_NE(reason_for(foreign / "below").find("belongs to another user"), std::string::npos);
}

TEST(cache_trust, a_link_is_trusted_if_its_target_is) {
  const home user;
  fs::create_directory_symlink(user.make("good", 0700), user.path / "to_good");
  fs::create_directory_symlink("../bad", user.path / "to_bad");
  user.make("bad", 0777);
  if (is_root())
    for (const char *link : {"to_good", "to_bad"}) ASSERT_EQ(::lchown((user.path / link).c_str(), nobody, nobody), 0);
  EXPECT_EQ(reason_for(user.path / "to_good"), "");
  EXPECT_EQ(reason_for(user.path / "to_good" / "dpep"), "");
  EXPECT_NE(reason_for(user.path / "to_bad").find("bad is writable by other users"), std::string::npos);
  EXPECT_NE(reason_for(user.path / "to_bad" / "dpep").find("bad is writable by other users"), std::string::npos);
  if (!is_root()) return;
  ASSERT_EQ(::lchown((user.path / "to_good").c_str(), 12345, 12345), 0);
  EXPECT_NE(reason_for(user.path / "to_good").find("is a symbolic link that belongs to another user"),
            std::string::npos);
}

TEST(cache_trust, a_writable_parent_folder_is_rejected_unless_it_is_sticky) {
  const home user;
  const fs::path above = user.make("above", 0777);
  fs::create_directory(above / "dpep");
  if (is_root()) ASSERT_EQ(::chown((above / "dpep").c_str(), nobody, nobody), 0);
  ::chmod((above / "dpep").c_str(), 0700);
  EXPECT_NE(reason_for(above / "dpep").find("above is writable by other users (mode 0777"), std::string::npos);
  EXPECT_NE(reason_for(above / "later").find("above is writable by other users"), std::string::npos);
  ::chmod(above.c_str(), 01777);
  EXPECT_EQ(reason_for(above / "dpep"), "");
  ::chmod(above.c_str(), 0770);  // the user's own group
  EXPECT_EQ(reason_for(above / "dpep"), "");
}

TEST(cache_trust, a_rejected_cache_is_not_used_and_reported_once) {
  const home user;
  ::chmod(user.path.c_str(), 0777);
  const answer got = as_ordinary_user([&] {
    ::setenv("DPEP_CACHE", user.path.c_str(), 1);
    std::string folders;
    for (int i = 0; i < 3; ++i) folders += jit::disk_cache::from_environment().folder();
    return folders;
  });
  EXPECT_EQ(got.text, "");
  EXPECT_EQ(std::count(got.errors.begin(), got.errors.end(), '\n'), 1) << got.errors;
  EXPECT_NE(got.errors.find("the kernel cache " + user.path.string() + " is not used"), std::string::npos)
      << got.errors;
}

}  // namespace
}  // namespace dpep
