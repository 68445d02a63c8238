// Builds a compiled loop from calls: its inputs, its operations, and the results that must be stored.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/cell_code.hpp"
#include "array/cpu/operation_ir.hpp"

namespace dpep::array::loop_building {

inline constexpr std::size_t max_operations = 160;
// Of a chunk with repeated rows, which is unrolled: longer ones need more registers than there are.
inline constexpr std::int64_t max_chunk_vectors = 16, max_unrolled_vectors = 320;

/// The location of an operand of a call, in enough detail to decide whether two operands are the same value.
struct operand_location {
  address at;
  std::array<std::int64_t, 8> strides{};  // of the walks, innermost first
  bool one = false;                       // the same for the whole block
  friend bool operator==(const operand_location &a, const operand_location &b) {
    return a.at.base == b.at.base && a.at.offset == b.at.offset && a.one == b.one && a.strides == b.strides;
  }
};
inline constexpr std::size_t max_walks = std::tuple_size_v<decltype(operand_location::strides)>;

inline operand_location location_of(const cell_code &code, const call &c, std::size_t slot) {
  operand_location p{slot == 0 ? c.to : c.from[slot - 1]};
  for (std::uint16_t w = 0; w < c.walks; ++w) p.strides[w] = code.walks[std::size_t(c.first_walk + w)].strides[slot];
  p.one = slot >= 1 && c.forms[slot - 1] == blocks::form::one;
  return p;
}

inline bool can_join(const call &c) {
  return c.what == action::element && c.walks <= max_walks && c.count > 1 &&
         (c.function ? !c.function->native : can_fuse(c.code, std::span(c.types).first(c.inputs), c.type));
}

/// Whether processors have an instruction for an operation that is not cheap.
inline bool is_one_instruction(opcode code, dtype type) {
  const bool is_known = code == opcode::sqrt || code == opcode::divide || code == opcode::reciprocal;
  return is_known && (type == dtype::float32 || type == dtype::float64);
}

/// An operation and the locations of its operands and result.
struct located_operation {
  opcode code{};
  dtype type{};  // of the result
  std::array<dtype, max_inputs> types{};
  std::uint8_t inputs = 0;
  operand_location to;
  std::array<operand_location, max_inputs> from;
  std::optional<reduction> reduces = {};
  const user_function *function = nullptr;
};

/// Builds one loop, operation by operation.
class loop_builder {
public:
  loop_builder(const cell_code &code, std::size_t first, bool rows = false) : code_(code), first_(first), rows_(rows) {}

  /// Adds a call. False if the loop is full or the call cannot be part of it.
  bool add(const call &c) {
    located_operation o{c.code, c.type, c.types, c.inputs, location_of(code_, c, 0), {}, {}, c.function};
    for (std::uint8_t k = 0; k < c.inputs; ++k) o.from[k] = location_of(code_, c, k + 1u);
    if (!add_operation(o)) return false;
    ++calls_;
    return true;
  }
  /// Counts a call that needs no operation because the added operations replace it.
  void add_covered_call() { ++calls_; }
  /// Records that the value at `from` is also at `to`.
  void add_copy(const operand_location &to, const operand_location &from) {
    const auto made = std::ranges::find(stored_, from, &stored_value::where);
    if (made == stored_.end()) return;
    const std::uint16_t operation = made->operation;
    std::erase_if(stored_, [&](const stored_value &x) { return x.where == to; });
    stored_.push_back({to, operation, call_now()});
  }
  /// Adds an operation.
  bool add_operation(const located_operation &c) {
    if (operations_.size() == max_operations) return false;
    // A function of a function's result would have to wait for it: a processor does not look far enough ahead to work
    // on the next vectors meanwhile. Two loops are up to twice as fast. Square roots and divisions are one instruction
    // each: several of them may follow one another in a loop. Two expensive functions in one loop need more registers
    // than there are. Loops over rows are not cut, because a row stays in the cache only between the stages of one
    // loop.
    const bool waits = !rows_ && !c.reduces && !c.function && cost_of(c.code) != operation_cost::CHEAP;
    const latency own = !waits                               ? latency::low
                        : is_one_instruction(c.code, c.type) ? latency::instruction
                                                             : latency::function;
    const bool is_expensive = waits && cost_of(c.code) == operation_cost::EXPENSIVE;
    latency before = latency::low;
    for (const operand_location &from : std::span(c.from).first(c.inputs))
      if (const auto made = std::ranges::find(stored_, from, &stored_value::where); made != stored_.end())
        before = std::max(before, operations_[made->operation].longest);
    const bool waits_for_function =
        own != latency::low && before != latency::low && (own == latency::function || before == latency::function);
    if (waits_for_function || (is_expensive && has_expensive_)) return false;
    operation o{c.code, c.type, {}, c.inputs, c.reduces, c.function, std::max(own, before)};
    const std::size_t inputs_before = inputs_.size();
    for (std::uint8_t k = 0; k < c.inputs; ++k) {
      const operand_location &p = c.from[k];
      if (const auto made = std::ranges::find(stored_, p, &stored_value::where); made != stored_.end()) {
        o.operands[k] = {true, made->operation};
        continue;
      }
      auto input =
          std::ranges::find_if(inputs_, [&](const loop_input &s) { return s.where == p && s.type == c.types[k]; });
      // memory that the loop has overwritten cannot be an input
      if (input == inputs_.end()) {
        if (is_overwritten(p)) return inputs_.resize(inputs_before), false;
        input = inputs_.insert(inputs_.end(), {p, c.types[k], call_now()});
      }
      o.operands[k] = {false, std::uint16_t(input - inputs_.begin())};
    }
    const operand_location &to = c.to;
    // An input that is read from this location keeps its value, because each element is read before any is written. An
    // input with one element for the whole block would change during the loop; in loops over rows, each row has its
    // own.
    for (const loop_input &s : inputs_)
      if (!rows_ && s.where.one && may_overwrite(s.where, to)) return inputs_.resize(inputs_before), false;
    if (inputs_.size() > loop_call::max_addresses / 2) return inputs_.resize(inputs_before), false;
    std::erase_if(stored_, [&](const stored_value &x) { return x.where == to; });
    stored_.push_back({to, std::uint16_t(operations_.size()), call_now()});
    operations_.push_back(o);
    has_expensive_ |= is_expensive;
    return true;
  }
  std::size_t size() const { return operations_.size(); }
  bool has_result_at(const operand_location &p) const {
    return std::ranges::find(stored_, p, &stored_value::where) != stored_.end();
  }

