// Tests the disk cache: which entries are found, and which are rejected.
#include "jit/compile/cache.hpp"

#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;
using jit::cache_entry;
using jit::digest;
using jit::disk_cache;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

cache_entry entry_of(std::size_t object_bytes, unsigned char fill = 7) {
  cache_entry entry;
  entry.kernel.object.assign(object_bytes, std::byte{fill});
  entry.kernel.needs = {true, 128, 4096};
  entry.kernel.report = {"a kernel's name", 16, 128, true, "a remark"};
  entry.imported_images = {{1, 2}, {3, 4}};
  return entry;
}

void expect_same(const std::optional<cache_entry> &got, const cache_entry &expected) {
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->kernel.object, expected.kernel.object);
  EXPECT_EQ(got->kernel.needs.grouped, expected.kernel.needs.grouped);
  EXPECT_EQ(got->kernel.needs.static_local_bytes, expected.kernel.needs.static_local_bytes);
  EXPECT_EQ(got->kernel.needs.scratch_bytes, expected.kernel.needs.scratch_bytes);
  EXPECT_EQ(got->kernel.report.name, expected.kernel.report.name);
  EXPECT_EQ(got->kernel.report.vector_width, expected.kernel.report.vector_width);
  EXPECT_EQ(got->kernel.report.static_local_bytes, expected.kernel.report.static_local_bytes);
  EXPECT_EQ(got->kernel.report.uses_barriers, expected.kernel.report.uses_barriers);
  EXPECT_EQ(got->kernel.report.remarks, expected.kernel.report.remarks);
  EXPECT_EQ(got->imported_images, expected.imported_images);
}

std::string content_of(const std::filesystem::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
void set_content(const std::filesystem::path &file, const std::string &content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

TEST(disk_cache, finds_stored_entries) {
  const scratch_folder folder;
  const disk_cache cache((folder.path / "new" / "folder").string(), plenty);
  const digest key{0x1234, 0x5678};
  EXPECT_FALSE(cache.find(key));
  cache.store(key, entry_of(1000));
  expect_same(cache.find(key), entry_of(1000));
  EXPECT_FALSE(cache.find({0x1234, 0x5679}));
  cache.store(key, entry_of(10, 9));
  expect_same(cache.find(key), entry_of(10, 9));
}

TEST(disk_cache, folders_and_files_are_accessible_to_their_owner_only) {
  const scratch_folder folder;
  const disk_cache cache((folder.path / "cache").string(), plenty);
  cache.store({1, 2}, entry_of(10));
  namespace fs = std::filesystem;
  for (const auto &entry : fs::recursive_directory_iterator(folder.path))
    EXPECT_EQ(entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none)
        << entry.path();
}

TEST(disk_cache, rejects_entries_with_a_changed_byte) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const digest key{5, 6};
  cache.store(key, entry_of(64));
  const auto file = folder.files().at(0);
  const std::string good = content_of(file);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    set_content(file, bad);
    ASSERT_FALSE(cache.find(key)) << "byte " << i;
  }
  set_content(file, good);
  expect_same(cache.find(key), entry_of(64));
}

TEST(disk_cache, rejects_files_that_were_truncated_or_extended) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const digest key{5, 6};
  cache.store(key, entry_of(64));
  const auto file = folder.files().at(0);
  const std::string good = content_of(file);
  for (std::size_t size = 0; size < good.size(); ++size) {
    set_content(file, good.substr(0, size));
    ASSERT_FALSE(cache.find(key)) << size << " bytes";
  }
  set_content(file, good + '\0');
  EXPECT_FALSE(cache.find(key));
}

TEST(disk_cache, does_not_block_on_a_named_pipe) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const digest key{5, 6};
  cache.store(key, entry_of(64));
  const auto file = folder.files().at(0);
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache.find(key));
  cache.store(key, entry_of(64));
  expect_same(cache.find(key), entry_of(64));
}

TEST(disk_cache, rejects_entries_of_another_key) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  cache.store({5, 6}, entry_of(64));
  const auto file = folder.files().at(0);
  const digest other{5 ^ 1, 6};
  std::string name = other.hex().substr(2);
  std::filesystem::rename(file, file.parent_path() / name);
  EXPECT_FALSE(cache.find(other));
}

