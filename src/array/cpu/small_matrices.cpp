// Linear algebra of small matrices on CPUs: block kernels compute several matrices side by side.
#include "array/cpu/small_matrices.hpp"

#include <bit>

#include "array/blocks/blocks.hpp"
#include "array/cpu/matrix_task.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t most_columns = 64;   // of right sides
constexpr std::int64_t smallest_batch = 4;  // matrices from which on vectors are full enough to be faster than LAPACK
constexpr std::int64_t largest_of_small_batch = 8;  // rows of matrices that are faster in any number

using blocks::small_matrix_operation;

bool has_kernel(matrix_operation what) noexcept {
  return what == matrix_operation::solve || what == matrix_operation::invert || what == matrix_operation::determinant ||
         what == matrix_operation::log_determinant || what == matrix_operation::cholesky;
}
small_matrix_operation kernel_of(matrix_operation what) noexcept {
  switch (what) {
  case matrix_operation::solve:
    return small_matrix_operation::solve;
  case matrix_operation::invert:
    return small_matrix_operation::invert;
  case matrix_operation::determinant:
    return small_matrix_operation::determinant;
  case matrix_operation::log_determinant:
    return small_matrix_operation::log_determinant;
  default:
    return small_matrix_operation::cholesky;
  }
}

/// Bytes of the result x of one matrix.
std::int64_t result_bytes(const matrix_arguments &g) noexcept {
  const auto element = std::int64_t(size_of(g.type));
  if (g.what == matrix_operation::solve) return g.n * g.k * element;
  return g.what == matrix_operation::invert || g.what == matrix_operation::cholesky ? g.n * g.n * element : element;
}

/// Unit u is the matrices u * at_once, … of the batch.
void run_blocks(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
                std::size_t) {
  const auto &g = *static_cast<const matrix_arguments *>(arguments);
  const blocks::small_matrix_kernels &kernels = blocks::find_small_matrices(g.type);
  const auto element = std::int64_t(size_of(g.type)), real = std::int64_t(size_of(real_of(g.type)));
  for (std::size_t block = begin; block < end; ++block) {
    const auto first = std::int64_t(block * kernels.at_once);
    const auto at = [&](auto *base, std::int64_t bytes) { return base ? base + first * bytes : nullptr; };
    const blocks::small_matrix_block b{.count = std::min(kernels.at_once, std::size_t(g.count - first)),
                                       .n = std::size_t(g.n),
                                       .k = std::size_t(g.k),
                                       .a = at(g.a, g.n * g.n * element),
                                       .b = at(g.b, g.n * g.k * element),
                                       .x = at(g.x, result_bytes(g)),
                                       .y = at(g.y, real),
                                       .info = at(g.info, 1),
                                       .scratch = local,
                                       .upper = g.upper};
    kernels.operations[std::size_t(kernel_of(g.what))](b);
  }
}

constexpr work_step small_matrices_step{"small_matrices", run_blocks};

}  // namespace

bool has_small_matrices(const matrix_work &w) noexcept {
  return has_kernel(w.what) && w.n <= std::int64_t(blocks::max_small_matrix) && w.k <= most_columns &&
         (w.count >= smallest_batch || w.n <= largest_of_small_batch);
}

event apply_small(const matrix_work &w) {
  const queue &where = queue_of(w);
  const matrix_arguments g(w);
  const blocks::small_matrix_kernels &kernels = blocks::find_small_matrices(g.type);
  // a code for each operation, dtype and order of magnitude, so that their run times are measured separately
  const int variant = ((int(g.what) * dtype_count + int(g.type)) * 8 + std::bit_width(std::uint64_t(g.n))) * 8 +
                      std::bit_width(std::uint64_t(g.k));
  backend::launch_command command{array::code_of(small_matrices_step, variant, where.get_device()),
                                  {},
                                  std::as_bytes(std::span(&g, 1)),
                                  std::size_t(g.n * (g.n + std::max(g.n, g.k))) * kernels.scratch_bytes,
                                  {}};
  command.work.global[0] = (std::size_t(g.count) + kernels.at_once - 1) / kernels.at_once;
  return submit_in_turn(w, [&](const ordered_dependencies &after) {
    return runtime::implementation_of(where, "linear algebra").launch(command, after);
  });
}

}  // namespace dpep::array::cpu
