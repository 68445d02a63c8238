// Reductions: work-items fold what they take in, work-groups put that together in local memory, and of several
// work-groups that share a result the one that is ready last does so with their partial results.
#include "array/gpu/reduction_shape.hpp"

#include <algorithm>

namespace dpep::array::gpu {
namespace {

bool uses_positions(reduction how) { return how == reduction::argmax || how == reduction::argmin; }

class reduction_kernel {
public:
  reduction_kernel(const work &w, const kernel_pass &p, std::size_t workspace)
      : work_(w),
        pass_(p),
        shape_(shape_of(w, p)),
        workspace_(workspace),
        text_(needs_wide_indices(w, p.kept | p.reduced)) {
    for (const auto &stage : p.stages)
      for (const value_id v : stage) {
        reduction_in_kernel r{v, reducer_name(w, v), state_bytes(w, v), 0, 0, {}, {}};
        for (int k = 0; k < (shape_.columns ? shape_.states() : shape_.lanes); ++k)
          r.states.push_back(text_.variable(fmt::format("[{} x i8]", r.bytes), 16));
        r.local_offset = local_bytes_;
        local_bytes_ += (r.bytes * std::size_t(shape_.states() * reduction_group) + 15) / 16 * 16;
        r.partial_offset = partial_bytes_;
        partial_bytes_ += (r.bytes * std::size_t(shape_.kept_items * shape_.states() * shape_.parts) + 255) / 256 * 256;
        reductions_.push_back(std::move(r));
      }
  }

  made_kernel make() {
    made_kernel made;
    made.local = std::uint32_t(reduction_group);
    made.groups = shape_.kept_blocks() * shape_.parts;
    find_place();
    std::size_t first = 0;
    for (const auto &stage : pass_.stages) {
      const auto mine = std::span(reductions_).subspan(first, stage.size());
      first += stage.size();
      fold(mine);
      const bool last = first == reductions_.size();
      if (shape_.parts > 1) {
        finish_parts(mine);
        made.uses_counters = true;
        made.workspace_bytes = partial_bytes_;
        break;
      }
      put_together(mine);
      if (!last || !pass_.row_stores.empty()) hand_out(mine);
    }
    if (shape_.parts == 1) {
      text_.when(may_store_, [&] { store_kept(); });
      if (!pass_.row_stores.empty()) store_rows();
    }
    made.text = text_.finish(work_.name, "reduction");
    made.arguments = text_.take_arguments();
    return made;
  }

private:
  struct reduction_in_kernel {
    value_id value;
    std::string name;
    std::size_t bytes, local_offset, partial_offset;
    std::vector<std::string> states;   // variables
    std::vector<std::string> results;  // names, once all work-items of the row know them
  };
  using reductions = std::span<reduction_in_kernel>;

  const work &work_;
  const kernel_pass &pass_;
  const reduction_shape shape_;
  const std::size_t workspace_;
  kernel_text text_;
  std::vector<reduction_in_kernel> reductions_;
  std::size_t local_bytes_ = 0, partial_bytes_ = 0;
  bool local_in_use_ = false;
  place kept_;
  std::string item_, block_, part_, along_kept_, along_reduced_, kept_item_, active_, may_store_;

  std::string constant(std::int64_t n) const { return std::to_string(n); }
  const std::string &type() const { return text_.index_type(); }

