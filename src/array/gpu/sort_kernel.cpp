// Generates the kernels of sorts: calls of templates of src/device/array, with the function that computes keys.
#include "array/gpu/sort_kernel.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t digits = 256;
constexpr std::int64_t max_group = 512;
constexpr std::int64_t min_blocks = 64;
constexpr std::int64_t blocks_each = 8;  // on a compute unit; more balance the load, and take longer to sum

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Elements of a work-item, as in the template.
std::int64_t elements_each(dtype t) {
  const std::size_t bytes = size_of(t);
  return bytes <= 4 ? 16 : bytes == 8 ? 8 : 6;
}
std::int64_t sub_group_of(const sort_task &t) {
  constexpr std::int64_t most = 32;  // the template's masks have 32 bits
  return std::min(t.device.sub_group, most);
}
bool is_wide(const sort_task &t) { return t.length > std::int64_t(0x7f000000); }
std::int64_t index_bytes(const sort_task &t) { return is_wide(t) ? 8 : 4; }

/// Laid out by sort_tile of device/array/sort.cpp.
std::int64_t sort_local_bytes(const sort_task &t, std::int64_t group, std::int64_t each) {
  const std::int64_t tile = group * each, tables = 4 * digits * (group / sub_group_of(t));
  return std::max(tile * std::int64_t(size_of(t.type)), tables) +
         index_bytes(t) * (digits + (t.has_positions ? tile : 0)) + tables + 4 * 2 * digits;
}
/// The largest work-group of which two have room in a compute unit's local memory.
std::int64_t group_of(const sort_task &t) {
  std::int64_t group = max_group;
  while (group > sub_group_of(t) &&
         std::size_t(2 * sort_local_bytes(t, group, elements_each(t.type))) > t.device.local_bytes)
    group /= 2;
  return group;
}

class sort_call : public template_call {
public:
  sort_call(const sort_task &t, std::int64_t group) : template_call(is_wide(t)), task_(t), group_(group) {
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

bool is_short_row(const sort_task &t) { return t.length <= group_of(t) * elements_each(t.type); }

generated_kernel generate_row_sort(const sort_task &t) {
  // few elements a work-item if that is enough, since these are ranked one after the other
  const std::int64_t sub_group = sub_group_of(t), few = 4;
  const std::int64_t each = t.length <= sub_group ? 1 : t.length <= group_of(t) * few ? few : elements_each(t.type);
  // a power of two, so that rows of all lengths share a few kernels
  const std::int64_t group =
      sub_group * std::int64_t(std::bit_ceil(std::uint64_t(ceil_div(t.length, each * sub_group))));
  sort_call m(t, group);
  m.memory(sort_operand::from);
  m.memory(sort_operand::to);
  m.memory(sort_operand::positions_out);
  m.size_32("length", t.length);
  m.local_memory(std::size_t(sort_local_bytes(t, group, each)));
  return m.finish("row", t.rows, group > max_group / 2 ? 2 : 4, std::to_string(each));
}

sort_pass generate_sort_pass(const sort_task &t) {
  const std::int64_t group = group_of(t), tile = group * elements_each(t.type), tiles = ceil_div(t.length, tile);
  const std::int64_t wanted =
      std::clamp<std::int64_t>(std::max(t.device.compute_units * blocks_each, min_blocks) / t.rows, 1, tiles);
  const std::int64_t block = ceil_div(tiles, wanted) * tile, blocks = ceil_div(t.length, block);
  sort_pass pass;
  pass.position_bytes = std::size_t(index_bytes(t));
  pass.counts_bytes = std::size_t(t.rows * blocks * digits * index_bytes(t));
  pass.totals_bytes = std::size_t(t.rows * digits * index_bytes(t));
  const auto add_sizes = [&](sort_call &m) {
    m.size("length", t.length);
    m.size_32("blocks", blocks);
    m.size("block", block);
    m.scalar_32(0);
  };
  {
    constexpr std::int64_t copies = 4;  // of the counts, as in the template
    sort_call m(t, group);
    m.memory(sort_operand::from);
    m.memory(sort_operand::counts);
    add_sizes(m);
    m.local_memory(std::size_t(4 * copies * digits));
    pass.count = m.finish("count", t.rows * blocks, 2, m.index_type());
  }
  {
    sort_call m(t, group);
    for (const std::size_t operand :
         {sort_operand::from, sort_operand::to, sort_operand::positions_from, sort_operand::positions_to,
          sort_operand::positions_out, sort_operand::counts, sort_operand::totals})
      m.memory(operand);
    add_sizes(m);
    m.local_memory(std::size_t(sort_local_bytes(t, group, elements_each(t.type))));
    pass.scatter = m.finish("scatter", t.rows * blocks, int(1024 / group), m.index_type());
  }
  {
    const bool many_blocks = blocks > 32;
    const std::int64_t digits_each = many_blocks ? 32 : digits, pieces = many_blocks ? 16 : 1;
    template_call m(is_wide(t));
    m.memory(sort_operand::counts);
    m.memory(sort_operand::totals);
    m.size_32("blocks", blocks);
    m.constant("i32", digits_each);
    m.constant("i32", pieces);
    m.local_memory(std::size_t(digits_each * pieces * index_bytes(t)));
    pass.sum = m.finish("array_sort_sum", "dpep_sort_sum_" + m.index_type(), digits_each * pieces,
                        t.rows * (digits / digits_each), 2);
  }
  return pass;
}

}  // namespace dpep::array::gpu
