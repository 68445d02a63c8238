// Programs: kernels that are compiled from source text when the program runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/kernel.hpp>

namespace dpep {

/// What a kernel's argument is: bytes, an address of USM memory, or a size of local memory.
enum class argument_kind : std::uint8_t { value, global, constant, local };

/// An argument of a kernel, and its place in the packed arguments.
struct kernel_argument {
  std::string name, type;  // as written in the source
  argument_kind kind = argument_kind::value;
  std::size_t bytes = 0, alignment = 1, offset = 0;
  // Of local memory in SYCL, whose argument is an offset and the extents; otherwise zeros.
  std::size_t element_bytes = 0, dimensions = 0;
};

/// The properties of a kernel that do not depend on a device.
struct kernel_properties {
  std::string name, symbol;
  std::vector<kernel_argument> arguments;
  std::size_t argument_bytes = 0;
  std::array<std::size_t, 3> required_group{};  // reqd_work_group_size; zeros: none
  std::uint32_t required_sub_group = 0;         // 0: none
  bool uses_groups = false;                     // has barriers, local memory or ids of work-groups
  bool reads_dimensions = false;                // get_work_dim: the last eight bytes of the arguments
  std::size_t private_bytes = 0, local_bytes = 0;
  std::vector<std::string> registered_names;  // of kernels in SYCL: as sycl_source has them
  std::string raw_name;                       // of kernels in SYCL: the function's name in C++'s ABI
};

/// A kernel of a program.
struct program_kernel {
  kernel code;
  std::shared_ptr<const kernel_properties> properties;
};

/// A program in SYCL. Its kernels are the functions with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY.
struct sycl_source {
  std::string text;
  struct header {
    std::string name, text;
  };
  std::vector<header> headers = {};                // which the program may include by these names
  std::vector<std::string> registered_names = {};  // expressions such as "f<float>" that name functions, also kernels
  std::vector<std::string> options = {};           // clang's -D, -U, -I, -W…, -std=, -f…, -g
};

/// A program with its kernels; copies are cheap.
class DPEP_API program {
public:
  program() noexcept = default;
  /// Compiles OpenCL C (1.2, or the version of -cl-std) with clang 22, or reads the result from the disk cache, whose
  /// key are the source and the options. `options`: those of clBuildProgram, and clang's -D, -U, -I, -W…. Throws
  /// errc::build with the compiler's messages, or with what is missing where there is no clang 22.
  static program from_opencl_source(std::string_view source, std::string_view options = {});

  /// Reads a binary module in SPIR-V of OpenCL's flavour. Throws errc::build for damaged modules, and for what is not
  /// supported.
  static program from_spirv(std::span<const std::byte> module);

  /// Reads LLVM bitcode of OpenCL C for the target spir64, as `clang -x cl --target=spir64 -emit-llvm -c` writes it.
  /// Clang 22 reads it in a process of its own, because LLVM's reader may end its process for damaged bitcode. Throws
  /// errc::build for damaged modules, other targets, what is not supported, and where there is no clang 22.
  static program from_bitcode(std::span<const std::byte> module);

  /// Compiles C++ with SYCL kernels by dpcxx and clang 22, or finds the result in the disk cache. Kernels have the
  /// functions' names, "space::f", with the parameters' types, "f(int, float*)", if several kernels have that name;
  /// they are also found by the registered names and by the names of C++'s ABI, "_Z1fif". Throws errc::build with the
  /// compiler's messages, or with what is missing where there is no clang 22.
  static program from_sycl_source(const sycl_source &);

  explicit operator bool() const noexcept { return kernels_ != nullptr; }
  std::span<const program_kernel> kernels() const noexcept;
  /// The kernel of that name; null if there is none.
  const program_kernel *find(std::string_view name) const noexcept;

private:
  explicit program(std::shared_ptr<const std::vector<program_kernel>> kernels) noexcept
      : kernels_(std::move(kernels)) {}
  std::shared_ptr<const std::vector<program_kernel>> kernels_;
};

/// The arguments of one launch of a program's kernel. Arguments are set in any order; all errors are
/// errc::kernel_argument and name the argument.
class DPEP_API launch_arguments {
public:
  explicit launch_arguments(const program_kernel &);
  /// Describes what an argument was given, for messages.
  using description = std::function<std::string()>;
  /// Bytes for an argument by value, exactly as many as it has.
  void set_value(std::size_t index, std::span<const std::byte> bytes, const description &given);
  /// An address for a pointer to global or constant memory.
  void set_pointer(std::size_t index, const void *address, const description &given);
  /// Local memory of that many bytes for a pointer to local memory, or for an accessor in SYCL. `extents`: the numbers
  /// of elements, the slowest dimension first, for accessors of several dimensions.
  void set_local(std::size_t index, std::size_t bytes, const description &given,
                 std::span<const std::size_t> extents = {});

  const program_kernel &target() const noexcept { return kernel_; }
  /// Submits the kernel. `work` has dimension 0 as the fastest, OpenCL's order. Without a local size, kernels of
  /// work-groups get one that divides the range. Throws errc::kernel_argument for arguments that are not set, and the
  /// errors of dpep::launch.
  event submit(const queue &, geometry work, dependencies = {}, source_line = std::source_location::current(),
               const event *replaced = nullptr);

private:
  const kernel_argument &argument(std::size_t index) const;
  [[noreturn]] void refuse(std::size_t index, std::string_view given, std::string_view wanted) const;

  program_kernel kernel_;
  std::vector<std::byte> bytes_;
  std::vector<bool> set_;
  std::size_t local_bytes_ = 0;
};

}  // namespace dpep
