// The block kernels of Fourier transforms, for each instruction set, against sums in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "array/blocks/table.hpp"

namespace {

using namespace dpep::array::blocks;
using dpep::dtype;
using std::size_t;
using wide = std::complex<long double>;

wide root(long double turns) {
  const long double angle = -2 * std::numbers::pi_v<long double> * turns;
  return {std::cos(angle), std::sin(angle)};
}

/// Complex numbers with separate parts, in memory that ends behind the padding.
template <class R> struct tile {
  explicit tile(size_t numbers) : re(numbers + fourier_padding), im(numbers + fourier_padding) {}
  static tile random(size_t numbers, unsigned seed) {
    tile t(numbers);
    std::mt19937 generator(seed);
    std::normal_distribution<double> number;
    for (size_t i = 0; i < numbers; ++i) t.re[i] = R(number(generator)), t.im[i] = R(number(generator));
    return t;
  }
  operator fourier_tile() { return {re.data(), im.data()}; }
  wide operator[](size_t i) const { return {re[i], im[i]}; }
  std::vector<R> re, im;
};

class block_fourier : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  template <class R> static constexpr dtype type_of = sizeof(R) == 8 ? dtype::float64 : dtype::float32;
  template <class R> const fourier_kernels &kernels() const { return table.fourier(type_of<R>); }

  template <class R> void check_pass(size_t radix, size_t groups, size_t run) {
    SCOPED_TRACE(testing::Message() << "radix " << radix << ", groups " << groups << ", run " << run);
    const size_t count = radix * groups * run, row = (groups * run + 15) / 16 * 16;
    std::vector<R> twiddles, roots(2 * radix);
    if (run >= kernels<R>().lanes) {
      for (size_t p = 0; p < groups; ++p)
        for (size_t j = 1; j < radix; ++j) {
          const wide w = root(static_cast<long double>(j * p) / static_cast<long double>(radix * groups));
          twiddles.insert(twiddles.end(), {R(w.real()), R(w.imag())});
        }
    } else {
      twiddles.resize(2 * row * (radix - 1));
      for (size_t j = 1; j < radix; ++j)
        for (size_t i = 0; i < groups * run; ++i) {
          const wide w = root(static_cast<long double>(j * (i / run)) / static_cast<long double>(radix * groups));
          twiddles[2 * row * (j - 1) + i] = R(w.real());
          twiddles[2 * row * (j - 1) + row + i] = R(w.imag());
        }
    }
    for (size_t k = 0; k < radix; ++k) {
      const wide w = root(static_cast<long double>(k) / static_cast<long double>(radix));
      roots[k] = R(w.real());
      roots[radix + k] = R(-w.imag());
    }
    auto x = tile<R>::random(count, unsigned(count));
    tile<R> y(count);
    table.fourier_pass(type_of<R>)({radix, groups, run, groups > 1 ? twiddles.data() : nullptr, row, roots.data()}, x,
                                   y);
    std::vector<wide> own, all;
    for (size_t k = 0; k < radix; ++k)
      own.push_back(root(static_cast<long double>(k) / static_cast<long double>(radix)));
    for (size_t k = 0; k < radix * groups; ++k)
      all.push_back(root(static_cast<long double>(k) / static_cast<long double>(radix * groups)));
    const long double bound = 8 * static_cast<long double>(radix) * std::numeric_limits<R>::epsilon();
    for (size_t p = 0; p < groups; ++p)
      for (size_t q = 0; q < run; ++q)
        for (size_t j = 0; j < radix; ++j) {
          wide sum = 0;
          for (size_t k = 0; k < radix; ++k) sum += x[q + run * (p + groups * k)] * own[j * k % radix];
          ASSERT_LT(std::abs(y[q + run * (radix * p + j)] - sum * all[j * p]), bound)
              << "p " << p << ", q " << q << ", j " << j;
        }
  }
  template <class R> void check_passes() {
    for (const size_t radix : {2, 3, 4, 5, 7, 8, 11, 13, 17, 61})
      for (const size_t groups : {1, 2, 5, 16})
        for (const size_t run : {1, 3, 4, 8, 16, 35}) {
          if (radix > max_direct_radix && groups > 2) continue;
          check_pass<R>(radix, groups, run);
          if (HasFatalFailure()) return;
        }
  }

