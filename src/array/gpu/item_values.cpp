// Generates the code that computes the values of a program for a work-item.
#include "array/gpu/item_values.hpp"

#include <algorithm>
#include <stdexcept>

#include "array/blocks/blocks.hpp"
#include "array/gpu/random_lanes.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t max_unrolled_steps = 96;  // the maximum of steps times lanes for unrolling an inner reduction

bool uses_positions(reduction how) { return how == reduction::argmax || how == reduction::argmin; }

}  // namespace

std::vector<interleaved_operands> find_interleaved(const program &code, std::span<std::byte *const> first) {
  constexpr std::size_t most = 4;
  std::vector<interleaved_operands> groups;
  if (std::ranges::count_if(code.memory, &memory_operand::written) < 2) return groups;
  for (std::size_t start = 0; start < first.size(); ++start) {
    const memory_operand &m = code.memory[start];
    if (!m.written) continue;
    const auto item = std::int64_t(size_of(m.type));
    interleaved_operands group{std::uint16_t(start)};
    for (std::size_t k = 0; k < first.size(); ++k) {  // operands are in no particular order
      const memory_operand &other = code.memory[k];
      if (!other.written || other.type != m.type || other.strides != m.strides ||
          first[k] != first[start] + std::int64_t(group.size()) * item)
        continue;
      group.push_back(std::uint16_t(k));
      k = std::size_t(-1);
    }
    const std::int64_t distance = std::int64_t(group.size()) * item;
    if (group.size() > 1 && group.size() <= most && std::ranges::find(m.strides, distance) != m.strides.end())
      groups.push_back(std::move(group));
  }
  return groups;
}

axis_set kernel_program::domain(value_id v) const noexcept {
  const instruction &i = code.code[v];
  axis_set axes = i.axes | i.over;
  for (const value_id input : i.inputs)
    if (input != no_value) axes = axes | code.code[input].axes;
  return axes;
}

std::int64_t kernel_program::count(axis_set axes) const noexcept {
  std::int64_t n = 1;
  for (int a = 0; a < code.axes(); ++a)
    if (axes.has(a)) n *= code.sizes[std::size_t(a)];
  return n;
}

bool vectors_fit(const kernel_program &w, std::uint16_t operand, int axis, std::int64_t bytes) {
  const memory_operand &m = w.code.memory[operand];
  if (m.strides[std::size_t(axis)] != std::int64_t(size_of(m.type))) return false;
  const std::int64_t wanted = std::min<std::int64_t>(bytes, 16);
  if (w.alignment[operand] % wanted) return false;
  for (std::size_t a = 0; a < m.strides.size(); ++a)
    if (int(a) != axis && m.strides[a] % wanted) return false;
  return true;
}

bool is_unrolled(const kernel_program &w, value_id v, int lanes) noexcept {
  const std::int64_t steps = w.count(w[v].over) * lanes;
  return steps <= max_unrolled_steps && double(steps) * w.step_milliseconds[v] <= max_compile_milliseconds / 2;
}

// -- States of reductions

std::string reducer_name(const kernel_program &w, value_id v) {
  return fmt::format("dpep_{}_{}", name_of(w[v].how), name_of(w[w[v].inputs[0]].type));
}
std::size_t state_bytes(reduction how, dtype input) {
  const std::size_t bytes = blocks::find_reducer(how, input)->state_bytes;
  return how == reduction::logsumexp ? 2 * bytes : bytes;  // elements::reductions::scaled_logsumexp
}
std::size_t state_bytes(const kernel_program &w, value_id v) { return state_bytes(w[v].how, w[w[v].inputs[0]].type); }
state_words words_of(std::size_t bytes) {
  if (bytes <= 8 && (bytes & (bytes - 1)) == 0) return {1, fmt::format("i{}", 8 * bytes), bytes};
  return {bytes / 8, "i64", 8};
}
void copy_state(kernel_text &text, std::size_t bytes, const std::string &to, const std::string &from,
                std::size_t multiple) {
  const state_words words = words_of(bytes);
  const std::size_t known = std::min<std::size_t>(multiple & -multiple, 16);
  for (std::size_t k = 0; k < words.count; ++k) {
    const auto word = [&](const std::string &p) {
      return k ? text.let("getelementptr i8, ptr {}, i64 {}", p, k * words.bytes) : p;
    };
    const std::size_t alignment = std::max(k ? 0 : known, words.bytes);
    const std::string value = text.let("load {}, ptr {}, align {}", words.type, word(from), alignment);
    text.line("store {} {}, ptr {}, align {}", words.type, value, word(to), alignment);
  }
}