  void find_place() {
    item_ = text_.local_id();
    const std::string group = text_.group_id();
    block_ = group, part_ = "0";
    if (shape_.parts > 1) {
      const std::string parts = text_.number("parts", shape_.parts);
      block_ = text_.let("udiv {} {}, {}", type(), group, parts);
      part_ = text_.let("sub {} {}, {}", type(), group, text_.mul(block_, parts));
    }
    // neighbours go along the lanes' axis
    const std::int64_t inner = shape_.columns ? shape_.along_kept : shape_.along_reduced;
    const std::string low = text_.let("and {} {}, {}", type(), item_, inner - 1);
    const std::string high = text_.let("udiv {} {}, {}", type(), item_, inner);
    along_kept_ = shape_.columns ? low : high;
    along_reduced_ = shape_.columns ? high : low;
    const std::string asked = text_.add(text_.mul(block_, constant(shape_.along_kept)), along_kept_);
    active_ = text_.less(asked, text_.number("kept", shape_.kept_items));
    // those without work of their own look at the first element, and store nothing
    kept_item_ = text_.let("select i1 {}, {} {}, {} 0", active_, type(), asked, type());
    kept_.index.resize(work_.code.sizes.size());
    if (shape_.columns) {
      kept_.lane_axis = shape_.lane_axis;
      kept_.lanes = shape_.lanes;
    }
    split_index(text_, work_, shape_.kept, kept_item_, shape_.columns ? shape_.lanes : 1, kept_);
    const std::string first = text_.let("icmp eq {} {}, 0", type(), along_reduced_);
    may_store_ = text_.let("and i1 {}, {}", active_, first);
  }

  place reduced_place(const std::string &item) {
    place p = kept_;
    if (!shape_.columns) {
      p.lane_axis = shape_.lane_axis;
      p.lanes = shape_.lanes;
    }
    if (!shape_.columns && shape_.reduced.size() == 1)
      p.index[std::size_t(shape_.lane_axis)] = text_.mul(item, constant(shape_.lanes));
    else
      split_index(text_, work_, shape_.reduced, item, shape_.columns ? 1 : shape_.lanes, p);
    if (shape_.hides_invariants) {
      p.hidden = pass_.reduced;
      p.hidden_zero = text_.let("lshr {} {}, {}", type(), item, text_.wide() ? 63 : 31);
      if (!text_.wide()) p.hidden_zero = text_.let("zext i32 {} to i64", p.hidden_zero);
    }
    return p;
  }

  void bind(values &v) {
    for (const reduction_in_kernel &r : reductions_)
      if (!r.results.empty()) v.bind(r.value, r.results);
  }

  void take(const reduction_in_kernel &r, values &at, int lanes) {
    const value_id input = work_[r.value].inputs[0];
    const std::string type = ir_type(work_[input].type), element = text_.variable(type, 16);
    for (int k = 0; k < lanes; ++k) {
      text_.line("store {} {}, ptr {}", type, at.of(input, k), element);
      const std::string position =
          uses_positions(work_[r.value].how) ? at.position(work_.code.positions[r.value], r.value, k) : "0";
      text_.call(r.name + "_take", "ptr, ptr, i64",
                 fmt::format("ptr {}, ptr {}, i64 {}", r.states[std::size_t(k)], element, position));
    }
  }
  void start(const reduction_in_kernel &r) {
    for (const std::string &s : r.states) text_.call(r.name + "_start", "ptr", "ptr " + s);
  }
  void merge(const reduction_in_kernel &r, const std::string &into, const std::string &from) {
    text_.call(r.name + "_merge", "ptr, ptr", fmt::format("ptr {}, ptr {}", into, from));
  }

  /// Calls with the place of each item that the work-item takes, and how many lanes it has.
  template <class F> void each_item(int unrolled, F body) {
    const std::string begin = text_.mul(part_, text_.number("chunk", shape_.chunk));
    const std::string first = text_.add(begin, along_reduced_);
    const std::string all = text_.number("reduced", shape_.reduced_items);
    const std::string wanted = text_.add(begin, text_.number("chunk", shape_.chunk));
    const std::string fits = text_.less(wanted, all);
    const std::string my_end = text_.let("select i1 {}, {} {}, {} {}", fits, type(), wanted, type(), all);
    const std::string end = text_.let("select i1 {}, {} {}, {} 0", active_, type(), my_end, type());
    const std::int64_t step = shape_.along_reduced;
    const std::string at = text_.variable(type(), 8);
    text_.line("store {} {}, ptr {}", type(), first, at);
    if (unrolled > 1)
      text_.loop_on(type(), at, constant((unrolled - 1) * step), end, constant(unrolled * step),
                    [&](const std::string &i) {
                      std::vector<place> places;
                      for (int k = 0; k < unrolled; ++k)
                        places.push_back(reduced_place(text_.add(i, constant(k * step))));
                      body(places);
                    });
    text_.loop_on(type(), at, "0", end, constant(step),
                  [&](const std::string &i) { body(std::vector<place>{reduced_place(i)}); });
    if (!shape_.rest) return;
    // the elements behind the last whole vector, by the last part
    const std::string last = text_.let("icmp eq {} {}, {}", type(), part_, text_.number("last part", shape_.parts - 1));
    text_.when(text_.let("and i1 {}, {}", last, active_), [&] {
      text_.loop(type(), along_reduced_, text_.number("rest", shape_.rest), constant(step), [&](const std::string &i) {
        place p = kept_;
        p.index[std::size_t(shape_.lane_axis)] = text_.add(text_.mul(all, constant(shape_.lanes)), i);
        body(std::vector<place>{p});
      });
    });
  }

