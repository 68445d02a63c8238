// Generates the kernels of sorts: calls of templates of src/device/array, with the function that computes keys.
#include "array/gpu/sort_kernel.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {

// Published counts of shorter rows have 30 bits.
bool has_wide_indices(const sort_task &t) { return t.length >= std::int64_t(1) << 30; }

namespace {

constexpr std::int64_t digits = 256;
constexpr std::int64_t max_row_group = 512;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The tile of a kernel: elements of a work-item, as in the template, the largest work-group, and how many of these a
/// compute unit runs at a time. They hide each other's waits. Their registers bound the sizes of tiles in sweeps: on an
/// H100, smaller tiles and tiles whose registers are spilled take 1.1 to 1.7 times as long.
struct tile_sizes {
  std::int64_t each, group;
  int resident = 2;
};
tile_sizes row_tile(dtype t) {
  const std::size_t bytes = size_of(t);
  return {bytes <= 4 ? 16 : bytes == 8 ? 8 : 6, max_row_group};
}
tile_sizes sweep_tile(dtype t, tile_kind kind) {
  if (kind == tile_kind::small) return {4, 512};
  const std::size_t bytes = size_of(t);
  return bytes <= 4 ? tile_sizes{bytes == 4 ? 18 : 16, 384, 3} : tile_sizes{bytes == 8 ? 18 : 9, 256};
}
std::int64_t sub_group_of(const sort_task &t) {
  constexpr std::int64_t most = 32;  // the template's masks have 32 bits
  return std::min(t.device.sub_group, most);
}
std::int64_t index_bytes(const sort_task &t) { return has_wide_indices(t) ? 8 : 4; }

/// Laid out by sort_tile of device/array/sort.cpp.
std::int64_t sort_local_bytes(const sort_task &t, std::int64_t group, std::int64_t each) {
  const std::int64_t tile = group * each, tables = 4 * digits * (group / sub_group_of(t));
  const std::int64_t element_bytes = std::max(std::int64_t(size_of(t.type)), t.has_positions ? index_bytes(t) : 0);
  return tables + 4 * digits + index_bytes(t) * digits + 48 + std::max(tile * element_bytes, tables);
}
/// The largest work-group of which two have room in a compute unit's local memory.
std::int64_t group_of(const sort_task &t, const tile_sizes &tile) {
  std::int64_t group = tile.group;
  while (group > sub_group_of(t) && std::size_t(2 * sort_local_bytes(t, group, tile.each)) > t.device.local_bytes)
    group = std::int64_t(std::bit_floor(std::uint64_t(group - 1)));
  return group;
}

class sort_call : public template_call {
public:
  sort_call(const sort_task &t, std::int64_t group) : template_call(has_wide_indices(t)), task_(t), group_(group) {
    function(fmt::format("dpep_sort_key_{}", name_of(t.type)), {"ptr", "ptr"});
    constant("i32", sub_group_of(t));
    constant("i32", group);
    constant("i1", t.descending);
    constant("i1", t.has_positions);
  }
  generated_kernel finish(const std::string &function, std::int64_t groups, int resident_groups,
                          const std::string &suffix) {
    generated_kernel kernel = template_call::finish(
        fmt::format("array_sort_{}", function),
        fmt::format("dpep_sort_{}_{}_{}_{}", function, size_of(task_.type), size_of(real_of(task_.type)), suffix),
        group_, groups, resident_groups);
    kernel.sub_group = std::uint32_t(sub_group_of(task_));
    return kernel;
  }

private:
  const sort_task &task_;
  const std::int64_t group_;
};

}  // namespace

bool is_short_row(const sort_task &t) {
  const tile_sizes tile = row_tile(t.type);
  return t.length <= group_of(t, tile) * tile.each;
}

