// Generates kernels of reductions: work-items reduce their items, work-groups merge the states in local memory, and if
// several work-groups share a result, the last one to finish merges their partial states.
#include "array/gpu/reduction_shape.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace dpep::array::gpu {
namespace {

bool uses_positions(reduction how) { return how == reduction::argmax || how == reduction::argmin; }

class reduction_kernel {
public:
  reduction_kernel(const kernel_program &w, const kernel_pass &p, std::size_t workspace)
      : program_(w),
        pass_(p),
        shape_(shape_of(w, p)),
        workspace_(workspace),
        text_(needs_wide_indices(w, p.kept | p.reduced)) {
    for (const auto &stage : p.stages)
      for (const value_id v : stage) {
        reduction_in_kernel r{v, reducer_name(w, v), state_bytes(w, v), 0, 0, {}, {}, {}, {}};
        for (int k = 0; k < shape_.lanes; ++k) {
          r.states.push_back(state(r));
          if (!uses_positions(w[v].how)) continue;
          r.best.push_back(text_.variable(ir_type(w[w[v].inputs[0]].type), 16));
          r.item.push_back(text_.variable(text_.index_type(), 8));
        }
        r.local_offset = local_bytes_;
        local_bytes_ += (r.bytes * std::size_t(shape_.states() * reduction_group) + 15) / 16 * 16;
        r.partial_offset = partial_bytes_;
        partial_bytes_ += (r.bytes * std::size_t(shape_.kept_items * shape_.states() * shape_.parts) + 255) / 256 * 256;
        reductions_.push_back(std::move(r));
      }
  }

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(reduction_group);
    kernel.groups = shape_.kept_blocks() * shape_.parts;
    find_point();
    std::size_t first = 0;
    for (const auto &stage : pass_.stages) {
      const auto reductions_of_stage = std::span(reductions_).subspan(first, stage.size());
      first += stage.size();
      reduce_items(reductions_of_stage);
      const bool last = first == reductions_.size();
      if (shape_.parts > 1) {
        combine_parts(reductions_of_stage);
        kernel.uses_counters = true;
        kernel.workspace_bytes = partial_bytes_;
        break;
      }
      combine_in_group(reductions_of_stage);
      if (!last || !pass_.row_stores.empty()) broadcast_results(reductions_of_stage);
    }
    if (shape_.parts == 1) {
      finish_results();
      if (!pass_.row_stores.empty()) store_rows();
    }
    text_.set_resident_groups(shape_.resident_groups);
    kernel.text = text_.finish(program_.name, "reduction");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  struct reduction_in_kernel {
    value_id value;
    std::string name;
    std::size_t bytes, local_offset, partial_offset;
    std::vector<std::string> states;  // variables, one for each lane
    // argmax, argmin: the best element so far, and the item that contains it
    std::vector<std::string> best, item;
    std::vector<std::string> results;  // registers, once all work-items of the row have the result
  };
  using reductions = std::span<reduction_in_kernel>;

  const kernel_program &program_;
  const kernel_pass &pass_;
  const reduction_shape shape_;
  const std::size_t workspace_;
  kernel_text text_;
  std::vector<reduction_in_kernel> reductions_;
  std::size_t local_bytes_ = 0, partial_bytes_ = 0;
  bool local_in_use_ = false;
  iteration_point kept_;
  std::string item_, block_, part_, along_kept_, along_reduced_, kept_item_, active_, may_store_;
  std::string end_;  // the end of the reduced items; 0 in work-items without work

  std::string constant(std::int64_t n) const { return std::to_string(n); }
  const std::string &type() const { return text_.index_type(); }