// -- Addresses

std::string item_values::lane_index(int axis, int lane) {
  const std::string &i = at_.index[std::size_t(axis)];
  if (i.empty()) throw std::logic_error(fmt::format("kernel text: no index along axis {} at this point", axis));
  return lane && axis == at_.lane_axis ? text_.add(i, std::to_string(lane)) : i;
}

std::string item_values::address(std::uint16_t operand, int lane) {
  if (steps_ && lane == 0) {
    const auto known = addresses_.find(operand);
    if (known != addresses_.end() && !advanced_.contains(operand)) {
      advanced_.insert(operand);
      if (const std::int64_t stride = program_.code.memory[operand].strides[std::size_t(axis_)]) {
        const std::string step =
            text_.number_64(fmt::format("steps {} {} {}", operand, axis_, steps_), stride * steps_);
        known->second = text_.let("getelementptr i8, ptr {}, i64 {}", known->second, step);
      }
    }
    if (known != addresses_.end()) return known->second;
  }
  std::string found = computed_address(operand, lane);
  if (lane == 0) {
    addresses_[operand] = found;
    advanced_.insert(operand);
  }
  return found;
}

std::string item_values::computed_address(std::uint16_t operand, int lane) {
  const memory_operand &m = program_.code.memory[operand];
  std::string base = operand < program_.operands()
                         ? text_.memory(operand)
                         : text_.workspace(program_.temporaries[operand - program_.operands()]);
  axis_set along;
  for (int a = 0; a < program_.code.axes(); ++a) {
    const std::int64_t stride = m.strides[std::size_t(a)];
    if (!stride) continue;
    along = along | axis_set::of(a);
    const std::string index = text_.to_64(lane_index(a, lane));
    if (stride == std::int64_t(size_of(m.type))) {
      base = text_.let("getelementptr {}, ptr {}, i64 {}", ir_type(m.type), base, index);
      continue;
    }
    const std::string step = text_.number_64(fmt::format("stride {} {}", operand, a), stride);
    base = text_.let("getelementptr i8, ptr {}, i64 {}", base, text_.let("mul i64 {}, {}", index, step));
  }
  if (!at_.hidden_zero.empty() && (along & at_.hidden).empty())
    base = text_.let("getelementptr i8, ptr {}, i64 {}", base, at_.hidden_zero);
  return base;
}

unsigned item_values::alignment(std::uint16_t operand, std::int64_t bytes) const {
  const memory_operand &m = program_.code.memory[operand];
  std::int64_t all = std::int64_t(program_.alignment[operand]) | 16 | bytes;
  for (std::size_t a = 0; a < m.strides.size(); ++a)
    if (int(a) != at_.lane_axis || at_.lanes == 1) all |= m.strides[a];
  return unsigned(all & -all);
}

bool item_values::contiguous(std::uint16_t operand) const {
  const std::int64_t bytes = std::int64_t(size_of(program_.code.memory[operand].type)) * at_.lanes;
  return (at_.lanes & (at_.lanes - 1)) == 0 && vectors_fit(program_, operand, at_.lane_axis, bytes);
}

