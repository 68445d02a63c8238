// Linear algebra of small matrices: the function types and the tables that each instruction set provides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dpep::array::blocks {

/// The largest n of the n x n matrices that block kernels compute with.
inline constexpr std::size_t max_small_matrix = 32;
/// Row-major matrices, one behind the other, that a kernel computes side by side.
struct small_matrix_block {
  std::size_t count, n, k;  // matrices, at most small_matrix_kernels::at_once; their size; columns of b
  const void *a, *b;
  void *x, *y;         // results, as for the matrix_operation of that name (array/matrix_work.hpp)
  std::int64_t *info;  // may be null
  void *scratch;       // n (n + max(n, k)) times scratch_bytes, aligned to 64 bytes
  bool upper;
};
enum class small_matrix_operation : std::uint8_t { solve, invert, determinant, log_determinant, cholesky };
struct small_matrix_kernels {
  std::size_t at_once;        // matrices
  std::size_t scratch_bytes;  // for an element of all of them
  void (*operations[5])(const small_matrix_block &) noexcept;
};

// Of float32, float64, complex64 and complex128.
namespace v2 {
extern const small_matrix_kernels small_matrices[4];
}
namespace v3 {
extern const small_matrix_kernels small_matrices[4];
}
namespace v4 {
extern const small_matrix_kernels small_matrices[4];
}

}  // namespace dpep::array::blocks
