// Counts of elements in bins: numbers of bins, which are counted by the executor.
//
// A histogram counts the positions of elements among the edges. Positions before the first and behind the last edge are
// counted, too, and are not part of the result.
#include <dpep/array_histograms.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array {
namespace {

ndarray apply(opcode code, const operand &a, const operand &b) {
  const operand both[] = {a, b};
  return element(code, both);
}
ndarray part(const ndarray &x, std::int64_t start, std::int64_t count) {
  const index which{index::kind::slice, start, count, 1};
  return view(x, {&which, 1});
}
ndarray flat(const ndarray &x, dtype type) {
  const std::int64_t shape[] = {-1};
  return reshape(astype(x, type, casting::unsafe, order::row_major, false), shape);
}

/// The dtype in which weights are added.
dtype sum_type(const ndarray *weights, const device &on) {
  if (!weights) return dtype::int64;
  const dtype_kind kind = kind_of(weights->type());
  return kind == dtype_kind::complex ? default_complex(on) : kind == dtype_kind::real ? default_real(on) : dtype::int64;
}

void check_weights(const char *name, const ndarray &x, const ndarray &weights) {
  check_same_queue(weights.get_queue(), x.get_queue(), name);
  if (!std::ranges::equal(weights.shape(), x.shape()))
    refuse(refusal::value, "{}: weights must have the shape of the elements, {}, got {}", name, text_of(x.shape()),
           text_of(weights.shape()));
}

/// The counts or sums of weights of the bins, which are numbers in [0, length).
ndarray count(const ndarray &bins, const ndarray *weights, dtype type, std::int64_t length) {
  const std::int64_t shape[] = {length};
  const ndarray sums = full(shape, scalar::of(std::int64_t{0}), type, {bins.get_queue(), bins.memory_kind()});
  const ndarray list = flat(bins, dtype::int64), of_weights = weights ? flat(*weights, type) : ndarray();
  const auto object = [](const ndarray &x) -> array_object & { return implementation_of(x, "count"); };
  executor_of(bins.get_queue()).count(object(list), weights ? &object(of_weights) : nullptr, object(sums));
  return sums;
}

/// Replaces a float by the next one, infinity by NaN.
void open_end(const ndarray &x) {
  const scalar infinity = scalar::of(std::numeric_limits<double>::infinity());
  const scalar nan = scalar::of(std::numeric_limits<double>::quiet_NaN());
  const double value = item(x).number.real();
  if (std::isinf(value) && value > 0)
    assign(x, nan);
  else
    assign(x, apply(opcode::nextafter, {.array = &x}, {.number = &infinity}));
}

/// A search for the position behind equal edges finds all elements up to the last edge before it, if the last edge is
/// replaced by the next number, or by NaN if there is none.
ndarray edges_with_open_end(const ndarray &given, dtype type) {
  const std::int64_t last = given.size() - 1;
  const ndarray edges = copy(astype(given, type, casting::unsafe, order::row_major, false));
  const index at_last{index::kind::integer, last};
  const ndarray end = view(edges, {&at_last, 1});
  if (kind_of(type) == dtype_kind::complex) {  // the order is lexicographic
    open_end(imaginary_part(end));
    return edges;
  }
  if (kind_of(type) == dtype_kind::real) {
    open_end(end);
    return edges;
  }
  const scalar one = scalar::of(std::int64_t{1});
  const ndarray next = apply(opcode::add, {.array = &end}, {.number = &one});
  if (item(apply(opcode::less, {.array = &next}, {.array = &end})).integer) return part(edges, 0, last);
  assign(end, next);
  return edges;
}

/// For each element, 1 + the number of its bin; 0 or n + 1 for those outside of the n bins.
ndarray positions(const ndarray &given, const ndarray &edges) {
  check_same_queue(edges.get_queue(), given.get_queue(), "histogram");
  if (edges.dimensions() != 1 || edges.size() < 1)
    refuse(refusal::value, "histogram: edges must have one axis and at least one element, got shape {}",
           text_of(edges.shape()));
  const auto numbers = [](const ndarray &x) {
    return x.type() == dtype::boolean ? astype(x, dtype::uint8, casting::unsafe, order::keep, false) : x;
  };
  const ndarray x = numbers(given), bounds = numbers(edges);
  if (bounds.size() > 1) {
    const ndarray earlier = part(bounds, 0, bounds.size() - 1), later = part(bounds, 1, bounds.size() - 1);
    if (item(reduce(reduction::any, apply(opcode::greater, {.array = &earlier}, {.array = &later}))).integer)
      refuse(refusal::value, "histogram: the edges of bins must increase monotonically");
  }
  const dtype type = supported(promote(x.type(), bounds.type()), x.get_queue().get_device());
  return searchsorted(edges_with_open_end(bounds, type), astype(x, type, casting::unsafe, order::keep, false),
                      side::right);
}

using number = std::complex<double>;

number value_of(const scalar &x) noexcept {
  if (x.what == scalar::kind::real || x.what == scalar::kind::complex) return x.number;
  return x.beyond_int64 ? static_cast<double>(static_cast<std::uint64_t>(x.integer)) : static_cast<double>(x.integer);
}
std::string text_of_bounds(const std::pair<number, number> &b) {
  if (b.first.imag() == 0 && b.second.imag() == 0) return fmt::format("[{}, {}]", b.first.real(), b.second.real());
  return fmt::format("[{}{:+}j, {}{:+}j]", b.first.real(), b.first.imag(), b.second.real(), b.second.imag());
}

/// The outer edges of bins of equal width.
std::pair<number, number> bounds_of(const ndarray &x, const std::optional<std::pair<scalar, scalar>> &range) {
  std::pair<number, number> bounds{0, 1};
  if (range) {
    bounds = {value_of(range->first), value_of(range->second)};
    const auto parts = [](number z) { return std::pair(z.real(), z.imag()); };
    if (parts(bounds.first) > parts(bounds.second))
      refuse(refusal::value, "histogram: max must be larger than min in range parameter, got {}",
             text_of_bounds(bounds));
  } else if (x.size() > 0) {
    const ndarray least = reduce(reduction::min, x), greatest = reduce(reduction::max, x);
    bounds = {value_of(item(least)), value_of(item(greatest))};
    if (bounds.first != bounds.first) bounds.first = bounds.second = std::fabs(bounds.first.real());  // shown as "nan"
  }
  const auto is_finite = [](number z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); };
  if (!is_finite(bounds.first) || !is_finite(bounds.second))
    refuse(refusal::value, "histogram: {} range of {} is not finite", range ? "supplied" : "autodetected",
           text_of_bounds(bounds));
  if (bounds.first == bounds.second) return {bounds.first - 0.5, bounds.second + 0.5};
  return bounds;
}

