// sycl::range: the number of work-items or elements in each dimension; the last dimension varies fastest.
#pragma once

#include <sycl/detail/index_array.hpp>

namespace sycl {

template <int Dimensions = 1> class range : public detail::index_array<range<Dimensions>, Dimensions> {
  using base = detail::index_array<range<Dimensions>, Dimensions>;

public:
  constexpr range() noexcept = default;
  constexpr range(std::size_t a) noexcept
    requires(Dimensions == 1)
      : base(a, 1, 1) {}
  constexpr range(std::size_t a, std::size_t b) noexcept
    requires(Dimensions == 2)
      : base(a, b, 1) {}
  constexpr range(std::size_t a, std::size_t b, std::size_t c) noexcept
    requires(Dimensions == 3)
      : base(a, b, c) {}

  constexpr std::size_t size() const noexcept {
    std::size_t product = 1;
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) product *= (*this)[i];
    return product;
  }
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

}  // namespace sycl

template <int D> struct std::hash<sycl::range<D>> {
  std::size_t operator()(const sycl::range<D> &x) const noexcept { return x.hash(); }
};
