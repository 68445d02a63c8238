// A library with functions of cuBLAS for double that computes in the host's memory, when it is called.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

struct handle {
  std::uintptr_t stream = 0;
  void *scratch = nullptr;
  int mode = 0;  // of coefficients and results: 1: in the device's memory
};
constexpr int success = 0, invalid_value = 7;
constexpr int real_double = 1;  // cudaDataType

std::string calls;

/// Records the call with the pointer mode. Returns whether the handle is ready.
bool enter(const handle *h, const char *name) {
  calls += std::string(name) + (h->mode ? " device;" : " host;");
  return h->stream && h->scratch;
}
double number(const void *p) { return *static_cast<const double *>(p); }
template <class T> T *from(T *x, std::int64_t n, std::int64_t step) { return step < 0 ? x - (n - 1) * step : x; }

void multiply(bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const double *a,
              std::int64_t lda, const double *b, std::int64_t ldb, double beta, double *c, std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += (ta ? a[l + i * lda] : a[i + l * lda]) * (tb ? b[j + l * ldb] : b[l + j * ldb]);
      double &to = c[i + j * ldc];
      to = alpha * sum + (beta == 0 ? 0 : beta * to);
    }
}

}  // namespace

extern "C" {

int cublasCreate_v2(handle **made) {
  *made = new handle;
  return success;
}
int cublasSetStream_v2(handle *h, std::uintptr_t stream) {
  h->stream = stream;
  h->scratch = nullptr;  // as the library does
  return success;
}
int cublasSetWorkspace_v2(handle *h, void *scratch, std::size_t) {
  h->scratch = scratch;
  return success;
}
int cublasSetPointerMode_v2(handle *h, int mode) { return h->mode = mode, success; }
int cublasGetVersion_v2(handle *, int *version) { return *version = 120000, success; }

int cublasGemmEx_64(handle *h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k, const void *alpha,
                    const void *a, int type_a, std::int64_t lda, const void *b, int type_b, std::int64_t ldb,
                    const void *beta, void *c, int type_c, std::int64_t ldc, int, int) {
  if (!enter(h, "gemm") || type_a != real_double || type_b != real_double || type_c != real_double)
    return invalid_value;
  multiply(ta, tb, m, n, k, number(alpha), static_cast<const double *>(a), lda, static_cast<const double *>(b), ldb,
           number(beta), static_cast<double *>(c), ldc);
  return success;
}
int cublasGemmStridedBatchedEx_64(handle *h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k,
                                  const void *alpha, const void *a, int, std::int64_t lda, long long a_step,
                                  const void *b, int, std::int64_t ldb, long long b_step, const void *beta, void *c,
                                  int, std::int64_t ldc, long long c_step, std::int64_t count, int, int) {
  if (!enter(h, "gemm_batched")) return invalid_value;
  for (std::int64_t i = 0; i < count; ++i)
    multiply(ta, tb, m, n, k, number(alpha), static_cast<const double *>(a) + i * a_step, lda,
             static_cast<const double *>(b) + i * b_step, ldb, number(beta), static_cast<double *>(c) + i * c_step,
             ldc);
  return success;
}

int cublasDaxpy_v2_64(handle *h, std::int64_t n, const double *alpha, const double *x, std::int64_t incx, double *y,
                      std::int64_t incy) {
  if (!enter(h, "axpy")) return invalid_value;
  for (std::int64_t i = 0; i < n; ++i) from(y, n, incy)[i * incy] += *alpha * from(x, n, incx)[i * incx];
  return success;
}
int cublasDscal_v2_64(handle *h, std::int64_t n, const double *alpha, double *x, std::int64_t incx) {
  if (!enter(h, "scal")) return invalid_value;
  for (std::int64_t i = 0; i < n; ++i) x[i * incx] *= *alpha;
  return success;
}
int cublasDdot_v2_64(handle *h, std::int64_t n, const double *x, std::int64_t incx, const double *y, std::int64_t incy,
                     double *result) {
  if (!enter(h, "dot")) return invalid_value;
  *result = 0;
  for (std::int64_t i = 0; i < n; ++i) *result += x[i * incx] * y[i * incy];
  return success;
}
int cublasIdamax_v2_64(handle *h, std::int64_t n, const double *x, std::int64_t incx, std::int64_t *result) {
  if (!enter(h, "iamax")) return invalid_value;
  *result = n > 0;
  for (std::int64_t i = 1; i < n; ++i)
    if (std::abs(x[i * incx]) > std::abs(x[(*result - 1) * incx])) *result = i + 1;
  return success;
}
int cublasDgemv_v2_64(handle *h, int transposed, std::int64_t m, std::int64_t n, const double *alpha, const double *a,
                      std::int64_t lda, const double *x, std::int64_t incx, const double *beta, double *y,
                      std::int64_t incy) {
  if (!enter(h, "gemv")) return invalid_value;
  const std::int64_t rows = transposed ? n : m, depth = transposed ? m : n;
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < depth; ++j) sum += (transposed ? a[j + i * lda] : a[i + j * lda]) * x[j * incx];
    y[i * incy] = *alpha * sum + *beta * y[i * incy];
  }
  return success;
}

// Functions that must exist and are not called.
#define DPEP_FAKE(letter)                                                                                              \
  int cublas##letter##getrfBatched() { return invalid_value; }                                                         \
  int cublas##letter##getrsBatched() { return invalid_value; }                                                         \
  int cublas##letter##geqrfBatched() { return invalid_value; }
DPEP_FAKE(S)
DPEP_FAKE(D)
DPEP_FAKE(C)
DPEP_FAKE(Z)

/// For tests: the functions that were called, each with its pointer mode, since the last call of this one.
const char *fake_cublas_calls() {
  static std::string all;
  all = std::move(calls);
  calls.clear();
  return all.c_str();
}
}
