// sycl::id: an index in a range.
#pragma once

#include <sycl/range.hpp>

namespace sycl {

template <int Dimensions, bool WithOffset> class item;

template <int Dimensions = 1> class id : public detail::index_array<id<Dimensions>, Dimensions> {
  using base = detail::index_array<id<Dimensions>, Dimensions>;

public:
  constexpr id() = default;
  constexpr id(std::size_t a) noexcept
    requires(Dimensions == 1)
      : base(a, 0, 0) {}
  constexpr id(std::size_t a, std::size_t b) noexcept
    requires(Dimensions == 2)
      : base(a, b, 0) {}
  constexpr id(std::size_t a, std::size_t b, std::size_t c) noexcept
    requires(Dimensions == 3)
      : base(a, b, c) {}
  constexpr id(const range<Dimensions> &r) noexcept {
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++)(*this)[i] = r[i];
  }
  template <bool WithOffset> constexpr id(const item<Dimensions, WithOffset> &i) : id(i.get_id()) {}

  constexpr operator std::size_t() const noexcept
    requires(Dimensions == 1)
  {
    return (*this)[0];
  }
  explicit constexpr operator range<Dimensions>() const {
    range<Dimensions> r;
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) r[i] = (*this)[i];
    return r;
  }
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

}  // namespace sycl

template <int D> struct std::hash<sycl::id<D>> {
  std::size_t operator()(const sycl::id<D> &x) const noexcept { return x.hash(); }
};
