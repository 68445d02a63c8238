// Products of matrices on devices that do not run host code: prepares and launches the kernels.
#include "array/gpu/product.hpp"

#include <mutex>

#include "array/gpu/device_sizes.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/library_product.hpp"
#include "array/gpu/product_kernel.hpp"
#include "array/gpu/small_product.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;

enum class step : std::uint8_t { product, part, sum };

generated_kernel generate(step what, dtype t, const product_tile &tile) {
  switch (what) {
  case step::product:
    return generate_product(t, tile);
  case step::part:
    return generate_product_part(t, tile);
  case step::sum:
    break;
  }
  return generate_product_sum(t);
}

/// Never released: there are few.
std::shared_ptr<const prepared_kernel> prepare(step what, dtype t, const product_tile &tile, backend::device &device) {
  struct entry {
    const backend::device *device;
    step what;
    dtype type;
    bool is_large;
    std::shared_ptr<const prepared_kernel> kernel;
  };
  static std::mutex mutex;
  static auto &known = *new std::vector<entry>;
  {
    const std::lock_guard lock(mutex);
    for (const entry &e : known)
      if (e.device == &device && e.what == what && e.type == t && e.is_large == tile.is_large) return e.kernel;
  }
  generated_kernel generated = generate(what, t, tile);
  ref<const backend::code> code = compile_kernel(generated, device);
  auto kernel = std::make_shared<const prepared_kernel>(
      prepared_kernel{std::move(code), std::move(generated.arguments), generated.local, 1});
  const std::lock_guard lock(mutex);
  known.push_back({&device, what, t, tile.is_large, kernel});
  return kernel;
}

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t tiles_of(const matrix_product &p, const product_tile &tile) {
  return p.matrices() * ceil_div(p.rows, tile.length) * ceil_div(p.columns, tile.length);
}

/// Large tiles, unless there are too few for all compute units, or little of them would be used.
product_tile tile_for(const matrix_product &p, const device_sizes &device) {
  const product_tile large = large_tile(p.type), small = small_tile();
  const bool is_thin = p.rows <= small.length || p.columns <= small.length;
  return is_thin || tiles_of(p, large) < device.compute_units ? small : large;
}

/// The depth of parts that are multiplied separately, so that few results of a large depth employ all compute units; 0
/// if the depth is not cut.
int64_t part_for(const matrix_product &p, const product_tile &tile, const device_sizes &device) {
  constexpr int64_t least_depth = 512, most_parts = 256;
  const int64_t tiles = tiles_of(p, tile);
  const int64_t parts = std::min({2 * device.compute_units / tiles, p.depth / least_depth, most_parts});
  return p.axes > 0 || parts < 2 ? 0 : ceil_div(ceil_div(p.depth, parts), tile.depth) * tile.depth;
}

struct product_values {
  std::array<std::byte *, product_operand::count> memory;
  std::array<scalar, product_scalar::count> numbers;

  explicit product_values(const matrix_product &p) : memory{p.left.first, p.right.first, p.result.first} {
    const auto set = [&](std::size_t which, int64_t value) { numbers[which] = scalar::of(value); };
    set(product_scalar::rows, p.rows);
    set(product_scalar::columns, p.columns);
    set(product_scalar::depth, p.depth);
    set(product_scalar::part, 0);
    set(product_scalar::left_row, p.left.row);
    set(product_scalar::left_column, p.left.column);
    set(product_scalar::right_row, p.right.row);
    set(product_scalar::right_column, p.right.column);
    set(product_scalar::result_row, p.result.row);
    constexpr std::size_t n = matrix_product::max_axes;
    for (std::size_t a = 0; a < n; ++a) {
      const bool used = a < p.axes;
      set(product_scalar::batch + a, used ? p.batch[a] : 1);
      set(product_scalar::batch + n + a, used ? p.left_batch[a] : 0);
      set(product_scalar::batch + 2 * n + a, used ? p.right_batch[a] : 0);
      set(product_scalar::batch + 3 * n + a, used ? p.result_batch[a] : 0);
    }
  }
};

event submit(runtime::queue_object &q, prepared_kernel kernel, int64_t groups, const product_values &values,
             const ordered_dependencies &after) {
  kernel.groups = static_cast<std::size_t>(groups);
  const filled_arguments filled(kernel.arguments, {values.memory, values.numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

/// The product as a batch of parts of the depth, whose results are in the workspace.
matrix_product parts_of(const matrix_product &p, int64_t part, std::byte *workspace) {
  matrix_product parts = p;
  parts.axes = 1;
  parts.batch[0] = ceil_div(p.depth, part);
  parts.left_batch[0] = part * p.left.column;
  parts.right_batch[0] = part * p.right.row;
  parts.result_batch[0] = p.rows * p.columns;
  parts.result = {workspace, p.columns, 1};
  return parts;
}

}  // namespace

event multiply(const queue &where, const matrix_product &p, const ordered_dependencies &after, owner_list owners) {
  if (std::optional<event> done = multiply_rows(where, p, after)) {
    for (const std::shared_ptr<void> &owner : owners) done->keep_alive(owner);
    return std::move(*done);
  }
  if (std::optional<event> done = multiply_by_library(where, p, after, owners)) return std::move(*done);
  runtime::queue_object &q = runtime::implementation_of(where, "matmul");
  const device_sizes device(q.code_target.info());
  const product_tile tile = tile_for(p, device);
  const int64_t part = part_for(p, tile, device);
  return submit_steps(owners, [&](event &last) {
    if (part == 0) {
      last =
          submit(q, *prepare(step::product, p.type, tile, q.code_target), tiles_of(p, tile), product_values(p), after);
      return;
    }
    const auto product_kernel = prepare(step::part, p.type, tile, q.code_target);
    const auto sum_kernel = prepare(step::sum, p.type, tile, q.code_target);
    const std::size_t bytes = size_of(sum_type(p.type));
    const ref<storage> sums_of_parts = allocate_workspace(
        where, static_cast<std::size_t>(ceil_div(p.depth, part) * p.rows * p.columns) * bytes, owners);
    const matrix_product parts = parts_of(p, part, sums_of_parts->base());
    product_values values(parts);
    values.numbers[product_scalar::part] = scalar::of(part);
    last = submit(q, *product_kernel, tiles_of(parts, tile), values, after);
    product_values sums(p);
    sums.memory[product_operand::left] = parts.result.first;
    sums.numbers[product_scalar::part] = scalar::of(parts.batch[0]);
    last = submit(q, *sum_kernel, ceil_div(p.rows * p.columns, int64_t(sum_kernel->local)), sums,
                  ordered_dependencies({&last, 1}, &last));
  });
}

}  // namespace dpep::array::gpu