  /// Builds the loop; nothing if it has no results or too many addresses. Results are the values that other calls may
  /// read and those in memory operands. `elements`: of each call; `walks`: the loops around each call.
  std::optional<loop_call> build(std::int64_t elements, std::span<const walk> walks) const {
    loop_call f;
    f.first = std::uint16_t(first_);
    f.count = std::uint16_t(calls_);
    f.elements = elements;
    for (const loop_input &s : inputs_) {
      f.description.inputs.push_back({s.type, s.where.one ? blocks::form::one : blocks::form::vector});
      f.addresses.push_back(s.where.at);
      f.calls.push_back(s.call);
    }
    const auto number = [&](const operand &x) {
      return std::uint16_t(x.is_result ? inputs_.size() + x.index : x.index);
    };
    for (const operation &o : operations_) {
      element_loop::operation &made = f.description.operations.emplace_back();
      made.code = o.code, made.type = o.type, made.count = o.count, made.reduces = o.reduces;
      made.function = ref<const user_function>::share(o.function);
      for (std::uint8_t k = 0; k < o.count; ++k) made.operands[k] = number(o.operands[k]);
    }
    std::vector<const operand_location *> locations;
    for (const loop_input &s : inputs_) locations.push_back(&s.where);
    for (const stored_value &x : stored_) {
      if (!is_read_outside(x.where)) continue;
      f.description.results.push_back(std::uint16_t(inputs_.size() + x.operation));
      f.addresses.push_back(x.where.at);
      f.calls.push_back(x.call);
      locations.push_back(&x.where);
    }
    f.item_per_element = has_item_per_element(f.description);
    if (!f.item_per_element && !rows_) find_repeated_rows(f, elements);
    if (f.description.results.empty() || f.addresses.size() > loop_call::max_addresses) return {};
    if (!has_no_partial_overlap(f.description, locations, elements, walks)) return {};
    for (std::size_t w = 0; w < walks.size(); ++w) {
      f.walks.push_back(walks[w].count);
      for (const operand_location *p : locations) f.strides.push_back(p->strides[w]);
    }
    return f;
  }

  /// As build(), for a loop over rows. The first stride of each location is the distance between rows.
  std::optional<loop_call> build_rows(std::int64_t row_length, std::int64_t rows) const {
    const walk over_rows{rows, {}};
    std::optional<loop_call> f = build(row_length, {&over_rows, 1});
    if (!f || f->addresses.size() > loop_call::max_addresses / 2) return {};
    f->description.row_length = row_length;
    f->item_per_element = false;
    f->elements = rows;
    f->walks.clear();
    return f;
  }

private:
  enum class latency : std::uint8_t { low, instruction, function };  // until the result of an operation is there
  struct operand {
    bool is_result;
    std::uint16_t index;
  };
  struct operation {
    opcode code;
    dtype type;
    std::array<operand, max_inputs> operands;
    std::uint8_t count;
    std::optional<reduction> reduces;
    const user_function *function;
    latency longest;  // of it and of the operations that it depends on
  };
  struct loop_input {
    operand_location where;
    dtype type;
    std::uint16_t call;  // the first call that reads it
  };
  struct stored_value {
    operand_location where;
    std::uint16_t operation;
    std::uint16_t call;  // the call that writes it
  };

  const cell_code &code_;
  const std::size_t first_;
  const bool rows_;  // form::one means one element for each row
  std::size_t calls_ = 0;
  bool has_expensive_ = false;  // contains an operation_cost::EXPENSIVE one
  std::vector<loop_input> inputs_;
  std::vector<operation> operations_;
  std::vector<stored_value> stored_;  // the values in memory after the operations so far

