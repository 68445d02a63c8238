// Kernels as textual IR, and helpers of the JIT's tests.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/exception.hpp>
#include <dpep/kernel.hpp>
#include <gtest/gtest.h>

namespace dpep::test {

inline std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}
inline kernel ir_kernel(std::string_view text, std::string_view name = "k") {
  return kernel::from_bitcode(bytes_of(text), name);
}
template <class T> std::span<const std::byte> packed(const T &arguments) {
  return std::as_bytes(std::span(&arguments, 1));
}

inline geometry flat(std::size_t items) { return {1, {items, 1, 1}, {}, {}}; }
inline geometry grouped(std::size_t items, std::size_t local) { return {1, {items, 1, 1}, {local, 0, 0}, {}}; }

inline queue cpu_queue() { return queue(device("cpu")); }

// A kernel that computes a[i] *= s over the first dimension. Modules with different `salt` are compiled separately.
struct scale_arguments {
  float *a;
  float s;
};
inline std::string scale_ir(int salt = 0) {
  return "; " + std::to_string(salt) + R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %sp = getelementptr i8, ptr %arguments, i64 8
      %s = load float, ptr %sp
      %e = getelementptr float, ptr %a, i64 %i
      %v = load float, ptr %e
      %r = fmul float %v, %s
      store float %r, ptr %e
      ret void
    })";
}

// Sets an environment variable until the end of the scope.
class environment {
public:
  environment(const char *name, const std::string &value) : name_(name) {
    if (const char *old = std::getenv(name)) before_ = old, was_set_ = true;
    ::setenv(name, value.c_str(), 1);
  }
  environment(const environment &) = delete;
  ~environment() { was_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }

private:
  const char *name_;
  std::string before_;
  bool was_set_ = false;
};

// A temporary folder, which is deleted at the end of the scope.
class scratch_folder {
public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "dpep-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no scratch folder");
    path = name;
  }
  scratch_folder(const scratch_folder &) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;

  /// All files except hidden ones, such as the disk cache's lock files.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> list;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) list.push_back(entry.path());
    return list;
  }
};

// Returns the message of the exception that `action` throws. Fails if it throws none, or one with another code.
template <class F>
std::string error_of(errc expected, F action, std::source_location where = std::source_location::current()) {
  try {
    action();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), make_error_code(expected)) << e.what() << "\nfrom line " << where.line();
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown, line " << where.line();
  return "";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text)

}  // namespace dpep::test