  void find_point() {
    item_ = text_.local_id();
    const std::string group = text_.group_id();
    block_ = group, part_ = "0";
    if (shape_.parts > 1) {
      const std::string parts = text_.number("parts", shape_.parts);
      block_ = text_.let("udiv {} {}, {}", type(), group, parts);
      part_ = text_.let("sub {} {}, {}", type(), group, text_.mul(block_, parts));
    }
    // adjacent work-items are adjacent along the lane axis
    const std::int64_t inner = shape_.columns ? shape_.along_kept : shape_.along_reduced;
    const std::string low = text_.let("and {} {}, {}", type(), item_, inner - 1);
    const std::string high = text_.let("udiv {} {}, {}", type(), item_, inner);
    along_kept_ = shape_.columns ? low : high;
    along_reduced_ = shape_.columns ? high : low;
    const std::string requested = text_.add(text_.mul(block_, constant(shape_.along_kept)), along_kept_);
    active_ = text_.less(requested, text_.number("kept", shape_.kept_items));
    const std::string all = text_.number("reduced", shape_.reduced_items);
    end_ = text_.let("select i1 {}, {} {}, {} 0", active_, type(), all, type());
    // work-items without work read the first element, and store nothing
    kept_item_ = text_.let("select i1 {}, {} {}, {} 0", active_, type(), requested, type());
    kept_.index.resize(program_.code.sizes.size());
    if (shape_.columns) {
      kept_.lane_axis = shape_.lane_axis;
      kept_.lanes = shape_.lanes;
    }
    unravel_index(text_, program_, shape_.kept, kept_item_, shape_.columns ? shape_.lanes : 1, kept_);
    const std::string first = text_.let("icmp eq {} {}, 0", type(), along_reduced_);
    may_store_ = text_.let("and i1 {}, {}", active_, first);
  }

  iteration_point reduced_point(const std::string &item) {
    iteration_point p = kept_;
    if (!shape_.columns) {
      p.lane_axis = shape_.lane_axis;
      p.lanes = shape_.lanes;
    }
    if (!shape_.columns && shape_.reduced.size() == 1)
      p.index[std::size_t(shape_.lane_axis)] = text_.mul(item, constant(shape_.lanes));
    else
      unravel_index(text_, program_, shape_.reduced, item, shape_.columns ? 1 : shape_.lanes, p);
    if (shape_.hides_invariants) {
      p.hidden = pass_.reduced;
      p.hidden_zero = text_.let("lshr {} {}, {}", type(), item, text_.wide() ? 63 : 31);
      if (!text_.wide()) p.hidden_zero = text_.let("zext i32 {} to i64", p.hidden_zero);
    }
    return p;
  }

  void bind(item_values &v) {
    for (const reduction_in_kernel &r : reductions_)
      if (!r.results.empty()) v.bind(r.value, r.results);
  }

  void take(const reduction_in_kernel &r, item_values &at, int lanes) {
    const value_id input = program_[r.value].inputs[0];
    const std::string type = ir_type(program_[input].type), element = text_.variable(type, 16);
    for (int k = 0; k < lanes; ++k) {
      text_.line("store {} {}, ptr {}", type, at.of(input, k), element);
      text_.call(r.name + "_take", "ptr, ptr, i64",
                 fmt::format("ptr {}, ptr {}, i64 {}", r.states[std::size_t(k)], element,
                             r.best.empty() ? "0" : at.position(program_.code.positions[r.value], r.value, k)));
    }
  }
  /// Without a branch: the compiler would delay the load until then.
  void take_where(const std::string &condition, const reduction_in_kernel &r, item_values &at) {
    std::vector<std::string> before;
    for (const std::string &s : r.states) copy_state(text_, r.bytes, before.emplace_back(state(r)), s);
    take(r, at, shape_.lanes);
    const state_words words = words_of(r.bytes);
    for (std::size_t k = 0; k < before.size(); ++k)
      for (std::size_t n = 0; n < words.count; ++n) {
        const auto word = [&](const std::string &of) {
          return text_.let("getelementptr i8, ptr {}, i64 {}", of, n * words.bytes);
        };
        const auto load = [&](const std::string &from) {
          return text_.let("load {}, ptr {}, align {}", words.type, from, words.bytes);
        };
        const std::string to = word(r.states[k]), taken = load(to), kept = load(word(before[k]));
        text_.line("store {} {}, ptr {}, align {}", words.type,
                   text_.let("select i1 {}, {} {}, {} {}", condition, words.type, taken, words.type, kept), to,
                   words.bytes);
      }
  }
  void start(const reduction_in_kernel &r) {
    for (const std::string &s : r.states) text_.call(r.name + "_start", "ptr", "ptr " + s);
  }
  void merge(const reduction_in_kernel &r, const std::string &into, const std::string &from) {
    text_.call(r.name + "_merge", "ptr, ptr", fmt::format("ptr {}, ptr {}", into, from));
  }