TEST(disk_cache, rejects_folders_that_other_users_can_write_to) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  cache.store({5, 6}, entry_of(64));
  const auto shard = folder.files().at(0).parent_path();
  ::chmod(shard.c_str(), 0777);
  EXPECT_FALSE(cache.find({5, 6}));
  ::chmod(shard.c_str(), 0700);
  EXPECT_TRUE(cache.find({5, 6}));
  if (::geteuid() != 0) GTEST_SKIP() << "only root can change the owner of a folder";
  ASSERT_EQ(::chown(shard.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(cache.find({5, 6}));
}

TEST(disk_cache, follows_no_links) {
  const scratch_folder folder, elsewhere;
  const disk_cache cache(folder.path.string(), plenty);
  cache.store({5, 6}, entry_of(64));
  const auto file = folder.files().at(0);
  std::filesystem::rename(file, elsewhere.path / "entry");
  std::filesystem::create_symlink(elsewhere.path / "entry", file);
  EXPECT_FALSE(cache.find({5, 6}));
}

TEST(disk_cache, an_unusable_folder_is_not_an_error) {
  const scratch_folder folder;
  set_content(folder.path / "file", "not a folder");
  for (const std::string &path : {std::string("/proc/no/such"), (folder.path / "file" / "cache").string(),
                                  std::string("/dev/null"), std::string()}) {
    const disk_cache cache(path, plenty);
    cache.store({5, 6}, entry_of(64));
    EXPECT_FALSE(cache.find({5, 6})) << path;
  }
}

TEST(disk_cache, a_full_disk_leaves_no_file_behind) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  // Simulates a full disk by a limit of the file size.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  cache.store({5, 6}, entry_of(10'000));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(cache.find({5, 6}));
  EXPECT_TRUE(folder.files().empty());
}

TEST(disk_cache, the_least_recently_used_entry_is_deleted_first) {
  const scratch_folder folder;
  constexpr std::size_t bytes = 50'000;
  const disk_cache cache(folder.path.string(), 256 * std::uint64_t{4 * bytes});  // a shard has space for three entries
  const auto key = [](std::uint64_t i) { return digest{i, 0}; };                 // all in one shard
  const auto set_age = [&](std::uint64_t i, int hours) {
    const auto file = folder.path / key(i).hex().substr(0, 2) / key(i).hex().substr(2);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (std::uint64_t i = 0; i < 3; ++i) cache.store(key(i), entry_of(bytes));
  set_age(0, 30), set_age(1, 20), set_age(2, 10);
  EXPECT_TRUE(cache.find(key(0)));  // the least recently used one is now the next
  cache.store(key(3), entry_of(bytes));
  EXPECT_TRUE(cache.find(key(0)));
  EXPECT_FALSE(cache.find(key(1)));
  EXPECT_TRUE(cache.find(key(2)));
  EXPECT_TRUE(cache.find(key(3)));
}

TEST(disk_cache, stays_within_its_limit) {
  const scratch_folder folder;
  constexpr std::uint64_t limit = 256 * 16'384;
  const disk_cache cache(folder.path.string(), limit);
  std::uint64_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    cache.store({static_cast<std::uint64_t>(i), state}, entry_of(5000));
  }
  std::uintmax_t total = 0;
  for (const auto &file : folder.files()) total += std::filesystem::file_size(file);
  EXPECT_LE(total, limit);
  EXPECT_GT(total, limit / 4);
}

