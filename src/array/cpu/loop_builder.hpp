// Runs of element calls in the making: what they read, compute, and must leave behind.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "array/cpu/cell_code.hpp"
#include "array/cpu/find_loops.hpp"

namespace dpep::array::runs {

inline constexpr std::size_t most_operations = 48;

/// Where a call's operand lies, as far as it tells one value from another.
struct place {
  address at;
  /// The offset at which the tile begins: calls on the whole tile name this one. It differs from `at` in the rows of a
  /// call that was written out row by row.
  std::int64_t tile = at.offset;
  std::array<std::int64_t, 8> strides{};  // of the walks, innermost first
  bool one = false;                       // the same for the whole block
  friend bool operator==(const place &a, const place &b) {
    return a.at.base == b.at.base && a.at.offset == b.at.offset && a.one == b.one && a.strides == b.strides;
  }
};
inline constexpr std::size_t most_walks = std::tuple_size_v<decltype(place::strides)>;

inline place place_of(const cell_code &code, const call &c, std::size_t slot) {
  place p{slot == 0 ? c.to : c.from[slot - 1]};
  for (std::uint16_t w = 0; w < c.walks; ++w) p.strides[w] = code.walks[std::size_t(c.first_walk + w)].strides[slot];
  p.one = slot >= 1 && c.forms[slot - 1] == blocks::form::one;
  return p;
}

inline bool same_walks(const cell_code &code, const call &a, const call &b) {
  if (a.count != b.count || a.walks != b.walks) return false;
  for (std::uint16_t w = 0; w < a.walks; ++w)
    if (code.walks[std::size_t(a.first_walk + w)].count != code.walks[std::size_t(b.first_walk + w)].count)
      return false;
  return true;
}

inline bool joins(const call &c) {
  return c.what == action::element && c.walks <= most_walks && c.count > 1 &&
         (c.function || can_fuse(c.code, std::span(c.types).first(c.inputs), c.type));
}

/// An operation on what lies at some places.
struct placed_operation {
  opcode code{};
  dtype type{};  // of the result
  std::array<dtype, most_inputs> types{};
  std::uint8_t inputs = 0;
  place to;
  std::array<place, most_inputs> from;
  std::optional<reduction> reduces = {};
  const user_function *function = nullptr;
};

/// One run, growing operation by operation.
class run_maker {
public:
  run_maker(const cell_code &code, std::size_t first, bool rows = false) : code_(code), first_(first), rows_(rows) {}

  /// False when there is no more room.
  bool add(const call &c) {
    if (!add_operation(c, c.to.offset)) return false;
    ++calls_;
    return true;
  }
  /// A call of something else that the run does by the operations that were added.
  void add_consumed() { ++calls_; }
  /// What lies at `from` lies at `to`, too.
  void add_copy(const place &to, const place &from) {
    const auto made = std::ranges::find(current_, from, &current::where);
    if (made == current_.end()) return;
    const std::uint16_t operation = made->operation;
    std::erase_if(current_, [&](const current &x) { return x.where == to; });
    current_.push_back({to, operation, call_now()});
  }
  /// `tile`: where the tile begins that the call writes to.
  bool add_operation(const call &c, std::int64_t tile) {
    placed_operation o{c.code, c.type, c.types, c.inputs, place_of(code_, c, 0), {}, {}, c.function};
    o.to.tile = tile;
    for (std::uint8_t k = 0; k < c.inputs; ++k) o.from[k] = place_of(code_, c, k + 1u);
    return add_operation(o);
  }
  bool add_operation(const placed_operation &c) {
    if (operations_.size() == most_operations) return false;
    operation o{c.code, c.type, {}, c.inputs, c.reduces, c.function};
    const std::size_t inputs_before = inputs_.size();
    for (std::uint8_t k = 0; k < c.inputs; ++k) {
      const place &p = c.from[k];
      if (const auto made = std::ranges::find(current_, p, &current::where); made != current_.end()) {
        o.operands[k] = {true, made->operation};
        continue;
      }
      auto input = std::ranges::find_if(inputs_, [&](const source &s) { return s.where == p && s.type == c.types[k]; });
      // what the run has overwritten by now is no input any more
      if (input == inputs_.end()) {
        if (touched(p)) return inputs_.resize(inputs_before), false;
        input = inputs_.insert(inputs_.end(), {p, c.types[k], call_now()});
      }
      o.operands[k] = {false, std::uint16_t(input - inputs_.begin())};
    }
    const place &to = c.to;
    // an input that was already taken from there keeps its value: elements are read before any is written. One that
    // is the same for the whole block would change under way; of rows, each has its own.
    for (const source &s : inputs_)
      if (!rows_ && s.where.one && s.where.at.base == to.at.base) return inputs_.resize(inputs_before), false;
    if (inputs_.size() > fused_call::most_addresses / 2) return inputs_.resize(inputs_before), false;
    std::erase_if(current_, [&](const current &x) { return x.where == to; });
    current_.push_back({to, std::uint16_t(operations_.size()), call_now()});
    operations_.push_back(o);
    return true;
  }
  std::size_t size() const { return operations_.size(); }
  bool has_made(const place &p) const { return std::ranges::find(current_, p, &current::where) != current_.end(); }

