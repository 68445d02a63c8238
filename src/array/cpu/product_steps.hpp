// The steps of products of matrices: work functions that a CPU queue launches.
#pragma once

#include "array/base/matrix_product.hpp"
#include "array/cpu/step_submission.hpp"

namespace dpep::array {

/// How a separate tile is computed.
enum class tile_method : std::uint8_t {
  packed,  // its part of the right operand is packed in local memory; the left operand is read where it is
  batch,   // of few columns: neither is packed
  rows,    // of few rows: neither is packed
};

/// The arguments of all steps of a product; copied with each launch.
struct product_arguments {
  matrix_product product;
  tile_method method;
  dtype computed;                          // the dtype of sums and of packed operands
  std::int64_t packed_bytes;               // of an element of a packed operand
  std::int64_t panel_rows, panel_columns;  // of a tile in registers
  std::int64_t lanes;                      // columns of a vector
  std::int64_t depth_block;                // depth of the panels that are multiplied at a time
  std::int64_t tile_rows, tile_columns;    // of the result: the unit of work
  std::int64_t tiles_per_unit;             // separate tiles
  std::int64_t depth_part;                 // separate tiles: each matrix of the batch has this part of the whole depth
  std::int64_t whole_depth;
  std::byte *packed_left, *packed_right;  // common operands
  std::int64_t first_depth, depth;        // the part of the depth that is packed
  std::byte *sums;                        // sums of parts
  std::int64_t parts;
  bool is_symmetric;  // common operands: tiles below the diagonal are not computed, but copied by the last step

  bool converts() const noexcept { return product.type != computed; }
  std::int64_t row_tiles() const noexcept { return (product.rows + tile_rows - 1) / tile_rows; }
  std::int64_t column_tiles() const noexcept { return (product.columns + tile_columns - 1) / tile_columns; }
  std::int64_t tiles() const noexcept { return row_tiles() * column_tiles(); }  // of a matrix
  /// The first tile of a row of tiles that is computed.
  std::int64_t first_tile(std::int64_t row_tile) const noexcept {
    return is_symmetric ? row_tile * tile_rows / tile_columns : 0;
  }
  std::int64_t computed_tiles(std::int64_t row_tile) const noexcept { return column_tiles() - first_tile(row_tile); }
  std::int64_t computed_tiles() const noexcept {
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < row_tiles(); ++row) count += computed_tiles(row);
    return count;
  }
};

/// Separate tiles read the operands themselves. For small matrices, and for matrices of which one operand is used by
/// few tiles.
extern const work_step separate_tiles_step;
std::size_t separate_tile_bytes(const product_arguments &) noexcept;           // of local memory
void multiply_separate(const product_arguments &, std::byte *local) noexcept;  // all tiles, in the calling thread

/// Common operands: a unit packs panels of an operand. Then a unit computes a tile of the result.
extern const work_step pack_operands_step, common_tiles_step;
/// Symmetric results: a unit copies the elements of a row of tiles that were not computed.
extern const work_step mirror_tiles_step;
std::int64_t packing_units(const product_arguments &) noexcept;
std::size_t common_tile_bytes(const product_arguments &) noexcept;  // of local memory

/// Sums of parts: a unit adds the products of all parts of the depth for a tile's rows of the result.
extern const work_step sum_parts_step;

}  // namespace dpep::array
