// The transform of lines: chooses tiles, and runs kernels and plans on each.
#include "array/cpu/fourier_lines.hpp"

#include "array/blocks/blocks.hpp"
#include "array/cpu/fourier_tiles.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array::cpu {
namespace {

// Tiles of several lines are used while both fit half a second-level cache; they then share cache lines in memory.
constexpr std::size_t most_tile_bytes = std::size_t{2} << 20;
// Contiguous lines, too, if they are short: the first passes over one line write numbers that are not consecutive. They
// do so with vectors only if the length is a multiple of 8.
constexpr std::size_t most_contiguous = 192, most_contiguous_odd = 2048;

/// Numbers at positions after the middle, the conjugates of those before it.
template <class R> void add_conjugates(std::size_t length, std::size_t lanes, blocks::fourier_tile t) {
  auto *const re = static_cast<R *>(t.re), *const im = static_cast<R *>(t.im);
  for (std::size_t i = 0; i < lanes; ++i) im[i] = 0;
  for (std::size_t k = 1; k <= length / 2; ++k)
    for (std::size_t i = 0; i < lanes; ++i) {
      re[(length - k) * lanes + i] = re[k * lanes + i];
      im[(length - k) * lanes + i] = -im[k * lanes + i];
    }
}

/// The layout of the lines of a complex array, or of pairs of real numbers, or of real numbers.
void describe_positions(line_layout &l, bool is_complex, bool pairs, std::int64_t stride, std::size_t count) {
  l.step = is_complex || pairs ? 2 * stride : stride;
  l.part = is_complex ? 1 : pairs ? stride : 0;
  l.re_count = pairs ? (count + 1) / 2 : count;
  l.im_count = is_complex ? count : pairs ? count / 2 : 0;
}

constexpr std::size_t cache_line = 64;
// The next tile's numbers are prefetched while a tile is transformed, up to this size.
constexpr std::size_t most_prefetched = 64 << 10;

template <bool write> void prefetch(const std::byte *from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += cache_line) __builtin_prefetch(from + i, write, 2);
}
/// Prefetches lines whose numbers are adjacent, or lines that are adjacent.
template <bool write> void prefetch_lines(const blocks::fourier_lines &l, std::size_t item) {
  const auto *const first = static_cast<const std::byte *>(l.data);
  const std::size_t numbers = l.im_count && l.part == 1 ? 2 : 1;  // real ones at a position
  if (l.step == std::int64_t(numbers)) {
    const std::size_t bytes = l.re_count * numbers * item;
    for (std::size_t i = 0; i < l.count && bytes * l.count <= most_prefetched; ++i)
      prefetch<write>(first + l.offsets[i] * std::int64_t(item), bytes);
  } else if (l.count > 1 && l.offsets[l.count - 1] - l.offsets[0] == std::int64_t((l.count - 1) * numbers)) {
    const std::size_t bytes = l.count * numbers * item;
    for (std::size_t k = 0; k < l.re_count && bytes * l.re_count <= most_prefetched; ++k)
      prefetch<write>(first + (l.offsets[0] + std::int64_t(k) * l.step) * std::int64_t(item), bytes);
  }
}

}  // namespace

line_transform::line_transform(const fourier_work &w)
    : what_(w.what),
      real_(real_of(w.type)),
      length_(static_cast<std::size_t>(w.length)),
      numbers_(has_pairs() ? length_ / 2 : length_),
      factor_(w.factor) {
  describe(w);
}

void line_transform::describe(const fourier_work &w) {
  const array_object &x = implementation_of(w.x, "fft"), &y = implementation_of(w.y, "fft");
  from_.first = implementation_of(w.x, "fft").first();
  to_.first = implementation_of(w.y, "fft").first();
  const auto axis = static_cast<std::size_t>(w.axis);
  const bool from_real = what_ == fourier_kind::real_to_complex, to_real = what_ == fourier_kind::complex_to_real;
  describe_positions(from_, !from_real, from_real && has_pairs(), x.layout.strides[axis],
                     static_cast<std::size_t>(x.layout.shape[axis]));
  describe_positions(to_, !to_real, to_real && has_pairs(), y.layout.strides[axis],
                     static_cast<std::size_t>(y.layout.shape[axis]));
  const std::int64_t from_item = from_real ? 1 : 2, to_item = to_real ? 1 : 2;
  for (std::size_t i = 0; i < x.layout.shape.size(); ++i) {
    const std::int64_t length = x.layout.shape[i];
    if (i == axis || length == 1) continue;
    lines_ *= static_cast<std::size_t>(length);
    const std::int64_t from = x.layout.strides[i] * from_item, to = y.layout.strides[i] * to_item;
    // an axis that continues the one before is merged with it
    if (!lengths_.empty() && from_.strides.back() == from * length && to_.strides.back() == to * length) {
      lengths_.back() *= length;
      from_.strides.back() = from;
      to_.strides.back() = to;
    } else {
      lengths_.push_back(length);
      from_.strides.push_back(from);
      to_.strides.push_back(to);
    }
  }
}

