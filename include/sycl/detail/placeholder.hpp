// Finds placeholder accessors without a buffer's address among a kernel's arguments, before the kernel does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <sycl/exception.hpp>

namespace sycl::detail {

/// Stands in a placeholder for the address of its elements until handler::require tells it. No memory is there (it is
/// no address at all on x86-64), and nothing else in a kernel's arguments is this number by chance.
constexpr std::uint64_t unbound_address = 0xbadacce550f0ad00;

constexpr std::size_t smallest_accessor = 56;  // bytes; <sycl/accessor.hpp> checks it

[[noreturn, gnu::cold]] inline void throw_unbound(const char *operation) {
  throw exception(errc::kernel_argument, std::string(operation) +
                                             " uses a placeholder accessor that was not required: call "
                                             "handler::require(accessor) in the command group before it");
}

/// Kernels are bytes to the handler, so their accessors are found as bytes. Small kernels hold none and pay nothing.
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
