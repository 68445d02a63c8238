// Assigns locations to values: operand memory where block kernels can access it directly, otherwise tiles that share
// scratch memory.
#include "array/cpu/placement.hpp"

#include <algorithm>
#include <numeric>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

/// Allocates scratch memory, first fit.
class scratch_allocator {
public:
  std::size_t allocate(std::size_t bytes) {
    bytes = rounded(bytes);
    for (auto f = free_.begin(); f != free_.end(); ++f) {
      if (f->bytes < bytes) continue;
      const std::size_t at = f->offset;
      f->offset += bytes;
      f->bytes -= bytes;
      if (!f->bytes) free_.erase(f);
      return at;
    }
    const std::size_t at = end_;
    end_ += bytes;
    return at;
  }
  void release(std::size_t offset, std::size_t bytes) {
    bytes = rounded(bytes);
    const auto next = std::ranges::find_if(free_, [&](const span &s) { return s.offset > offset; });
    const auto at = free_.insert(next, {offset, bytes});
    if (const auto after = at + 1; after != free_.end() && at->offset + at->bytes == after->offset) {
      at->bytes += after->bytes;
      free_.erase(after);
    }
    if (at != free_.begin() && (at - 1)->offset + (at - 1)->bytes == at->offset) {
      (at - 1)->bytes += at->bytes;
      free_.erase(at);
    }
  }
  std::size_t size() const { return end_; }

private:
  static std::size_t rounded(std::size_t bytes) { return (std::max<std::size_t>(bytes, 1) + 63) & ~std::size_t{63}; }
  struct span {
    std::size_t offset, bytes;
  };
  std::vector<span> free_;
  std::size_t end_ = 0;
};

class placement_builder {
public:
  placement_builder(schedule &s, const pass &original, bool aliased) : s_(s), aliased_(aliased) {
    expand(original);
    count_ = s_.work.code.size();
    s_.placements.assign(count_, {});
    s_.direct.assign(count_, false);
    s_.nontemporal.assign(count_, false);
  }

  void build() {
    find_uses();
    for (std::size_t v = 0; v < count_; ++v) s_.placements[v].level = level_of(value(v).domain);
    find_stores();
    find_memory_operands();
    allocate_tiles();
  }

private:
  schedule &s_;
  const bool aliased_;
  std::size_t count_ = 0;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<std::size_t> last_use_;

  const pass_value &value(std::size_t v) const { return s_.work.code[v]; }
  std::int64_t extent(int a) const { return s_.axes[std::size_t(a)].extent; }
  bool varies_in_cell(axis_set axes, int a) const { return a >= 0 && axes.has(a) && extent(a) > 1; }

  int level_of(axis_set domain) const {
    int level = 0;
    for (std::size_t l = 0; l < s_.loops.size(); ++l)
      if (domain.has(s_.loops[l])) level = int(l) + 1;
    return level;
  }

  // Block kernels accept an operand with one element for the whole block only in some forms. Otherwise the element is
  // repeated into a tile, at its own loop level, so most often outside of loops.
  void expand(const pass &original) {
    s_.work = original;
    std::vector<pass_value> &code = s_.work.code;
    code.clear();
    std::vector<value_id> new_ids(original.code.size(), no_value);
    std::vector<std::pair<std::pair<value_id, int>, value_id>> expanded;
    for (std::size_t v = 0; v < original.code.size(); ++v) {
      pass_value i = original.code[v];
      for (value_id &input : i.inputs)
        if (input != no_value) input = new_ids[input];
      const int inner = s_.innermost(i.domain);
      for (std::size_t k = 0; k < i.inputs.size(); ++k) {
        if (inner < 0 || code[i.inputs[k]].axes.has(inner) || accepts_one(i, code, inner)) continue;
        const std::pair<value_id, int> key{i.inputs[k], inner};
        const auto known = std::ranges::find_if(expanded, [&](const auto &e) { return e.first == key; });
        if (known != expanded.end()) {
          i.inputs[k] = known->second;
          continue;
        }
        pass_value full;
        full.what = step::element;
        full.expands = true;
        full.type = code[i.inputs[k]].type;
        full.domain = code[i.inputs[k]].axes;  // determines its level: loops over the lanes axis need not repeat it
        full.axes = full.domain | axis_set::of(inner);
        full.inputs[0] = i.inputs[k];
        i.inputs[k] = value_id(code.size());
        expanded.emplace_back(key, i.inputs[k]);
        code.push_back(std::move(full));
      }
      new_ids[v] = value_id(code.size());
      code.push_back(std::move(i));
    }
    sort_by_level(code);
  }