  void fold(reductions list) {
    for (const reduction_in_kernel &r : list) start(r);
    each_item(shape_.unrolled, [&](const std::vector<place> &places) {
      std::vector<values> items;
      for (const place &p : places) bind(items.emplace_back(text_, work_, p));
      for (values &v : items)
        for (const reduction_in_kernel &r : list) v.load_for(work_[r.value].inputs[0]);
      for (values &v : items)
        for (const reduction_in_kernel &r : list) take(r, v, shape_.columns ? shape_.lanes : v.here().lanes);
    });
    if (shape_.columns) return;
    for (const reduction_in_kernel &r : list)
      for (int step = shape_.lanes / 2; step > 0; step /= 2)
        for (int k = 0; k < step; ++k) merge(r, r.states[std::size_t(k)], r.states[std::size_t(k + step)]);
  }

  /// The address of a work-item's state in local memory; `item` may be another's number.
  std::string local_state(const reduction_in_kernel &r, int k, const std::string &item) {
    const std::string number = text_.add(item, constant(k * reduction_group));
    const std::string at = text_.let("mul i64 {}, {}", text_.to_64(number), r.bytes);
    const std::string base =
        text_.let("getelementptr i8, ptr {}, i64 {}", text_.local_memory(local_bytes_), r.local_offset);
    return text_.let("getelementptr i8, ptr {}, i64 {}", base, at);
  }

  /// Afterwards the first work-item of each row (column) has the whole, in its variables and in local memory.
  void put_together(reductions list) {
    if (shape_.along_reduced == 1) return;
    if (local_in_use_) text_.barrier();
    local_in_use_ = true;
    for (const reduction_in_kernel &r : list)
      for (int k = 0; k < shape_.states(); ++k)
        copy_state(text_, r.bytes, local_state(r, k, item_), r.states[std::size_t(k)]);
    const std::int64_t distance = shape_.columns ? shape_.along_kept : 1;
    text_.halving(shape_.along_reduced / 2, [&](const std::string &step) {
      text_.barrier();
      text_.when(text_.less(along_reduced_, step), [&] {
        const std::string other = text_.add(item_, text_.mul(step, constant(distance)));
        for (const reduction_in_kernel &r : list)
          for (int k = 0; k < shape_.states(); ++k) {
            merge(r, r.states[std::size_t(k)], local_state(r, k, other));
            copy_state(text_, r.bytes, local_state(r, k, item_), r.states[std::size_t(k)]);
          }
      });
    });
  }

  void find_results(reduction_in_kernel &r) {
    r.results.clear();
    const std::string type = ir_type(work_[r.value].type), to = text_.variable(type, 16);
    for (int k = 0; k < shape_.states(); ++k) {
      text_.call(r.name + "_result", "ptr, ptr", fmt::format("ptr {}, ptr {}", to, r.states[std::size_t(k)]));
      r.results.push_back(text_.let("load {}, ptr {}", type, to));
    }
  }

  /// All work-items of a row (column) get its results.
  void hand_out(reductions list) {
    if (shape_.along_reduced > 1) {
      text_.barrier();
      const std::string first = shape_.columns ? along_kept_ : text_.mul(along_kept_, constant(shape_.along_reduced));
      for (const reduction_in_kernel &r : list)
        for (int k = 0; k < shape_.states(); ++k)
          copy_state(text_, r.bytes, r.states[std::size_t(k)], local_state(r, k, first));
    }
    for (reduction_in_kernel &r : list) find_results(r);
  }

