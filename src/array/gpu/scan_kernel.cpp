// Generates the kernels of scans: a call of a template of src/device/array, with the functions of the operation.
#include "array/gpu/scan_kernel.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
bool is_wide(const scan_task &t) { return t.outer * t.length * t.inner > std::int64_t(0x7f000000); }
std::int64_t power_of_two_above(std::int64_t n) { return std::int64_t(std::bit_ceil(std::uint64_t(n))); }

/// The reduction with the same operation. Booleans are added and multiplied as in NumPy: or, and.
reduction reduction_of(const scan_task &t) {
  const bool is_boolean = t.type == dtype::boolean;
  switch (t.how) {
  case accumulation::sum:
    return is_boolean ? reduction::max : reduction::sum;
  case accumulation::prod:
    return is_boolean ? reduction::min : reduction::prod;
  case accumulation::max:
    return reduction::max;
  case accumulation::min:
    return reduction::min;
  case accumulation::logsumexp:
    return reduction::logsumexp;
  }
  return reduction::sum;
}
std::int64_t state_bytes_of(const scan_task &t) { return std::int64_t(state_bytes(reduction_of(t), t.type)); }
/// Whether accumulating is long code, of which a kernel has few copies.
bool has_long_steps(const scan_task &t) { return t.how == accumulation::logsumexp; }

/// The kernel of a scan.
class scan_module : public template_call {
public:
  scan_module(const scan_task &t, bool wide) : template_call(wide), task_(t) {
    function("start", {"ptr"});
    function("take", {"ptr", "ptr", "i64"});
    function("merge", {"ptr", "ptr"});
    function("result", {"ptr", "ptr"});
    memory(0);
    memory(1);
  }
  void tag() { scalar_32(0); }

  /// Completes the kernel, which calls the function for the sizes of elements, states and indices.
  generated_kernel finish(const std::string &function, std::int64_t local, std::int64_t groups, int resident_groups,
                          const std::string &suffix) {
    return template_call::finish("array_accumulate_" + std::string(name_of(task_.how)),
                                 fmt::format("dpep_scan_{}_{}_{}_{}_{}", function, size_of(task_.type),
                                             size_of(real_of(task_.type)), state_bytes_of(task_), suffix),
                                 local, groups, resident_groups);
  }

private:
  const scan_task &task_;

  /// Passes a pointer to a function of the operation.
  void function(const char *which, std::initializer_list<const char *> parameters) {
    template_call::function(fmt::format("dpep_{}_{}_{}", name_of(reduction_of(task_)), name_of(task_.type), which),
                            parameters);
  }
};

}  // namespace

generated_kernel generate_row_scan(const scan_task &t) {
  constexpr std::int64_t group = 256;
  scan_module m(t, is_wide(t));
  const std::int64_t rows = t.outer * t.inner;
  m.size("rows", rows);
  m.size("length", t.length);
  m.size("inner", t.inner);
  return m.finish("rows", group, ceil_div(rows, group), 1, m.index_type());
}

generated_kernel generate_column_scan(const scan_task &t) {
  constexpr std::int64_t max_group = 512;
  const auto item = std::int64_t(size_of(t.type));
  const std::int64_t columns = std::min(power_of_two_above(t.inner), std::max<std::int64_t>(32, 128 / item));
  const std::int64_t blocks = ceil_div(t.inner, columns);
  // merging totals takes longer than waiting for memory, unless no other work-group hides the wait
  const std::int64_t most = t.outer * blocks < t.device.compute_units ? 128 : 16;
  const std::int64_t each = item > 8 ? 4 : 8;  // as in the template
  const std::int64_t pieces = std::min({power_of_two_above(ceil_div(t.length, each)), max_group / columns, most});
  scan_module m(t, is_wide(t));
  m.size("length", t.length);
  m.size("inner", t.inner);
  m.size("blocks", blocks);
  m.constant(m.index_type(), columns);
  m.constant(m.index_type(), pieces);
  m.local_memory(std::size_t(2 * state_bytes_of(t) * columns * pieces));
  return m.finish("columns", columns * pieces, t.outer * blocks, state_bytes_of(t) <= 8 ? 2 : 1, m.index_type());
}

namespace {

constexpr std::int64_t many_rows = 64;  // the number of short rows from which each sub-group scans a row of its own
constexpr std::int64_t slots = 2;       // tiles that a work-group keeps in local memory

/// The distribution of a scan of contiguous rows. A work-item accesses `lanes` adjacent elements at once, `steps`
/// times.
class tile_shape {
public:
  const scan_task &task;
  const bool by_sub_groups;  // each sub-group scans rows of its own
  const std::int64_t group, lanes, steps, tiles_in_row;

