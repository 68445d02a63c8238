// Random kernels with barriers, each as textual IR and as a program that is run in lock-step: the reference for
// work-group formation, which shares nothing with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dpep::test {

/// What a kernel gets: `arguments` of the launch point to these, in this order.
struct random_kernel_data {
  std::vector<std::uint32_t> in;     // one for each work-item
  std::vector<std::uint32_t> same;   // one for each work-item, equal within a work-group: uniform, but who can tell
  std::vector<std::uint32_t> table;  // 16 values that all may read
  std::vector<std::uint32_t> out;    // one for each work-item
};

class random_kernel {
public:
  explicit random_kernel(std::uint32_t seed);
  ~random_kernel();

  /// Functions of a module; the kernel is `@kernel` and takes {in, same, table, out} as pointers. It wants an i32 of
  /// dynamic local memory for each work-item.
  std::string text() const;

  /// Runs the kernel, statement by statement for all work-items of a group together.
  void run(random_kernel_data &, std::size_t groups, std::size_t group_size) const;

  struct statement;

private:
  std::vector<statement> body_;
};

}  // namespace dpep::test
