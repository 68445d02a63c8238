// Where a kernel was launched, for functions whose last parameter is a pack: that leaves no room for a default
// argument.
#pragma once

#include <concepts>
#include <source_location>

#include <sycl/nd_range.hpp>

namespace sycl::detail {

/// What a kernel is launched over, and the line that says so. Whatever converts to a `Work` does to this, braces
/// included.
template <class Work> struct placed_work {
  Work work;
  std::source_location where;

  template <std::convertible_to<Work> From>
  placed_work(const From &from, std::source_location where = std::source_location::current())
      : work(from), where(where) {}
  placed_work(std::size_t a, std::size_t b, std::source_location where = std::source_location::current())
    requires std::same_as<Work, range<2>>
      : work(a, b), where(where) {}
  placed_work(std::size_t a, std::size_t b, std::size_t c, std::source_location where = std::source_location::current())
    requires std::same_as<Work, range<3>>
      : work(a, b, c), where(where) {}
};

}  // namespace sycl::detail