  explicit tile_shape(const scan_task &t)
      : task(t),
        by_sub_groups(t.outer >= many_rows && 2 * t.length <= usual_group() * max_lanes() * max_steps()),
        group(bytes() <= 8 && t.length > usual_group() * max_lanes() * max_steps() ? limited(512) : usual_group()),
        lanes(by_sub_groups && t.length <= 2 * sub_group() ? std::min<std::int64_t>(max_lanes(), 2) : max_lanes()),
        steps(by_sub_groups ? std::min(max_steps(), ceil_div(t.length, sub_group() * lanes)) : steps_that_fit()),
        tiles_in_row(ceil_div(t.length, group * lanes * steps)) {}

  std::int64_t sub_group() const { return task.device.sub_group; }
  /// Work-groups on a compute unit for long rows; more, if computing takes longer than memory and a work-group is
  /// small.
  std::int64_t resident_groups_each() const { return has_long_steps(task) && bytes() > 8 ? 3 : 2; }
  std::int64_t resident_groups() const { return task.device.compute_units * resident_groups_each(); }
  /// 64-bit words that a work-group publishes for each tile.
  std::int64_t words() const { return (bytes() + 3) / 4; }
  /// Of totals of sub-groups and, for long rows, of tickets and tiles; laid out by device/array/scan_tiles.cpp.
  std::size_t local_bytes() const { return std::size_t(tiles_in_row > 1 ? tile_bytes(lanes, steps) : total_bytes()); }

private:
  std::int64_t bytes() const { return state_bytes_of(task); }
  std::int64_t max_lanes() const { return std::clamp<std::int64_t>(16 / std::int64_t(size_of(task.type)), 1, 4); }
  // the code grows with the number of steps
  std::int64_t max_steps() const { return has_long_steps(task) ? 2 : 4; }
  std::int64_t usual_group() const { return limited(bytes() > 4 ? 256 : 512); }
  // the totals of a work-group's sub-groups are summed by one sub-group, each by a work-item
  std::int64_t limited(std::int64_t items) const { return std::min(items, sub_group() * sub_group()); }
  std::int64_t total_bytes() const { return (slots + 1) * (group / sub_group()) * std::max<std::int64_t>(bytes(), 8); }
  std::int64_t tile_bytes(std::int64_t adjacent, std::int64_t count) const {
    constexpr std::int64_t ticket_bytes = 16;
    return total_bytes() + ticket_bytes + slots * group * adjacent * count * bytes();
  }
  /// One step if more would leave work-groups without a tile: tiles of several steps need more code, which is compiled
  /// on first use. Tiles in local memory must leave room for another work-group.
  std::int64_t steps_that_fit() const {
    const std::int64_t at_once = group * max_lanes();
    std::int64_t count = max_steps();
    if (task.length <= at_once * count) return ceil_div(task.length, at_once);  // the row is one tile
    while (count > 1 &&
           (std::size_t(resident_groups_each() * tile_bytes(max_lanes(), count)) > task.device.local_bytes ||
            task.outer * ceil_div(task.length, at_once * count) < resident_groups()))
      count /= 2;
    return count;
  }
};

}  // namespace

generated_kernel generate_tile_scan(const scan_task &t) {
  const tile_shape s(t);
  scan_module m(t, false);  // indices of elements are 64-bit
  m.constant("i32", s.sub_group());
  m.constant("i32", s.group);
  m.constant("i1", t.aligned);
  // limits registers to 64 for each work-item, or to 40 for small types if nothing is kept between tiles
  const int resident = state_bytes_of(t) <= 4 ? 3 : state_bytes_of(t) <= 8 ? int(1024 / s.group) : 2;
  const std::string shape = fmt::format("{}_{}", s.lanes, s.steps);
  generated_kernel kernel;
  if (s.by_sub_groups) {
    m.size("length", t.length);
    m.size("rows", t.outer);
    kernel = m.finish("sub_group_rows", s.group, ceil_div(t.outer, s.group / s.sub_group()), resident, shape);
  } else if (s.tiles_in_row == 1) {
    m.size("length", t.length);
    m.local_memory(s.local_bytes());
    kernel = m.finish("group_rows", s.group, t.outer, resident, shape);
  } else {
    const std::int64_t tiles = t.outer * s.tiles_in_row, groups = std::min(tiles, s.resident_groups());
    m.size_64("length", t.length);
    m.local_memory(s.local_bytes());
    m.constant("i1", t.outer == 1);
    m.size("tiles", tiles);
    m.size("tiles in row", s.tiles_in_row);
    m.memory(2);
    m.tag();
    m.counters();
    // A work-group takes `slots` tickets ahead and ends after two rounds without a tile, so it takes as many tickets
    // more than tiles.
    m.size("last ticket", tiles + (slots + 2) * groups - 1);
    kernel = m.finish("tiles", s.group, groups, int(s.resident_groups_each()), shape);
    kernel.workspace_bytes = std::size_t(8 * s.words() * tiles);
    kernel.uses_counters = true;
  }
  kernel.sub_group = std::uint32_t(s.sub_group());
  return kernel;
}

}  // namespace dpep::array::gpu