std::vector<std::string> item_values::load(std::uint16_t operand, bool always) {
  const memory_operand &m = program_.code.memory[operand];
  const std::string type = ir_type(m.type);
  const auto item = std::int64_t(size_of(m.type));
  const char *constant = always && !program_.aliased && !m.written ? ", !invariant.load !0" : "";
  if (at_.lanes == 1 || m.strides[std::size_t(at_.lane_axis)] == 0)
    return {text_.let("load {}, ptr {}, align {}{}", type, address(operand, 0), alignment(operand, item), constant)};
  std::vector<std::string> names;
  if (!contiguous(operand)) {
    for (int lane = 0; lane < at_.lanes; ++lane)
      names.push_back(text_.let("load {}, ptr {}, align {}{}", type, address(operand, lane),
                                std::min<std::int64_t>(item, std::int64_t(size_of(real_of(m.type)))), constant));
    return names;
  }
  const int each = int(std::min<std::int64_t>(at_.lanes, 16 / item));
  const std::string base = address(operand, 0);
  for (int lane = 0; lane < at_.lanes; lane += each) {
    const std::string from = lane ? text_.let("getelementptr {}, ptr {}, i64 {}", type, base, lane) : base;
    if (each == 1) {
      names.push_back(text_.let("load {}, ptr {}, align {}{}", type, from, item, constant));
      continue;
    }
    const std::string all = text_.let("load <{} x {}>, ptr {}, align {}{}", each, type, from, each * item, constant);
    for (int k = 0; k < each; ++k)
      names.push_back(text_.let("extractelement <{} x {}> {}, i32 {}", each, type, all, k));
  }
  return names;
}

void item_values::write(std::uint16_t operand, std::span<const std::string> names) {
  const memory_operand &m = program_.code.memory[operand];
  const std::string type = ir_type(m.type);
  const auto item = std::int64_t(size_of(m.type));
  const auto name = [&](int lane) -> const std::string & { return names[names.size() == 1 ? 0 : std::size_t(lane)]; };
  if (at_.lanes == 1 || m.strides[std::size_t(at_.lane_axis)] == 0)
    return text_.line("store {} {}, ptr {}, align {}", type, name(0), address(operand, 0), alignment(operand, item));
  if (!contiguous(operand)) {
    for (int lane = 0; lane < at_.lanes; ++lane)
      text_.line("store {} {}, ptr {}, align {}", type, name(lane), address(operand, lane),
                 std::min<std::int64_t>(item, std::int64_t(size_of(real_of(m.type)))));
    return;
  }
  const int each = int(std::min<std::int64_t>(at_.lanes, 16 / item));
  const std::string base = address(operand, 0);
  for (int lane = 0; lane < at_.lanes; lane += each) {
    const std::string to = lane ? text_.let("getelementptr {}, ptr {}, i64 {}", type, base, lane) : base;
    if (each == 1) {
      text_.line("store {} {}, ptr {}, align {}", type, name(lane), to, item);
      continue;
    }
    std::string all = "poison";
    for (int k = 0; k < each; ++k)
      all = text_.let("insertelement <{} x {}> {}, {} {}, i32 {}", each, type, all, type, name(lane + k), k);
    text_.line("store <{} x {}> {}, ptr {}, align {}", each, type, all, to, each * item);
  }
}

// -- Values

std::span<const std::string> item_values::of(value_id v) {
  if (!slot(v).empty()) return slot(v);
  const instruction &i = program_[v];
  std::vector<std::string> names;
  if (program_.temporary_of[v] != kernel_program::no_operand) {
    names = load(program_.temporary_of[v], false);
  } else {
    switch (i.what) {
    case step::load:
      names = load(i.operand, true);
      break;
    case step::scalar:
      names = {text_.scalar(i.operand, i.type)};
      break;
    case step::iota:
      names = ramp(v);
      break;
    case step::gather:
      names = gather(v);
      break;
    case step::element:
      names = element(v);
      break;
    case step::reduce:
      names = reduction_of(v);
      break;
    case step::store:
      break;
    }
  }
  return slot(v) = std::move(names);
}

