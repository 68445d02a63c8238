// The JIT's inner interface: a kernel's bitcode and how it will be launched in, code for a device out.
//
// No LLVM type appears here, so that including it stays cheap.
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

/// What a compilation is made for beyond the target: one compiled kernel for each that differs.
struct specialisation {
  bool grouped = false;                  // launched with work-groups
  std::uint8_t dimensions = 1;           // dimensions above are known to be 1
  std::array<std::uint32_t, 3> local{};  // the work-group's size, known when grouped
  std::uint32_t sub_group_size = 1;      // of all sub-groups of a work-group but its last
  bool narrow = false;                   // ids and sizes are known to fit 31 bits (counts_narrowly)
  bool tall = false;                     // too many work-groups in a dimension for a GPU's grid (has_tall_grid)
  bool checked = false;                  // reports mistakes of the kernel's (DPEP_CHECK)
  bool debugged = false;                 // stays as it was written, where debuggers can see it
  friend bool operator==(const specialisation &, const specialisation &) = default;
};

struct source {
  std::span<const unsigned char> module;  // bitcode or textual IR
  std::string name;                       // the kernel function
  digest hash;                            // of the module: kernels of one image share it
  /// Where there is no module yet: makes it. Only called when there is no machine code of it on disk.
  std::function<std::vector<unsigned char>()> make{};
};

/// The stages' result: what goes to disk and comes back from it.
struct compiled {
  std::vector<std::byte> object;  // ELF for x86-64, text for PTX, …
  backend::code_needs needs;
  kernel_report report;
};

/// Compiles, or finds on disk, and loads. Throws errc::build.
struct ready {
  ref<const backend::code> code;
  kernel_report report;
};
ready compile(const source &, const specialisation &, backend::device &);

/// Whether the device gains so much from narrow specialisations that they are worth code of their own.
bool prefers_narrow(const backend::device &);
/// Whether its work-groups lie in grids, so that tall launches need code of their own.
bool has_grids(const backend::device &);
/// The most work-items of a work-group, where that is more than the device says of itself; 0: it is not.
std::size_t most_group_items(const backend::device &);

/// What compile did so far in this process.
struct compile_counts {
  std::uint64_t compiled = 0, from_disk = 0;
};
compile_counts counts() noexcept;

}  // namespace dpep::jit