  /// Lines in memory, and where their numbers are.
  struct placing {
    size_t lines;
    std::int64_t between_lines, step, part;
    size_t re_count, im_count;
  };
  template <class R> void check_lines(const placing &p, size_t width) {
    SCOPED_TRACE(testing::Message() << p.lines << " lines at " << p.between_lines << ", step " << p.step << ", part "
                                    << p.part << ", " << p.re_count << " and " << p.im_count << " positions");
    const std::int64_t last = std::int64_t(p.lines - 1) * std::abs(p.between_lines) +
                              std::int64_t(p.re_count - 1) * std::abs(p.step) + (p.im_count ? p.part : 0);
    std::vector<R> memory(static_cast<size_t>(last + 1));
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = R(i + 1);
    std::vector<std::int64_t> offsets(p.lines);
    for (size_t i = 0; i < p.lines; ++i)
      offsets[i] = std::int64_t(i) * p.between_lines +
                   (p.between_lines < 0 ? std::int64_t(p.lines - 1) : 0) * std::abs(p.between_lines);
    const size_t positions = p.re_count + 3;
    tile<R> t(positions * width);
    kernels<R>().load({memory.data(), offsets.data(), p.lines, p.step, p.part, p.re_count, p.im_count}, positions,
                      width, t);
    const auto element = [&](const std::vector<R> &of, size_t line, size_t k) {
      const auto at = static_cast<size_t>(offsets[line] + std::int64_t(k) * p.step);
      return wide(k < p.re_count ? of[at] : R(0), k < p.im_count ? of[at + static_cast<size_t>(p.part)] : R(0));
    };
    for (size_t k = 0; k < positions; ++k)
      for (size_t i = 0; i < p.lines; ++i) ASSERT_EQ(t[k * width + i], element(memory, i, k)) << k << ", " << i;
    std::vector<R> written(memory.size());
    kernels<R>().store({written.data(), offsets.data(), p.lines, p.step, p.part, p.re_count, p.im_count}, 2, width, t);
    for (size_t k = 0; k < p.re_count; ++k)
      for (size_t i = 0; i < p.lines; ++i)
        ASSERT_EQ(element(written, i, k), element(memory, i, k) * 2.0L) << k << ", " << i;
  }
  template <class R> void check_all_lines() {
    for (const size_t n : {1, 2, 5, 16, 33}) {
      for (const placing &p :
           {placing{1, 0, 2, 1, n, n}, {1, 0, 6, 1, n, n}, {1, 0, 1, 0, n, 0}, {1, 0, 6, 3, n, n - 1}})
        check_lines<R>(p, 1);
      const size_t width = kernels<R>().lanes;
      const auto whole = std::int64_t(2 * n), others = std::int64_t(2 * width);
      for (const size_t lines : {size_t{1}, width - 1, width})
        for (const placing &p : {placing{lines, whole, 2, 1, n, n},
                                 {lines, whole + 2, 2, 1, n, n - 1},
                                 {lines, 2, others, 1, n, n},
                                 {lines, -2, others, 1, n, n},
                                 {lines, 1, others, std::int64_t(width), n, n - 1},
                                 {lines, 1, others, 0, n, 0},
                                 {lines, 6 * std::int64_t(n), 6, 1, n, n}})
          check_lines<R>(p, width);
    }
  }

  template <class R> void check_real_numbers(size_t half, size_t width) {
    SCOPED_TRACE(testing::Message() << half << " pairs, " << width << " lanes");
    const size_t row = (half / 2 + 1 + 31) / 16 * 16;
    std::vector<R> roots(2 * row);
    for (size_t k = 0; k < row; ++k) {
      const wide w = root(static_cast<long double>(k) / static_cast<long double>(2 * half));
      roots[k] = R(w.real());
      roots[row + k] = R(w.imag());
    }
    auto pairs = tile<R>::random(half * width, unsigned(half));  // a transform of pairs
    tile<R> spectrum((half + 1) * width), back(half * width);
    kernels<R>().spectrum_of_pairs(roots.data(), row, half, width, pairs, spectrum);
    kernels<R>().pairs_of_spectrum(roots.data(), row, half, width, spectrum, back);
    const long double bound = 20 * std::numeric_limits<R>::epsilon();
    for (size_t i = 0; i < half * width; ++i) ASSERT_LT(std::abs(back[i] - pairs[i] * 2.0L), bound) << i;
    for (size_t k = 0; k <= half; ++k)
      for (size_t i = 0; i < width; ++i) {
        const wide a = pairs[k % half * width + i], b = std::conj(pairs[(half - k) % half * width + i]);
        const wide turned = root(static_cast<long double>(k) / static_cast<long double>(2 * half));
        const wide wanted = (a + b) / 2.0L + turned * (a - b) * wide(0, -0.5);
        ASSERT_LT(std::abs(spectrum[k * width + i] - wanted), bound) << k << ", " << i;
      }
  }
  template <class R> void check_all_real_numbers() {
    for (const size_t half : {1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 64, 100, 101})
      for (const size_t width : {size_t{1}, kernels<R>().lanes}) check_real_numbers<R>(half, width);
  }

  const kernel_table table{GetParam()};
};

TEST_P(block_fourier, passes_of_float32) { check_passes<float>(); }
TEST_P(block_fourier, passes_of_float64) { check_passes<double>(); }
TEST_P(block_fourier, lines_of_float32) { check_all_lines<float>(); }
TEST_P(block_fourier, lines_of_float64) { check_all_lines<double>(); }
TEST_P(block_fourier, real_numbers_of_float32) { check_all_real_numbers<float>(); }
TEST_P(block_fourier, real_numbers_of_float64) { check_all_real_numbers<double>(); }

TEST_P(block_fourier, columns_are_read_as_rows) {
  const auto &k = kernels<double>();
  const size_t width = k.lanes, rows = 2 * width, blocks = 3, fine = 5, pair = 2 * width;
  std::vector<double> factors((fine + (rows + fine - 1) / fine) * pair, 0);
  for (size_t entry = 0; entry < factors.size() / pair; ++entry)
    for (size_t i = 0; i < width; ++i) factors[entry * pair + i] = double(entry < fine ? entry + 1 : entry);
  std::vector<double> matrix(blocks * rows * pair);
  std::vector<tile<double>> columns;
  for (size_t b = 0; b < blocks; ++b) {
    columns.push_back(tile<double>::random(rows * width, unsigned(b)));
    k.store_columns(factors.data(), fine, rows, columns[b], matrix.data() + b * rows * pair);
  }
  for (size_t first = 0; first < rows; first += width) {
    tile<double> read(blocks * width * width);
    k.load_rows(matrix.data() + first * pair, rows * pair, blocks, read);
    for (size_t j = 0; j < blocks * width; ++j)
      for (size_t i = 0; i < width; ++i) {
        const size_t row = first + i;
        const wide wanted = columns[j / width][row * width + j % width] *
                            static_cast<long double>((row % fine + 1) * (row / fine + fine));
        ASSERT_LT(std::abs(read[j * width + i] - wanted), 1e-12) << row << ", " << j;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(all, block_fourier, testing::ValuesIn(all_instructions),
                         [](const auto &i) { return std::string(name_of(i.param)).substr(7); });

}  // namespace
