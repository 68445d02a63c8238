// Transforms of long lines as matrices.
#include "array/cpu/fourier_split.hpp"

#include <cmath>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/unit_roots.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t shortest_split = std::size_t{1} << 16;  // numbers
constexpr std::size_t least_side = 32;                        // rows or columns of the matrix
constexpr std::size_t chunk = 2048;                           // numbers that a unit makes pairs of

/// The positions `first`, first + distance, … of a line, as `count` lines next to each other. `whole`: positions that
/// all of them have; `more`: lines that have another one.
struct strided_lines {
  blocks::fourier_lines lines;
  std::size_t whole, more;
};
strided_lines strided(const blocks::fourier_lines &line, std::size_t first, std::size_t distance, std::size_t count,
                      std::int64_t *offsets) {
  for (std::size_t i = 0; i < count; ++i)
    offsets[i] = line.offsets[0] + static_cast<std::int64_t>(first + i) * line.step;
  const std::size_t existing = line.re_count > first ? line.re_count - first : 0;
  const std::size_t whole = existing / distance + (existing % distance >= count);
  const std::size_t more = existing % distance >= count ? 0 : existing % distance;
  blocks::fourier_lines l = line;
  l.offsets = offsets;
  l.count = count;
  l.step = line.step * static_cast<std::int64_t>(distance);
  l.re_count = l.im_count = whole;
  return {l, whole, more};
}
/// The position after the whole ones, of the lines that have it.
blocks::fourier_lines last_position(const strided_lines &s, std::int64_t *offsets) {
  for (std::size_t i = 0; i < s.more; ++i)
    offsets[i] = s.lines.offsets[i] + static_cast<std::int64_t>(s.whole) * s.lines.step;
  blocks::fourier_lines l = s.lines;
  l.offsets = offsets;
  l.count = s.more;
  l.re_count = l.im_count = 1;
  return l;
}

blocks::fourier_tile shifted(blocks::fourier_tile t, std::size_t bytes) {
  return {static_cast<std::byte *>(t.re) + bytes, static_cast<std::byte *>(t.im) + bytes};
}

/// A line's numbers from `first` on.
blocks::fourier_lines from_position(const blocks::fourier_lines &line, std::size_t first, std::size_t count,
                                    std::int64_t *offset) {
  blocks::fourier_lines l = line;
  *offset = line.offsets[0] + static_cast<std::int64_t>(first) * line.step;
  l.offsets = offset;
  l.re_count = std::min(count, line.re_count > first ? line.re_count - first : 0);
  l.im_count = std::min(count, line.im_count > first ? line.im_count - first : 0);
  return l;
}

}  // namespace

std::size_t split_rows(std::size_t length) {
  if (length < shortest_split) return 1;
  for (auto rows = static_cast<std::size_t>(std::sqrt(double(length))); rows >= least_side; --rows)
    if (length % rows == 0 && !radices_of(rows).empty() && !radices_of(length / rows).empty()) return rows;
  return 1;
}

split_plan::split_plan(dtype real, std::size_t rows, std::size_t columns)
    : rows(rows),
      columns(columns),
      of_columns(find_plan(real, rows, blocks::find_fourier(real).lanes)),
      of_rows(find_plan(real, columns, blocks::find_fourier(real).lanes)),
      real_(real),
      fine_(static_cast<std::size_t>(std::sqrt(double(rows))) + 1) {
  real == dtype::float64 ? fill<double>() : fill<float>();
}

template <class R> void split_plan::fill() {
  const std::size_t lanes = blocks::find_fourier(real_).lanes;
  const std::size_t blocks = (columns + lanes - 1) / lanes, coarse = (rows + fine_ - 1) / fine_;
  block_bytes_ = (fine_ + coarse) * 2 * lanes * sizeof(R);
  bytes_ = blocks * block_bytes_;
  factors_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  auto *to = reinterpret_cast<R *>(factors_.get());
  const unit_roots roots(rows * columns);
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t entry = 0; entry < fine_ + coarse; ++entry, to += 2 * lanes) {
      const std::size_t row = entry < fine_ ? entry : (entry - fine_) * fine_;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto [re, im] = roots(row * (block * lanes + lane));
        to[lane] = R(re);
        to[lanes + lane] = R(im);
      }
    }
}

split_transform::split_transform(std::shared_ptr<const line_transform> lines, std::shared_ptr<const split_plan> plan)
    : lines_(std::move(lines)),
      plan_(std::move(plan)),
      roots_(lines_->has_pairs() ? find_pair_roots(lines_->real(), lines_->numbers()) : nullptr),
      lanes_(blocks::find_fourier(lines_->real()).lanes),
      item_(size_of(lines_->real())) {
  const std::size_t side = std::max(row_blocks(), column_blocks()) * lanes_;
  part_bytes_ = tile_part_bytes(lines_->real(), std::max(side * lanes_, 4 * chunk + 2 * lanes_));
}

bool split_transform::supports(const line_transform &t) {
  if (t.numbers() < shortest_split) return false;
  std::int64_t offset;
  const blocks::fourier_lines from = t.source(0, 1, &offset);
  const bool is_real = t.what() == fourier_kind::real_to_complex || t.what() == fourier_kind::complex_to_real;
  return from.re_count == from.im_count && (!is_real || t.has_pairs());
}

