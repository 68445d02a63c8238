// The steps of products of matrices.
//
// A panel of the left operand has `panel_rows` rows and the whole depth, of which each column is contiguous; one of the
// right operand has `panel_columns` columns, of which each row is contiguous. Block kernels multiply panels of a
// limited depth, so that panels stay in the first-level cache and a tile's panels of the left operand in the second.
#include "array/cpu/product_steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/blocks/matrix_block.hpp"

namespace dpep::array {
namespace {

using std::int64_t;

constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
constexpr int64_t rounded_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }
constexpr int64_t alignment = 64;

int64_t item(const product_arguments &t) noexcept { return static_cast<int64_t>(size_of(t.product.type)); }
/// The products of parts of the depth are not converted yet.
int64_t result_item(const product_arguments &t) noexcept { return t.depth_part ? t.packed_bytes : item(t); }
bool is_complex(const product_arguments &t) noexcept { return kind_of(t.computed) == dtype_kind::complex; }

/// A part of an operand that is packed: `width` rows of the left operand or columns of the right one.
struct packed_part {
  const std::byte *from;
  int64_t across, along;  // strides in bytes, between rows of the left operand and between its columns
  int64_t width, depth;
  std::byte *to;
  int64_t panel_width;
};

void copy(std::size_t bytes, int64_t rows, int64_t columns, blocks::strided to, blocks::strided from) {
  blocks::find_copy(bytes)(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), to, from);
}
blocks::strided source(const std::byte *from, int64_t row, int64_t column) {
  return {const_cast<std::byte *>(from), row, column};
}

/// Sets the rest of a vector in each row of a panel to 0, so that it is not read uninitialised.
void clear_padding(const packed_part &p, int64_t bytes, int64_t lanes) {
  const int64_t used = p.width * bytes, missing = rounded_up(p.width, lanes) * bytes - used;
  if (missing == 0) return;
  for (int64_t k = 0; k < p.depth; ++k)
    std::memset(p.to + k * p.panel_width * bytes + used, 0, static_cast<std::size_t>(missing));
}

void pack_plain(const packed_part &p, int64_t bytes) {
  copy(static_cast<std::size_t>(bytes), p.depth, p.width, {p.to, p.panel_width * bytes, bytes},
       source(p.from, p.along, p.across));
}

/// Calls `use` with pieces of the part that are packed without conversion in a buffer.
template <class F> void in_pieces(const packed_part &p, int64_t bytes, F use) {
  constexpr int64_t buffer_bytes = 16384;
  alignas(alignment) std::byte buffer[buffer_bytes];
  const int64_t most = std::max<int64_t>(1, buffer_bytes / (p.panel_width * bytes));
  if (p.width < p.panel_width)
    std::memset(buffer, 0, static_cast<std::size_t>(std::min(most, p.depth) * p.panel_width * bytes));
  for (int64_t k = 0; k < p.depth; k += most) {
    const packed_part piece{p.from + k * p.along,        p.across, p.along,      p.width,
                            std::min(most, p.depth - k), buffer,   p.panel_width};
    pack_plain(piece, bytes);
    use(piece, k);
  }
}

void pack_converted(const product_arguments &t, const packed_part &p) {
  const auto cast = blocks::find_cast(t.product.type, t.computed);
  in_pieces(p, item(t), [&](const packed_part &piece, int64_t k) {
    const void *const from = piece.to;
    cast(static_cast<std::size_t>(piece.depth * p.panel_width), &from, p.to + k * p.panel_width * t.packed_bytes);
  });
}

/// Packs complex columns with the real parts of a vector before the imaginary ones.
void pack_parts(const product_arguments &t, const packed_part &p) {
  const int64_t bytes = item(t), half = bytes / 2, vector = t.lanes * bytes, row = p.panel_width * bytes;
  in_pieces(p, bytes, [&](const packed_part &piece, int64_t k) {
    for (int64_t v = 0; v * t.lanes < p.width; ++v)
      for (int64_t part = 0; part < 2; ++part)
        copy(static_cast<std::size_t>(half), piece.depth, t.lanes,
             {p.to + k * row + v * vector + part * (vector / 2), row, half},
             source(piece.to + v * vector + part * half, row, bytes));
  });
}

