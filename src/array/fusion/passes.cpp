// Splitting of programs into passes: the choice of inner reductions, and of the values of each pass.
#include "array/fusion/passes.hpp"

#include <algorithm>
#include <cstdlib>

#include "array/fusion/flatten.hpp"
#include "array/fusion/program_cache.hpp"

namespace dpep::array {
namespace {

// Reductions of at most so many elements are always inner.
constexpr std::int64_t always_inner = 16;
// Limits of other inner reductions. Along the lanes, a reduction is one call of a block kernel. Along other axes, rows
// are added one after the other, which loses accuracy.
constexpr std::int64_t max_inner_lanes = 16384, max_inner_rows = 128;
// Limit if the result is used along the reduced axes. Tiles may then fall out of the first-level cache: the
// second-level cache is still faster than reading all operands again from memory.
constexpr std::int64_t max_inner_bytes = 512 * 1024;
// Blocks along a shorter axis are inefficient.
constexpr std::int64_t short_lanes = 64;
// The most rows of a cell whose operands are transposed.
constexpr std::int64_t transposed_rows = 8;

bool is_terminal(const pass_value &v) { return v.what == step::store || v.outer; }

class splitter {
public:
  splitter(const nest &n, bool aliased) : nest_(n), aliased_(aliased), memory_(n.memory), done_(n.code.size()) {
    std::uint16_t scalars = 0;
    for (std::size_t v = 0; v < n.code.size(); ++v) {
      pass_value value{n.code[v], n.code[v].axes, n.positions[v]};
      if (value.what == step::scalar) value.operand = scalars++;
      for (const value_id i : value.inputs)
        if (i != no_value) value.domain = value.domain | code_[i].axes;
      value.domain = value.domain | value.over;
      code_.push_back(std::move(value));
    }
  }

  std::vector<pass> split() {
    std::vector<pass> passes;
    while (!finished()) passes.push_back(next());
    return passes;
  }

private:
  const nest &nest_;
  const bool aliased_;
  std::vector<pass_value> code_;
  std::vector<memory_operand> memory_;
  std::vector<bool> done_;       // stores, and reductions whose results are temporaries
  std::vector<bool> available_;  // depends on no outer reduction that is not done

  std::int64_t size(int a) const { return nest_.sizes[std::size_t(a)]; }
  std::int64_t count(axis_set axes) const {
    std::int64_t n = 1;
    for (int a = 0; a < nest_.axes(); ++a)
      if (axes.has(a)) n *= size(a);
    return n;
  }
  bool finished() const {
    for (std::size_t v = 0; v < code_.size(); ++v)
      if (code_[v].what == step::store && !done_[v]) return false;
    return true;
  }

  // The value and all that it depends on, up to temporaries.
  std::vector<bool> cone_of(std::size_t v) const {
    std::vector<bool> cone(code_.size(), false);
    cone[v] = true;
    for (std::size_t u = v + 1; u-- > 0;) {
      if (!cone[u] || (u != v && done_[u])) continue;
      for (const value_id i : code_[u].inputs)
        if (i != no_value) cone[i] = true;
    }
    return cone;
  }
  axis_set space_of(const std::vector<bool> &cone) const {
    axis_set space;
    for (std::size_t v = 0; v < code_.size(); ++v)
      if (cone[v]) space = space | (done_[v] ? code_[v].axes : code_[v].domain);
    return space;
  }

  // The axis along which most bytes are adjacent in memory, or the longest axis if that is short.
  int choose_lanes(axis_set space, const std::vector<bool> &cone) const {
    std::vector<double> bytes(nest_.sizes.size(), 0);
    axis_set allowed = space;
    for (std::size_t v = 0; v < code_.size(); ++v) {
      if (!cone[v]) continue;
      const pass_value &i = code_[v];
      if (i.what == step::load || i.what == step::store || i.what == step::gather) {
        const memory_operand &m = memory_[i.operand];
        for (std::size_t a = 0; a < bytes.size(); ++a)
          if (m.strides[a] == std::int64_t(size_of(m.type)))
            bytes[a] += double(count(i.axes)) * double(size_of(m.type)) * (i.what == step::store ? 1.5 : 1);
      }
      // positions along the lanes must increase by one
      if (!i.positions.empty() && i.what == step::reduce)
        for (int a = 0; a < nest_.axes(); ++a)
          if (i.over.has(a) && i.positions[std::size_t(a)] != 1) allowed = allowed - axis_set::of(a);
    }
    if (allowed.empty()) return -1;
    int best = -1, longest = -1;
    for (int a = 0; a < nest_.axes(); ++a) {
      if (!allowed.has(a)) continue;
      if (best < 0 || bytes[std::size_t(a)] >= bytes[std::size_t(best)]) best = a;
      if (longest < 0 || size(a) >= size(longest)) longest = a;
    }
    return size(best) < short_lanes && size(longest) > 2 * size(best) && !only_copies(cone, best) ? longest : best;
  }

