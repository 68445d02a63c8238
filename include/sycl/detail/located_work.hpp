// A kernel's work with the source location of the launch, for functions whose last parameter is a pack and which thus
// cannot have a default argument for it.
#pragma once

#include <concepts>
#include <source_location>

#include <sycl/nd_range.hpp>

namespace sycl::detail {

/// The range or nd_range of a kernel, and the source location of its launch. Everything that converts to a `Work`
/// converts to this, braces included.
template <class Work> struct located_work {
  Work work;
  std::source_location where;

  template <std::convertible_to<Work> From>
  located_work(const From &from, std::source_location where = std::source_location::current())
      : work(from), where(where) {}
  located_work(std::size_t a, std::size_t b, std::source_location where = std::source_location::current())
    requires std::same_as<Work, range<2>>
      : work(a, b), where(where) {}
  located_work(std::size_t a, std::size_t b, std::size_t c,
               std::source_location where = std::source_location::current())
    requires std::same_as<Work, range<3>>
      : work(a, b, c), where(where) {}
};

}  // namespace sycl::detail