void pack_left(const product_arguments &t, const std::byte *from, int64_t row, int64_t rows, int64_t first,
               int64_t depth, std::byte *to) {
  const matrix_operand &m = t.product.left;
  const int64_t bytes = item(t);
  const packed_part p{
      from + (row * m.row + first * m.column) * bytes, m.row * bytes, m.column * bytes, rows, depth, to, t.panel_rows};
  if (t.converts())
    pack_converted(t, p);
  else
    pack_plain(p, bytes);
}

void pack_right(const product_arguments &t, const std::byte *from, int64_t column, int64_t columns, int64_t first,
                int64_t depth, std::byte *to) {
  const matrix_operand &m = t.product.right;
  const int64_t bytes = item(t);
  const packed_part p{from + (first * m.row + column * m.column) * bytes,
                      m.column * bytes,
                      m.row * bytes,
                      columns,
                      depth,
                      to,
                      t.panel_columns};
  if (t.converts()) return pack_converted(t, p);
  const blocks::matrix_kernel &kernel = blocks::find_matrix_kernel(t.computed);
  if (m.column == 1 && kernel.pack)
    return kernel.pack({.rows = depth, .columns = columns, .from = p.from, .from_row = m.row, .to = to});
  if (is_complex(t)) return pack_parts(t, p);
  pack_plain(p, bytes);
  clear_padding(p, bytes, t.lanes);
}

/// One side of the product: the rows of the left operand, or the columns of the right one.
struct operand_side {
  void (*pack)(const product_arguments &, const std::byte *from, int64_t at, int64_t width, int64_t first,
               int64_t depth, std::byte *to);
  int64_t length, panel_width;
  int64_t across, along;  // strides in elements: between rows, or between columns; and along the depth

  int64_t panels() const noexcept { return ceil_div(length, panel_width); }
  /// Panels that a unit packs together: adjacent elements of several panels are adjacent in memory.
  int64_t group(const product_arguments &t) const noexcept {
    constexpr int64_t adjacent_bytes = 4096;
    return std::max<int64_t>(1, adjacent_bytes / (panel_width * item(t)));
  }
};
operand_side left_side(const product_arguments &t) noexcept {
  return {pack_left, t.product.rows, t.panel_rows, t.product.left.row, t.product.left.column};
}
operand_side right_side(const product_arguments &t) noexcept {
  return {pack_right, t.product.columns, t.panel_columns, t.product.right.column, t.product.right.row};
}

struct packed_range {
  int64_t at, length;  // rows of the left operand, or columns of the right one
  int64_t first, depth;
};
/// Packs a range of an operand into panels of that depth. Where elements of several panels are adjacent, a few rows of
/// all panels are packed at a time, because each row is on another page.
void pack_panels(const product_arguments &t, const operand_side &side, const std::byte *from, const packed_range &r,
                 std::byte *to, int64_t panel_depth) {
  constexpr int64_t few_rows = 8, far_bytes = 2048;
  const bool on_other_pages = side.across == 1 && std::abs(side.along) * item(t) >= far_bytes;
  const int64_t piece = on_other_pages ? few_rows : r.depth, width = side.panel_width;
  for (int64_t first = 0; first < r.depth; first += piece)
    for (int64_t at = 0; at < r.length; at += width)
      side.pack(t, from, r.at + at, std::min(width, r.length - at), r.first + first, std::min(piece, r.depth - first),
                to + (at * panel_depth + first * width) * t.packed_bytes);
}

/// Converts computed rows to the result's dtype.
void convert_result(const product_arguments &t, int64_t rows, int64_t columns, const std::byte *from, int64_t from_row,
                    std::byte *to) {
  const auto cast = blocks::find_cast(t.computed, t.product.type);
  for (int64_t i = 0; i < rows; ++i) {
    const void *const row = from + i * from_row * t.packed_bytes;
    std::byte *const to_row = to + i * t.product.result.row * item(t);
    if (t.converts())
      cast(static_cast<std::size_t>(columns), &row, to_row);
    else
      std::memcpy(to_row, row, static_cast<std::size_t>(columns * t.packed_bytes));
  }
}

