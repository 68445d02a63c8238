// Products of matrices on CPUs: chooses the steps and their sizes, and submits them.
#include "array/cpu/product.hpp"

#include <algorithm>
#include <bit>

#include "array/blocks/blocks.hpp"
#include "array/blocks/matrix_block.hpp"
#include "array/cpu/product_steps.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

using std::int64_t;

constexpr int64_t most_depth = 384;              // of a block
constexpr int64_t most_local_bytes = 512 << 10;  // half of a usual second-level cache
constexpr int64_t most_packed_bytes = int64_t{256} << 20;
constexpr double small_work = 1 << 20;      // multiplications that are not worth two launches
constexpr double work_of_unit = 1 << 17;    // multiplications of a unit of separate tiles
constexpr double immediate_work = 1 << 15;  // multiplications that are not worth a launch
constexpr std::size_t immediate_bytes = 32 << 10;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t rounded_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }

dtype computed_type(dtype t) noexcept {
  switch (t) {
  case dtype::int8:
    return dtype::int16;
  case dtype::uint8:
    return dtype::uint16;
  case dtype::float16:
    return dtype::float32;
  default:
    return t;
  }
}

double multiplications(const matrix_product &p) noexcept {
  return static_cast<double>(p.rows) * static_cast<double>(p.columns) * static_cast<double>(p.depth);
}

/// The length of parts of nearly equal length, at most `most` unless a panel is longer.
int64_t balanced(int64_t length, int64_t panel, int64_t most) noexcept {
  return rounded_up(ceil_div(length, ceil_div(length, most)), panel);
}

tile_method method_for(const matrix_product &p, dtype computed, const blocks::matrix_kernel &kernel) noexcept {
  constexpr int64_t few_rows = 4;
  if (computed != p.type || !kernel.multiply_batch || (p.right.column != 1 && p.columns != 1))
    return tile_method::packed;
  if (p.columns <= kernel.columns) return tile_method::batch;
  return p.rows <= few_rows ? tile_method::rows : tile_method::packed;
}

product_arguments arguments_of(const matrix_product &p) noexcept {
  const dtype computed = computed_type(p.type);
  const blocks::matrix_kernel &kernel = blocks::find_matrix_kernel(computed);
  return {.product = p,
          .method = method_for(p, computed, kernel),
          .computed = computed,
          .packed_bytes = static_cast<int64_t>(size_of(computed)),
          .panel_rows = kernel.rows,
          .panel_columns = kernel.columns,
          .lanes = kernel.lanes,
          .depth_block = balanced(p.depth, 8, most_depth),
          .tile_rows = p.rows,
          .tile_columns = p.columns,
          .tiles_per_unit = 1,
          .depth_part = 0,
          .whole_depth = p.depth,
          .packed_left = nullptr,
          .packed_right = nullptr,
          .first_depth = 0,
          .depth = p.depth,
          .sums = nullptr,
          .parts = 1,
          .is_symmetric = false};
}

/// Whether one operand is the transpose of the other in every matrix of the batch.
bool multiplies_transpose(const matrix_product &p) noexcept {
  const matrix_operand &a = p.left, &b = p.right;
  for (std::size_t i = 0; i < p.axes; ++i)
    if (p.batch[i] > 1 && p.left_batch[i] != p.right_batch[i]) return false;
  return p.rows == p.columns && a.first == b.first && a.row == b.column && a.column == b.row;
}

/// Tiles of matrices with common operands: as large as the second-level cache allows, but several for each thread.
void choose_common_tile(product_arguments &t) noexcept {
  constexpr int64_t most_rows = 240, most_left_bytes = 768 << 10, most_row_bytes = 2048, enough_tiles = 16;
  const matrix_product &p = t.product;
  const int64_t rows = std::min(most_rows, most_left_bytes / (t.depth_block * t.packed_bytes));
  t.tile_rows = balanced(p.rows, t.panel_rows, rows);
  t.tile_columns = balanced(p.columns, t.panel_columns, std::max(t.panel_columns, most_row_bytes / t.packed_bytes));
  while (t.tiles() < enough_tiles) {
    const bool has_columns = t.tile_columns > t.panel_columns, has_rows = t.tile_rows > 4 * t.panel_rows;
    if (!has_columns && !has_rows) break;
    if (has_columns && (t.tile_columns >= t.tile_rows || !has_rows))
      t.tile_columns = rounded_up(t.tile_columns / 2, t.panel_columns);
    else
      t.tile_rows = rounded_up(t.tile_rows / 2, t.panel_rows);
  }
}

