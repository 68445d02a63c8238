// Plans Fourier transforms.
#include "array/gpu/fourier_plan.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace dpep::array::gpu {
namespace {

using std::int64_t;

constexpr int64_t primes[] = {13, 11, 7, 5, 3, 2};

/// Prime factors, largest first. Empty if there are other ones, and for 1.
std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> factors;
  for (const int64_t prime : primes)
    for (; n % prime == 0; n /= prime) factors.push_back(prime);
  if (n != 1) factors.clear();
  return factors;
}

/// Products of the factors, as equal as possible.
std::vector<int64_t> distribute(const std::vector<int64_t> &factors, std::size_t count) {
  std::vector<int64_t> products(count, 1);
  for (const int64_t f : factors) *std::ranges::min_element(products) *= f;
  std::ranges::sort(products, std::greater());
  return products;
}

fourier_reading reading_of(fourier_kind what, bool is_half) noexcept {
  switch (what) {
  case fourier_kind::real_to_complex:
    return is_half ? fourier_reading::real_pairs : fourier_reading::real_elements;
  case fourier_kind::complex_to_real:
    return is_half ? fourier_reading::hermitian_half : fourier_reading::hermitian;
  default:
    return fourier_reading::complex_elements;
  }
}
fourier_writing writing_of(fourier_kind what, bool is_half, bool has_whole_lines) noexcept {
  if (what == fourier_kind::complex_to_real)
    return is_half ? fourier_writing::real_pairs : fourier_writing::real_elements;
  const bool untangled = what == fourier_kind::real_to_complex && is_half && has_whole_lines;
  return untangled ? fourier_writing::untangled : fourier_writing::complex_elements;
}

/// Chooses the memory that each pass writes, from the last one on.
void place(fourier_plan &plan, bool y_is_scratch, bool in_place) {
  using enum fourier_memory;
  fourier_memory next = plan.untangles ? first_scratch : y;
  for (std::size_t i = plan.passes.size(); i-- > 0;) {
    plan.passes[i].to = next;
    if (i == 0) break;
    plan.passes[i].from =
        next == first_scratch ? (y_is_scratch && !(i == 1 && in_place) ? y : second_scratch) : first_scratch;
    next = plan.passes[i].from;
    plan.uses_second_scratch |= next == second_scratch;
  }
  plan.passes[0].from = x;
}

}  // namespace

std::vector<int64_t> pass_radices(int64_t points, int64_t tile) {
  const std::vector<int64_t> factors = factors_of(points);
  if (factors.empty() && points != 1) return {};
  if (points <= tile) return {points};
  // at least four adjacent columns, so that memory is accessed in whole sectors
  const int64_t most = std::max<int64_t>(tile / 4, primes[0]);
  for (std::size_t count = 2;; ++count) {
    std::vector<int64_t> radices = distribute(factors, count);
    if (radices[0] <= most) return radices;
  }
}

int64_t convolution_length(int64_t points) noexcept {
  const int64_t least = 2 * points - 1;
  const auto power = int64_t(std::bit_ceil(std::uint64_t(least)));
  int64_t best = power;
  for (const int64_t eighths : {5, 6, 7})
    if (power >= 8 && power / 8 * eighths >= least) best = std::min(best, power / 8 * eighths);
  return best;
}

std::uint64_t column_schedule(int64_t radix) noexcept {
  std::uint64_t schedule = 0;
  int shift = 0;
  const auto add = [&](int64_t factor) {
    schedule |= std::uint64_t(factor) << shift;
    shift += 4;
    radix /= factor;
  };
  // odd ones first: their writes have an odd stride, which avoids conflicts of banks
  for (const int64_t prime : primes)
    while (prime != 2 && radix % prime == 0) add(prime);
  while (radix > 1) add(radix == 2 ? 2 : radix % 8 == 0 && radix != 16 ? 8 : 4);
  return schedule;
}

fourier_plan plan_of(const fourier_work &w, const fourier_plan_options &options) {
  const bool is_real = w.what == fourier_kind::real_to_complex || w.what == fourier_kind::complex_to_real;
  const bool is_half = is_real && w.length % 2 == 0;
  const bool swaps = w.what == fourier_kind::backward || w.what == fourier_kind::complex_to_real;
  const int64_t points = is_half ? w.length / 2 : w.length, to_length = w.y.shape()[std::size_t(w.axis)];
  fourier_plan plan;
  plan.points = points;
  std::vector<int64_t> radices = pass_radices(points, options.tile);
  const bool convolves = radices.empty();
  if (convolves) {
    plan.chirp = points;
    plan.points = convolution_length(points);
    radices = pass_radices(plan.points, options.tile);
  }
  const std::size_t count = radices.size(), all = convolves && count > 1 ? 2 * count : count;
  plan.untangles = w.what == fourier_kind::real_to_complex && is_half && count > 1;
  int64_t before = 1;
  for (std::size_t i = 0; i < all; ++i) {
    const bool is_first = i == 0, is_last = i + 1 == all, starts = i % count == 0, ends_first = i + 1 == count;
    if (starts) before = 1;
    const int64_t radix = radices[i % count];
    fourier_pass p;
    p.radix = radix;
    p.before = before;
    fourier_kernel &k = p.kernel;
    k.type = w.type;
    k.tile = options.tile;
    k.all_radices = (radix & (radix - 1)) != 0;
    k.read = is_first ? reading_of(w.what, is_half) : fourier_reading::complex_elements;
    k.write = is_last ? writing_of(w.what, is_half, count == 1) : fourier_writing::complex_elements;
    k.before = is_first && convolves ? fourier_multiplied::by_table
               : starts              ? fourier_multiplied::by_nothing
                                     : fourier_multiplied::by_roots;
    k.convolves = convolves && count == 1;
    k.has_write_table = convolves && (is_last || ends_first);
    const bool uses_all_roots = k.read == fourier_reading::hermitian_half || k.write == fourier_writing::untangled;
    p.roots = uses_all_roots ? w.length : k.before == fourier_multiplied::by_roots ? plan.points : 0;
    if (is_first && swaps) p.flags |= fourier_flag::swaps_input;
    if (is_last && convolves) p.flags |= fourier_flag::swaps_result;
    // the second transform of a convolution has the sign 1
    if (is_last ? swaps : convolves && ends_first) p.flags |= fourier_flag::swaps_output;
    if (is_last && is_real && !is_half) p.flags |= fourier_flag::first_is_real;
    p.to_length = !is_last ? plan.points : plan.untangles ? points : to_length;
    p.factor = !is_last ? 1 : convolves ? w.factor / double(plan.points) : w.factor;
    plan.passes.push_back(p);
    before *= radix;
  }
  const bool is_large_enough = !convolves && (!is_real || is_half);
  place(plan, options.y_is_scratch && is_large_enough, options.in_place);
  return plan;
}

}  // namespace dpep::array::gpu