  // Whether values are only copied, and between operands that are contiguous along the axis: rows of any length are.
  bool only_copies(const std::vector<bool> &cone, int axis) const {
    for (std::size_t v = 0; v < code_.size(); ++v) {
      if (!cone[v]) continue;
      if (done_[v] || (code_[v].what != step::load && code_[v].what != step::store)) return false;
      const memory_operand &m = memory_[code_[v].operand];
      if (m.strides[std::size_t(axis)] != std::int64_t(size_of(m.type))) return false;
    }
    return true;
  }

  bool used_along(std::size_t reduction) const {
    std::vector<bool> depends(code_.size(), false);
    depends[reduction] = true;
    for (std::size_t v = reduction + 1; v < code_.size(); ++v)
      for (const value_id i : code_[v].inputs)
        if (i != no_value && depends[i]) {
          depends[v] = true;
          if (!(code_[v].domain & code_[reduction].over).empty()) return true;
        }
    return false;
  }

  // The rows of a cell: several where an operand is contiguous along another axis than the lanes.
  std::int64_t rows_of_cell(int lanes) const {
    std::int64_t rows = 1;
    for (const pass_value &v : code_) {
      if (v.what != step::load && v.what != step::store) continue;
      const memory_operand &m = memory_[v.operand];
      const auto element = std::int64_t(size_of(m.type));
      const std::int64_t along = m.strides[std::size_t(lanes)];
      if (along == 0 || along == element) continue;
      for (int a = 0; a < nest_.axes(); ++a)
        if (m.strides[std::size_t(a)] == element) rows = std::max(rows, std::min(size(a), transposed_rows));
    }
    return rows;
  }

  bool is_inner(std::size_t r, int lanes) const {
    const pass_value &v = code_[r];
    const std::int64_t n = count(v.over);
    if (n == 0) return false;
    if (n <= always_inner) return true;
    const bool along_lanes = lanes >= 0 && v.over.has(lanes);
    if (used_along(r)) {
      std::int64_t widest = 1, tiles = 1;
      for (const pass_value &u : code_)
        if (u.what != step::store && !(u.axes & v.over).empty())
          widest = std::max(widest, std::int64_t(size_of(u.type))), tiles = std::min<std::int64_t>(tiles + 1, 4);
      const std::int64_t rows = along_lanes ? rows_of_cell(lanes) : short_lanes;
      return n * widest * tiles * rows <= max_inner_bytes;
    }
    const std::int64_t results = count(v.domain - v.over);
    if (results < 64 && n * results > 2 * max_inner_lanes)
      return false;  // too few cells for all threads unless the reduced axes are cut
    return n <= (along_lanes ? max_inner_lanes : max_inner_rows);
  }

  void find_available() {
    available_.assign(code_.size(), true);
    for (std::size_t v = 0; v < code_.size(); ++v)
      for (const value_id i : code_[v].inputs)
        if (i != no_value && !done_[i] && (code_[i].outer || !available_[i])) available_[v] = false;
  }