bool has_few_rows(const matrix_product &p, std::int64_t panel_rows) noexcept { return p.rows <= 2 * panel_rows; }

/// Few results of a large depth, which is cut into parts.
bool is_deep(const matrix_product &p) noexcept {
  constexpr int64_t few_results = 128 * 128, large_depth = 8192;
  return p.axes == 0 && p.depth >= large_depth && p.rows * p.columns <= few_results;
}

/// Whether tiles are separate: an operand is used by few tiles, or matrices are small.
bool is_separate(const product_arguments &t) noexcept {
  const matrix_product &p = t.product;
  if (has_few_rows(p, t.panel_rows) || p.columns <= t.panel_columns || is_deep(p)) return true;
  return static_cast<int64_t>(separate_tile_bytes(t)) <= most_local_bytes &&
         (p.axes > 0 || multiplications(p) <= small_work);
}

/// Separate tiles: the block of the right operand fits the second-level cache. A matrix with few rows is cut along its
/// columns, and others along their rows, because each tile packs its part of the right operand.
void choose_separate_tile(product_arguments &t) noexcept {
  constexpr int64_t adjacent_bytes = 1536, row_bytes = 16384;
  const matrix_product &p = t.product;
  const int64_t column_bytes = std::min(p.depth, t.depth_block) * t.packed_bytes;
  const auto affordable = [&](int64_t other) {
    return std::max<int64_t>(
        1, static_cast<int64_t>(work_of_unit / (static_cast<double>(other) * static_cast<double>(p.depth))));
  };
  const bool few_rows = has_few_rows(p, t.panel_rows);
  if (t.method == tile_method::rows) {
    t.tile_columns = balanced(p.columns, t.panel_columns, row_bytes / t.packed_bytes);
  } else if (t.method == tile_method::packed) {
    const int64_t most = most_local_bytes / 2 / column_bytes;
    const int64_t wanted = few_rows ? std::max(affordable(p.rows), adjacent_bytes / t.packed_bytes) : most;
    const int64_t columns = std::max(t.panel_columns, std::min(most, wanted) / t.panel_columns * t.panel_columns);
    if (p.columns > columns) t.tile_columns = balanced(p.columns, t.panel_columns, columns);
  }
  const int64_t least_rows = t.method == tile_method::packed ? 64 : t.panel_rows;
  const int64_t rows = std::max(affordable(t.tile_columns), least_rows);
  if (!few_rows && p.rows > rows) t.tile_rows = balanced(p.rows, t.panel_rows, rows);
  t.tiles_per_unit = affordable(t.tile_rows * t.tile_columns);
}

/// The parts of the depth that are multiplied separately.
int64_t parts_for(const product_arguments &t) noexcept {
  constexpr int64_t most_parts = 64, least_depth = 2048;
  const matrix_product &p = t.product;
  if (is_deep(p)) return std::min(most_parts, p.depth / least_depth);
  if (t.method != tile_method::rows || p.axes > 0 || t.tiles() >= 16) return 1;
  return std::min({most_parts, p.depth / t.depth_block, static_cast<int64_t>(multiplications(p) / work_of_unit)});
}

/// A product that is being submitted.
class product_submission {
public:
  /// `last` is set to the event of the latest step; the workspace becomes one of the owners.
  product_submission(const queue &where, const ordered_dependencies &after, event &last, owner_list &owners)
      : where_(where), after_(after), last_(last), owners_(owners) {}

