// Medians and quantiles: rows of elements in order, and elements at positions in them, in NumPy's arithmetic.
//
// Positions are arrays, for each probability, since the number of elements that are not NaN may differ from row to row.
#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sorting.hpp>
#include <dpep/array_statistics.hpp>

#include <algorithm>

#include "array/api/order_statistics.hpp"
#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {
namespace {

bool is_real(dtype t) noexcept { return kind_of(t) == dtype_kind::real; }
bool has_nan(dtype t) noexcept { return is_real(t) || kind_of(t) == dtype_kind::complex; }

/// The elements of the axes as rows, along the last axis, and the shape of the result.
struct rows_of_elements {
  ndarray x;
  std::vector<std::int64_t> result;  // with axes of length 1, if they are kept
  std::int64_t length() const { return x.shape().back(); }
  bool is_one_row() const { return x.size() == length(); }
};

rows_of_elements rows_of(const ndarray &x, const statistic_options &options) {
  const int n = x.dimensions();
  std::vector<int> reduced;
  if (options.axes) {
    reduced = normalized_axes(*options.axes, n, options.function);
  } else {
    for (int i = 0; i < n; ++i) reduced.push_back(i);
  }
  std::vector<int> order;
  std::vector<std::int64_t> shape;
  rows_of_elements made;
  std::int64_t length = 1;
  for (int i = 0; i < n; ++i) {
    const std::int64_t of_axis = x.shape()[static_cast<std::size_t>(i)];
    const bool is_reduced = std::ranges::find(reduced, i) != reduced.end();
    if (is_reduced) {
      length *= of_axis;
    } else {
      order.push_back(i);
      shape.push_back(of_axis);
    }
    if (!is_reduced || options.keep_dimensions) made.result.push_back(is_reduced ? 1 : of_axis);
  }
  std::ranges::sort(reduced);
  order.insert(order.end(), reduced.begin(), reduced.end());
  shape.push_back(length);
  made.x = reshape(permute(x, order), shape);
  return made;
}

/// Positions in rows: of probabilities along the last axis, and of rows along those before, if rows have different
/// numbers of elements.
struct positions {
  ndarray previous;               // int64
  std::optional<ndarray> next;    // missing for methods that select an element
  std::optional<ndarray> weight;  // of the next element
};

ndarray as_index(const term &x) { return cast(x, dtype::int64); }

/// The greatest integer up to a position, or the next one, unless `keeps` is true.
ndarray step_to_boundary(const term &position, const term &keeps) {
  const term below = floor(position);
  return as_index(apply(opcode::maximum, where(keeps, below, below + 1.0), 0.0));
}

/// The position in the order of n elements at which the fraction q of them is reached, counted from 0.
term virtual_position(quantile_method method, const term &n, const term &q) {
  const auto by = [&](double alpha, double beta) {
    const term offset = alpha + q * (1 - alpha - beta);
    return n * q + offset - 1.0;
  };
  switch (method) {
  case quantile_method::averaged_inverted_cdf:
    return n * q - 1.0;
  case quantile_method::interpolated_inverted_cdf:
    return by(0, 1);
  case quantile_method::hazen:
    return by(0.5, 0.5);
  case quantile_method::weibull:
    return by(0, 0);
  case quantile_method::median_unbiased:
    return by(1 / 3.0, 1 / 3.0);
  case quantile_method::normal_unbiased:
    return by(3 / 8.0, 3 / 8.0);
  case quantile_method::midpoint: {
    const term at = (n - 1.0) * q;
    return 0.5 * (floor(at) + apply(opcode::ceil, at));
  }
  default:
    return (n - 1.0) * q;
  }
}

/// The position of one element, for methods that select one.
std::optional<ndarray> selected_position(quantile_method method, const term &n, const term &q) {
  switch (method) {
  case quantile_method::inverted_cdf: {
    const term at = n * q - 1.0;
    return step_to_boundary(at, equal(at, floor(at)));
  }
  case quantile_method::closest_observation: {
    const term at = n * q - 1.0 - 0.5, below = floor(at);
    return step_to_boundary(at, equal(at, below) && equal(apply(opcode::remainder, below, 2.0), 1.0));
  }
  case quantile_method::lower:
    return as_index(floor((n - 1.0) * q));
  case quantile_method::higher:
    return as_index(apply(opcode::ceil, (n - 1.0) * q));
  case quantile_method::nearest:
    return as_index(apply(opcode::round, (n - 1.0) * q));
  default:
    return {};
  }
}

positions positions_of(quantile_method method, const term &n, const term &q) {
  if (auto one = selected_position(method, n, q)) return {*one, {}, {}};
  const term at = virtual_position(method, n, q), below = floor(at), last = n - 1.0;
  term weight = at - below;
  const auto at_elements = [&](double w, double elsewhere) {
    return cast(where(equal(weight, 0.0), w, elsewhere), q.array().type());
  };
  if (method == quantile_method::averaged_inverted_cdf) weight = at_elements(0.5, 1);
  if (method == quantile_method::midpoint) weight = at_elements(0, 0.5);
  const auto limited = [&](const term &x) {
    return as_index(apply(opcode::maximum, apply(opcode::minimum, x, last), 0.0));
  };
  return {limited(below), limited(below + 1.0), weight};
}

/// Sorted rows, or few elements of one, and the positions in them.
struct ordered_rows {
  ndarray x;
  positions at;
  bool is_whole;  // whether all elements are in order, NaNs last
};

std::vector<std::int64_t> on_host(const ndarray &x) {
  std::vector<std::int64_t> made(static_cast<std::size_t>(x.size()));
  const std::int64_t shape[] = {x.size()}, strides[] = {sizeof(std::int64_t)};
  copy_to_host(x, {made.data(), dtype::int64, shape, strides});
  return made;
}

ordered_rows in_order(const rows_of_elements &rows, const positions &at, bool same_positions) {
  const auto row = [&] { return reshape(rows.x, std::array{rows.length()}); };
  if (same_positions && rows.is_one_row() && is_long_for_sort(rows.x)) {
    std::vector<std::int64_t> ranks = on_host(at.previous);
    const std::size_t count = ranks.size();
    if (at.next) std::ranges::copy(on_host(*at.next), std::back_inserter(ranks));
    if (const auto found = select_ranks(row(), ranks)) {
      const std::span places(found->positions);
      positions in_selected{list_of(places.first(count), placement_of(rows.x)), {}, at.weight};
      if (at.next) in_selected.next = list_of(places.subspan(count), placement_of(rows.x));
      std::vector<std::int64_t> shape(rows.x.shape().begin(), rows.x.shape().end());
      shape.back() = found->row.size();
      return {reshape(found->row, shape), in_selected, false};
    }
  }
  return {sort(rows.x, -1, false), at, true};
}

/// The elements at positions along the last axis.
ndarray elements_at(const ndarray &rows, const ndarray &positions) {
  const int last = rows.dimensions() - 1;
  if (positions.dimensions() == 1) return take_elements(rows, {&positions, 1}, last, index_mode::clip);
  return take_along_axis(rows, positions, last, index_mode::clip);
}

ndarray last_of(const ndarray &rows) {
  const index which[] = {{index::kind::ellipsis}, {index::kind::slice, rows.shape().back() - 1, 1, 1}};
  return view(rows, which);
}

/// The number of elements that are not NaN in each row, in an axis of length 1 behind the rows' axes.
ndarray count_numbers(const ndarray &rows, dtype type) {
  reduce_options along_rows;
  along_rows.axes = {rows.dimensions() - 1};
  along_rows.type = dtype::int64;
  along_rows.keep_dimensions = true;
  return cast(reduce(reduction::sum, apply(opcode::logical_not, apply(opcode::isnan, rows)), along_rows), type);
}

/// The number of elements of each row: one number if it is the same for all.
term number_of_elements(const rows_of_elements &rows, bool ignore_nan, dtype type) {
  if (!ignore_nan || !has_nan(rows.x.type())) return double(rows.length());
  const ndarray counts = count_numbers(rows.x, type);
  if (rows.is_one_row() && is_long_for_sort(rows.x)) return std::max(1.0, item(counts).number.real());
  return counts;
}

bool contains_nan(const ndarray &x) { return item(reduce(reduction::any, apply(opcode::isnan, x))).integer; }

/// NaN for rows with NaN, which are greater than all numbers, unless it is ignored.
ndarray with_nan(const ndarray &result, const rows_of_elements &rows, const ordered_rows &o, bool ignore_nan) {
  if (ignore_nan || !has_nan(rows.x.type())) return result;
  if (o.is_whole) {
    const ndarray last = last_of(o.x);
    return where(apply(opcode::isnan, last), last, result);
  }
  if (!contains_nan(rows.x)) return result;
  return full(result.shape(), scalar::of(std::numeric_limits<double>::quiet_NaN()), result.type(),
              placement_of(result));
}

/// The dtype of quantiles that are interpolated between elements.
dtype interpolated_type(dtype elements, std::optional<dtype> of_probabilities, const device &on) {
  if (of_probabilities) return supported(promote(elements, *of_probabilities), on);
  return is_real(elements) ? elements : default_real(on);
}

/// Between two elements, in the operations and the dtypes of NumPy's function _lerp, so that the rounding is the same.
ndarray interpolated(const ndarray &from, const ndarray &to, const term &weight, dtype type, bool is_weak) {
  // differences of narrow integers, which overflow in NumPy, are computed in the result's dtype
  const bool in_own = is_real(from.type()) || size_of(from.type()) == 8;
  const term a = in_own ? from : cast(from, type), b = in_own ? to : cast(to, type), difference = b - a;
  const auto factor = [&](const term &x) { return is_weak ? term(cast(x, type)) : x; };
  const term low = a + difference * factor(weight), high = b - difference * factor(1.0 - weight);
  return cast(where(weight >= 0.5, high, low), type);
}

/// The axis of probabilities, which is the last one, before the others.
ndarray with_shape(const ndarray &x, const rows_of_elements &rows, std::int64_t count) {
  const int from[] = {-1}, to[] = {0};
  std::vector<std::int64_t> shape = rows.result;
  shape.insert(shape.begin(), count);
  return reshape(moveaxis(x, from, to), shape);
}

}  // namespace