  void store_kept() {
    for (reduction_in_kernel &r : reductions_)
      if (r.results.empty()) find_results(r);
    values v(text_, work_, kept_);
    bind(v);
    for (const value_id s : pass_.kept_stores) static_cast<void>(v.of(work_[s].inputs[0]));
    for (const value_id s : pass_.kept_stores) v.store(s);
    for (const auto &[value, operand] : pass_.temporaries) v.keep(value, operand);
  }

  void store_rows() {
    each_item(1, [&](const std::vector<place> &places) {
      values v(text_, work_, places[0]);
      bind(v);
      for (const value_id s : pass_.row_stores) v.load_for(s);
      for (const value_id s : pass_.row_stores) static_cast<void>(v.of(work_[s].inputs[0]));
      for (const value_id s : pass_.row_stores) v.store(s);
    });
  }

  // -- Several work-groups for a result

  std::string partial(const reduction_in_kernel &r, int k, const std::string &part) {
    // neighbouring work-items have neighbouring places
    const std::string element = text_.add(text_.mul(constant(k), text_.number("kept", shape_.kept_items)), kept_item_);
    const std::string kept = text_.number("partial results", shape_.kept_items * shape_.states());
    const std::string number = shape_.columns
                                   ? text_.add(text_.mul(part, kept), element)
                                   : text_.add(text_.mul(element, text_.number("parts", shape_.parts)), part);
    const std::string at = text_.let("mul i64 {}, {}", text_.to_64(number), r.bytes);
    return text_.let("getelementptr i8, ptr {}, i64 {}", text_.workspace(workspace_ + r.partial_offset), at);
  }

  void finish_parts(reductions list) {
    put_together(list);
    text_.when(may_store_, [&] {
      for (const reduction_in_kernel &r : list)
        for (int k = 0; k < shape_.states(); ++k)
          copy_state(text_, r.bytes, partial(r, k, part_), r.states[std::size_t(k)]);
    });
    text_.line("fence syncscope(\"device\") acq_rel");
    text_.barrier();
    const std::string flag = text_.local_memory(local_bytes_ + 16);
    const std::string counter = text_.let("getelementptr i32, ptr {}, i64 {}", text_.counters(), text_.to_64(block_));
    const std::string flag_at = text_.let("getelementptr i8, ptr {}, i64 {}", flag, local_bytes_);
    const std::string leader = text_.let("icmp eq {} {}, 0", type(), item_);
    text_.when(leader, [&] {
      const std::string before = text_.let("atomicrmw add ptr {}, i32 1 syncscope(\"device\") acq_rel", counter);
      text_.line("store i32 {}, ptr {}, align 4", before, flag_at);
    });
    text_.barrier();
    const std::string done = text_.let("load i32, ptr {}, align 4", flag_at);
    std::string last_part = text_.number("last part", shape_.parts - 1);
    if (text_.wide()) last_part = text_.let("trunc i64 {} to i32", last_part);
    text_.when(text_.let("icmp eq i32 {}, {}", done, last_part), [&] {
      text_.line("fence syncscope(\"device\") acq_rel");
      for (const reduction_in_kernel &r : list) start(r);
      text_.loop(type(), along_reduced_, text_.number("parts", shape_.parts), constant(shape_.along_reduced),
                 [&](const std::string &part) {
                   for (const reduction_in_kernel &r : list)
                     for (int k = 0; k < shape_.states(); ++k) merge(r, r.states[std::size_t(k)], partial(r, k, part));
                 });
      local_in_use_ = true;
      put_together(list);
      text_.when(may_store_, [&] { store_kept(); });
      // for the next kernel
      text_.when(leader, [&] { text_.line("store i32 0, ptr {}, align 4", counter); });
    });
  }
};

}  // namespace

made_kernel make_reduction_kernel(const work &w, const kernel_pass &p, std::size_t workspace) {
  return reduction_kernel(w, p, workspace).make();
}

}  // namespace dpep::array::gpu
