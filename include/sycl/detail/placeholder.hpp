// Detects placeholder accessors without an address among a kernel's captured values before the kernel is launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <sycl/exception.hpp>

namespace sycl::detail {

/// Replaces the element address of a placeholder until handler::require sets it. It is not a canonical address on
/// x86-64, so no memory is there, and no other captured value has it by chance.
constexpr std::uint64_t unbound_address = 0xbadacce550f0ad00;

constexpr std::size_t smallest_accessor = 56;  // bytes; checked in <sycl/accessor.hpp>

[[noreturn, gnu::cold]] inline void throw_unbound(const char *operation) {
  throw exception(errc::kernel_argument, std::string(operation) +
                                             " uses a placeholder accessor that was not required: call "
                                             "handler::require(accessor) in the command group before it");
}

/// Throws if a captured accessor is unbound. The handler has kernels as bytes, so it searches these. Kernels too small
/// to hold an accessor are not searched.
template <class F> void expect_bound_accessors([[maybe_unused]] const F &kernel) {
  if constexpr (sizeof(F) >= smallest_accessor && alignof(F) >= alignof(void *)) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(&kernel);
    for (std::size_t i = 0; i < sizeof(F); i += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i, sizeof word);
      if (word == unbound_address) [[unlikely]]
        throw_unbound("the kernel");
    }
  }
}

}  // namespace sycl::detail