ndarray quantile(const ndarray &x, const probabilities &q, quantile_method method, const statistic_options &options) {
  const char *const name = options.function;
  using enum quantile_method;
  const bool selects = method == inverted_cdf || method == closest_observation || method == lower || method == higher ||
                       method == nearest;
  if (kind_of(x.type()) == dtype_kind::complex)
    refuse(refusal::type, "{}: a must be an array of real numbers, got {}", name, name_of(x.type()));
  if (x.type() == dtype::boolean && !selects)
    refuse(refusal::type, "{}: this method interpolates between elements, which is not defined for bools", name);
  const device &on = x.get_queue().get_device();
  const rows_of_elements rows = rows_of(x, options);
  const std::span kept = rows.x.shape().first(rows.x.shape().size() - 1);
  if (rows.length() == 0 && !std::ranges::count(kept, 0))
    refuse(refusal::index, "{}: the reduced axes of shape {} have no elements", name, text_of(x.shape()));
  const auto count = static_cast<std::int64_t>(q.values.size());
  const dtype result = selects ? x.type() : interpolated_type(x.type(), q.type, on);
  if (rows.x.size() == 0 || count == 0) {
    std::vector<std::int64_t> shape = rows.result;
    shape.insert(shape.begin(), count);
    return empty(shape, result, placement_of(x));
  }
  const dtype type = supported(q.type.value_or(dtype::float64), on);
  const term n = number_of_elements(rows, options.ignore_nan, type);
  const positions at = positions_of(method, n, list_of(q.values, type, placement_of(x)));
  const ordered_rows ordered = in_order(rows, at, !n.array());
  ndarray found = elements_at(ordered.x, ordered.at.previous);
  if (ordered.at.next)
    found = interpolated(found, elements_at(ordered.x, *ordered.at.next), *ordered.at.weight, result, !q.type);
  return with_shape(with_nan(found, rows, ordered, options.ignore_nan), rows, count);
}

