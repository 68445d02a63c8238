// How functions of oneapi::mkl::blas are called: events, coefficients in memory, names, and errors.
#include <chrono>
#include <functional>
#include <thread>

#include <oneapi/math.hpp>

#include "mkl_operands.hpp"
#include "shared_array.hpp"

namespace {

using namespace mkl_test;
namespace blas = oneapi::mkl::blas;
using mkl::transpose;

TEST(mkl_calls, wait_for_their_dependencies) {
  sycl::queue q;
  shared_array<double> x({1, 2, 3}, q), y({0, 0, 0}, q);
  const sycl::event filled = q.submit([&](sycl::handler &h) {
    h.host_task([p = x.get()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      p[0] = 10;
    });
  });
  const sycl::event added = blas::axpy(q, 3, 1.0, x.get(), 1, y.get(), 1, {filled});
  blas::scal(q, 3, 2.0, y.get(), 1, {added}).wait();
  EXPECT_EQ(y.values(), (std::vector<double>{20, 4, 6}));
}

TEST(mkl_calls, on_in_order_queues_follow_each_other) {
  sycl::queue q{sycl::property::queue::in_order()};
  shared_array<float> x(1000, q);
  q.fill(x.get(), 1.0f, 1000);
  for (int i = 0; i < 10; ++i) blas::scal(q, 1000, 2.0f, x.get(), 1);
  q.parallel_for(1000, [p = x.get()](sycl::id<1> i) { p[i] += 1; });
  q.wait();
  EXPECT_EQ(x.values(), std::vector<float>(1000, 1025.0f));
}

TEST(mkl_calls, on_buffers_are_ordered_with_kernels) {
  sycl::queue q;
  std::vector<float> host(100, 1.0f);
  {
    sycl::buffer<float, 1> x(host.data(), 100);
    sycl::buffer<float, 1> half(x, 50, 50);
    blas::scal(q, 50, 3.0f, half, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(x, h, sycl::read_write);
      h.parallel_for(100, [=](sycl::id<1> i) { a[i] += 1; });
    });
    blas::scal(q, 100, 2.0f, x, 1);
  }
  EXPECT_EQ(host[49], 4.0f);
  EXPECT_EQ(host[50], 8.0f);
}

TEST(mkl_calls, take_coefficients_from_memory) {
  sycl::queue q;
  shared_array<double> a({1, 2, 3, 4}, q), x({1, 1}, q), y({1, 1}, q), alpha(std::vector<double>{2}, q),
      beta(std::vector<double>{10}, q);
  blas::column_major::gemv(q, transpose::N, 2, 2, alpha.get(), a.get(), 2, x.get(), 1, beta.get(), y.get(), 1).wait();
  EXPECT_EQ(y.values(), (std::vector<double>{18, 22}));
  blas::row_major::gemv(q, transpose::N, 2, 2, alpha.get(), a.get(), 2, x.get(), 1, 0.0, y.get(), 1).wait();
  EXPECT_EQ(y.values(), (std::vector<double>{6, 14}));
}

TEST(mkl_calls, convert_numbers_to_the_type_of_the_coefficient) {
  sycl::queue q;
  shared_array<std::complex<float>> x(std::vector<std::complex<float>>{{1, 2}}, q);
  blas::scal(q, 1, 2, x.get(), 1).wait();
  EXPECT_EQ(x[0], std::complex<float>(2, 4));
  blas::scal(q, 1, 0.5, x.get(), 1).wait();
  EXPECT_EQ(x[0], std::complex<float>(1, 2));
  blas::scal(q, 1, std::complex<float>(0, 1), x.get(), 1).wait();
  EXPECT_EQ(x[0], std::complex<float>(-2, 1));
}

