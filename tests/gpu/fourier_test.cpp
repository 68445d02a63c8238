// Fourier transforms as calls of cuFFT: on a fake GPU, in memory that the host can access, by a library that computes
// there when it is called.
#include <complex>
#include <numbers>
#include <vector>

#include <dpep/array_functions.hpp>

#include "array/executor.hpp"
#include "fake_gpu.hpp"
#include "libs/cufft.hpp"

namespace dpep::test {
namespace {

using namespace array;
using std::int64_t;
using number = std::complex<double>;

// Must be set before the library is searched for.
const bool library_chosen = ::setenv("DPEP_CUDA_LIBRARIES", DPEP_FAKE_CUFFT_FOLDER, 1) == 0;

struct fourier_calls : fake_gpu {
  /// Numbers that differ, in shared memory.
  ndarray numbers(const std::vector<int64_t> &shape) {
    int64_t count = 1;
    for (const int64_t length : shape) count *= length;
    auto *const memory = allocate<number>(usm_kind::shared, std::size_t(count));
    for (int64_t i = 0; i < count; ++i) memory[i] = {double(i * 7 % 11), double(i * 3 % 13)};
    return view_of_memory(memory, std::size_t(count) * sizeof(number), 0, shape, {}, dtype::complex128,
                          {q, usm_kind::shared}, nullptr);
  }
  void transform(const ndarray &x, const ndarray &y, int axis, fourier_kind what = fourier_kind::forward) {
    const int64_t length = x.shape()[std::size_t(axis)];
    executor_of(q).apply(fourier_work{what, dtype::complex128, length, 1, axis, x, y});
    q.wait();
  }
};

const number *elements(const ndarray &x) { return static_cast<const number *>(x.expose().base); }

/// Compares y with the definition; both arrays have three axes.
void expect_transform(const ndarray &x, const ndarray &y, int axis, int sign) {
  const auto shape = x.shape();
  const auto index_of = [](const ndarray &a, const int64_t (&i)[3]) {
    return i[0] * a.strides()[0] + i[1] * a.strides()[1] + i[2] * a.strides()[2];
  };
  const int64_t length = shape[std::size_t(axis)];
  const number *const from = elements(x), *const to = elements(y);
  int64_t i[3];
  for (i[0] = 0; i[0] < shape[0]; ++i[0])
    for (i[1] = 0; i[1] < shape[1]; ++i[1])
      for (i[2] = 0; i[2] < shape[2]; ++i[2]) {
        number sum = 0;
        int64_t j[3] = {i[0], i[1], i[2]};
        for (j[axis] = 0; j[axis] < length; ++j[axis])
          sum += from[index_of(x, j)] *
                 std::polar(1.0, sign * 2 * std::numbers::pi * double(i[axis] * j[axis]) / double(length));
        ASSERT_NEAR(std::abs(sum - to[index_of(y, i)]), 0, 1e-9) << axis << ": " << i[0] << ' ' << i[1] << ' ' << i[2];
      }
}

TEST_F(fourier_calls, transform_every_axis) {
  ASSERT_TRUE(library_chosen);
  for (const int axis : {0, 1, 2}) {
    const ndarray x = numbers({4, 6, 5}), y = numbers({4, 6, 5});
    transform(x, y, axis);
    expect_transform(x, y, axis, -1);
    transform(x, y, axis, fourier_kind::backward);
    expect_transform(x, y, axis, 1);
  }
}

TEST_F(fourier_calls, transform_operands_of_other_strides) {
  const int axes[] = {2, 0, 1};
  const ndarray x = permute(numbers({4, 6, 5}), axes), y = numbers({5, 4, 6});
  transform(x, y, 0);
  expect_transform(x, y, 0, -1);
}

TEST_F(fourier_calls, transform_in_place) {
  const ndarray x = numbers({2, 3, 8}), y = numbers({2, 3, 8});
  transform(y, y, 2);
  expect_transform(x, y, 2, -1);
}

TEST_F(fourier_calls, of_one_layout_have_one_plan) {
  std::string why;
  const libs::cufft_library *const library = libs::find_cufft(0, why);
  ASSERT_TRUE(library) << why;
  int (*made)() = nullptr;
  ASSERT_TRUE(libs::shared_library(library->path).resolve(made, "fake_cufft_made"));
  const ndarray x = numbers({1, 3, 9}), y = numbers({1, 3, 9});
  transform(x, y, 2);
  const int before = made();
  for (int k = 0; k < 20; ++k) transform(x, y, 2, k % 2 ? fourier_kind::forward : fourier_kind::backward);
  EXPECT_EQ(made(), before);
}

}  // namespace
}  // namespace dpep::test