// -- Separate tiles

struct local_layout {
  int64_t right, left, result;  // bytes
};
local_layout local_of(const product_arguments &t) noexcept {
  if (t.method != tile_method::packed) return {0, 0, 0};
  const int64_t depth = std::min(t.product.depth, t.depth_block) * t.packed_bytes;
  return {rounded_up(t.tile_columns, t.panel_columns) * depth,
          t.converts() ? rounded_up(rounded_up(t.tile_rows, t.panel_rows) * depth, alignment) : 0,
          t.converts() ? t.tile_rows * t.tile_columns * t.packed_bytes : 0};
}

/// A tile of a matrix of the batch.
struct tile {
  const std::byte *left, *right;  // of the matrix
  std::byte *result;
  int64_t row, rows, column, columns, depth;
};

tile tile_at(const product_arguments &t, int64_t matrix, int64_t i, int64_t j) noexcept {
  const matrix_product &p = t.product;
  const int64_t row = i * t.tile_rows, column = j * t.tile_columns;
  const int64_t depth = t.depth_part ? std::min(t.depth_part, t.whole_depth - matrix * t.depth_part) : p.depth;
  return {p.left.first + p.offset(matrix, p.left_batch) * item(t),
          p.right.first + p.offset(matrix, p.right_batch) * item(t),
          p.result.first + (p.offset(matrix, p.result_batch) + row * p.result.row + column) * result_item(t),
          row,
          std::min(t.tile_rows, p.rows - row),
          column,
          std::min(t.tile_columns, p.columns - column),
          depth};
}

void multiply_packed(const product_arguments &t, const blocks::matrix_kernel &kernel, const tile &at,
                     std::byte *local) {
  const matrix_product &p = t.product;
  const local_layout sizes = local_of(t);
  std::byte *const packed_right = local, *const packed_left = local + sizes.right;
  const bool buffered = t.converts() && !t.depth_part;
  std::byte *const computed = buffered ? packed_left + sizes.left : at.result;
  for (int64_t first = 0; first < at.depth; first += t.depth_block) {
    const int64_t depth = std::min(t.depth_block, at.depth - first);
    pack_panels(t, right_side(t), at.right, {at.column, at.columns, first, depth}, packed_right, depth);
    blocks::matrix_block block{.rows = at.rows,
                               .columns = at.columns,
                               .depth = depth,
                               .left = at.left + (at.row * p.left.row + first * p.left.column) * item(t),
                               .left_row = p.left.row,
                               .left_column = p.left.column,
                               .left_panel = t.panel_rows * p.left.row,
                               .right = packed_right,
                               .right_panel = t.panel_columns * depth,
                               .result = computed,
                               .result_row = buffered ? at.columns : p.result.row,
                               .adds = first > 0};
    if (t.converts()) {
      pack_panels(t, left_side(t), at.left, {at.row, at.rows, first, depth}, packed_left, depth);
      block.left = packed_left;
      block.left_row = 1, block.left_column = t.panel_rows, block.left_panel = t.panel_rows * depth;
    }
    kernel.multiply(block);
  }
  if (buffered) convert_result(t, at.rows, at.columns, computed, at.columns, at.result);
}

/// Tiles without packing, of matrices that follow each other along the innermost axis of the batch.
void multiply_plain(const product_arguments &t, const blocks::matrix_kernel &kernel, const tile &at, int64_t count) {
  const matrix_product &p = t.product;
  const std::size_t inner = p.axes ? p.axes - 1 : 0;
  const auto step = [&](const matrix_product::extents &strides) { return count > 1 ? strides[inner] : 0; };
  const blocks::matrix_batch batch{.count = count,
                                   .rows = at.rows,
                                   .columns = at.columns,
                                   .depth = at.depth,
                                   .left = at.left + at.row * p.left.row * item(t),
                                   .left_row = p.left.row,
                                   .left_column = p.left.column,
                                   .left_matrix = step(p.left_batch),
                                   .right = at.right + at.column * p.right.column * item(t),
                                   .right_row = p.right.row,
                                   .right_matrix = step(p.right_batch),
                                   .result = at.result,
                                   .result_row = p.result.row,
                                   .result_matrix = step(p.result_batch)};
  (t.method == tile_method::batch ? kernel.multiply_batch : kernel.multiply_rows)(batch);
}