void item_values::emit_loads(value_id v) {
  if (!slot(v).empty()) return;
  loads_emitted_.resize(program_.code.code.size());
  if (loads_emitted_[v]) return;  // shared inputs are visited once
  loads_emitted_[v] = true;
  const instruction &i = program_[v];
  if (i.what == step::load || program_.temporary_of[v] != kernel_program::no_operand) return static_cast<void>(of(v));
  if (i.what == step::reduce) return;  // its loads are in its own loop
  for (const value_id input : i.inputs)
    if (input != no_value) emit_loads(input);
}

std::vector<std::string> item_values::gather(value_id v) {
  const instruction &i = program_[v];
  const memory_operand &m = program_.code.memory[i.operand];
  const std::string type = ir_type(m.type);
  const char *constant = !program_.aliased && !m.written ? ", !invariant.load !0" : "";
  const bool moves = at_.lanes > 1 && m.strides[std::size_t(at_.lane_axis)] != 0;
  static_cast<void>(of(i.inputs[0]));
  const int lanes = moves || slot(i.inputs[0]).size() > 1 ? at_.lanes : 1;
  std::vector<std::string> names;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::string base = address(i.operand, moves ? lane : 0);
    const std::string from = text_.let("getelementptr {}, ptr {}, i64 {}", type, base, of(i.inputs[0], lane));
    names.push_back(text_.let("load {}, ptr {}, align {}{}", type, from, size_of(real_of(m.type)), constant));
  }
  return names;
}

std::vector<std::string> item_values::element(value_id v) {
  const instruction &i = program_[v];
  std::vector<dtype> types;
  std::vector<std::span<const std::string>> inputs;
  std::size_t lanes = 1;
  for (const value_id input : i.inputs) {
    if (input == no_value) continue;
    static_cast<void>(of(input));
    types.push_back(program_[input].type);
  }
  for (const value_id input : i.inputs) {
    if (input == no_value) continue;
    inputs.push_back(of(input));
    lanes = std::max(lanes, inputs.back().size());
  }
  if (i.function && is_block_of_random_numbers(v)) return random_numbers(*i.function, inputs);
  std::vector<std::string> names;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<std::string> operands;
    for (const auto &input : inputs) operands.push_back(input[input.size() == 1 ? 0 : lane]);
    names.push_back(i.function ? text_.function(*i.function, operands)
                               : text_.operation(i.code, i.type, types, operands));
  }
  return names;
}

/// Whether the lanes of a random function are adjacent elements, whole blocks of them.
bool item_values::is_block_of_random_numbers(value_id v) const {
  const instruction &i = program_[v];
  const int in_block = numbers_in_block(*i.function);
  if (in_block == 0 || at_.lanes < in_block || at_.lanes % in_block) return false;
  const value_id index = i.inputs[0];
  const auto is_uniform = [&](value_id input) { return input == no_value || names_[input].size() == 1; };
  return program_[index].what == step::iota && program_.temporary_of[index] == kernel_program::no_operand &&
         program_.code.positions[index][std::size_t(at_.lane_axis)] == 1 &&
         std::all_of(i.inputs.begin() + 1, i.inputs.end(), is_uniform);
}

std::vector<std::string> item_values::random_numbers(const user_function &f,
                                                     std::span<const std::span<const std::string>> inputs) {
  const int in_block = numbers_in_block(f);
  const std::string type = ir_type(f.to), to = text_.variable(fmt::format("[{} x {}]", in_block, type), 16);
  std::vector<std::string> names;
  for (int first = 0; first < at_.lanes; first += in_block) {
    std::string types = "ptr", arguments = "ptr " + to;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      types += fmt::format(", {}", ir_type(f.from[k]));
      arguments += fmt::format(", {} {}", ir_type(f.from[k]), inputs[k][k == 0 ? std::size_t(first) : 0]);
    }
    text_.call(f.symbol + "_adjacent", types, arguments);
    for (int lane = 0; lane < in_block; ++lane)
      names.push_back(
          text_.let("load {}, ptr {}", type, text_.let("getelementptr {}, ptr {}, i64 {}", type, to, lane)));
  }
  return names;
}

