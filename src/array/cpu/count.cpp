// Counts of elements in bins on CPUs.
//
// The elements are cut into parts, as many as the bins allow, of which each has sums of its own. They are added to the
// result in the order of the parts, so that sums of floats do not depend on the number of threads.
#include "array/cpu/count.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/step_submission.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t bin_block = 8192;  // bins whose sums a unit adds

/// The arguments of the steps; copied with each launch.
struct count_arguments {
  dtype type;
  const std::int64_t *bins;
  const std::byte *weights;  // null: elements are counted
  std::int64_t count, length, parts;
  std::byte *sums, *partial;  // partial sums: `length` for each part; without parts, the sums
};

/// Calls f with a pointer to the type whose additions are those of the dtype's real and imaginary parts, and the number
/// of these parts.
template <class F> void with_parts(dtype t, F f) {
  switch (t) {
  case dtype::int64:
    return f(static_cast<std::uint64_t *>(nullptr), std::integral_constant<std::int64_t, 1>());
  case dtype::float32:
    return f(static_cast<float *>(nullptr), std::integral_constant<std::int64_t, 1>());
  case dtype::complex64:
    return f(static_cast<float *>(nullptr), std::integral_constant<std::int64_t, 2>());
  case dtype::float64:
    return f(static_cast<double *>(nullptr), std::integral_constant<std::int64_t, 1>());
  default:
    return f(static_cast<double *>(nullptr), std::integral_constant<std::int64_t, 2>());
  }
}

/// Counts in several tables in turn, since an addition to the bin of the element before would wait for it.
void count_in_tables(const std::int64_t *bins, std::int64_t count, std::uint64_t *sums, std::int64_t length,
                     std::uint32_t *tables, std::int64_t most) {
  for (std::int64_t first = 0; first < count; first += most) {
    const std::int64_t n = std::min(most, count - first);
    std::memset(tables, 0, static_cast<std::size_t>(4 * length) * sizeof *tables);
    for (std::int64_t i = 0; i < n; ++i) ++tables[(i % 4) * length + bins[first + i]];
    for (std::int64_t b = 0; b < length; ++b)
      sums[b] += std::uint64_t{tables[b]} + tables[length + b] + tables[2 * length + b] + tables[3 * length + b];
  }
}

void add_elements(const count_arguments &c, std::int64_t begin, std::int64_t end, std::byte *sums) {
  constexpr std::int64_t most_in_tables = 1024, most_at_once = 1 << 20;
  if (!c.weights && c.length <= most_in_tables && end - begin >= 4 * c.length) {
    std::uint32_t tables[4 * most_in_tables];
    return count_in_tables(c.bins + begin, end - begin, reinterpret_cast<std::uint64_t *>(sums), c.length, tables,
                           most_at_once);
  }
  if (!c.weights) {
    auto *const to = reinterpret_cast<std::uint64_t *>(sums);
    for (std::int64_t i = begin; i < end; ++i) ++to[c.bins[i]];
    return;
  }
  with_parts(c.type, [&]<class R>(R *, auto parts) {
    R *const to = reinterpret_cast<R *>(sums);
    const R *const weights = reinterpret_cast<const R *>(c.weights);
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t k = 0; k < parts; ++k) to[c.bins[i] * parts + k] += weights[i * parts + k];
  });
}

void add_parts(const count_arguments &c, std::size_t begin, std::size_t end) {
  const std::int64_t each = (c.count + c.parts - 1) / c.parts, bytes = c.length * std::int64_t(size_of(c.type));
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto part = std::int64_t(unit), first = std::min(part * each, c.count);
    std::byte *const sums = c.parts > 1 ? c.partial + part * bytes : c.sums;
    if (c.parts > 1) std::memset(sums, 0, std::size_t(bytes));
    add_elements(c, first, std::min(first + each, c.count), sums);
  }
}

void add_sums(const count_arguments &c, std::size_t begin, std::size_t end) {
  with_parts(c.type, [&]<class R>(R *, auto parts) {
    const std::int64_t first = std::int64_t(begin) * bin_block * parts;
    const std::int64_t last = std::min(std::int64_t(end) * bin_block, c.length) * parts;
    R *const to = reinterpret_cast<R *>(c.sums);
    const R *from = reinterpret_cast<const R *>(c.partial);
    for (std::int64_t part = 0; part < c.parts; ++part, from += c.length * parts)
      for (std::int64_t i = first; i < last; ++i) to[i] += from[i];
  });
}

template <void work(const count_arguments &, std::size_t, std::size_t)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  count_arguments c;
  std::memcpy(&c, arguments, sizeof c);
  work(c, begin, end);
}

constexpr work_step parts_step{"count_parts", kernel<add_parts>}, sums_step{"count_sums", kernel<add_sums>};

}  // namespace

namespace cpu {

void count(array_object &bins, array_object *weights, array_object &sums) {
  constexpr std::int64_t few_elements = 4096, most_parts = 64, least_elements = 1 << 15;
  count_arguments c{.type = sums.type,
                    .bins = reinterpret_cast<const std::int64_t *>(bins.first()),
                    .weights = weights ? weights->first() : nullptr,
                    .count = bins.layout.size,
                    .length = sums.layout.size,
                    .parts = 1,
                    .sums = sums.first(),
                    .partial = nullptr};
  if (c.count == 0) return;
  if (c.count <= few_elements && is_host_accessible(bins.queue) && idle(bins.queue)) return add_parts(c, 0, 1);
  c.parts = std::clamp<std::int64_t>(c.count / std::max(4 * c.length, least_elements), 1, most_parts);
  step_submission steps(bins.queue);
  for (array_object *const used : {&bins, weights, &sums})
    if (used) steps.uses(used->memory());
  if (c.parts > 1) {
    ref<storage> partial =
        make_object<storage>(bins.queue, sums.kind, std::size_t(c.parts) * std::size_t(c.length) * size_of(c.type));
    c.partial = partial->base();
    steps.uses(std::move(partial));
  }
  const int variant = int(c.type) * 2 + (c.weights != nullptr);
  steps.launch(parts_step, variant, std::as_bytes(std::span(&c, 1)), c.parts);
  if (c.parts > 1)
    steps.launch(sums_step, variant, std::as_bytes(std::span(&c, 1)), (c.length + bin_block - 1) / bin_block);
}

}  // namespace cpu
}  // namespace dpep::array