generated_kernel generate_row_sort(const sort_task &t) {
  // few elements a work-item if that is enough, since these are ranked one after the other
  const tile_sizes tile = row_tile(t.type);
  const std::int64_t sub_group = sub_group_of(t), few = 4;
  const std::int64_t each = t.length <= sub_group ? 1 : t.length <= group_of(t, tile) * few ? few : tile.each;
  // a power of two, so that rows of all lengths share a few kernels
  const std::int64_t group =
      sub_group * std::int64_t(std::bit_ceil(std::uint64_t(ceil_div(t.length, each * sub_group))));
  sort_call m(t, group);
  m.memory(sort_operand::from);
  m.memory(sort_operand::to);
  m.memory(sort_operand::positions_out);
  m.size_32("length", t.length);
  m.local_memory(std::size_t(sort_local_bytes(t, group, each)));
  return m.finish("row", t.rows, group > max_row_group / 2 ? 2 : 4, std::to_string(each));
}

bool fills_device(const sort_task &t) {
  const tile_sizes tile = sweep_tile(t.type, tile_kind::large);
  return t.rows * ceil_div(t.length, tile.group * tile.each) > t.device.compute_units;
}

sort_passes generate_sort_passes(const sort_task &t, tile_kind kind) {
  const tile_sizes tile = sweep_tile(t.type, kind);
  const std::int64_t each = tile.each, group = group_of(t, tile);
  const std::int64_t tiles = ceil_div(t.length, group * each);
  const std::int64_t bytes = std::int64_t(size_of(t.type));
  sort_passes all;
  all.position_bytes = std::size_t(index_bytes(t));
  all.totals_bytes = std::size_t(t.rows * digits * index_bytes(t));
  all.counts_bytes = std::size_t(t.rows * tiles * digits * index_bytes(t));
  {
    constexpr std::int64_t local = 256, groups_each = 4;  // on a compute unit
    const auto words = std::int64_t(all.cleared_bytes(std::size_t(bytes)) / 8);
    const std::int64_t groups = std::min(ceil_div(words, local), t.device.compute_units * groups_each);
    template_call m(has_wide_indices(t));
    m.constant("i32", local);
    m.memory(sort_operand::cleared);
    m.size_64("words", words);
    m.size_64("groups", groups);
    all.clear = m.finish("array_sort_clear", "dpep_sort_clear", local, groups, 1);
  }
  {
    constexpr std::int64_t local = 512, resident_groups = 3, blocks_each = 6, min_block = 8 * local;
    const std::int64_t wanted = std::clamp<std::int64_t>(ceil_div(t.device.compute_units * blocks_each, t.rows), 1,
                                                         ceil_div(t.length, min_block));
    const std::int64_t block = ceil_div(ceil_div(t.length, wanted), min_block) * min_block;
    const std::int64_t blocks = ceil_div(t.length, block);
    const std::int64_t counts_bytes = 4 * digits * std::max<std::int64_t>(bytes, 2), copies = bytes <= 4 ? 4 : 1;
    sort_call m(t, local);
    m.memory(sort_operand::from);
    m.memory(sort_operand::totals);
    m.size("length", t.length);
    m.size_32("rows", t.rows);
    m.size_32("blocks", blocks);
    m.size("block", block);
    m.constant("i32", copies);
    m.local_memory(std::size_t(copies * counts_bytes));
    all.count = m.finish("count", t.rows * blocks, resident_groups, m.index_type());
  }
  {
    sort_call m(t, group);
    for (const std::size_t operand : {sort_operand::from, sort_operand::to, sort_operand::positions_from,
                                      sort_operand::positions_to, sort_operand::positions_out, sort_operand::totals,
                                      sort_operand::counts, sort_operand::next_counts, sort_operand::ticket})
      m.memory(operand);
    m.size("length", t.length);
    m.size_32("tiles", tiles);
    m.scalar_32(0);
    m.local_memory(std::size_t(sort_local_bytes(t, group, each)));
    all.sweep = m.finish("sweep", t.rows * tiles, tile.resident, fmt::format("{}_{}", each, m.index_type()));
  }
  return all;
}

}  // namespace dpep::array::gpu