/// Edges in the arithmetic of numpy.linspace, so that elements at edges are in the same bins as NumPy's. Fused
/// multiplications and additions would round differently.
template <class T, class R> std::vector<T> edges_between(std::pair<number, number> bounds, std::int64_t bins) {
  const auto as_element = [](number z) {
    if constexpr (std::is_same_v<T, R>)
      return T(z.real());
    else
      return T(R(z.real()), R(z.imag()));
  };
  const T first = as_element(bounds.first), last = as_element(bounds.second), step = (last - first) / R(bins);
  std::vector<T> edges(static_cast<std::size_t>(bins + 1));
  for (std::int64_t i = 0; i < bins; ++i) {
    const T distance = R(i) * step;
    edges[static_cast<std::size_t>(i)] = distance + first;
  }
  edges.back() = last;
  return edges;
}

template <class T, class R>
ndarray new_edges(std::pair<number, number> bounds, std::int64_t bins, dtype of, dtype type, const placement &where) {
  std::vector<T> edges = edges_between<T, R>(bounds, bins);
  const std::int64_t shape[] = {bins + 1}, strides[] = {sizeof(T)};
  return from_host({edges.data(), of, shape, strides}, type, where);
}

}  // namespace

ndarray bincount(const ndarray &x, const ndarray *weights, std::int64_t length) {
  constexpr const char *name = "bincount";
  if (x.dimensions() != 1) refuse(refusal::value, "{}: x must have one axis, got shape {}", name, text_of(x.shape()));
  const dtype_kind kind = kind_of(x.type());
  if (kind == dtype_kind::real || kind == dtype_kind::complex)
    refuse(refusal::type, "{}: x must be an array of integers, got {}", name, name_of(x.type()));
  if (length < 0) refuse(refusal::value, "{}: minlength must not be negative, got {}", name, length);
  const device &on = x.get_queue().get_device();
  if (weights) {
    check_weights(name, x, *weights);
    if (kind_of(weights->type()) == dtype_kind::complex)
      refuse(refusal::value, "{}: weights must be real, got {}", name, name_of(weights->type()));
  }
  if (x.size() > 0) {
    const ndarray least = reduce(reduction::min, x), greatest = reduce(reduction::max, x);
    const scalar last = item(greatest);
    if (const scalar first = item(least); kind == dtype_kind::signed_integer && first.integer < 0)
      refuse(refusal::value, "{}: x must have no negative elements, got {}", name, first.integer);
    if (last.beyond_int64 || last.integer == std::numeric_limits<std::int64_t>::max())
      refuse(refusal::value, "{}: the element {} is too large", name, static_cast<std::uint64_t>(last.integer));
    length = std::max(length, last.integer + 1);
  }
  return count(x, weights, weights ? default_real(on) : dtype::int64, length);
}

