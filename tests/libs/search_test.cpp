// The search for libraries: files, names, and messages.
#include <filesystem>

#include <gtest/gtest.h>

#include "libs/cublas.hpp"
#include "matrices.hpp"

namespace dpep::libs::test {
namespace {

TEST(search, finds_the_library_of_the_environment_and_describes_it) {
  ASSERT_NE(find_cpu_library(), nullptr) << describe_cpu_library();
  EXPECT_NE(describe_cpu_library().find(std::getenv("DPEP_BLAS")), std::string::npos) << describe_cpu_library();
}

TEST(search, sees_loaded_libraries_by_the_beginning_of_their_names) {
  EXPECT_FALSE(loaded_libraries("libc.so").empty());
  EXPECT_TRUE(loaded_libraries("no_such_library").empty());
}

TEST(search, lists_files_in_order_and_nothing_for_missing_folders) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "dpep_search";
  std::filesystem::create_directories(folder);
  for (const char *const name : {"lib_b", "lib_a", "other"}) std::fclose(std::fopen((folder / name).c_str(), "w"));
  const auto found = files_in(folder, "lib_");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].filename(), "lib_a");
  EXPECT_TRUE(files_in(folder / "missing", "lib_").empty());
  std::filesystem::remove_all(folder);
}

TEST(search, of_cuda_libraries_says_what_to_install) {
  ::setenv("DPEP_CUDA_LIBRARIES", "/no/such/folder:/nor/this", 1);
  constexpr cuda_library_name name{"cuTest", "libcutest.so", "nvidia-cutest", "cutest", {{{13, 13}, {12, 12}}}};
  std::string why;
  EXPECT_FALSE(open_cuda_library(name, 13, why));
  EXPECT_EQ(why, "libcutest.so.13 and libcutest.so.12 were not found in the folders of DPEP_CUDA_LIBRARIES; install "
                 "cuTest with 'pip install nvidia-cutest', or set DPEP_CUDA_LIBRARIES to its folder");
  EXPECT_FALSE(open_cuda_library(name, 12, why));
  EXPECT_NE(why.find("libcutest.so.12 was not found"), std::string::npos) << why;
  EXPECT_NE(why.find("pip install nvidia-cutest-cu12"), std::string::npos) << why;
  EXPECT_FALSE(open_cuda_library(name, 11, why));
  EXPECT_NE(why.find("update the driver"), std::string::npos) << why;
  ::unsetenv("DPEP_CUDA_LIBRARIES");
}

}  // namespace
}  // namespace dpep::libs::test