TEST(disk_cache, deletes_files_that_crashed_writers_left) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  cache.store({5, 6}, entry_of(64));
  const auto left = folder.files().at(0).parent_path() / "0123.99999.0";
  set_content(left, "half an entry");
  cache.store({7, 6}, entry_of(64));
  EXPECT_TRUE(std::filesystem::exists(left));  // may still be written
  std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  cache.store({7, 6}, entry_of(64));
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST(disk_cache, processes_can_write_and_read_one_entry_concurrently) {
  const scratch_folder folder;
  const disk_cache cache(folder.path.string(), plenty);
  const digest key{5, 6};
  std::vector<pid_t> writers;
  for (unsigned char fill = 1; fill <= 3; ++fill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 0; i < 300; ++i) cache.store(key, entry_of(20'000 + fill, fill));
      ::_exit(0);
    }
    writers.push_back(child);
  }
  int seen = 0;
  for (std::size_t finished = 0; finished < writers.size();) {
    if (const auto entry = cache.find(key)) {
      const auto fill = static_cast<unsigned char>(entry->kernel.object.at(0));
      ASSERT_EQ(entry->kernel.object, entry_of(20'000 + fill, fill).kernel.object);
      ++seen;
    } else {
      ASSERT_EQ(seen, 0) << "an entry has disappeared";
    }
    if (::waitpid(-1, nullptr, WNOHANG) > 0) ++finished;
  }
  EXPECT_GT(seen, 0);
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(disk_cache, environment_variables_select_the_folder) {
  const environment xdg("XDG_CACHE_HOME", "/some/where"), unset("DPEP_CACHE", "");
  EXPECT_EQ(disk_cache::from_environment().folder(), "/some/where/dpep");
  const environment relative("XDG_CACHE_HOME", "not/absolute"), home("HOME", "/home/me");
  EXPECT_EQ(disk_cache::from_environment().folder(), "/home/me/.cache/dpep");
  const environment own("DPEP_CACHE", "/my/own");
  EXPECT_EQ(disk_cache::from_environment().folder(), "/my/own");
  const environment off("DPEP_CACHE", "off");
  EXPECT_EQ(disk_cache::from_environment().folder(), "");
}

// Compilation of kernels with the cache.
class cached_compiling : public ::testing::Test {
protected:
  scratch_folder folder;
  environment cache{"DPEP_CACHE", folder.path.string()};
  queue q = cpu_queue();

  // Runs a new kernel with this code. Returns how many kernels were compiled, and found in the cache.
  jit::compile_counts run(const std::string &ir = scale_ir()) {
    const jit::compile_counts before = jit::counts();
    std::vector<float> a(100, 1);
    launch(q, ir_kernel(ir), flat(100), packed(scale_arguments{a.data(), 2}));
    q.wait();
    EXPECT_EQ(a, std::vector<float>(100, 2));
    const jit::compile_counts now = jit::counts();
    return {now.compiled - before.compiled, now.from_disk - before.from_disk};
  }
  void expect_compiled(const jit::compile_counts &c) { EXPECT_TRUE(c.compiled == 1 && c.from_disk == 0); }
  void expect_from_disk(const jit::compile_counts &c) { EXPECT_TRUE(c.compiled == 0 && c.from_disk == 1); }
};

TEST_F(cached_compiling, the_same_code_is_compiled_once) {
  expect_compiled(run());
  expect_from_disk(run());
  expect_compiled(run(scale_ir(1)));
  expect_from_disk(run(scale_ir(1)));
}

TEST_F(cached_compiling, off_disables_the_cache) {
  const environment off("DPEP_CACHE", "off");
  expect_compiled(run());
  expect_compiled(run());
  EXPECT_TRUE(folder.files().empty());
}

TEST_F(cached_compiling, a_damaged_entry_costs_a_compilation_and_is_replaced) {
  run();
  const auto file = folder.files().at(0);
  set_content(file, content_of(file).substr(0, 200));
  expect_compiled(run());
  expect_from_disk(run());
}

TEST_F(cached_compiling, with_an_unusable_folder_kernels_are_compiled) {
  const environment nowhere("DPEP_CACHE", "/proc/no/such/folder");
  expect_compiled(run());
  expect_compiled(run());
}

TEST_F(cached_compiling, each_shape_has_its_own_entry) {
  const kernel k = ir_kernel(scale_ir());
  for (const geometry &g : {flat(8), grouped(8, 2), grouped(8, 4)}) k.prepare(q.get_device(), g);
  EXPECT_EQ(folder.files().size(), 3U);
}

TEST_F(cached_compiling, an_entry_with_another_images_function_is_valid_only_with_that_image) {
  const std::string user = R"(
    declare float @factor_of_image(float)
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %e = getelementptr float, ptr %a, i64 %i
      %v = load float, ptr %e
      %r = call float @factor_of_image(float %v)
      store float %r, ptr %e
      ret void
    })";
  const auto provider = [](const char *factor) {
    return std::string("define float @factor_of_image(float %x) {\n %r = fmul float %x, ") + factor +
           "\n ret float %r\n}";
  };
  const std::string twice = provider("2.0"), once_more = provider("3.0");
  {
    const device_image image(bytes_of(twice).data(), twice.size());
    expect_compiled(run(user));
    expect_from_disk(run(user));
  }
  const device_image image(bytes_of(once_more).data(), once_more.size());
  std::vector<float> a(4, 1);
  launch(q, ir_kernel(user), flat(4), packed(scale_arguments{a.data(), 0})).wait();
  EXPECT_EQ(a, std::vector<float>(4, 3));
}

}  // namespace
}  // namespace dpep