  pass next() {
    for (pass_value &v : code_) v.outer = false;
    find_available();
    // Lanes are chosen for all values that could be computed now. The choice of inner reductions depends on the lanes.
    std::vector<bool> needed(code_.size(), false);
    for (std::size_t v = 0; v < code_.size(); ++v)
      if (code_[v].what == step::store && !done_[v])
        for (const std::vector<bool> cone = cone_of(v); std::size_t u : all())
          if (cone[u]) needed[u] = true;
    int lanes = choose_lanes(space_of(needed), needed);
    for (std::size_t v = 0; v < code_.size(); ++v)
      if (code_[v].what == step::reduce && !done_[v]) code_[v].outer = !is_inner(v, lanes);
    find_available();
    bool reduces = false;
    for (std::size_t v = 0; v < code_.size(); ++v) reduces = reduces || (code_[v].outer && !done_[v] && needed[v]);

    std::vector<std::size_t> chosen;
    std::vector<bool> cone(code_.size(), false);
    axis_set space, whole;
    for (std::size_t v = 0; v < code_.size(); ++v) {
      if (!is_terminal(code_[v]) || done_[v] || !available_[v] || !needed[v]) continue;
      if (aliased_ && reduces && !code_[v].outer) continue;
      const std::vector<bool> more = cone_of(v);
      const axis_set joint = space | space_of(more);
      axis_set inner = whole;
      for (std::size_t u = 0; u < code_.size(); ++u)
        if (more[u] && code_[u].what == step::reduce && !code_[u].outer && !done_[u]) inner = inner | code_[u].over;
      // Each element is stored, or added to a state, once: so stores and outer reductions vary along all loop axes.
      const auto covers = [&](std::size_t t) { return code_[t].domain.contains(joint - inner); };
      if (!covers(v) || !std::ranges::all_of(chosen, covers)) continue;
      chosen.push_back(v);
      space = joint, whole = inner;
      for (const std::size_t u : all()) cone[u] = cone[u] || more[u];
    }
    if (lanes < 0 || !space.has(lanes)) lanes = choose_lanes(space, cone);
    return assemble(chosen, cone, space, whole, lanes);
  }

  std::vector<std::size_t> all() const {
    std::vector<std::size_t> list(code_.size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = i;
    return list;
  }

  // The values of the cone in an order in which no store and no outer reduction stands between two element operations,
  // so that compiled loops have as many of these as possible.
  std::vector<std::size_t> terminals_last(const std::vector<bool> &cone) const {
    std::vector<std::size_t> list;
    for (const bool terminal : {false, true})
      for (const std::size_t v : all())
        if (cone[v] && terminal == (is_terminal(code_[v]) && !done_[v])) list.push_back(v);
    return list;
  }

  pass assemble(const std::vector<std::size_t> &chosen, const std::vector<bool> &cone, axis_set space, axis_set whole,
                int lanes) {
    pass p;
    p.sizes = nest_.sizes;
    p.lanes = lanes;
    p.whole = whole;
    p.axes = space;
    std::vector<value_id> renamed(code_.size(), no_value);
    std::vector<std::pair<std::size_t, std::uint16_t>> results;
    for (const std::size_t v : terminals_last(cone)) {
      pass_value value = code_[v];
      if (done_[v]) {  // a temporary
        value = {};
        value.what = step::load;
        value.type = code_[v].type;
        value.axes = value.domain = code_[v].axes;
        value.operand = code_[v].operand;
      }
      for (value_id &i : value.inputs)
        if (i != no_value) i = renamed[i];
      if (value.outer) {
        value.operand = std::uint16_t(memory_.size());
        memory_.push_back(temporary(value, lanes));
        results.emplace_back(v, value.operand);
      }
      renamed[v] = value_id(p.code.size());
      p.code.push_back(std::move(value));
    }
    for (const std::size_t v : chosen) done_[v] = true;
    for (const auto &[v, operand] : results) code_[v].operand = operand;
    p.memory = memory_;
    flatten(p);
    return p;
  }

  // The lanes are the innermost axis of results, so that states are merged in blocks.
  memory_operand temporary(const pass_value &v, int lanes) const {
    memory_operand m{v.type, true, std::vector<std::int64_t>(nest_.sizes.size(), 0)};
    std::int64_t stride = std::int64_t(size_of(v.type));
    const auto add_axis = [&](int a) {
      if (!v.axes.has(a)) return;
      m.strides[std::size_t(a)] = stride;
      stride *= size(a);
    };
    if (lanes >= 0) add_axis(lanes);
    for (int a = nest_.axes() - 1; a >= 0; --a)
      if (a != lanes) add_axis(a);
    return m;
  }
};

}  // namespace

std::vector<pass> split(const nest &n, bool aliased) { return splitter(n, aliased).split(); }

bool schedulable(const program &program) noexcept {
  static auto &known = *new program_cache<bool>;  // splitting takes as long as the rest of a fusion
  static thread_local program_key key;
  key.write(program, false, nullptr);
  if (const std::shared_ptr<const bool> found = known.find(key)) return *found;
  const auto result = [&] {
    axis_set reduced;
    for (const pass &p : split(simplify(program))) {
      if (!(p.axes & reduced).empty()) return false;  // a second pass over the reduced axes, with the result
      for (const pass_value &v : p.code)
        if (v.outer) reduced = reduced | v.over;
    }
    return true;
  };
  return *known.add(key, std::make_shared<const bool>(result()));
}

}  // namespace dpep::array
