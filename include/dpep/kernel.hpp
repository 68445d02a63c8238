// Kernels: bitcode that is compiled for a device at its first launch there.
//
// A kernel is a function `void name(const arguments *)` in a bitcode module. It reads its arguments, one packed
// structure, through the pointer, and its work-item's indices with the builtins of <dpep/device_builtins.hpp>.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/queue.hpp>
#include <dpep/source_line.hpp>

namespace dpep {

/// The index space of a launch. Index 0 varies fastest (SYCL's last dimension). `local` all zero: no work-groups
/// (SYCL's range form); the device chooses how to divide the range.
struct geometry {
  std::uint32_t dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{0, 0, 0};
  std::array<std::size_t, 3> offset{0, 0, 0};
};

/// Sets the local size to divisors of the global one, with at most 256 work-items.
DPEP_API void choose_local_size(geometry &) noexcept;

/// The bitcode of one translation unit, registered by a static initialiser of that unit. The bytes are not read before
/// a kernel of the image is launched, or a kernel of another image refers to one of its functions.
class DPEP_API device_image {
public:
  /// `bytes` must outlive the image.
  device_image(const unsigned char *bytes, std::size_t size) noexcept;
  device_image(const device_image &) = delete;
  device_image &operator=(const device_image &) = delete;
  ~device_image();
  std::span<const unsigned char> bytes() const noexcept { return {bytes_, size_}; }

private:
  const unsigned char *bytes_;
  std::size_t size_;
};

/// Properties of a kernel that was compiled for a device.
struct kernel_report {
  std::string name;
  std::uint32_t vector_width = 1;      // work-items for each vector instruction
  std::size_t static_local_bytes = 0;  // local memory that the kernel declares itself
  bool uses_barriers = false;
  std::string remarks;  // the code that was not vectorised, with reasons
};

/// A handle of a kernel and its compiled code for each device and launch shape.
class DPEP_API kernel : public handle {
public:
  using handle::handle;
  /// The kernel of the image's function `name`, which is looked up at the first compilation.
  kernel(const device_image &image, std::string_view name);
  /// A kernel from bitcode or textual IR, which is copied: for compilers that run in the program.
  static kernel from_bitcode(std::span<const unsigned char> module, std::string_view name);

  /// The kernels of all registered images. Slow: reads every image.
  static std::vector<kernel> all();

  const std::string &name() const noexcept;
  /// False for a kernel that does not read its arguments, such as a lambda without captures. Slow: reads the image.
  bool reads_arguments() const;
  /// Compiles the kernel for the device and this launch shape, unless it is compiled already. launch does so, too.
  /// Throws the same errors as launch.
  void prepare(const device &, const geometry &) const;
  /// The largest number of work-groups of a launch whose work-items wait for each other, with the local size of
  /// `work` and `local_bytes` of local memory. Compiles as prepare.
  std::size_t max_concurrent_groups(const device &, const geometry &work, std::size_t local_bytes) const;
  /// Compiles as prepare, and returns the properties of the compiled kernel.
  kernel_report report(const device &, const geometry &) const;
};

/// Submits the kernel over the index space `work`. `arguments` are copied. `local_bytes` is the size of each
/// work-group's dynamic local memory. Throws
///   errc::nd_range for a local size that does not divide the global size or is too large, and for local memory without
///   work-groups,
///   errc::build, with the compiler's diagnostics, for a kernel that does not compile,
///   errc::memory_allocation for more local memory than the device has.
/// Errors of the running kernel are thrown by the queue's next wait, with `where` in the message. `replaced`: as
/// ordered_dependencies::replaced.
DPEP_API event launch(const queue &, const kernel &, const geometry &work, std::span<const std::byte> arguments,
                      std::size_t local_bytes = 0, dependencies = {},
                      source_line where = std::source_location::current(), const event *replaced = nullptr);

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::kernel);
