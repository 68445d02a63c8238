// Plans for long lines.
#include "array/cpu/fourier_split.hpp"

#include <cmath>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/fourier_tiles.hpp"
#include "array/cpu/unit_roots.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t least_side = 32;  // rows or columns of the matrix

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
  l.re_count = whole;
  l.im_count = line.im_count ? whole : 0;
  return {l, whole, more};
}
/// The position after the whole ones, of the lines that have it.
blocks::fourier_lines last_position(const strided_lines &s, bool has_im, std::int64_t *offsets) {
  for (std::size_t i = 0; i < s.more; ++i)
    offsets[i] = s.lines.offsets[i] + static_cast<std::int64_t>(s.whole) * s.lines.step;
  blocks::fourier_lines l = s.lines;
  l.offsets = offsets;
  l.count = s.more;
  l.re_count = 1;
  l.im_count = has_im;
  return l;
}

}  // namespace

std::size_t split_rows(std::size_t length) {
  for (auto rows = static_cast<std::size_t>(std::sqrt(double(length))); rows >= least_side; --rows)
    if (length % rows == 0 && !radices_of(rows).empty() && !radices_of(length / rows).empty()) return rows;
  return 1;
}

split_plan::split_plan(dtype real, std::size_t rows, std::size_t columns)
    : real_(real),
      rows_(rows),
      columns_(columns),
      lanes_(blocks::find_fourier(real).lanes),
      item_(size_of(real)),
      of_columns_(find_plan(real, rows, lanes_)),
      of_rows_(find_plan(real, columns, lanes_)),
      fine_(static_cast<std::size_t>(std::sqrt(double(rows))) + 1),
      part_bytes_(tile_part_bytes(real, std::max(row_units(), column_units()) * lanes_ * lanes_)) {
  real == dtype::float64 ? fill_factors<double>() : fill_factors<float>();
}

template <class R> void split_plan::fill_factors() {
  const std::size_t coarse = (rows_ + fine_ - 1) / fine_;
  block_bytes_ = (fine_ + coarse) * 2 * lanes_ * sizeof(R);
  bytes_ = column_units() * block_bytes_;
  factors_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  auto *to = reinterpret_cast<R *>(factors_.get());
  const unit_roots roots(length());
  for (std::size_t block = 0; block < column_units(); ++block)
    for (std::size_t entry = 0; entry < fine_ + coarse; ++entry, to += 2 * lanes_) {
      const std::size_t row = entry < fine_ ? entry : (entry - fine_) * fine_;
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        const auto [re, im] = roots(row * (block * lanes_ + lane));
        to[lane] = R(re);
        to[lanes_ + lane] = R(im);
      }
    }
}

std::size_t split_plan::matrix_bytes() const noexcept {
  return column_units() * row_units() * lanes_ * 2 * lanes_ * item_;
}

void split_plan::transform_columns(const blocks::fourier_lines &line, bool exchange, std::size_t unit,
                                   std::byte *matrix, std::byte *scratch) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(real_);
  std::int64_t offsets[blocks::max_lanes], last_offsets[blocks::max_lanes];
  const std::size_t first = unit * lanes_;
  const strided_lines s = strided(line, first, columns_, std::min(lanes_, columns_ - first), offsets);
  tile_pair t = tiles_in(scratch, part_bytes_);
  kernels.load(s.lines, rows_, lanes_, t.numbers);
  if (s.more) {  // the line ends in this block
    const blocks::fourier_tile last = shifted(t.numbers, s.whole * lanes_ * item_);
    kernels.load(last_position(s, line.im_count > 0, last_offsets), 1, lanes_, last);
    for (void *const part : {last.re, last.im})
      std::memset(static_cast<std::byte *>(part) + s.more * item_, 0, (lanes_ - s.more) * item_);
  }
  if (exchange) t.exchange_parts();
  of_columns_->run(t);
  std::byte *const to = matrix + unit * row_units() * lanes_ * 2 * lanes_ * item_;
  kernels.store_columns(factors_.get() + unit * block_bytes_, fine_, rows_, t.numbers, to);
}

void split_plan::transform_rows(const blocks::fourier_lines &line, bool exchange, double factor, std::size_t unit,
                                const std::byte *matrix, std::byte *scratch) const {
  const blocks::fourier_kernels &kernels = blocks::find_fourier(real_);
  const std::size_t first = unit * lanes_;
  tile_pair t = tiles_in(scratch, part_bytes_);
  kernels.load_rows(matrix + first * 2 * lanes_ * item_, row_units() * lanes_ * 2 * lanes_, column_units(), t.numbers);
  of_rows_->run(t);
  if (exchange) t.exchange_parts();
  std::int64_t offsets[blocks::max_lanes], last_offsets[blocks::max_lanes];
  const strided_lines s = strided(line, first, rows_, std::min(lanes_, rows_ - first), offsets);
  kernels.store(s.lines, factor, lanes_, t.numbers);
  if (s.more)
    kernels.store(last_position(s, line.im_count > 0, last_offsets), factor, lanes_,
                  shifted(t.numbers, s.whole * lanes_ * item_));
}

convolution_plan::convolution_plan(dtype real, std::size_t length)
    : length_(length),
      longer_(find_split_plan(real, convolution_length(2 * length - 1))),
      chirp_row_(whole_vectors(length)),
      spectrum_row_(whole_vectors(longer_->length())) {
  real == dtype::float64 ? fill<double>() : fill<float>();
}

template <class R> void convolution_plan::fill() {
  const std::size_t n = length_, size = longer_->length();
  chirp_ = make_table<R>(2 * chirp_row_);
  spectrum_ = make_table<R>(2 * spectrum_row_);
  bytes_ = 2 * (chirp_row_ + spectrum_row_) * sizeof(R);
  auto *const chirp = reinterpret_cast<R *>(chirp_.get()), *const spectrum = reinterpret_cast<R *>(spectrum_.get());
  fill_chirp(n, chirp_row_, chirp);
  fill_wrapped_chirp(n, size, chirp, chirp_row_, spectrum, spectrum_row_);
  // transformed in place
  const auto matrix = std::make_unique_for_overwrite<std::byte[]>(longer_->matrix_bytes());
  const auto scratch = std::make_unique_for_overwrite<std::byte[]>(longer_->scratch_bytes());
  constexpr std::int64_t offset = 0;
  const blocks::fourier_lines line{spectrum, &offset, 1, 1, std::int64_t(spectrum_row_), size, size};
  for (std::size_t unit = 0; unit < longer_->column_units(); ++unit)
    longer_->transform_columns(line, false, unit, matrix.get(), scratch.get());
  for (std::size_t unit = 0; unit < longer_->row_units(); ++unit)
    longer_->transform_rows(line, false, 1 / double(size), unit, matrix.get(), scratch.get());
}

}  // namespace dpep::array::cpu