std::string item_values::position(std::span<const std::int64_t> strides, value_id v, int lane) {
  std::string sum;
  for (int a = 0; a < program_.code.axes(); ++a) {
    const std::int64_t stride = strides[std::size_t(a)];
    if (!stride || at_.index[std::size_t(a)].empty()) continue;
    std::string term = text_.to_64(lane_index(a, lane));
    if (stride != 1)
      term = text_.let("mul i64 {}, {}", term, text_.number_64(fmt::format("position {} {}", v, a), stride));
    sum = sum.empty() ? term : text_.let("add i64 {}, {}", sum, term);
  }
  return sum.empty() ? "0" : sum;
}

std::vector<std::string> item_values::ramp(value_id v) {
  const instruction &i = program_[v];
  const std::string numbers = text_.ramp(i.operand), to = text_.variable(ir_type(i.type), 16);
  const std::string start = text_.let("load i64, ptr {}, align 8", numbers);
  const std::string second = text_.let("getelementptr i8, ptr {}, i64 8", numbers);
  const std::string step = text_.let("load i64, ptr {}, align 8", second);
  const std::string parts = text_.let("getelementptr i8, ptr {}, i64 16", numbers);
  std::vector<std::string> names;
  const auto &strides = program_.code.positions[v];
  const bool along = at_.lanes > 1 && strides[std::size_t(at_.lane_axis)] != 0;
  for (int lane = 0; lane < (along ? at_.lanes : 1); ++lane) {
    text_.call(
        fmt::format("dpep_ramp_{}", name_of(i.type)), "ptr, i64, i64, ptr, i64",
        fmt::format("ptr {}, i64 {}, i64 {}, ptr {}, i64 {}", to, start, step, parts, position(strides, v, lane)));
    names.push_back(text_.let("load {}, ptr {}", ir_type(i.type), to));
  }
  return names;
}

/// Whether there is an index for each of these axes. Axes of a reduction have indices only inside its own loop.
bool item_values::has_indices_for(axis_set axes) const {
  for (int a = 0; a < program_.code.axes(); ++a)
    if (axes.has(a) && at_.index[std::size_t(a)].empty()) return false;
  return true;
}

/// Computes the inputs of `v` that do not vary along the inner axes, outside of their loops.
void item_values::hoist(value_id v, axis_set inner) {
  std::vector<bool> visited(program_.code.code.size());
  hoist(v, inner, visited);
}
void item_values::hoist(value_id v, axis_set inner, std::vector<bool> &visited) {
  if (visited[v]) return;
  visited[v] = true;
  const instruction &i = program_[v];
  const bool kept = program_.temporary_of[v] != kernel_program::no_operand;
  const bool outside = (i.axes & inner).empty() && (kept || (i.over & inner).empty()) && has_indices_for(i.axes);
  if (outside) return static_cast<void>(of(v));
  if (kept || i.what == step::load || i.what == step::iota) return;
  for (const value_id input : i.inputs)
    if (input != no_value) hoist(input, inner, visited);
}