std::size_t split_transform::matrix_bytes() const noexcept {
  return column_blocks() * row_blocks() * lanes_ * 2 * lanes_ * item_;
}
std::size_t split_transform::workspace_bytes() const noexcept {
  return matrix_bytes() + (has(step::join_pairs) ? 2 * lines_->numbers() * item_ : 0);
}
blocks::fourier_lines split_transform::joined(std::byte *workspace, std::int64_t *offset) const {
  *offset = 0;
  return {workspace + matrix_bytes(), offset, 1, 2, 1, lines_->numbers(), lines_->numbers()};
}

bool split_transform::has(step s) const noexcept {
  if (s == step::join_pairs) return lines_->what() == fourier_kind::complex_to_real;
  if (s == step::split_pairs) return lines_->what() == fourier_kind::real_to_complex;
  return true;
}

std::size_t split_transform::units(step s) const noexcept {
  switch (s) {
  case step::columns:
    return column_blocks();
  case step::rows:
    return row_blocks();
  default:
    return std::max<std::size_t>(lines_->numbers() / 2 / chunk, 1);  // the last one has the rest
  }
}

void split_transform::run(step s, std::size_t line, std::size_t unit, std::byte *workspace, std::byte *scratch) const {
  const tile_pair t = tiles_in(scratch, part_bytes_);
  switch (s) {
  case step::columns:
    return transform_columns(line, unit, workspace, t);
  case step::rows:
    return transform_rows(line, unit, workspace, t);
  default:
    return combine_pairs(s, line, unit, workspace, t);
  }
}

void split_transform::transform_columns(std::size_t line, std::size_t block, std::byte *workspace, tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  std::int64_t offset, offsets[blocks::max_lanes], last_offsets[blocks::max_lanes];
  const blocks::fourier_lines from =
      has(step::join_pairs) ? joined(workspace, &offset) : lines_->source(line, 1, &offset);
  const std::size_t rows = plan_->rows, columns = plan_->columns, first = block * lanes_;
  const strided_lines s = strided(from, first, columns, std::min(lanes_, columns - first), offsets);
  kernels.load(s.lines, rows, lanes_, t.numbers);
  if (s.more) {  // the line ends in this block
    const blocks::fourier_tile last = shifted(t.numbers, s.whole * lanes_ * item_);
    kernels.load(last_position(s, last_offsets), 1, lanes_, last);
    for (void *const part : {last.re, last.im})
      std::memset(static_cast<std::byte *>(part) + s.more * item_, 0, (lanes_ - s.more) * item_);
  }
  if (lines_->is_backward()) t.exchange_parts();
  plan_->of_columns->run(t);
  std::byte *const to = workspace + block * row_blocks() * lanes_ * 2 * lanes_ * item_;
  kernels.store_columns(plan_->factors(block), plan_->fine(), rows, t.numbers, to);
}

void split_transform::transform_rows(std::size_t line, std::size_t block, std::byte *workspace, tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  const std::size_t distance = row_blocks() * lanes_ * 2 * lanes_, first = block * lanes_;
  kernels.load_rows(workspace + first * 2 * lanes_ * item_, distance, column_blocks(), t.numbers);
  plan_->of_rows->run(t);
  if (lines_->is_backward()) t.exchange_parts();
  std::int64_t offset, offsets[blocks::max_lanes];
  blocks::fourier_lines to = lines_->target(line, 1, &offset);
  to.re_count = to.im_count = lines_->numbers();  // without the last number of a spectrum
  const strided_lines s = strided(to, first, plan_->rows, std::min(lanes_, plan_->rows - first), offsets);
  kernels.store(s.lines, has(step::split_pairs) ? 1 : lines_->factor(), lanes_, t.numbers);
}

void split_transform::combine_pairs(step s, std::size_t line, std::size_t unit, std::byte *workspace,
                                    tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  const bool joins = s == step::join_pairs;
  std::int64_t from_offset, to_offset, offset;
  const blocks::fourier_lines from =
      joins ? lines_->source(line, 1, &from_offset) : lines_->target(line, 1, &from_offset);
  const blocks::fourier_lines to = joins ? joined(workspace, &to_offset) : lines_->target(line, 1, &to_offset);
  const std::size_t half = lines_->numbers(), first = 1 + unit * chunk;
  const std::size_t rest = half / 2 + 1 - first;
  // a multiple of vectors; those beyond the middle are computed twice
  const std::size_t count = unit + 1 == units(s) ? (rest + lanes_ - 1) / lanes_ * lanes_ : chunk;
  const std::size_t high = half - first - count + 1;
  // positions 1 to count, and as many from the end: like a line of 2 * count + 1 numbers
  const std::size_t last = 2 * count + 1;
  const auto read = [&](std::size_t at, std::size_t n, std::size_t position) {
    kernels.load(from_position(from, at, n, &offset), n, 1, shifted(t.numbers, position * item_));
  };
  const auto write = [&](std::size_t at, std::size_t n, std::size_t position) {
    kernels.store(from_position(to, at, n, &offset), joins ? 1 : lines_->factor(), 1,
                  shifted(t.scratch, position * item_));
  };
  read(0, 1, 0);
  read(first, count, 1);
  read(high, count, 1 + count);
  if (joins) read(half, 1, last);
  const void *const roots = static_cast<const std::byte *>(roots_->numbers()) + (first - 1) * item_;
  (joins ? kernels.pairs_of_spectrum : kernels.spectrum_of_pairs)(roots, roots_->row(), last, 1, t.numbers, t.scratch);
  if (unit == 0) write(0, 1, 0);
  write(first, count, 1);
  write(high, count, 1 + count);
  if (unit == 0 && !joins) write(half, 1, last);
}

}  // namespace dpep::array::cpu