  /// What is left: values that other calls may read, and those that are stored in memory.
  /// `elements` are those of a call; `walks` say how often it is repeated.
  std::optional<fused_call> finish(std::int64_t elements, std::span<const walk> walks) const {
    fused_call f;
    f.first = std::uint16_t(first_);
    f.count = std::uint16_t(calls_);
    f.elements = elements;
    for (const source &s : inputs_) {
      f.description.inputs.push_back({s.type, s.where.one ? blocks::form::one : blocks::form::vector});
      f.addresses.push_back(s.where.at);
      f.calls.push_back(s.call);
    }
    const auto number = [&](const operand &x) { return std::uint16_t(x.made ? inputs_.size() + x.index : x.index); };
    for (const operation &o : operations_) {
      element_run::operation &made = f.description.operations.emplace_back();
      made.code = o.code, made.type = o.type, made.count = o.count, made.reduces = o.reduces;
      made.function = ref<const user_function>::share(o.function);
      for (std::uint8_t k = 0; k < o.count; ++k) made.operands[k] = number(o.operands[k]);
    }
    std::vector<const place *> places;
    for (const source &s : inputs_) places.push_back(&s.where);
    for (const current &x : current_) {
      if (!is_read_elsewhere(x.where)) continue;
      f.description.results.push_back(std::uint16_t(inputs_.size() + x.operation));
      f.addresses.push_back(x.where.at);
      f.calls.push_back(x.call);
      places.push_back(&x.where);
    }
    f.by_elements = goes_by_items(f.description);
    if (f.description.results.empty() || f.addresses.size() > fused_call::most_addresses) return {};
    if (!keeps_to_itself(f.description, places, elements, walks)) return {};
    for (std::size_t w = 0; w < walks.size(); ++w) {
      f.walks.push_back(walks[w].count);
      for (const place *p : places) f.strides.push_back(p->strides[w]);
    }
    return f;
  }

  /// The same of a run over rows; each place's first stride leads from row to row.
  std::optional<fused_call> finish_rows(std::int64_t row, std::int64_t rows) const {
    const walk over_rows{rows, {}};
    std::optional<fused_call> f = finish(row, {&over_rows, 1});
    if (!f || f->addresses.size() > fused_call::most_addresses / 2) return {};
    f->description.row = row;
    f->by_elements = false;
    f->elements = rows;
    f->walks.clear();
    return f;
  }

private:
  struct operand {
    bool made;
    std::uint16_t index;
  };
  struct operation {
    opcode code;
    dtype type;
    std::array<operand, most_inputs> operands;
    std::uint8_t count;
    std::optional<reduction> reduces;
    const user_function *function;
  };
  struct source {
    place where;
    dtype type;
    std::uint16_t call;  // the first that reads it
  };
  struct current {
    place where;
    std::uint16_t operation;
    std::uint16_t call;  // that puts it there
  };

  const cell_code &code_;
  const std::size_t first_;
  const bool rows_;  // places that are one have one element for each row
  std::size_t calls_ = 0;
  std::vector<source> inputs_;
  std::vector<operation> operations_;
  std::vector<current> current_;  // what lies where after the operations so far

  std::uint16_t call_now() const { return std::uint16_t(first_ + calls_); }

  // Memory operands may alias: a program that reads what it writes does so at the same indices only.
  bool touched(const place &p) const {
    return std::ranges::any_of(current_, [&](const current &x) {
      return x.where.at.base == p.at.base && ((p.one && !rows_) || x.where.at.offset == p.at.offset);
    });
  }
  // Tiles share scratch memory when one of them is needed no more; the loop does all operations of one element, so
  // what it stores may lie exactly where it reads, or elsewhere, but not across.
  static bool keeps_to_itself(const element_run &run, const std::vector<const place *> &places, std::int64_t elements,
                              std::span<const walk> walks) {
    struct range {
      std::int64_t first, last;
    };
    const auto bytes_of = [&](std::size_t k) {
      return std::int64_t(
          size_of(k < run.inputs.size() ? run.inputs[k].type : run.type_of(run.results[k - run.inputs.size()])));
    };
    const auto range_of = [&](std::size_t k) {
      const place &p = *places[k];
      range r{p.at.offset, p.at.offset + (p.one ? 1 : elements) * bytes_of(k)};
      for (std::size_t w = 0; w < walks.size(); ++w) {
        const std::int64_t far = p.strides[w] * (walks[w].count - 1);
        (far < 0 ? r.first : r.last) += far;
      }
      return r;
    };
    for (std::size_t r = run.inputs.size(); r < places.size(); ++r)
      for (std::size_t k = 0; k < r; ++k) {
        if (places[k]->at.base != places[r]->at.base) continue;
        const bool same = *places[k] == *places[r] && bytes_of(k) == bytes_of(r);
        const range a = range_of(k), b = range_of(r);
        if (!same && a.first < b.last && b.first < a.last) return false;
      }
    return true;
  }
  bool is_read_elsewhere(const place &p) const {
    if (p.at.base != base_table::scratch) return true;
    for (std::size_t c = 0; c < code_.calls.size(); ++c) {
      if (c >= first_ && c < first_ + calls_) continue;
      const call &other = code_.calls[c];
      // reductions read their states, too
      if (other.what != action::element && other.to.base == p.at.base && other.to.offset == p.tile) return true;
      for (const address &a : other.from)
        if (a.base == p.at.base && a.offset == p.tile) return true;
    }
    return false;
  }
};

}  // namespace dpep::array::runs