  // -- argmax and argmin: a work-item tracks the best element and the number of its item, which is one comparison for
  // each element. The 64-bit position is computed from that at the end.

  void start_search(reduction_in_kernel &r, const std::string &first) {
    const std::string element_type = ir_type(program_[program_[r.value].inputs[0]].type);
    // if no element is better, the position is that of the first
    const std::string any = text_.less(first, end_);
    const std::string from = text_.let("select i1 {}, {} {}, {} -1", any, type(), first, type());
    for (std::size_t k = 0; k < r.best.size(); ++k) {
      text_.line("store {} {}, ptr {}", element_type, text_.let("load {}, ptr {}", element_type, r.states[k]),
                 r.best[k]);
      text_.line("store {} {}, ptr {}", type(), from, r.item[k]);
    }
  }
  void search(const reduction_in_kernel &r, item_values &at, const std::string &item, const std::string &condition) {
    const value_id input = program_[r.value].inputs[0];
    const std::string element_type = ir_type(program_[input].type), element = text_.variable(element_type, 16),
                      beats = text_.variable("i8", 1);
    const auto choose = [&](const std::string &which, const std::string &of, const std::string &x,
                            const std::string &kept) {
      const std::string y = text_.let("load {}, ptr {}", of, kept);
      text_.line("store {} {}, ptr {}", of, text_.let("select i1 {}, {} {}, {} {}", which, of, x, of, y), kept);
    };
    for (std::size_t k = 0; k < r.best.size(); ++k) {
      const std::string x = at.of(input, int(k));
      text_.line("store {} {}, ptr {}", element_type, x, element);
      text_.call(r.name + "_beats", "ptr, ptr, ptr", fmt::format("ptr {}, ptr {}, ptr {}", beats, element, r.best[k]));
      std::string yes = text_.let("trunc i8 {} to i1", text_.let("load i8, ptr {}", beats));
      if (!condition.empty()) yes = text_.let("and i1 {}, {}", yes, condition);
      choose(yes, element_type, x, r.best[k]);
      choose(yes, type(), item, r.item[k]);
    }
  }
  void end_search(const reduction_in_kernel &r) {
    const std::string element_type = ir_type(program_[program_[r.value].inputs[0]].type);
    for (std::size_t k = 0; k < r.best.size(); ++k) {
      const std::string item = text_.let("load {}, ptr {}", type(), r.item[k]);
      text_.if_then(text_.let("icmp sge {} {}, 0", type(), item), [&] {
        item_values at(text_, program_, reduced_point(item));
        const std::string position = at.position(program_.code.positions[r.value], r.value, int(k));
        const std::string index_address = text_.let("getelementptr i8, ptr {}, i64 {}", r.states[k], r.bytes - 8);
        text_.line("store {} {}, ptr {}", element_type, text_.let("load {}, ptr {}", element_type, r.best[k]),
                   r.states[k]);
        text_.line("store i64 {}, ptr {}, align 8", position, index_address);
      });
    }
  }

  // -- Loops over items