TEST(mkl_calls, have_the_namespaces_of_the_specification) {
  sycl::queue q;
  shared_array<float> x({1, 2}, q), y(2, q);
  oneapi::math::blas::copy(q, 2, x.get(), 1, y.get(), 1).wait();
  EXPECT_EQ(y.values(), x.values());
  static_assert(std::is_same_v<oneapi::math::transpose, oneapi::mkl::transpose>);
  static_assert(transpose::N == transpose::nontrans && transpose::C == transpose::conjtrans);
  static_assert(std::is_base_of_v<mkl::exception, mkl::invalid_argument>);
  static_assert(std::is_base_of_v<std::exception, mkl::exception>);
}

struct bad_call {
  const char *name;
  std::function<void(sycl::queue &, double *)> make;
  const char *message;
};

TEST(mkl_errors, of_arguments_name_the_function_the_argument_and_the_bound) {
  const auto N = transpose::N;
  const bad_call calls[] = {
      {"negative size", [&](auto &q, auto *p) { blas::gemv(q, N, -1, 2, 1, p, 2, p, 1, 0, p, 1); },
       "blas::gemv: m is -1, but must not be negative"},
      {"leading dimension of a column-major matrix",
       [&](auto &q, auto *p) { blas::gemm(q, N, N, 4, 2, 3, 1, p, 3, p, 3, 0, p, 4); },
       "blas::gemm: lda is 3, but must be at least 4"},
      {"leading dimension of a row-major matrix",
       [&](auto &q, auto *p) { blas::row_major::gemm(q, N, N, 4, 2, 3, 1, p, 3, p, 1, 0, p, 4); },
       "blas::gemm: ldb is 1, but must be at least 2"},
      {"leading dimension of a transposed matrix",
       [&](auto &q, auto *p) { blas::gemm(q, transpose::T, N, 4, 2, 3, 1, p, 2, p, 3, 0, p, 4); },
       "blas::gemm: lda is 2, but must be at least 3"},
      {"leading dimension of a band", [&](auto &q, auto *p) { blas::gbmv(q, N, 4, 4, 1, 2, 1, p, 3, p, 1, 0, p, 1); },
       "blas::gbmv: lda is 3, but must be at least 4"},
      {"increment", [&](auto &q, auto *p) { blas::gemv(q, N, 2, 2, 1, p, 2, p, 0, 0, p, 1); }, "blas::gemv: incx is 0"},
      {"batch size", [&](auto &q, auto *p) { blas::gemm_batch(q, N, N, 1, 1, 1, 1, p, 1, 1, p, 1, 1, 0, p, 1, 1, -1); },
       "blas::gemm: batch_size is -1, but must not be negative"},
      {"stride", [&](auto &q, auto *p) { blas::gemm_batch(q, N, N, 1, 1, 1, 1, p, 1, 1, p, 1, -1, 0, p, 1, 1, 2); },
       "blas::gemm: the stride of operand 2 is -1, but must not be negative"},
      {"null pointer", [&](auto &q, auto *p) { blas::axpy(q, 3, 1, static_cast<double *>(nullptr), 1, p, 1); },
       "blas::axpy: operand 1 is a null pointer"},
      {"buffer",
       [&](auto &q, auto *) {
         sycl::buffer<double, 1> a(11), x(3), y(4);
         blas::gemv(q, N, 4, 3, 1, a, 4, x, 1, 0, y, 1);
       },
       "blas::gemv: operand 1 needs 96 bytes, but its buffer has 88"},
  };
  sycl::queue q;
  shared_array<double> memory(100, q);
  for (const bad_call &c : calls) try {
      c.make(q, memory.get());
      ADD_FAILURE() << c.name << ": no exception";
    } catch (const mkl::invalid_argument &e) {
      EXPECT_STREQ(e.what(), c.message) << c.name;
    }
}

TEST(mkl_errors, empty_work_needs_no_memory) {
  sycl::queue q;
  double *const none = nullptr;
  blas::gemm(q, transpose::N, transpose::N, 0, 0, 0, 1, none, 1, none, 1, 0, none, 1).wait();
  blas::axpy(q, 0, 1, none, 1, none, 1).wait();
  blas::gemv(q, transpose::N, 0, 3, 1, none, 1, none, 1, 0, none, 1).wait();
}

}  // namespace
