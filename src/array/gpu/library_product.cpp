// Products of large matrices by cuBLAS.
#include "array/gpu/library_product.hpp"

#include <algorithm>
#include <cstring>

#include "array/gpu/launch.hpp"
#include "backend/native.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;

// Multiplications of a product that is worth loading the library, which takes up to a second.
constexpr double large_work = double(1 << 26);

/// An operand of `lines` rows as a column-major matrix whose columns are these rows. Nothing for strides that the
/// library lacks.
std::optional<library_call::operand> operand_of(const matrix_operand &m, int64_t lines, int64_t length, int64_t step) {
  const auto leads = [](int64_t stride, int64_t count, int64_t contiguous) {
    return count == 1 || stride >= contiguous;
  };
  if ((m.column == 1 || length == 1) && leads(m.row, lines, length))
    return library_call::operand{m.first, libs::cuda_transposition::none, std::max(m.row, length), step};
  if ((m.row == 1 || lines == 1) && leads(m.column, length, lines))
    return library_call::operand{m.first, libs::cuda_transposition::plain, std::max(m.column, lines), step};
  return std::nullopt;
}

/// The numbers 1 and 0 as parameters of the dtype; those of float16 are float32.
struct coefficients {
  alignas(16) std::byte one[16] = {}, zero[16] = {};
  explicit coefficients(dtype t) {
    const auto set = [&](auto number) { std::memcpy(one, &number, sizeof number); };
    if (t == dtype::float64 || t == dtype::complex128)
      set(1.0);
    else
      set(1.0f);
  }
};

libs::cublas_compute compute_type(dtype t) noexcept {
  return t == dtype::float64 || t == dtype::complex128 ? libs::cublas_compute::float64 : libs::cublas_compute::float32;
}

void submit(const libs::cublas_session &session, dtype t, const library_call &c) {
  const coefficients numbers(t);
  const libs::cuda_type type = libs::cuda_type_of(t);
  const libs::cublas_library &library = session.library();
  if (c.matrices == 1)
    libs::check(library.gemm(session.handle(), c.first.transposition, c.second.transposition, c.rows, c.columns,
                             c.depth, numbers.one, c.first.first, type, c.first.leading, c.second.first, type,
                             c.second.leading, numbers.zero, c.result, type, c.result_leading, compute_type(t),
                             libs::cublas_default_algorithm),
                "cuBLAS", "cublasGemmEx");
  else
    libs::check(library.gemm_batched(session.handle(), c.first.transposition, c.second.transposition, c.rows, c.columns,
                                     c.depth, numbers.one, c.first.first, type, c.first.leading, c.first.step,
                                     c.second.first, type, c.second.leading, c.second.step, numbers.zero, c.result,
                                     type, c.result_leading, c.result_step, c.matrices, compute_type(t),
                                     libs::cublas_default_algorithm),
                "cuBLAS", "cublasGemmStridedBatchedEx");
}

bool is_worth(const matrix_product &p) noexcept {
  const dtype_kind kind = kind_of(p.type);
  if (kind != dtype_kind::real && kind != dtype_kind::complex) return false;
  return double(p.rows) * double(p.columns) * double(p.depth) * double(p.matrices()) >= large_work;
}

}  // namespace

std::optional<library_call> library_call_of(const matrix_product &p) {
  if (p.axes > 1 || (p.rows > 1 && p.result.row < p.columns)) return std::nullopt;
  const auto left = operand_of(p.left, p.rows, p.depth, p.axes ? p.left_batch[0] : 0);
  const auto right = operand_of(p.right, p.depth, p.columns, p.axes ? p.right_batch[0] : 0);
  if (!left || !right) return std::nullopt;
  return library_call{.rows = p.columns,
                      .columns = p.rows,
                      .depth = p.depth,
                      .matrices = p.matrices(),
                      .first = *right,
                      .second = *left,
                      .result = p.result.first,
                      .result_leading = std::max(p.result.row, p.columns),
                      .result_step = p.axes ? p.result_batch[0] : 0};
}

std::optional<event> multiply_by_library(const queue &where, const matrix_product &p, const ordered_dependencies &after,
                                         const owner_list &owners) {
  if (!is_worth(p)) return std::nullopt;
  runtime::queue_object &q = runtime::implementation_of(where, "matmul");
  auto *const device = dynamic_cast<backend::native_device *>(&q.code_target);
  const std::optional<library_call> call = library_call_of(p);
  if (!call || !device || q.code_target.info().backend != backend_kind::cuda) return std::nullopt;
  std::string why;
  const libs::cublas_library *const library = libs::find_cublas(libs::cuda_version_of(q.code_target.info()), why);
  if (!library) return std::nullopt;

  owner_list kept = owners;
  const ref<storage> scratch = allocate_workspace(where, libs::cublas_scratch_bytes, kept);
  event done = q.submit(backend::native_command{[=, type = p.type, context = device->native_context(),
                                                 call = *call](std::uintptr_t stream) {
                          const libs::cublas_session session(*library, context, stream, scratch->base(),
                                                             libs::cublas_scratch_bytes);
                          submit(session, type, call);
                        }},
                        after, "matmul");
  if (done)
    for (std::shared_ptr<void> &owner : kept) done.keep_alive(std::move(owner));
  return done;
}

}  // namespace dpep::array::gpu