  // Values of outer loops come first, so that they do not stand between element operations of the innermost loop, which
  // one compiled loop can compute. The inputs of a value are of the same or of outer loops.
  void sort_by_level(std::vector<pass_value> &code) const {
    std::vector<value_id> order(code.size()), new_ids(code.size());
    std::iota(order.begin(), order.end(), value_id{0});
    std::ranges::sort(order, {}, [&](value_id v) { return std::pair(level_of(code[v].domain), v); });
    std::vector<pass_value> sorted;
    sorted.reserve(code.size());
    for (const value_id v : order) {
      new_ids[v] = value_id(sorted.size());
      sorted.push_back(std::move(code[v]));
      for (value_id &input : sorted.back().inputs)
        if (input != no_value) input = new_ids[input];
    }
    code = std::move(sorted);
  }

  static bool accepts_one(const pass_value &i, const std::vector<pass_value> &code, int inner) {
    if (i.what == step::store || i.what == step::gather) return true;
    if (i.what == step::reduce) return false;
    if (i.code == user_code) return true;
    if (i.code == opcode::where || i.code == opcode::clip || i.code == opcode::cast) return false;
    if (i.inputs[1] == no_value) return false;
    const auto form_of = [&](std::size_t k) {
      return code[i.inputs[k]].axes.has(inner) ? blocks::form::vector : blocks::form::one;
    };
    return blocks::has_form(i.code, form_of(0), form_of(1));
  }

  void find_uses() {
    users_.assign(count_, {});
    last_use_.assign(count_, 0);
    for (std::size_t v = 0; v < count_; ++v)
      for (const value_id i : value(v).inputs)
        if (i != no_value) users_[i].push_back(v), last_use_[i] = v;
  }

  bool contiguous(const pass_value &v, int inner) const {
    const memory_operand &m = s_.work.memory[v.operand];
    return inner < 0 || m.strides[std::size_t(inner)] == std::int64_t(size_of(m.type));
  }

  void find_stores() {
    for (std::size_t v = 0; v < count_; ++v) {
      const pass_value &i = value(v);
      if (i.what != step::store) continue;
      const pass_value &made = value(i.inputs[0]);
      const int inner = s_.innermost(i.domain);
      if (!contiguous(i, inner)) continue;
      double bytes = double(size_of(i.type));
      for (std::size_t a = 0; a < s_.axes.size(); ++a)
        if (i.axes.has(int(a))) bytes *= double(s_.axes[a].size);
      const bool varies = made.axes == i.axes;
      // Large results are copied from tiles to memory by non-temporal stores, except in place: what is read is in the
      // caches, and may be there again for the next pass. Random numbers are computed in their
      // memory instead: computing them takes longer than storing them, and both overlap (10,000,000 numbers: 10.3 ms of
      // processor time instead of 13.4).
      const bool random = made.function && made.function->native;
      s_.nontemporal[v] = varies && !random && !aliased_ && inner >= 0 && bytes >= streamed_bytes &&
                          extent(inner) * std::int64_t(size_of(i.type)) >= 4096;
      if (s_.nontemporal[v] || !varies || !(random || made.what == step::element || made.what == step::gather) ||
          made.expands || !is_computed_in_memory(i))
        continue;
      s_.direct[v] = true;
      value_placement &placement = s_.placements[i.inputs[0]];
      placement.what = value_placement::kind::memory;
      placement.operand = i.operand;
      placement.strides = strides_in_memory(i);
    }
  }

  /// Whether the value of a store is computed in memory. If it has other users, that is better than a copy from a tile
  /// only where the memory has the elements in the order of a tile. In place, they would overwrite what is read later.
  bool is_computed_in_memory(const pass_value &store) const {
    if (users_[store.inputs[0]].size() == 1) return true;
    std::vector<std::int64_t> strides;
    tile_strides(store.axes, std::int64_t(size_of(store.type)), strides);
    return !aliased_ && strides == strides_in_memory(store) &&
           s_.placements[store.inputs[0]].what == value_placement::kind::nowhere;
  }

  std::vector<std::int64_t> strides_in_memory(const pass_value &v) const {
    std::vector<std::int64_t> strides = s_.work.memory[v.operand].strides;
    for (std::size_t a = 0; a < strides.size(); ++a)
      if (extent(int(a)) == 1) strides[a] = 0;
    return strides;
  }

