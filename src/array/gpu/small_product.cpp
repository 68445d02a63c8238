// Products of many small matrices, and of matrices of many short rows: a work-item computes a row of the result.
#include "array/gpu/small_product.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/product_kernel.hpp"
#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;

constexpr int64_t group = 256, max_columns = 16, max_depth = 16;  // as in device/array/small_products.cpp
constexpr int64_t least_rows = int64_t(1) << 14, most_rows = int64_t(1) << 31;

/// What is constant in a kernel. `bytes`: of an access; 0 if elements are not adjacent. `is_adjacent`: the stride along
/// columns is 1.
struct row_kernel_key {
  dtype type;
  int64_t columns, depth, left_bytes, right_bytes, result_bytes;
  bool left_is_adjacent, right_is_adjacent, by_columns;
  bool operator==(const row_kernel_key &) const = default;
};

/// The bytes of accesses along lines of `length` adjacent elements whose distances, in elements, are multiples of the
/// strides: up to 4 elements and 16 bytes. For complex numbers it may be one of their parts.
int64_t access_bytes(const std::byte *first, dtype t, int64_t length, std::initializer_list<int64_t> strides) {
  const auto item = int64_t(size_of(t));
  auto all = std::uint64_t(length);
  for (const int64_t stride : strides) all |= std::uint64_t(stride);
  all = (all * std::uint64_t(item)) | reinterpret_cast<std::uintptr_t>(first) | 16;
  return std::min(int64_t(1) << std::countr_zero(all), 4 * item);
}

row_kernel_key key_of(const matrix_product &p) {
  const auto batch = [&](const matrix_product::extents &strides, std::size_t a) { return a < p.axes ? strides[a] : 0; };
  const auto bytes = [&](const std::byte *first, int64_t length, int64_t stride,
                         const matrix_product::extents &strides) {
    return access_bytes(first, p.type, length, {stride, batch(strides, 0), batch(strides, 1), batch(strides, 2)});
  };
  row_kernel_key key{p.type, p.columns, p.depth, 0, 0, 0, p.left.column == 1, p.right.column == 1, false};
  key.by_columns = p.right.row == 1 && p.right.column != 1;
  if (key.left_is_adjacent) key.left_bytes = bytes(p.left.first, p.depth, p.left.row, p.left_batch);
  if (key.right_is_adjacent) key.right_bytes = bytes(p.right.first, p.columns, p.right.row, p.right_batch);
  if (key.by_columns) key.right_bytes = bytes(p.right.first, p.depth, p.right.column, p.right_batch);
  key.result_bytes = bytes(p.result.first, p.columns, p.result.row, p.result_batch);
  return key;
}

namespace row_scalar {
enum : std::uint16_t {
  items,
  rows,
  left_row,
  left_column,
  right_row,
  right_column,
  result_row,
  lengths,                // of the batch's inner axes
  strides = lengths + 2,  // of the batch: of the operands, then of the result
  count = strides + 3 * matrix_product::max_axes
};
}

generated_kernel generate(const row_kernel_key &key) {
  template_call m(true);
  for (const std::size_t operand : {product_operand::left, product_operand::right, product_operand::result})
    m.memory(operand);
  m.scalar_32(row_scalar::items);
  m.scalar_32(row_scalar::rows);
  for (const int64_t number : {key.columns, key.depth, key.left_bytes, key.right_bytes, key.result_bytes})
    m.constant("i32", number);
  m.constant("i1", key.by_columns);
  m.scalar_64(row_scalar::left_row);
  const auto stride = [&](bool is_one, std::uint16_t which) {
    if (is_one)
      m.constant("i64", 1);
    else
      m.scalar_64(which);
  };
  stride(key.left_is_adjacent, row_scalar::left_column);
  stride(key.by_columns, row_scalar::right_row);
  stride(key.right_is_adjacent, row_scalar::right_column);
  m.scalar_64(row_scalar::result_row);
  for (std::uint16_t k = row_scalar::lengths; k < row_scalar::strides; ++k) m.scalar_32(k);
  for (std::uint16_t k = row_scalar::strides; k < row_scalar::count; ++k) m.scalar_64(k);
  const std::string function = fmt::format("product_rows_{}", name_of(multiplied_as(key.type)));
  return m.finish("array_" + function, "dpep_" + function, group, 1, 2);
}

}  // namespace

std::optional<event> multiply_rows(const queue &where, const matrix_product &p, const ordered_dependencies &after) {
  const int64_t items = p.rows * p.matrices();
  if (p.columns > max_columns || p.depth > max_depth || items < least_rows || items >= most_rows) return std::nullopt;
  static auto &kernels = *new kernel_list<row_kernel_key>;
  runtime::queue_object &q = runtime::implementation_of(where, "matmul");
  const row_kernel_key key = key_of(p);
  const prepared_kernel kernel =
      kernels.find(key, q.code_target, (items + group - 1) / group, [&] { return generate(key); });
  std::byte *const memory[] = {p.left.first, p.right.first, p.result.first};
  std::array<scalar, row_scalar::count> numbers;
  const auto set = [&](std::size_t which, int64_t value) { numbers[which] = scalar::of(value); };
  set(row_scalar::items, items);
  set(row_scalar::rows, p.rows);
  set(row_scalar::left_row, p.left.row);
  set(row_scalar::left_column, p.left.column);
  set(row_scalar::right_row, p.right.row);
  set(row_scalar::right_column, p.right.column);
  set(row_scalar::result_row, p.result.row);
  constexpr std::size_t n = matrix_product::max_axes;
  for (std::size_t a = 0; a < n; ++a) {
    const bool used = a < p.axes;
    if (a > 0) set(row_scalar::lengths + a - 1, used ? p.batch[a] : 1);
    set(row_scalar::strides + a, used ? p.left_batch[a] : 0);
    set(row_scalar::strides + n + a, used ? p.right_batch[a] : 0);
    set(row_scalar::strides + 2 * n + a, used ? p.result_batch[a] : 0);
  }
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
