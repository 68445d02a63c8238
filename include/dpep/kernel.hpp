// Kernels: bitcode that is compiled for a device when it is first launched there, and launching them.
//
// A kernel is `void name(const arguments *)` in a bitcode module: its arguments are one packed structure, which the
// function reads through the pointer. Work-items learn who they are from <dpep/device_builtins.hpp>.
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

/// Work-items of a launch. Index 0 varies fastest (SYCL's last dimension). `local` all zero: no work-groups were
/// asked for (SYCL's range form), and the device cuts the range as it likes.
struct geometry {
  std::uint32_t dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{0, 0, 0};
  std::array<std::size_t, 3> offset{0, 0, 0};
};

/// The bitcode of one translation unit. Constructed by a static initialiser of that unit, and constant: the
/// bytes are not read before a kernel of it is launched or another image wants a function of it.
class DPEP_API device_image {
public:
  device_image(const unsigned char *bytes, std::size_t size) noexcept;  // the bytes must outlive the image
  device_image(const device_image &) = delete;
  device_image &operator=(const device_image &) = delete;
  ~device_image();
  std::span<const unsigned char> bytes() const noexcept { return {bytes_, size_}; }

private:
  const unsigned char *bytes_;
  std::size_t size_;
};

/// What compiling a kernel for a device found out.
struct kernel_report {
  std::string name;
  std::uint32_t vector_width = 1;      // work-items a vector instruction handles
  std::size_t static_local_bytes = 0;  // local memory that the kernel itself declares
  bool uses_barriers = false;
  std::string remarks;  // what stayed scalar, and why
};

class DPEP_API kernel : public handle {
public:
  using handle::handle;
  /// The function `name` of the image; looked for when first compiled.
  kernel(const device_image &image, std::string_view name);
  /// From bitcode or textual IR that is copied, e.g. made by a compiler at run time.
  static kernel from_bitcode(std::span<const unsigned char> module, std::string_view name);

  /// Those of all images that are registered now. Opens every image, so it is slow.
  static std::vector<kernel> all();

  const std::string &name() const noexcept;
  /// False for a kernel that does the same whatever its arguments are, a lambda without captures. Opens the image.
  bool reads_arguments() const;
  /// Compiles for the device and this shape of launch, unless that is done; launches do it by themselves. Throws as
  /// launch.
  void prepare(const device &, const geometry &) const;
  kernel_report report(const device &, const geometry &) const;
};

/// Submits the kernel over `work`. `arguments` are copied. `local_bytes`: dynamic local memory a work-group.
/// Throws errc::nd_range for a local size that does not divide the global one or is too large, and for local memory
/// without work-groups; errc::build with the compiler's words; errc::memory_allocation for too much local memory. What
/// the kernel does wrong when it runs is the queue's to report (queue::wait), with `where` in the message.
DPEP_API event launch(const queue &, const kernel &, const geometry &work, std::span<const std::byte> arguments,
                      std::size_t local_bytes = 0, dependencies = {},
                      source_line where = std::source_location::current());

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::kernel);
