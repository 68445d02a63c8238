// The transform of long lines: plans the steps, and runs those that are not a matrix's.
#include "array/cpu/fourier_long.hpp"

#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/fourier_tiles.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t least_numbers = std::size_t{1} << 16;
constexpr std::size_t chunk = 2048;  // numbers of a unit, of each half where numbers are combined with others

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

template <class R> void negate(void *part, std::size_t count) {
  auto *const numbers = static_cast<R *>(part);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = -numbers[k];
}

}  // namespace

std::shared_ptr<const long_transform> long_transform::make(std::shared_ptr<const line_transform> lines) {
  if (lines->numbers() < least_numbers) return {};
  std::shared_ptr<long_transform> made(new long_transform(std::move(lines)));
  if (!made->find_plan()) return {};
  made->plan_steps();
  return made;
}

long_transform::long_transform(std::shared_ptr<const line_transform> lines)
    : lines_(std::move(lines)), item_(size_of(lines_->real())) {}

bool long_transform::find_plan() {
  std::int64_t offset;
  const blocks::fourier_lines from = lines_->source(0, 1, &offset);
  if (from.im_count && from.im_count != from.re_count) return false;  // the last pair is not whole
  const std::size_t n = lines_->numbers();
  split_ = find_split_plan(lines_->real(), n);
  if (!split_ && radices_of(n).empty()) convolution_ = find_convolution_plan(lines_->real(), n);
  return split_ || convolution_;
}

void long_transform::plan_steps() {
  const bool from_real = lines_->what() == fourier_kind::real_to_complex;
  const bool to_real = lines_->what() == fourier_kind::complex_to_real;
  const bool pairs = lines_->has_pairs(), backward = lines_->is_backward();
  const double factor = from_real && pairs ? 1 : lines_->factor();
  const std::size_t n = lines_->numbers();
  place from = place::source;
  if (to_real) {
    steps_.push_back({.what = pairs ? action::join_pairs : action::mirror, .to = place::buffer, .count = n});
    from = place::buffer;
  }
  if (convolution_) {
    const convolution_plan &c = *convolution_;
    const std::size_t longer = c.longer().length();
    steps_.push_back({.what = action::multiply,
                      .from = from,
                      .to = place::buffer,
                      .exchange_before = backward,
                      .numbers = c.chirp(),
                      .row = c.chirp_row(),
                      .count = longer});
    steps_.push_back({.what = action::columns, .from = place::buffer});
    steps_.push_back({.what = action::rows, .to = place::buffer});
    steps_.push_back({.what = action::multiply,
                      .from = place::buffer,
                      .to = place::buffer,
                      .numbers = c.spectrum(),
                      .row = c.spectrum_row(),
                      .count = longer});
    steps_.push_back({.what = action::columns, .from = place::buffer, .exchange_before = true});
    steps_.push_back({.what = action::rows, .to = place::buffer, .exchange_after = true});
    steps_.push_back({.what = action::multiply,
                      .from = place::buffer,
                      .to = place::target,
                      .exchange_after = backward,
                      .factor = factor,
                      .numbers = c.chirp(),
                      .row = c.chirp_row(),
                      .count = n});
    buffer_numbers_ = longer;
  } else {
    steps_.push_back({.what = action::columns, .from = from, .exchange_before = backward});
    steps_.push_back({.what = action::rows, .to = place::target, .exchange_after = backward, .factor = factor});
    if (to_real) buffer_numbers_ = n;
  }
  if (from_real && pairs)
    steps_.push_back({.what = action::split_pairs,
                      .from = place::target,
                      .to = place::target,
                      .factor = lines_->factor(),
                      .count = n});
  if (pairs) roots_ = find_pair_roots(lines_->real(), n);
  part_bytes_ = tile_part_bytes(lines_->real(), 4 * chunk + 4 * blocks::max_lanes);
}

std::size_t long_transform::workspace_bytes() const noexcept {
  return matrix_plan().matrix_bytes() + 2 * buffer_numbers_ * item_;
}
std::size_t long_transform::scratch_bytes() const noexcept {
  return std::max(matrix_plan().scratch_bytes(), 4 * part_bytes_);
}

std::size_t long_transform::units(std::size_t index) const noexcept {
  const step &s = steps_[index];
  switch (s.what) {
  case action::columns:
    return matrix_plan().column_units();
  case action::rows:
    return matrix_plan().row_units();
  case action::join_pairs:
  case action::split_pairs:
    return std::max<std::size_t>(s.count / 2 / chunk, 1);  // the last one has the rest
  default:
    return (s.count + chunk - 1) / chunk;
  }
}

blocks::fourier_lines long_transform::line_at(place where, std::size_t line, std::byte *workspace,
                                              std::int64_t *offset) const {
  if (where == place::source) return lines_->source(line, 1, offset);
  if (where == place::target) {
    blocks::fourier_lines l = lines_->target(line, 1, offset);
    l.re_count = std::min(l.re_count, lines_->numbers());  // not the last number of a spectrum of pairs
    l.im_count = std::min(l.im_count, lines_->numbers());
    return l;
  }
  *offset = 0;
  return {workspace + matrix_plan().matrix_bytes(), offset, 1, 2, 1, buffer_numbers_, buffer_numbers_};
}

