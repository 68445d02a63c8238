// Calls of oneapi::mkl with their waits, and of the same functions of OpenBLAS directly. Prints a line for each
// function and size: the least times of both in nanoseconds. The argument is OpenBLAS's file, with 64-bit integers.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include <dlfcn.h>

#include <oneapi/mkl.hpp>
#include <sycl/sycl.hpp>

namespace {

using integer = std::int64_t;
using axpy_function = void (*)(integer, double, const double *, integer, double *, integer);
using gemv_function = void (*)(int, int, integer, integer, double, const double *, integer, const double *, integer,
                               double, double *, integer);
using gemm_function = void (*)(int, int, int, integer, integer, integer, double, const double *, integer,
                               const double *, integer, double, double *, integer);
constexpr int column_major = 102, as_it_is = 111;  // CBLAS_LAYOUT, CBLAS_TRANSPOSE

template <class F> double nanoseconds(const F &call) {
  using clock = std::chrono::steady_clock;
  constexpr int turns = 15, calls = 1000;
  double least = 1e18;
  for (int turn = 0; turn < turns; ++turn) {
    const auto begin = clock::now();
    for (int i = 0; i < calls; ++i) call();
    least = std::min(least, std::chrono::duration<double, std::nano>(clock::now() - begin).count() / calls);
  }
  return least;
}

template <class Direct, class Ours> void compare(const char *name, integer n, const Direct &direct, const Ours &ours) {
  const double first = nanoseconds(direct), second = nanoseconds(ours);
  std::printf("%s %ld %.0f %.0f\n", name, long(n), std::min(first, nanoseconds(direct)),
              std::min(second, nanoseconds(ours)));
}

}  // namespace

int main(int argc, char **argv) {
  void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library) return std::puts("calls: the argument is not OpenBLAS's file"), 1;
  const auto axpy = reinterpret_cast<axpy_function>(dlsym(library, "scipy_cblas_daxpy64_"));
  const auto gemv = reinterpret_cast<gemv_function>(dlsym(library, "scipy_cblas_dgemv64_"));
  const auto gemm = reinterpret_cast<gemm_function>(dlsym(library, "scipy_cblas_dgemm64_"));
  if (!axpy || !gemv || !gemm) return std::puts("calls: the library lacks functions"), 1;
  namespace blas = oneapi::mkl::blas::column_major;
  constexpr auto plain = oneapi::mkl::transpose::nontrans;
  sycl::queue q{sycl::cpu_selector_v};
  for (const integer n : {1, 3, 8, 16, 31, 64}) {
    double *const a = sycl::malloc_shared<double>(n * n, q), *const x = sycl::malloc_shared<double>(n * n, q),
                  *const y = sycl::malloc_shared<double>(n * n, q);
    for (integer i = 0; i < n * n; ++i) a[i] = x[i] = y[i] = 1e-3;
    compare("axpy", n, [&] { axpy(n, 1e-9, x, 1, y, 1); }, [&] { blas::axpy(q, n, 1e-9, x, 1, y, 1).wait(); });
    compare(
        "gemv", n, [&] { gemv(column_major, as_it_is, n, n, 1, a, n, x, 1, 0, y, 1); },
        [&] { blas::gemv(q, plain, n, n, 1.0, a, n, x, 1, 0.0, y, 1).wait(); });
    compare(
        "gemm", n, [&] { gemm(column_major, as_it_is, as_it_is, n, n, n, 1, a, n, x, n, 0, y, n); },
        [&] { blas::gemm(q, plain, plain, n, n, n, 1.0, a, n, x, n, 0.0, y, n).wait(); });
    for (double *const each : {a, x, y}) sycl::free(each, q);
  }
}