  struct item {
    std::string number;
    iteration_point at;
  };
  /// The first item of the work-item. Work-groups that share a result interleave their turns, so that they read
  /// adjacent memory at the same time.
  std::string first_item(int unrolled) {
    return text_.add(text_.mul(part_, constant(unrolled * shape_.along_reduced)), along_reduced_);
  }
  template <class F> void each_item(int unrolled, F body) {
    const std::int64_t step = shape_.along_reduced;
    const std::string turn = shape_.parts > 1 ? text_.number("turn", shape_.parts * unrolled * step)  //
                                              : constant(unrolled * step);
    const auto items = [&](int count) {
      return [&, count](const std::string &i) {
        std::vector<item> list;
        for (int k = 0; k < count; ++k) {
          std::string number = text_.add(i, constant(k * step));
          iteration_point at = reduced_point(number);
          list.push_back({std::move(number), std::move(at)});
        }
        body(list);
      };
    };
    const std::string at = text_.variable(type(), 8);
    text_.line("store {} {}, ptr {}", type(), first_item(unrolled), at);
    text_.loop_on(type(), at, constant((unrolled - 1) * step), end_, turn, items(unrolled));
    // the items after the last whole turn
    if (unrolled > 1) text_.loop_on(type(), at, "0", end_, constant(step), items(1));
  }
  /// All items of a work-item at once, if they are few: no loop, and all loads are in flight together. The last one may
  /// be after the end: then it is a copy of the last item, and `is_inside`, which is empty otherwise, is false.
  template <class F> void all_items(F body) {
    const std::int64_t step = shape_.along_reduced, turns = (shape_.reduced_items + step - 1) / step;
    std::vector<item> list;
    std::string is_inside;
    for (std::int64_t k = 0; k < turns; ++k) {
      std::string number = text_.add(along_reduced_, constant(k * step));
      if ((k + 1) * step > shape_.reduced_items) {
        const std::string last = text_.number("last reduced", shape_.reduced_items - 1);
        is_inside = text_.let("icmp sle {} {}, {}", type(), number, last);
        number = text_.let("select i1 {}, {} {}, {} {}", is_inside, type(), number, type(), last);
      }
      iteration_point at = reduced_point(number);
      list.push_back({std::move(number), std::move(at)});
    }
    body(list, is_inside);
  }
  /// The elements after the last whole vector, reduced by the last part.
  template <class F> void each_remaining(F body) {
    if (!shape_.rest) return;
    const std::string last = text_.let("icmp eq {} {}, {}", type(), part_, text_.number("last part", shape_.parts - 1));
    text_.if_then(text_.let("and i1 {}, {}", last, active_), [&] {
      const std::string all = text_.number("reduced", shape_.reduced_items);
      text_.loop(type(), along_reduced_, text_.number("rest", shape_.rest), constant(shape_.along_reduced),
                 [&](const std::string &i) {
                   iteration_point p = kept_;
                   p.index[std::size_t(shape_.lane_axis)] = text_.add(text_.mul(all, constant(shape_.lanes)), i);
                   body(p);
                 });
    });
  }

  void reduce_items(reductions list) {
    for (reduction_in_kernel &r : list) {
      start(r);
      if (!r.best.empty()) start_search(r, first_item(shape_.unrolled));
    }
    const auto reduce = [&](const std::vector<item> &items, const std::string &last_is_inside = {}) {
      std::vector<item_values> at;
      for (const item &i : items) bind(at.emplace_back(text_, program_, i.at));
      for (item_values &v : at)
        for (const reduction_in_kernel &r : list) v.emit_loads(program_[r.value].inputs[0]);
      for (std::size_t k = 0; k < items.size(); ++k) {
        const std::string condition = k + 1 == items.size() ? last_is_inside : "";
        for (const reduction_in_kernel &r : list) {
          if (!r.best.empty())
            search(r, at[k], items[k].number, condition);
          else if (condition.empty())
            take(r, at[k], shape_.lanes);
          else
            take_where(condition, r, at[k]);
        }
      }
    };
    if (shape_.all_at_once)
      all_items(reduce);
    else
      each_item(shape_.unrolled, reduce);
    for (const reduction_in_kernel &r : list) end_search(r);
    each_remaining([&](const iteration_point &p) {
      item_values at(text_, program_, p);
      bind(at);
      for (const reduction_in_kernel &r : list) take(r, at, 1);
    });
    if (shape_.columns) return;
    for (const reduction_in_kernel &r : list)
      for (int step = shape_.lanes / 2; step > 0; step /= 2)
        for (int k = 0; k < step; ++k) merge(r, r.states[std::size_t(k)], r.states[std::size_t(k + step)]);
  }

  std::string state(const reduction_in_kernel &r) { return text_.variable(fmt::format("[{} x i8]", r.bytes), 16); }