void line_transform::prepare() {
  const std::size_t vector = blocks::find_fourier(real_).lanes;
  const bool fits = 4 * vector * numbers_ * size_of(real_) <= most_tile_bytes;
  const bool is_short = numbers_ <= (numbers_ % 8 == 0 ? most_contiguous : most_contiguous_odd);
  const bool together = lines_ > vector / 2 && fits && (is_short || is_strided());
  plan_ = find_plan(real_, numbers_, together ? vector : 1);
  if (has_pairs()) roots_ = find_pair_roots(real_, numbers_);
  const std::size_t positions = std::max(plan_->positions(), numbers_ + 1);
  part_bytes_ = tile_part_bytes(real_, positions * plan_->lanes());
}

blocks::fourier_lines line_transform::lines_of(const line_layout &l, std::size_t first, std::size_t count,
                                               std::int64_t *offsets) const {
  for (std::size_t i = 0; i < count; ++i) {
    auto rest = static_cast<std::int64_t>(first + i);
    std::int64_t offset = 0;
    for (std::size_t a = lengths_.size(); a-- > 0;) {
      const bool outermost = a == 0;
      offset += (outermost ? rest : rest % lengths_[a]) * l.strides[a];
      if (!outermost) rest /= lengths_[a];
    }
    offsets[i] = offset;
  }
  return {l.first, offsets, count, l.step, l.part, l.re_count, l.im_count};
}

blocks::fourier_lines line_transform::source(std::size_t first, std::size_t count, std::int64_t *offsets) const {
  return lines_of(from_, first, count, offsets);
}
blocks::fourier_lines line_transform::target(std::size_t first, std::size_t count, std::int64_t *offsets) const {
  return lines_of(to_, first, count, offsets);
}

void line_transform::transform_numbers(tile_pair &t) const {
  if (is_backward()) t.exchange_parts();
  plan_->run(t);
  if (is_backward()) t.exchange_parts();
}

void line_transform::prefetch_tile(std::size_t first) const {
  std::int64_t offsets[blocks::max_lanes];
  const std::size_t count = std::min(plan_->lanes(), lines_ - first), item = size_of(real_);
  prefetch_lines<false>(source(first, count, offsets), item);
  prefetch_lines<true>(target(first, count, offsets), item);
}

void line_transform::run(std::size_t unit, std::byte *scratch) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(real_);
  const std::size_t lanes = plan_->lanes(), first = unit * lanes, count = std::min(lanes, lines_ - first);
  std::int64_t from_offsets[blocks::max_lanes], to_offsets[blocks::max_lanes];
  const blocks::fourier_lines from = source(first, count, from_offsets), to = target(first, count, to_offsets);
  tile_pair t = tiles_in(scratch, part_bytes_);
  const bool pairs = has_pairs();
  const std::size_t read = what_ != fourier_kind::complex_to_real ? numbers_ : pairs ? numbers_ + 1 : length_ / 2 + 1;
  kernels.load(from, read, lanes, t.numbers);
  if (what_ == fourier_kind::complex_to_real) {
    if (pairs) {
      kernels.pairs_of_spectrum(roots_->numbers(), roots_->row(), numbers_, lanes, t.numbers, t.scratch);
      t.swap();
    } else {
      real_ == dtype::float64 ? add_conjugates<double>(length_, lanes, t.numbers)
                              : add_conjugates<float>(length_, lanes, t.numbers);
    }
  }
  if (first + lanes < lines_) prefetch_tile(first + lanes);
  transform_numbers(t);
  if (what_ == fourier_kind::real_to_complex && pairs) {
    kernels.spectrum_of_pairs(roots_->numbers(), roots_->row(), numbers_, lanes, t.numbers, t.scratch);
    t.swap();
  }
  kernels.store(to, factor_, lanes, t.numbers);
}

}  // namespace dpep::array::cpu