void multiply_tiles(const product_arguments &t, int64_t begin, int64_t end, std::byte *local) {
  const blocks::matrix_kernel &kernel = blocks::find_matrix_kernel(t.computed);
  const matrix_product &p = t.product;
  const int64_t rows = t.row_tiles(), tiles = t.tiles(), inner = p.axes ? p.batch[p.axes - 1] : 1;
  const bool joins = tiles == 1 && t.method != tile_method::packed && !t.depth_part;
  for (int64_t k = begin; k < end;) {
    const int64_t matrix = k / tiles, in_matrix = k - matrix * tiles;
    const tile at = tile_at(t, matrix, in_matrix % rows, in_matrix / rows);
    const int64_t count = joins ? std::min(end - k, inner - matrix % inner) : 1;
    if (t.method == tile_method::packed)
      multiply_packed(t, kernel, at, local);
    else
      multiply_plain(t, kernel, at, count);
    k += count;
  }
}

void separate_tiles(const product_arguments &t, std::size_t begin, std::size_t end, std::byte *local) {
  const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
  multiply_tiles(t, first * t.tiles_per_unit, std::min(last * t.tiles_per_unit, t.product.matrices() * t.tiles()),
                 local);
}

void sum_parts(const product_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  const matrix_product &p = t.product;
  const signature two{2, {t.computed, t.computed}, t.computed};
  const auto add = blocks::find(t.computed == dtype::boolean ? opcode::logical_or : opcode::add, two);
  const int64_t part = p.rows * p.columns * t.packed_bytes;
  for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
    const int64_t row = unit * t.tile_rows, rows = std::min(t.tile_rows, p.rows - row);
    std::byte *const sum = t.sums + row * p.columns * t.packed_bytes;
    for (int64_t k = 1; k < t.parts; ++k) {
      const void *const inputs[] = {sum, sum + k * part};
      add(static_cast<std::size_t>(rows * p.columns), inputs, sum);
    }
    convert_result(t, rows, p.columns, sum, p.columns, p.result.first + row * p.result.row * item(t));
  }
}

// -- Common operands

int64_t depth_blocks(const product_arguments &t) noexcept { return ceil_div(t.depth, t.depth_block); }
int64_t units_of(const product_arguments &t, const operand_side &side) noexcept {
  return ceil_div(side.panels(), side.group(t)) * depth_blocks(t);
}

/// Packs a group of panels in a block of the depth.
void pack_unit(const product_arguments &t, const operand_side &side, const std::byte *from, std::byte *to,
               int64_t unit) {
  const int64_t panel = unit / depth_blocks(t) * side.group(t), at = panel * side.panel_width;
  const int64_t first = unit % depth_blocks(t) * t.depth_block;
  pack_panels(t, side, from,
              {at, std::min(side.group(t) * side.panel_width, side.length - at), t.first_depth + first,
               std::min(t.depth_block, t.depth - first)},
              to + (panel * t.depth + first) * side.panel_width * t.packed_bytes, t.depth);
}

void pack_operands(const product_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  const operand_side left = left_side(t), right = right_side(t);
  const int64_t of_right = units_of(t, right);
  for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit)
    if (unit < of_right)
      pack_unit(t, right, t.product.right.first, t.packed_right, unit);
    else
      pack_unit(t, left, t.product.left.first, t.packed_left, unit - of_right);
}

