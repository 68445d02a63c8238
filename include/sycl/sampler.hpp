// How coordinates of images become elements: addressing, filtering and normalisation (SYCL 2020, section 4.7.8).
#pragma once

#include <cstddef>
#include <functional>

#include <sycl/property_list.hpp>

namespace sycl {

enum class addressing_mode : unsigned int { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode : unsigned int { nearest, linear };
enum class coordinate_mode : unsigned int { normalized, unnormalized };

struct image_sampler {
  addressing_mode addressing;
  coordinate_mode coordinate;
  filtering_mode filtering;

  friend bool operator==(const image_sampler &, const image_sampler &) = default;
};

/// SYCL 1.2.1's name, which programs also use in an image_sampler.
using coordinate_normalization_mode = coordinate_mode;

// SYCL 1.2.1
class sampler {
public:
  sampler(coordinate_normalization_mode normalization, addressing_mode addressing, filtering_mode filtering,
          const property_list & = {})
      : value_{addressing, normalization, filtering} {}
  addressing_mode get_addressing_mode() const { return value_.addressing; }
  filtering_mode get_filtering_mode() const { return value_.filtering; }
  coordinate_normalization_mode get_coordinate_normalization_mode() const { return value_.coordinate; }
  template <class P> bool has_property() const noexcept { return false; }
  template <class P> P get_property() const { detail::throw_no_property("sampler"); }
  operator image_sampler() const { return value_; }
  friend bool operator==(const sampler &, const sampler &) = default;

private:
  image_sampler value_;
};

}  // namespace sycl

template <> struct std::hash<sycl::sampler> {
  std::size_t operator()(const sycl::sampler &s) const noexcept {
    return (static_cast<std::size_t>(s.get_addressing_mode()) << 2) |
           (static_cast<std::size_t>(s.get_filtering_mode()) << 1) |
           static_cast<std::size_t>(s.get_coordinate_normalization_mode());
  }
};
