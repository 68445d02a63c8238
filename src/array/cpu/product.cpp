// Products of matrices on CPUs: chooses the steps and their sizes, and submits them.
#include "array/cpu/product.hpp"

#include <algorithm>
#include <bit>

#include "array/blocks/blocks.hpp"
#include "array/cpu/product_steps.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

using std::int64_t;

constexpr int64_t depth_block = 256;
constexpr int64_t most_local_bytes = 512 << 10;  // half of a usual second-level cache
constexpr int64_t most_packed_bytes = int64_t{256} << 20;
constexpr double small_work = 1 << 19;      // multiplications that are not worth two launches
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

product_arguments arguments_of(const matrix_product &p) noexcept {
  const dtype computed = computed_type(p.type);
  const blocks::matrix_kernel &kernel = blocks::find_matrix_kernel(computed);
  return {.product = p,
          .computed = computed,
          .packed_bytes = static_cast<int64_t>(size_of(computed)),
          .panel_rows = kernel.rows,
          .panel_columns = kernel.columns,
          .lanes = kernel.lanes,
          .depth_block = depth_block,
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
          .parts = 1};
}

/// Tiles of matrices with common operands: as large as the second-level cache allows, but several for each thread.
void choose_common_tile(product_arguments &t) noexcept {
  constexpr int64_t most_rows = 240, most_row_bytes = 2048, enough_tiles = 16;
  const matrix_product &p = t.product;
  t.tile_rows = balanced(p.rows, t.panel_rows, most_rows);
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

bool has_few_rows(const product_arguments &t) noexcept { return t.product.rows <= 2 * t.panel_rows; }
bool has_few_columns(const product_arguments &t) noexcept { return t.product.columns <= t.panel_columns; }
bool is_deep(const product_arguments &t) noexcept {
  constexpr int64_t few_results = 128 * 128, large_depth = 8192;
  const matrix_product &p = t.product;
  return p.axes == 0 && p.depth >= large_depth && p.rows * p.columns <= few_results;
}

/// Whether tiles are separate: an operand is used by few tiles, or matrices are small.
bool is_separate(const product_arguments &t) noexcept {
  if (has_few_rows(t) || has_few_columns(t) || is_deep(t)) return true;
  const matrix_product &p = t.product;
  return static_cast<int64_t>(separate_tile_bytes(t)) <= most_local_bytes &&
         (p.axes > 0 || multiplications(p) <= small_work);
}

/// Separate tiles: the block of the right operand fits the second-level cache. A matrix with few rows is cut along its
/// columns, and others along their rows, because each tile packs its part of the right operand.
void choose_separate_tile(product_arguments &t) noexcept {
  constexpr int64_t least_rows = 64;
  const matrix_product &p = t.product;
  const int64_t column_bytes = std::min(p.depth, depth_block) * t.packed_bytes;
  int64_t columns = std::max(t.panel_columns, most_local_bytes / 2 / column_bytes / t.panel_columns * t.panel_columns);
  const auto affordable = [&](int64_t other) {
    return static_cast<int64_t>(work_of_unit / (static_cast<double>(other) * static_cast<double>(p.depth)));
  };
  if (has_few_rows(t))
    columns = std::min(columns, rounded_up(std::max<int64_t>(affordable(p.rows), 1), t.panel_columns));
  if (p.columns > columns) t.tile_columns = balanced(p.columns, t.panel_columns, columns);
  const int64_t rows = std::max(affordable(t.tile_columns), least_rows);
  if (!has_few_rows(t) && p.rows > rows) t.tile_rows = balanced(p.rows, t.panel_rows, rows);
  const double of_tile = static_cast<double>(t.tile_rows) * static_cast<double>(t.tile_columns);
  t.tiles_per_unit = std::max<int64_t>(1, affordable(static_cast<int64_t>(of_tile)));
}

/// A product that is being submitted.
class product_submission {
public:
  product_submission(const queue &where, const ordered_dependencies &after) : where_(where), after_(after) {}

  void submit_separate(product_arguments t) {
    choose_separate_tile(t);
    if (is_deep(t)) return submit_parts(t);
    launch(separate_tiles_step, t, ceil_div(t.product.matrices() * t.tiles(), t.tiles_per_unit),
           separate_tile_bytes(t));
  }
  /// One matrix after the other: each is enough work for all threads.
  void submit_common(product_arguments t) {
    choose_common_tile(t);
    const matrix_product all = t.product;
    const int64_t rows = rounded_up(all.rows, t.panel_rows), columns = rounded_up(all.columns, t.panel_columns);
    int64_t depth = all.depth;
    if (!t.converts())  // the sums of some of the depth are added to the result
      depth = std::clamp(most_packed_bytes / ((rows + columns) * t.packed_bytes) / depth_block * depth_block,
                         std::min(depth_block, depth), depth);
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
        launch(pack_operands_step, t, panels(t));
        launch(common_tiles_step, t, t.tiles(), common_tile_bytes(t));
      }
    }
  }
  /// The event of the last step, which keeps the owners alive.
  event finish(owner_list owners) {
    if (workspace_) owners.push_back(std::move(workspace_));
    if (last_)
      for (std::shared_ptr<void> &owner : owners) last_.keep_alive(std::move(owner));
    return last_;
  }

private:
  /// Few results of a large depth: parts of the depth are multiplied as matrices of a batch, and their products summed.
  void submit_parts(const product_arguments &whole) {
    constexpr int64_t most_parts = 64, least_depth = 2048;
    const matrix_product &p = whole.product;
    product_arguments t = whole;
    t.depth_part = rounded_up(ceil_div(p.depth, std::min(most_parts, p.depth / least_depth)), depth_block);
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
    workspace_ = {allocate(usm_kind::host, bytes, 64, where_.get_context(), where_.get_device()),
                  [context = where_.get_context()](void *p) { free(p, context); }};
    return static_cast<std::byte *>(workspace_.get());
  }
  void launch(const work_step &step, const product_arguments &t, int64_t units, std::size_t local_bytes = 0) {
    // run times are measured by code, and differ by dtype and size
    const int size = std::bit_width(static_cast<std::uint64_t>(multiplications(t.product)));
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
  event last_;
  std::shared_ptr<void> workspace_;
};

}  // namespace

event multiply(const queue &where, const matrix_product &p, const ordered_dependencies &after, owner_list owners) {
  const product_arguments t = arguments_of(p);
  product_submission work(where, after);
  if (is_separate(t))
    work.submit_separate(t);
  else
    work.submit_common(t);
  return work.finish(std::move(owners));
}

bool multiply_now(const matrix_product &p) {
  if (multiplications(p) * static_cast<double>(p.matrices()) > immediate_work) return false;
  product_arguments t = arguments_of(p);
  if (!is_separate(t) || is_deep(t)) return false;
  choose_separate_tile(t);
  if (separate_tile_bytes(t) > immediate_bytes) return false;
  alignas(64) std::byte local[immediate_bytes];
  multiply_separate(t, local);
  return true;
}

}  // namespace dpep::array::cpu
