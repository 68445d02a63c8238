// Order statistics of arrays: medians and quantiles.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// NumPy's definitions of a quantile, of which the first nine are those of Hyndman and Fan (1996).
enum class quantile_method : std::uint8_t {
  inverted_cdf,
  averaged_inverted_cdf,
  closest_observation,
  interpolated_inverted_cdf,
  hazen,
  weibull,
  linear,
  median_unbiased,
  normal_unbiased,
  lower,
  higher,
  midpoint,
  nearest,
};

/// What medians and quantiles have in common.
struct statistic_options {
  const char *function = "quantile";     // named in errors
  std::optional<std::vector<int>> axes;  // nothing: all axes
  bool keep_dimensions = false;
  bool ignore_nan = false;  // else the result is NaN where an element is
};
/// Probabilities from 0 to 1. `type` is the real dtype in which positions are computed and results are interpolated;
/// nothing: a Python number's, float64, which gives way to that of the elements.
struct probabilities {
  std::span<const double> values;
  std::optional<dtype> type;
};

/// The elements, or means of two elements, below which the given fractions of elements are. The result has an axis for
/// the probabilities before those that are kept. Its dtype is that of the elements for methods that select elements
/// (inverted_cdf, closest_observation, lower, higher, nearest), else floating-point, by NumPy's promotion.
/// refusal::type for complex elements, and for bools by the other methods; refusal::index without elements.
DPEP_API ndarray quantile(const ndarray &, const probabilities &, quantile_method, const statistic_options &);
/// The middle elements in the order of sort(), or the means of the two middle ones, in the dtype of mean(). NaN without
/// elements.
DPEP_API ndarray median(const ndarray &, const statistic_options &);

}  // namespace dpep::array