  void submit_separate(product_arguments t) {
    choose_separate_tile(t);
    if (const int64_t parts = parts_for(t); parts > 1) return submit_parts(t, parts);
    launch(separate_tiles_step, t, ceil_div(t.product.matrices() * t.tiles(), t.tiles_per_unit),
           separate_tile_bytes(t));
  }
  /// One matrix after the other: each is enough work for all threads.
  void submit_common(product_arguments t) {
    choose_common_tile(t);
    const matrix_product all = t.product;
    t.is_symmetric = multiplies_transpose(all) && !t.converts() && all.type != dtype::boolean;
    if (t.is_symmetric) {  // fewer elements below the diagonal in the tiles on it
      t.tile_rows = rounded_up(ceil_div(t.tile_rows, 2), t.panel_rows);
      t.tile_columns = rounded_up(ceil_div(t.tile_columns, 2), t.panel_columns);
    }
    const int64_t rows = rounded_up(all.rows, t.panel_rows), columns = rounded_up(all.columns, t.panel_columns);
    int64_t depth = all.depth;
    if (!t.converts())  // the sums of some of the depth are added to the result
      depth = std::clamp(most_packed_bytes / ((rows + columns) * t.packed_bytes) / t.depth_block * t.depth_block,
                         std::min(t.depth_block, depth), depth);
    const auto left_bytes = static_cast<std::size_t>(rounded_up(rows * depth * t.packed_bytes, 64));
    const auto right_bytes = static_cast<std::size_t>(columns * depth * t.packed_bytes);
    t.packed_left = allocate_workspace(left_bytes + right_bytes);
    t.packed_right = t.packed_left + left_bytes;
    t.product.axes = 0;
    const auto item = static_cast<int64_t>(size_of(all.type));
    for (int64_t matrix = 0; matrix < all.matrices(); ++matrix) {
      t.product.left.first = all.left.first + all.offset(matrix, all.left_batch) * item;
      t.product.right.first = all.right.first + all.offset(matrix, all.right_batch) * item;
      t.product.result.first = all.result.first + all.offset(matrix, all.result_batch) * item;
      for (t.first_depth = 0; t.first_depth < all.depth; t.first_depth += depth) {
        t.depth = std::min(depth, all.depth - t.first_depth);
        launch(pack_operands_step, t, packing_units(t));
        launch(common_tiles_step, t, t.computed_tiles(), common_tile_bytes(t));
      }
      if (t.is_symmetric) launch(mirror_tiles_step, t, t.row_tiles());
    }
  }

private:
  /// Parts of the depth are multiplied as matrices of a batch, and their products summed.
  void submit_parts(const product_arguments &whole, int64_t parts) {
    const matrix_product &p = whole.product;
    product_arguments t = whole;
    t.tiles_per_unit = 1;
    t.depth_part = rounded_up(ceil_div(p.depth, parts), t.depth_block);
    t.parts = ceil_div(p.depth, t.depth_part);
    t.sums = allocate_workspace(static_cast<std::size_t>(t.parts * p.rows * p.columns * t.packed_bytes));
    t.product.axes = 1;
    t.product.batch[0] = t.parts;
    t.product.left_batch[0] = t.depth_part * p.left.column;
    t.product.right_batch[0] = t.depth_part * p.right.row;
    t.product.result_batch[0] = p.rows * p.columns;
    t.product.result = {t.sums, p.columns, 1};
    launch(separate_tiles_step, t, t.parts * t.tiles(), separate_tile_bytes(t));
    t.product = p;
    launch(sum_parts_step, t, t.row_tiles());
  }

  std::byte *allocate_workspace(std::size_t bytes) {
    owners_.emplace_back(allocate(usm_kind::host, bytes, 64, where_.get_context(), where_.get_device()),
                         [context = where_.get_context()](void *p) { free(p, context); });
    return static_cast<std::byte *>(owners_.back().get());
  }
  void launch(const work_step &step, const product_arguments &t, int64_t units, std::size_t local_bytes = 0) {
    // run times are measured by code, and differ by dtype and size
    const auto size = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(multiplications(t.product))));
    const int variant = size * dtype_count + static_cast<int>(t.product.type);
    backend::launch_command command{
        code_of(step, variant, where_.get_device()), {}, std::as_bytes(std::span(&t, 1)), local_bytes, {}};
    command.work.global[0] = static_cast<std::size_t>(units);
    const event before = last_;
    last_ = runtime::implementation_of(where_, "matmul")
                .launch(command, launched_ ? dependencies(&before, 1) : dependencies(after_));
    launched_ = true;
  }

  const queue &where_;
  const ordered_dependencies &after_;
  bool launched_ = false;
  event &last_;
  owner_list &owners_;
};

}  // namespace

event multiply(const queue &where, const matrix_product &p, const ordered_dependencies &after, owner_list owners) {
  const product_arguments t = arguments_of(p);
  return submit_steps(owners, [&](event &last) {
    product_submission work(where, after, last, owners);
    if (is_separate(t))
      work.submit_separate(t);
    else
      work.submit_common(t);
  });
}

bool multiply_now(const matrix_product &p) {
  if (multiplications(p) * static_cast<double>(p.matrices()) > immediate_work) return false;
  product_arguments t = arguments_of(p);
  if (!is_separate(t)) return false;
  choose_separate_tile(t);
  if (parts_for(t) > 1) return false;
  if (separate_tile_bytes(t) > immediate_bytes) return false;
  alignas(64) std::byte local[immediate_bytes];
  multiply_separate(t, local);
  return true;
}

}  // namespace dpep::array::cpu
