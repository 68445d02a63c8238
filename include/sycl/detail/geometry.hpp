// Conversion between SYCL's order of dimensions (last fastest) and dpep's (first fastest). Nothing else converts it.
#pragma once

#include <dpep/kernel.hpp>

#include <sycl/detail/device_functions.hpp>
#include <sycl/exception.hpp>
#include <sycl/nd_range.hpp>

namespace sycl::detail {

/// The dpep dimension of a SYCL dimension.
template <int Dimensions> constexpr std::uint32_t reversed(int dimension) {
  return static_cast<std::uint32_t>(Dimensions - 1 - dimension);
}

template <int Dimensions>
constexpr dpep::geometry to_geometry(const range<Dimensions> &global, const id<Dimensions> &offset = {}) {
  dpep::geometry g;
  g.dimensions = Dimensions;
  for (int i = 0; i < Dimensions; i++) {
    g.global[reversed<Dimensions>(i)] = global[i];
    g.offset[reversed<Dimensions>(i)] = offset[i];
  }
  return g;
}

/// The local range of ext::oneapi::experimental::auto_range in each dimension.
inline constexpr std::size_t chosen_by_launch = ~std::size_t{0};

template <int Dimensions> constexpr dpep::geometry to_geometry(const nd_range<Dimensions> &r) {
  dpep::geometry g = to_geometry(r.get_global_range(), r.get_offset());
  g.local = {1, 1, 1};
  for (int i = 0; i < Dimensions; i++) g.local[reversed<Dimensions>(i)] = r.get_local_range()[i];
  if (r.get_local_range()[0] == chosen_by_launch) dpep::choose_local_size(g);
  return g;
}

[[noreturn, gnu::cold]] inline void throw_outside_kernel() {
  throw exception(errc::invalid, "a work-item, group or sub-group was queried on the host; they have indices and sizes "
                                 "only in the kernel that received them");
}

/// Calls one of the device's query builtins, which have no definition on the host. The builtin is a template argument,
/// so that it is called directly even without optimisation: the JIT refuses indirect calls.
template <auto builtin, class... Arguments> auto ask(Arguments... arguments) {
#ifndef __SYCL_DEVICE_ONLY__
  if (!builtin) throw_outside_kernel();
#endif
  return builtin(arguments...);
}

/// Returns an id or a range from one of the device's query builtins.
template <class Result, std::size_t (*builtin)(std::uint32_t) noexcept> Result query() {
  Result r;
  DPEP_UNROLL for (int i = 0; i < Result::dimensions; i++) r[i] = ask<builtin>(reversed<Result::dimensions>(i));
  return r;
}

/// The same of the work-item that runs; on the host, `kept`, which an object from a kernel has kept.
template <class Result, std::size_t (*builtin)(std::uint32_t) noexcept>
Result query_or([[maybe_unused]] const Result &kept) {
#ifdef __SYCL_DEVICE_ONLY__
  return query<Result, builtin>();
#else
  return kept;
#endif
}
template <std::size_t (*builtin)(std::uint32_t) noexcept, class Kept>
std::size_t query_or([[maybe_unused]] const Kept &kept, int dimension) {
#ifdef __SYCL_DEVICE_ONLY__
  return ask<builtin>(reversed<Kept::dimensions>(dimension));
#else
  return kept[dimension];
#endif
}

}  // namespace sycl::detail
