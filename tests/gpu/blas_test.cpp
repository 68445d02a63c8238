// oneMKL's BLAS as calls of cuBLAS: on a fake GPU, in memory that the host can access, by a library that computes there
// when it is called.
#include <string>
#include <vector>

#include <dpep/blas.hpp>

#include <oneapi/mkl/exceptions.hpp>

#include "fake_gpu.hpp"
#include "libs/cublas.hpp"

namespace dpep::test {
namespace {

using blas::call;
using blas::function;
using blas::scalar;

struct blas_calls : fake_gpu {
  double *numbers(const std::vector<double> &values) {
    auto *const memory = allocate<double>(usm_kind::shared, values.size());
    std::copy(values.begin(), values.end(), memory);
    return memory;
  }
  blas::operand operand(const void *pointer, std::int64_t step = 1, std::int64_t stride = 0) {
    return {.pointer = pointer, .mode = access::read_write, .step = step, .stride = stride};
  }
  static std::string calls() {
    static void *const library = ::dlopen((DPEP_FAKE_CUBLAS_FOLDER "/libcublas.so.13"), RTLD_NOW);
    return reinterpret_cast<const char *(*)()>(::dlsym(library, "fake_cublas_calls"))();
  }
  blas_calls() { calls(); }
};

TEST_F(blas_calls, wait_for_host_tasks_and_take_coefficients_from_the_host) {
  double *const x = numbers({1, 2, 3}), *const y = numbers({0, 0, 0});
  const event filled = q.host_task([y] {
    for (int i = 0; i < 3; ++i) y[i] = 10 * (i + 1);
  });
  const call c{.what = function::axpy,
               .type = dtype::float64,
               .n = 3,
               .alpha = scalar::of(2.0),
               .operands = {operand(x), operand(y)}};
  blas::submit(q, c, {&filled, 1}).wait();
  EXPECT_EQ(std::vector<double>(y, y + 3), (std::vector<double>{12, 24, 36}));
  EXPECT_EQ(calls(), "axpy host;");
}

TEST_F(blas_calls, without_a_function_of_the_library_are_composed) {
  double *const x = numbers({1, 2}), *const y = numbers({10, 20});
  const call c{.what = function::axpby,
               .type = dtype::float64,
               .n = 2,
               .alpha = scalar::of(2.0),
               .beta = scalar::of(3.0),
               .operands = {operand(x), operand(y)}};
  blas::submit(q, c).wait();
  EXPECT_EQ(y[1], 64);
  EXPECT_EQ(calls(), "scal host;axpy host;");
}

TEST_F(blas_calls, with_results_on_the_device_set_the_pointer_mode_and_reset_it) {
  double *const x = numbers({1, 2, 3}), *const result = numbers({0});
  const call dot{
      .what = function::dot, .type = dtype::float64, .n = 3, .operands = {operand(x), operand(x), operand(result)}};
  blas::submit(in_order, dot).wait();
  EXPECT_EQ(*result, 14);
  const call scal{
      .what = function::scal, .type = dtype::float64, .n = 3, .alpha = scalar::of(2.0), .operands = {operand(x)}};
  blas::submit(in_order, scal).wait();
  EXPECT_EQ(calls(), "dot device;scal host;");
}

TEST_F(blas_calls, with_a_coefficient_in_memory_have_the_others_there) {
  double *const a = numbers({1, 2, 3, 4}), *const x = numbers({1, 1}), *const y = numbers({1, 1}),
                *const alpha = numbers({2});
  const call c{.what = function::gemv,
               .type = dtype::float64,
               .row_major = true,
               .m = 2,
               .n = 2,
               .alpha = scalar::at(alpha),
               .beta = scalar::of(10.0),
               .operands = {operand(a, 2), operand(x), operand(y)}};
  blas::submit(q, c).wait();
  EXPECT_EQ(y[0], 16);
  EXPECT_EQ(y[1], 24);
  EXPECT_EQ(calls(), "gemv device;");
}

TEST_F(blas_calls, of_indices_count_from_0) {
  double *const x = numbers({1, -9, 3});
  auto *const index = allocate<std::int64_t>(usm_kind::shared, 1);
  for (const std::int64_t first : {0, 1}) {
    const call c{.what = function::iamax,
                 .type = dtype::float64,
                 .n = 3,
                 .first_index = first,
                 .operands = {operand(x), operand(index)}};
    blas::submit(q, c).wait();
    EXPECT_EQ(*index, 1 + first);
  }
  const call none{.what = function::iamax, .type = dtype::float64, .operands = {operand(x), operand(index)}};
  blas::submit(q, none).wait();
  EXPECT_EQ(*index, 0);
}

TEST_F(blas_calls, of_row_major_matrices_are_column_major_ones_of_the_library) {
  double *const a = numbers({1, 2, 3, 4, 5, 6}), *const b = numbers({1, 0, 0, 1, 1, 1}),
                *const c = numbers({9, 9, 9, 9});
  call product{.what = function::gemm,
               .type = dtype::float64,
               .row_major = true,
               .m = 2,
               .n = 2,
               .k = 3,
               .alpha = scalar::of(1.0),
               .beta = scalar::of(0.0),
               .operands = {operand(a, 3), operand(b, 2), operand(c, 2)}};
  blas::submit(q, product).wait();
  EXPECT_EQ(std::vector<double>(c, c + 4), (std::vector<double>{4, 5, 10, 11}));
  product.count = 2;
  product.k = 1;
  product.operands[0].stride = 2, product.operands[1].stride = 2, product.operands[2].stride = 0;
  product.operands[0].step = 1;
  blas::submit(q, product).wait();
  EXPECT_EQ(std::vector<double>(c, c + 4), (std::vector<double>{0, 3, 0, 4}));
  EXPECT_EQ(calls(), "gemm host;gemm_batched host;");
}

TEST_F(blas_calls, that_the_library_lacks_are_unimplemented) {
  auto *const x = allocate<float>(usm_kind::shared, 3);
  const call c{
      .what = function::sdsdot, .type = dtype::float32, .n = 3, .operands = {operand(x), operand(x), operand(x)}};
  EXPECT_THROW(blas::submit(q, c), ::oneapi::mkl::unimplemented);
}

}  // namespace
}  // namespace dpep::test