/// Adjacent tiles of a row are computed as one, so that the left operand's panels stay in the second-level cache.
void common_tiles(const product_arguments &t, std::size_t begin, std::size_t end, std::byte *local) {
  const matrix_product &p = t.product;
  const blocks::matrix_kernel &kernel = blocks::find_matrix_kernel(t.computed);
  const auto last = static_cast<int64_t>(end);
  int64_t row = 0, before = 0;  // tiles of the rows before
  for (auto unit = static_cast<int64_t>(begin); unit < last;) {
    while (unit - before >= t.computed_tiles(row)) before += t.computed_tiles(row++);
    const int64_t count = t.converts() ? 1 : std::min(last, before + t.computed_tiles(row)) - unit;
    const int64_t i = row * t.tile_rows, j = (t.first_tile(row) + unit - before) * t.tile_columns;
    unit += count;
    std::byte *const result = p.result.first + (i * p.result.row + j) * item(t);
    blocks::matrix_block block{.rows = std::min(t.tile_rows, p.rows - i),
                               .columns = std::min(count * t.tile_columns, p.columns - j),
                               .depth = 0,
                               .left = nullptr,
                               .left_row = 1,
                               .left_column = t.panel_rows,
                               .left_panel = t.panel_rows * t.depth,
                               .right = nullptr,
                               .right_panel = t.panel_columns * t.depth,
                               .result = t.converts() ? local : result,
                               .result_row = t.converts() ? t.tile_columns : p.result.row,
                               .adds = t.first_depth > 0};
    for (int64_t first = 0; first < t.depth; first += t.depth_block) {
      block.depth = std::min(t.depth_block, t.depth - first);
      block.left = t.packed_left + (i * t.depth + first * t.panel_rows) * t.packed_bytes;
      block.right = t.packed_right + (j * t.depth + first * t.panel_columns) * t.packed_bytes;
      kernel.multiply(block);
      block.adds = true;
    }
    if (t.converts()) convert_result(t, block.rows, block.columns, local, t.tile_columns, result);
  }
}

template <class T> void mirror_rows(const matrix_product &p, int64_t first, int64_t last, int64_t columns) {
  constexpr int64_t block = 64;  // columns whose cache lines stay in the first-level cache
  T *const x = reinterpret_cast<T *>(p.result.first);
  for (int64_t begin = 0; begin < columns; begin += block)
    for (int64_t i = first; i < last; ++i)
      for (int64_t j = begin; j < std::min(begin + block, columns); ++j)
        x[i * p.result.row + j] = x[j * p.result.row + i];
}

void mirror_tiles(const product_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  const matrix_product &p = t.product;
  for (auto tile = static_cast<int64_t>(begin); tile < static_cast<int64_t>(end); ++tile) {
    const int64_t first = tile * t.tile_rows, last = std::min(first + t.tile_rows, p.rows);
    const int64_t columns = t.first_tile(tile) * t.tile_columns;
    switch (item(t)) {
    case 2:
      mirror_rows<std::uint16_t>(p, first, last, columns);
      break;
    case 4:
      mirror_rows<std::uint32_t>(p, first, last, columns);
      break;
    case 8:
      mirror_rows<std::uint64_t>(p, first, last, columns);
      break;
    default:
      mirror_rows<unsigned __int128>(p, first, last, columns);
    }
  }
}

template <void work(const product_arguments &, std::size_t, std::size_t, std::byte *)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
            std::size_t) {
  product_arguments t;
  std::memcpy(&t, arguments, sizeof t);
  work(t, begin, end, local);
}

}  // namespace

const work_step separate_tiles_step{"separate_tiles", kernel<separate_tiles>},
    pack_operands_step{"pack_operands", kernel<pack_operands>}, common_tiles_step{"common_tiles", kernel<common_tiles>},
    mirror_tiles_step{"mirror_tiles", kernel<mirror_tiles>}, sum_parts_step{"sum_parts", kernel<sum_parts>};

std::size_t separate_tile_bytes(const product_arguments &t) noexcept {
  const local_layout sizes = local_of(t);
  return static_cast<std::size_t>(sizes.right + sizes.left + sizes.result);
}
void multiply_separate(const product_arguments &t, std::byte *local) noexcept {
  multiply_tiles(t, 0, t.product.matrices() * t.tiles(), local);
}
std::int64_t packing_units(const product_arguments &t) noexcept {
  return units_of(t, left_side(t)) + units_of(t, right_side(t));
}
std::size_t common_tile_bytes(const product_arguments &t) noexcept {
  return t.converts() ? static_cast<std::size_t>(t.tile_rows * t.tile_columns * t.packed_bytes) : 0;
}

}  // namespace dpep::array
