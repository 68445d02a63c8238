// The JIT's internal interface: from a kernel's bitcode and the shape of its launches to code loaded on a device.
//
// No LLVM type appears here, which keeps it cheap to include.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <dpep/kernel.hpp>

#include "backend/backend.hpp"
#include "jit/launch/hash.hpp"

namespace dpep::jit {

/// A word of 64 bits of the arguments whose value is known.
struct argument_word {
  std::uint32_t offset;
  std::uint64_t value;
  friend bool operator==(const argument_word &, const argument_word &) = default;
};

/// The properties of a launch that code is specialised on, besides the target. Each distinct value is compiled once.
struct specialisation {
  bool grouped = false;                  // launched over an nd_range
  std::uint8_t dimensions = 1;           // sizes of the remaining dimensions are 1
  std::array<std::uint32_t, 3> local{};  // work-group size; valid when grouped
  std::uint32_t sub_group_size = 1;      // of all sub-groups of a work-group but the last
  bool narrow_ids = false;               // ids and sizes fit 31 bits (fits_31_bits)
  bool linear_groups = false;            // numbers work-groups linearly in the grid's x dimension (exceeds_grid_limits)
  bool checked = false;                  // contains run-time checks (DPEP_CHECK)
  bool debugged = false;                 // not optimised, for debuggers
  bool small_buffers = false;            // as argument_facts::small_buffers
  std::vector<argument_word> words{};    // known arguments
  friend bool operator==(const specialisation &, const specialisation &) = default;
};

/// A kernel to compile.
struct source {
  std::span<const unsigned char> module;  // bitcode or textual IR
  std::string name;                       // symbol of the kernel function
  digest hash;                            // of the module; shared by the kernels of an image
  /// Generates the module if `module` is empty. Called only if the disk cache has no code for it.
  std::function<std::vector<unsigned char>()> make{};
};

/// The result of the compilation stages, as stored in the disk cache.
struct compiled_kernel {
  std::vector<std::byte> object;  // ELF for x86-64, text for PTX, …
  backend::code_needs needs;
  kernel_report report;
};

/// A compiled kernel that is loaded on its device.
struct loaded_kernel {
  ref<const backend::code> code;
  kernel_report report;
};
/// Compiles the kernel, or reads it from the disk cache, and loads it. Throws errc::build.
loaded_kernel compile(const source &, const specialisation &, backend::device &);

/// Whether launches whose ids fit 31 bits get their own specialisation on the device.
bool prefers_narrow_ids(const backend::device &);
/// Whether launches with small buffers (argument_facts) get their own specialisation on the device.
bool uses_small_buffers(const backend::device &);
/// Whether the device limits the number of work-groups in some dimensions, so that larger launches need their own
/// specialisation.
bool has_grid_limits(const backend::device &);
/// The largest number of work-items of a work-group if it exceeds the device's info::max_work_group_size, otherwise 0.
std::size_t max_group_items(const backend::device &);

/// Number of kernels that `compile` compiled, and read from the disk cache, in this process so far.
struct compile_counts {
  std::uint64_t compiled = 0, from_disk = 0;
};
compile_counts counts() noexcept;

}  // namespace dpep::jit