ndarray equal_edges(const ndarray &x, std::int64_t bins, std::optional<std::pair<scalar, scalar>> range) {
  const device &on = x.get_queue().get_device();
  if (bins < 1) refuse(refusal::value, "histogram: the number of bins must be positive, got {}", bins);
  const std::pair<number, number> bounds = bounds_of(x, range);
  const dtype_kind kind = kind_of(x.type());
  const bool is_complex = kind == dtype_kind::complex;
  const dtype type = is_complex || kind == dtype_kind::real ? x.type() : default_real(on);
  const placement where{x.get_queue(), x.memory_kind()};
  // as in NumPy, bounds that are elements are subtracted in their precision, given ones in double precision
  const bool narrow = !range && real_of(type) != dtype::float64;
  if (is_complex && narrow) return new_edges<std::complex<float>, float>(bounds, bins, dtype::complex64, type, where);
  if (is_complex) return new_edges<number, double>(bounds, bins, dtype::complex128, type, where);
  if (narrow) return new_edges<float, float>(bounds, bins, dtype::float32, type, where);
  return new_edges<double, double>(bounds, bins, dtype::float64, type, where);
}

ndarray histogram(std::span<const ndarray> coordinates, std::span<const ndarray> edges, const ndarray *weights) {
  constexpr const char *name = "histogram";
  if (coordinates.empty() || coordinates.size() != edges.size())
    refuse(refusal::value, "{}: expected edges for each of {} coordinates, got {}", name, coordinates.size(),
           edges.size());
  if (weights) check_weights(name, coordinates[0], *weights);
  std::vector<std::int64_t> shape, all_shape;
  ndarray bins;
  std::int64_t length = 1;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (!std::ranges::equal(coordinates[k].shape(), coordinates[0].shape()))
      refuse(refusal::value, "{}: the coordinates have different shapes, {} and {}", name,
             text_of(coordinates[0].shape()), text_of(coordinates[k].shape()));
    const ndarray at = positions(coordinates[k], edges[k]);
    const std::int64_t all = edges[k].size() + 1;
    const scalar factor = scalar::of(all);
    const ndarray scaled = bins ? apply(opcode::multiply, {.array = &bins}, {.number = &factor}) : ndarray();
    bins = bins ? apply(opcode::add, {.array = &scaled}, {.array = &at}) : at;
    shape.push_back(edges[k].size() - 1);
    all_shape.push_back(all);
    if (__builtin_mul_overflow(length, all, &length)) refuse(refusal::value, "{}: too many bins", name);
  }
  const ndarray counts = count(bins, weights, sum_type(weights, bins.get_queue().get_device()), length);
  std::vector<index> inner;
  for (const std::int64_t n : shape) inner.push_back({index::kind::slice, 1, n, 1});
  return copy(view(reshape(counts, all_shape), inner), order::row_major);
}

}  // namespace dpep::array