  std::uint16_t call_now() const { return std::uint16_t(first_ + calls_); }

  // Finds operands that are short rows, repeated along the block, if the loop divides by one: a division by the same
  // vectors in each chunk is a product.
  void find_repeated_rows(loop_call &f, std::int64_t elements) const {
    element_loop &loop = f.description;
    std::int64_t period = 1, widest = 1;
    for (std::size_t k = 0; k < loop.inputs.size(); ++k) {
      element_loop::input &i = loop.inputs[k];
      widest = std::max(widest, std::int64_t(size_of(i.type)));
      const auto repeats = std::ranges::find_if(code_.calls, [&](const call &c) {
        return c.what == action::repeat && c.to.base == f.addresses[k].base && c.to.offset == f.addresses[k].offset;
      });
      if (repeats == code_.calls.end() || i.form == blocks::form::one) continue;
      i.is_repeated = true;
      period = std::lcm(period, repeats->rows / std::int64_t(size_of(i.type)));
    }
    for (const element_loop::operation &o : loop.operations) widest = std::max(widest, std::int64_t(size_of(o.type)));
    const std::int64_t lanes = std::int64_t(blocks::vector_bytes()) / widest, chunk = std::lcm(period, lanes);
    const bool divides = std::ranges::any_of(loop.operations, [&](const element_loop::operation &o) {
      return o.code == opcode::divide && o.operands[1] < loop.inputs.size() && loop.inputs[o.operands[1]].is_repeated;
    });
    const std::int64_t vectors = chunk / lanes;
    // loops with calls are not unrolled
    if (divides && !has_calls(loop) && elements % chunk == 0 && vectors <= max_chunk_vectors &&
        std::int64_t(loop.operations.size()) * vectors <= max_unrolled_vectors)
      loop.chunk = chunk;
    else
      for (element_loop::input &i : loop.inputs) i.is_repeated = false;
  }
  // Memory operands may alias: a program that reads memory that it writes uses the same indices for both.
  bool is_overwritten(const operand_location &p) const {
    return std::ranges::any_of(stored_, [&](const stored_value &x) {
      return p.one && !rows_ ? may_overwrite(p, x.where)
                             : x.where.at.base == p.at.base && x.where.at.offset == p.at.offset;
    });
  }
  // Whether writing `to` may overwrite the element at `one`. A tile that begins behind it in scratch memory does not:
  // the ranges are compared when the loop is complete.
  static bool may_overwrite(const operand_location &one, const operand_location &to) {
    if (one.at.base != to.at.base) return false;
    return to.at.base != base_table::scratch || to.at.offset <= one.at.offset;
  }
  // Tiles reuse scratch memory of values that are no longer needed. The loop computes all operations of one element
  // before the next, so a result may have exactly the location of another operand or be disjoint from it, but not
  // overlap it partially.
  static bool has_no_partial_overlap(const element_loop &loop, const std::vector<const operand_location *> &locations,
                                     std::int64_t elements, std::span<const walk> walks) {
    struct range {
      std::int64_t first, last;
    };
    const auto bytes_of = [&](std::size_t k) {
      return std::int64_t(
          size_of(k < loop.inputs.size() ? loop.inputs[k].type : loop.type_of(loop.results[k - loop.inputs.size()])));
    };
    const auto range_of = [&](std::size_t k) {
      const operand_location &p = *locations[k];
      range r{p.at.offset, p.at.offset + (p.one ? 1 : elements) * bytes_of(k)};
      for (std::size_t w = 0; w < walks.size(); ++w) {
        const std::int64_t far = p.strides[w] * (walks[w].count - 1);
        (far < 0 ? r.first : r.last) += far;
      }
      return r;
    };
    for (std::size_t r = loop.inputs.size(); r < locations.size(); ++r)
      for (std::size_t k = 0; k < r; ++k) {
        if (locations[k]->at.base != locations[r]->at.base) continue;
        const bool same = *locations[k] == *locations[r] && bytes_of(k) == bytes_of(r);
        const range a = range_of(k), b = range_of(r);
        if (!same && a.first < b.last && b.first < a.last) return false;
      }
    return true;
  }
  /// Whether a call after the loop reads the value. Another value that is written to the same place ends its use: tiles
  /// share memory when their values are no longer needed.
  bool is_read_outside(const operand_location &p) const {
    if (p.at.base != base_table::scratch) return true;
    const auto is_there = [&](const address &a) { return a.base == p.at.base && a.offset == p.at.offset; };
    for (std::size_t c = first_ + calls_; c < code_.calls.size(); ++c) {
      const call &later = code_.calls[c];
      // the operands that the call has: the addresses of the others are those of the first tile
      const std::size_t operands = later.what == action::element ? later.inputs : later.what == action::gather ? 2 : 1;
      if (std::ranges::any_of(std::span(later.from).first(operands), is_there)) return true;
      if (is_there(later.to)) return false;
    }
    return false;
  }
};

}  // namespace dpep::array::loop_building