  // The layout of states in memory: the states of adjacent lanes are contiguous, as many as fit a vector; these pieces
  // are ordered by items. So a few states are one access at one address, and adjacent work-items access adjacent
  // pieces.

  std::int64_t piece_of(const reduction_in_kernel &r) const {
    if (!std::has_single_bit(r.bytes)) return 1;
    return std::gcd(std::int64_t(shape_.states()), std::max<std::int64_t>(16 / std::int64_t(r.bytes), 1));
  }
  /// The address of state `k` of an item, in an array at `base` with `items` items.
  std::string state_at(const reduction_in_kernel &r, const std::string &base, int k, const std::string &item,
                       const std::string &items) {
    const std::int64_t piece = piece_of(r);
    const std::string first = text_.mul(text_.add(text_.mul(constant(k / piece), items), item), constant(piece));
    const std::string at = state_address(r, base, first);
    return k % piece ? text_.let("getelementptr i8, ptr {}, i64 {}", at, k % piece * std::int64_t(r.bytes)) : at;
  }
  /// The same for a state whose number is a register.
  std::string state_at(const reduction_in_kernel &r, const std::string &base, const std::string &k,
                       const std::string &item, const std::string &items) {
    const std::int64_t piece = piece_of(r);
    const std::string which = text_.let("udiv {} {}, {}", type(), k, piece);
    const std::string first = text_.mul(text_.add(text_.mul(which, items), item), constant(piece));
    return state_address(r, base, text_.add(first, text_.let("urem {} {}, {}", type(), k, piece)));
  }
  std::string state_address(const reduction_in_kernel &r, const std::string &base, const std::string &states) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", base,
                     text_.let("mul i64 {}, {}", text_.to_64(states), r.bytes));
  }
  void copy(const reduction_in_kernel &r, int k, const std::string &to, const std::string &from) {
    copy_state(text_, r.bytes, to, from, k % piece_of(r) ? r.bytes : std::size_t(piece_of(r)) * r.bytes);
  }

  std::string local_states(const reduction_in_kernel &r) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", text_.local_memory(local_bytes_), r.local_offset);
  }
  /// The address of a state in local memory. `item`: the number of any work-item.
  template <class State> std::string local_state(const reduction_in_kernel &r, State k, const std::string &item) {
    return state_at(r, local_states(r), k, item, constant(reduction_group));
  }

  /// Merges the states of a row (column). Afterwards its first work-item has the total, in its variables and in local
  /// memory.
  void combine_in_group(reductions list) {
    if (shape_.along_reduced == 1) return;
    if (local_in_use_) text_.barrier();
    local_in_use_ = true;
    for (const reduction_in_kernel &r : list)
      for (int k = 0; k < shape_.states(); ++k) copy(r, k, local_state(r, k, item_), r.states[std::size_t(k)]);
    const std::int64_t distance = shape_.columns ? shape_.along_kept : 1;
    text_.halving_loop(shape_.along_reduced / 2, [&](const std::string &step) {
      text_.barrier();
      text_.if_then(text_.less(along_reduced_, step), [&] {
        const std::string other = text_.add(item_, text_.mul(step, constant(distance)));
        for (const reduction_in_kernel &r : list) {
          std::vector<std::string> others;
          for (int k = 0; k < shape_.states(); ++k) copy(r, k, others.emplace_back(state(r)), local_state(r, k, other));
          for (int k = 0; k < shape_.states(); ++k) merge(r, r.states[std::size_t(k)], others[std::size_t(k)]);
          for (int k = 0; k < shape_.states(); ++k) copy(r, k, local_state(r, k, item_), r.states[std::size_t(k)]);
        }
      });
    });
  }

  std::string result_of(const reduction_in_kernel &r, const std::string &state) {
    const std::string type = ir_type(program_[r.value].type), to = text_.variable(type, 16);
    text_.call(r.name + "_result", "ptr, ptr", fmt::format("ptr {}, ptr {}", to, state));
    return text_.let("load {}, ptr {}", type, to);
  }
  void find_results(reduction_in_kernel &r) {
    r.results.clear();
    for (int k = 0; k < shape_.states(); ++k) r.results.push_back(result_of(r, r.states[std::size_t(k)]));
  }

  /// Gives the results to all work-items of a row (column).
  void broadcast_results(reductions list) {
    if (shape_.along_reduced > 1) {
      text_.barrier();
      const std::string first = shape_.columns ? along_kept_ : text_.mul(along_kept_, constant(shape_.along_reduced));
      for (const reduction_in_kernel &r : list)
        for (int k = 0; k < shape_.states(); ++k) copy(r, k, r.states[std::size_t(k)], local_state(r, k, first));
    }
    for (reduction_in_kernel &r : list) find_results(r);
  }

  /// Whether a work-group computes a few results, each of which is completed by a work-item of its own. The code for
  /// results (such as the division of a mean) then exists once, which reduces assembling time by a third.
  bool shares_results() const {
    return shape_.columns && shape_.kept_items == 1 && shape_.along_kept == 1 && shape_.lanes > 2 &&
           pass_.stages.size() == 1 && pass_.row_stores.empty();
  }
  /// Executes the body in one work-item for each result; the number of the work-item is that of the lane. Called by the
  /// whole work-group.
  template <class F> void each_shared(F body) {
    text_.barrier();
    text_.if_then(text_.less(item_, constant(shape_.lanes)), body);
  }
  /// The state that combine_in_group() left for it in local memory.
  std::string shared_state(const reduction_in_kernel &r) { return local_state(r, item_, "0"); }

  /// Stores the results, in the work-items that have the totals.
  void finish_results() {
    if (!shares_results()) return text_.if_then(may_store_, [&] { store_kept(kept_); });
    each_shared([&] {
      iteration_point p = kept_;
      p.index[std::size_t(shape_.lane_axis)] = item_;
      p.lane_axis = -1, p.lanes = 1;
      for (reduction_in_kernel &r : reductions_) r.results = {result_of(r, shared_state(r))};
      store_kept(p);
    });
  }
  void store_kept(const iteration_point &at) {
    for (reduction_in_kernel &r : reductions_)
      if (r.results.empty()) find_results(r);
    item_values v(text_, program_, at);
    bind(v);
    text_.for_results([&] {
      for (const value_id s : pass_.kept_stores) static_cast<void>(v.of(program_[s].inputs[0]));
    });
    for (const value_id s : pass_.kept_stores) v.store(s);
    for (const auto &[value, operand] : pass_.temporaries) v.store_temporary(value, operand);
  }

  void store_rows() {
    const auto store = [&](const iteration_point &p) {
      item_values v(text_, program_, p);
      bind(v);
      for (const value_id s : pass_.row_stores) v.emit_loads(s);
      for (const value_id s : pass_.row_stores) static_cast<void>(v.of(program_[s].inputs[0]));
      for (const value_id s : pass_.row_stores) v.store(s);
    };
    each_item(1, [&](const std::vector<item> &items) { store(items[0].at); });
    each_remaining(store);
  }

  // -- Several work-groups for a result

  /// The address of state `k` of a part.
  template <class State> std::string partial(const reduction_in_kernel &r, State k, const std::string &part) {
    const std::string base = text_.workspace(workspace_ + r.partial_offset);
    if (!shape_.columns)
      return state_address(r, base, text_.add(text_.mul(kept_item_, text_.number("parts", shape_.parts)), part));
    const std::string kept = text_.number("kept", shape_.kept_items);
    const std::string all = text_.number("partial results", shape_.kept_items * shape_.states());
    return state_at(r, state_address(r, base, text_.mul(part, all)), k, kept_item_, kept);
  }

  /// A loop over parts. Only one work-group is left, so several parts are loaded at once to hide memory latency.
  template <class F> void each_part(F body) {
    const std::int64_t step = shape_.along_reduced, states = shape_.states();
    const std::int64_t most = std::clamp<std::int64_t>(std::min(shape_.parts / step, 32 / states), 1, 8);
    const auto count = std::int64_t(std::bit_floor(std::uint64_t(most)));
    const std::string at = text_.variable(type(), 8), end = text_.number("parts", shape_.parts);
    text_.line("store {} {}, ptr {}", type(), along_reduced_, at);
    for (const std::int64_t n : {count, std::int64_t(1)}) {
      text_.loop_on(type(), at, constant((n - 1) * step), end, constant(n * step), [&](const std::string &part) {
        std::vector<std::string> parts;
        for (std::int64_t k = 0; k < n; ++k) parts.push_back(text_.add(part, constant(k * step)));
        body(parts);
      });
      if (n == 1) break;
    }
  }
  void merge_parts(reductions list, const std::vector<std::string> &parts) {
    for (const reduction_in_kernel &r : list) {
      std::vector<std::string> others;
      for (const std::string &part : parts)
        for (int k = 0; k < shape_.states(); ++k) copy(r, k, others.emplace_back(state(r)), partial(r, k, part));
      for (std::size_t n = 0; n < others.size(); ++n) merge(r, r.states[n % std::size_t(shape_.states())], others[n]);
    }
  }

  /// Publishes the partial states of the work-group; returns whether all other parts have published theirs.
  std::string publish_partial(reductions list, const std::string &leader, const std::string &counter) {
    if (shares_results())
      each_shared([&] {
        for (const reduction_in_kernel &r : list) copy_state(text_, r.bytes, partial(r, item_, part_), shared_state(r));
      });
    else
      text_.if_then(may_store_, [&] {
        for (const reduction_in_kernel &r : list)
          for (int k = 0; k < shape_.states(); ++k) copy(r, k, partial(r, k, part_), r.states[std::size_t(k)]);
      });
    text_.line("fence syncscope(\"device\") acq_rel");
    text_.barrier();
    const std::string flag = text_.let("getelementptr i8, ptr {}, i64 {}", text_.local_memory(local_bytes_ + 16),  //
                                       local_bytes_);
    text_.if_then(leader, [&] {  // ordered by the fences
      const std::string before = text_.let("atomicrmw add ptr {}, i32 1 syncscope(\"device\") monotonic", counter);
      text_.line("store i32 {}, ptr {}, align 4", before, flag);
    });
    text_.barrier();
    std::string last_part = text_.number("last part", shape_.parts - 1);
    if (text_.wide()) last_part = text_.let("trunc i64 {} to i32", last_part);
    return text_.let("icmp eq i32 {}, {}", text_.let("load i32, ptr {}, align 4", flag), last_part);
  }

  /// The last work-group merges twice: the states of its work-items, then the partial states of all parts. The longer
  /// part of the code is in a loop, so that it exists once, which reduces assembling time by a fifth.
  void combine_parts(reductions list) {
    const std::string counter = text_.let("getelementptr i32, ptr {}, i64 {}", text_.counters(), text_.to_64(block_));
    const std::string leader = text_.let("icmp eq {} {}, 0", type(), item_);
    const std::string all_parts = text_.variable("i1", 1), again = text_.variable("i1", 1);
    text_.line("store i1 false, ptr {}", all_parts);
    text_.do_while([&] {
      combine_in_group(list);
      text_.if_else(
          text_.let("load i1, ptr {}", all_parts),
          [&] {
            finish_results();
            // reset for the next kernel
            text_.if_then(leader, [&] { text_.line("store i32 0, ptr {}, align 4", counter); });
            text_.line("store i1 false, ptr {}", again);
          },
          [&] {
            const std::string last = publish_partial(list, leader, counter);
            text_.if_then(last, [&] {
              text_.line("fence syncscope(\"device\") acq_rel");
              for (const reduction_in_kernel &r : list) start(r);
              each_part([&](const std::vector<std::string> &parts) { merge_parts(list, parts); });
            });
            text_.line("store i1 true, ptr {}", all_parts);
            text_.line("store i1 {}, ptr {}", last, again);
          });
      return text_.let("load i1, ptr {}", again);
    });
  }
};

}  // namespace

generated_kernel generate_reduction_kernel(const kernel_program &w, const kernel_pass &p, std::size_t workspace) {
  return reduction_kernel(w, p, workspace).generate();
}

}  // namespace dpep::array::gpu