void long_transform::run(std::size_t index, std::size_t line, std::size_t unit, std::byte *workspace,
                         std::byte *scratch) const {
  const step &s = steps_[index];
  const tile_pair t = tiles_in(scratch, part_bytes_);
  std::int64_t offset;
  switch (s.what) {
  case action::columns:
    return matrix_plan().transform_columns(line_at(s.from, line, workspace, &offset), s.exchange_before, unit,
                                           workspace, scratch);
  case action::rows:
    return matrix_plan().transform_rows(line_at(s.to, line, workspace, &offset), s.exchange_after, s.factor, unit,
                                        workspace, scratch);
  case action::multiply:
    return multiply(s, line, unit, workspace, t);
  case action::mirror:
    return mirror(s, line, unit, workspace, t);
  default:
    return combine_pairs(s, line, unit, workspace, t);
  }
}

void long_transform::multiply(const step &s, std::size_t line, std::size_t unit, std::byte *workspace,
                              tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  std::int64_t from_offset, to_offset, offset;
  blocks::fourier_lines from = line_at(s.from, line, workspace, &from_offset);
  const blocks::fourier_lines to = line_at(s.to, line, workspace, &to_offset);
  const std::size_t first = unit * chunk, count = std::min(chunk, s.count - first);
  const bool is_padded = s.to == place::buffer && s.numbers == convolution_->chirp();
  const std::size_t existing = is_padded ? lines_->numbers() : s.count;  // the others are zeros
  from.re_count = std::min(from.re_count, existing);
  from.im_count = std::min(from.im_count, existing);
  kernels.load(from_position(from, first, count, &offset), count, 1, t.numbers);
  if (s.exchange_before) t.exchange_parts();
  if (first < existing)
    kernels.multiply(s.numbers + first * item_, s.row, std::min(count, existing - first), 1, t.numbers, t.numbers);
  if (s.exchange_after) t.exchange_parts();
  kernels.store(from_position(to, first, count, &offset), s.factor, 1, t.numbers);
}

void long_transform::mirror(const step &s, std::size_t line, std::size_t unit, std::byte *workspace,
                            tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  std::int64_t from_offset, to_offset, offset;
  const blocks::fourier_lines from = line_at(place::source, line, workspace, &from_offset);
  const blocks::fourier_lines to = line_at(place::buffer, line, workspace, &to_offset);
  const std::size_t n = s.count, own = n / 2 + 1, first = unit * chunk, count = std::min(chunk, n - first);
  const std::size_t copied = first < own ? std::min(count, own - first) : 0;
  if (copied) {
    kernels.load(from_position(from, first, copied, &offset), copied, 1, t.numbers);
    if (first == 0) std::memset(t.numbers.im, 0, item_);  // of the sum of all, which is real
  }
  if (copied < count) {
    // numbers n - k in descending order, the first of which may not exist
    const std::size_t highest = n - first - copied;
    const std::size_t missing = std::min(highest >= from.re_count ? highest - from.re_count + 1 : 0, count - copied);
    const blocks::fourier_tile rest = shifted(t.numbers, copied * item_);
    for (void *const part : {rest.re, rest.im}) std::memset(part, 0, missing * item_);
    blocks::fourier_lines back = from;
    offset = from.offsets[0] + static_cast<std::int64_t>(highest - missing) * from.step;
    back.offsets = &offset;
    back.step = -from.step;
    back.re_count = back.im_count = count - copied - missing;
    kernels.load(back, back.re_count, 1, shifted(rest, missing * item_));
    item_ == sizeof(double) ? negate<double>(rest.im, count - copied) : negate<float>(rest.im, count - copied);
  }
  kernels.store(from_position(to, first, count, &offset), 1, 1, t.numbers);
}

void long_transform::combine_pairs(const step &s, std::size_t line, std::size_t unit, std::byte *workspace,
                                   tile_pair t) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(lines_->real());
  const bool joins = s.what == action::join_pairs;
  std::int64_t from_offset, to_offset, offset;
  const blocks::fourier_lines from =
      joins ? lines_->source(line, 1, &from_offset) : lines_->target(line, 1, &from_offset);
  const blocks::fourier_lines to =
      joins ? line_at(place::buffer, line, workspace, &to_offset) : lines_->target(line, 1, &to_offset);
  const std::size_t half = s.count, first = 1 + unit * chunk, lanes = kernels.lanes;
  const std::size_t rest = half / 2 + 1 - first;
  // a multiple of vectors; those beyond the middle are computed twice
  const bool is_last = unit + 1 == std::max<std::size_t>(half / 2 / chunk, 1);
  const std::size_t count = is_last ? (rest + lanes - 1) / lanes * lanes : chunk;
  const std::size_t high = half - first - count + 1;
  // positions 1 to count, and as many from the end: like a line of 2 * count + 1 numbers
  const std::size_t last = 2 * count + 1;
  const auto read = [&](std::size_t at, std::size_t n, std::size_t position) {
    kernels.load(from_position(from, at, n, &offset), n, 1, shifted(t.numbers, position * item_));
  };
  const auto write = [&](std::size_t at, std::size_t n, std::size_t position) {
    kernels.store(from_position(to, at, n, &offset), s.factor, 1, shifted(t.scratch, position * item_));
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