  // Finds loads whose memory block kernels can access directly, so that they need no tile.
  void find_memory_operands() {
    std::size_t first_written = count_;
    if (aliased_)
      for (std::size_t v = 0; v < count_; ++v)
        if (value(v).what == step::store) {
          const std::size_t at = s_.direct[v] ? value(v).inputs[0] : v;
          first_written = std::min(first_written, at);
        }
    for (std::size_t v = 0; v < count_; ++v) {
      const pass_value &i = value(v);
      if (i.what != step::load) continue;
      const bool usable = std::ranges::all_of(users_[v], [&](std::size_t u) {
        if (value(u).what == step::store) return true;
        const int inner = s_.innermost(value(u).domain);
        return !varies_in_cell(i.axes, inner) || contiguous(i, inner);
      });
      if (!usable || (first_written < count_ && last_use_[v] > first_written)) continue;
      s_.placements[v].what = value_placement::kind::memory;
      s_.placements[v].operand = i.operand;
      s_.placements[v].strides = strides_in_memory(i);
    }
  }

  // Computes the strides of a tile over these axes; returns its size.
  std::int64_t tile_strides(axis_set axes, std::int64_t element, std::vector<std::int64_t> &strides) const {
    strides.assign(s_.axes.size(), 0);
    std::int64_t stride = element;
    for (const int a : s_.order)
      if (varies_in_cell(axes, a)) {
        strides[std::size_t(a)] = stride;
        stride *= extent(a);
      }
    return stride;
  }

  bool is_in_innermost_loop(std::size_t v) const { return s_.placements[v].level == int(s_.loops.size()); }
  // Whether `now` is the last use of the tile, so that its memory can be reused. Values of outer loops keep their
  // memory.
  bool is_last_use(std::size_t v, std::size_t now) const {
    return last_use_[v] == now && is_in_innermost_loop(v) && s_.placements[v].what == value_placement::kind::tile &&
           s_.placements[v].bytes;
  }

  void allocate_tiles() {
    scratch_allocator memory;
    for (std::size_t v = 0; v < count_; ++v)
      if (!is_in_innermost_loop(v)) allocate_value(v, memory);
    for (std::size_t v = 0; v < count_; ++v) {
      if (!is_in_innermost_loop(v)) continue;
      allocate_value(v, memory);
      value_placement &p = s_.placements[v];
      if (p.has_states) memory.release(p.states_offset, p.states_bytes);
      for (const value_id input : value(v).inputs)
        if (input != no_value && is_last_use(input, v)) {
          memory.release(s_.placements[input].offset, s_.placements[input].bytes);
          s_.placements[input].bytes = 0;
        }
    }
    s_.scratch_bytes = memory.size();
  }

  void allocate_value(std::size_t v, scratch_allocator &memory) {
    const pass_value &i = value(v);
    value_placement &p = s_.placements[v];
    if (i.what == step::reduce) {
      const blocks::reducer &r = *blocks::find_reducer(i.how, value(i.inputs[0]).type);
      p.states_bytes = std::size_t(tile_strides(i.axes, std::int64_t(r.state_bytes), p.state_strides));
      p.has_states = !i.outer || rows_in_cell(i) > 4;
      if (p.has_states) p.states_offset = memory.allocate(p.states_bytes);
    }
    if (i.what == step::store || i.what == step::scalar || i.outer || p.what != value_placement::kind::nowhere) return;
    p.what = value_placement::kind::tile;
    p.bytes = std::size_t(tile_strides(i.axes, std::int64_t(size_of(i.type)), p.strides));
    // an element operation may overwrite an operand that is not used afterwards
    if (i.what == step::element && !i.expands && is_in_innermost_loop(v))
      for (const value_id input : i.inputs)
        if (input != no_value && is_last_use(input, v) && value(input).axes == i.axes &&
            s_.placements[input].bytes == p.bytes) {
          p.offset = s_.placements[input].offset;
          s_.placements[input].bytes = 0;  // it belongs to the result
          return;
        }
    p.offset = memory.allocate(p.bytes);
  }

  // The number of rows that a cell adds to the states of an outer reduction; 0 if it reduces blocks.
  std::int64_t rows_in_cell(const pass_value &i) const {
    const int inner = s_.innermost(i.domain);
    if (inner < 0 || i.over.has(inner)) return 0;
    std::int64_t rows = 1;
    for (std::size_t a = 0; a < s_.axes.size(); ++a)
      if (i.over.has(int(a))) rows *= extent(int(a));
    return rows;
  }
};

}  // namespace

void place_values(schedule &s, const pass &original, bool aliased) { placement_builder(s, original, aliased).build(); }

}  // namespace dpep::array