/// A reduction over few elements, computed by the work-item.
std::vector<std::string> item_values::reduction_of(value_id v) {
  const instruction &i = program_[v];
  const value_id input = i.inputs[0];
  const std::string name = reducer_name(program_, v);
  const std::size_t bytes = state_bytes(program_, v);
  const bool along = varies(i.axes);
  const int lanes = along ? at_.lanes : 1;
  hoist(input, i.over);
  std::vector<std::string> states;
  for (int lane = 0; lane < lanes; ++lane) {
    states.push_back(text_.variable(fmt::format("[{} x i8]", bytes), 16));
    text_.call(name + "_start", "ptr", "ptr " + states.back());
  }
  std::vector<int> axes;
  for (int a = 0; a < program_.code.axes(); ++a)
    if (i.over.has(a)) axes.push_back(a);
  const std::string element = text_.variable(ir_type(program_[input].type), 16);
  const auto take = [&](const iteration_point &inside) {
    item_values inner(*this, inside, i.over);
    for (int lane = 0; lane < lanes; ++lane) {
      text_.line("store {} {}, ptr {}", ir_type(program_[input].type), inner.of(input, lane), element);
      const std::string at = uses_positions(i.how) ? inner.position(program_.code.positions[v], v, lane) : "0";
      text_.call(name + "_take", "ptr, ptr, i64",
                 fmt::format("ptr {}, ptr {}, i64 {}", states[std::size_t(lane)], element, at));
    }
  };
  const bool unrolled = is_unrolled(program_, v, lanes);
  const auto walk = [&](auto &self, iteration_point inside, std::size_t k) -> void {
    if (k == axes.size()) return take(inside);
    const std::int64_t size = program_.code.sizes[std::size_t(axes[k])];
    std::string &index = inside.index[std::size_t(axes[k])];
    if (unrolled) {
      for (std::int64_t n = 0; n < size; ++n) {
        index = std::to_string(n);
        self(self, inside, k + 1);
      }
    } else {
      text_.loop(text_.index_type(), "0", text_.number(fmt::format("size {}", axes[k]), size), "1",
                 [&](const std::string &n) {
                   index = n;
                   self(self, inside, k + 1);
                 });
    }
  };
  walk(walk, at_, 0);
  std::vector<std::string> names;
  const std::string result = text_.variable(ir_type(i.type), 16);
  for (int lane = 0; lane < lanes; ++lane) {
    text_.call(name + "_result", "ptr, ptr", fmt::format("ptr {}, ptr {}", result, states[std::size_t(lane)]));
    names.push_back(text_.let("load {}, ptr {}", ir_type(i.type), result));
  }
  return names;
}

void item_values::store(value_id s) {
  const instruction &i = program_[s];
  write(i.operand, of(i.inputs[0]));
}

void item_values::store_interleaved(std::span<const value_id> stores) {
  const std::uint16_t first = program_[stores[0]].operand;
  const memory_operand &m = program_.code.memory[first];
  const std::string type = ir_type(m.type);
  const auto item = std::int64_t(size_of(m.type)), count = std::int64_t(stores.size()), all = count * at_.lanes;
  std::int64_t multiple = std::int64_t(program_.alignment[first]) | 16 | all * item;
  for (std::size_t a = 0; a < m.strides.size(); ++a)
    if (int(a) != at_.lane_axis) multiple |= m.strides[a];
  const std::int64_t bytes = multiple & -multiple, each = std::max<std::int64_t>(bytes / item, 1);
  const std::string base = address(first, 0);
  for (std::int64_t k = 0; k < all; k += each) {
    const std::string to = k ? text_.let("getelementptr {}, ptr {}, i64 {}", type, base, k) : base;
    const auto element = [&](std::int64_t i) {
      return of(program_[stores[std::size_t(i % count)]].inputs[0], int(i / count));
    };
    if (each == 1) {
      text_.line("store {} {}, ptr {}, align {}", type, element(k), to, std::min(bytes, item));
      continue;
    }
    std::string vector = "poison";
    for (std::int64_t i = 0; i < each; ++i)
      vector = text_.let("insertelement <{} x {}> {}, {} {}, i32 {}", each, type, vector, type, element(k + i), i);
    text_.line("store <{} x {}> {}, ptr {}, align {}", each, type, vector, to, bytes);
  }
}

void item_values::store_temporary(value_id v, std::uint16_t operand) {
  const std::vector<std::string> names = slot(v);
  write(operand, names);
}

}  // namespace dpep::array::gpu