ndarray median(const ndarray &x, const statistic_options &options) {
  const device &on = x.get_queue().get_device();
  const rows_of_elements rows = rows_of(x, options);
  const dtype type = has_nan(x.type()) ? x.type() : default_real(on);
  if (rows.x.size() == 0)
    return full(rows.result, scalar::of(std::numeric_limits<double>::quiet_NaN()), type, placement_of(x));
  const term n = number_of_elements(rows, options.ignore_nan, default_real(on));
  const ndarray one = list_of(std::array{1.0}, default_real(on), placement_of(x));
  const term twice = one * n;  // of an axis for one position
  positions at{as_index(apply(opcode::maximum, floor((twice - 1.0) / 2.0), 0.0)), as_index(floor(twice / 2.0)), {}};
  const ordered_rows ordered = in_order(rows, at, !n.array());
  // the sum of two float16 numbers is computed in float32, as in NumPy
  const dtype sum = type == dtype::float16 ? dtype::float32 : type;
  const ndarray low = elements_at(ordered.x, ordered.at.previous), high = elements_at(ordered.x, *ordered.at.next);
  const ndarray middle = where(equal(ordered.at.previous, *ordered.at.next), cast(low, sum),
                               (term(cast(low, sum)) + cast(high, sum)) / 2.0);
  return reshape(with_nan(cast(middle, type), rows, ordered, options.ignore_nan), rows.result);
}

}  // namespace dpep::array
