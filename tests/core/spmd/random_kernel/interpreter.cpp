// The interpreter's statements, for one work-item and for a group.
#include "spmd/random_kernel/interpreter.hpp"

namespace dpep::test::random_program {
namespace {

bits updated(unsigned how, type of, bits old, bits x) {
  switch (how) {
  case 0:
    return apply(binary::add, of, old, x);
  case 1:
    return old ^ x;
  case 2:
    return old | x;
  case 3:
    return old & x;
  case 4:
    return std::max(old, x);
  case 5:
    return apply(binary::minimum, of, old, x);
  case 6:
    return apply(binary::sub, of, old, x);
  default:
    return std::min(old, x);
  }
}

}  // namespace

interpreter::interpreter(const program &program, data &data, std::size_t group)
    : program_(program), launch_(program.launch), data_(data), size_(launch_.group_size()), items_(size_) {
  const auto part = [](std::size_t linear, const std::array<std::size_t, 3> &sizes, unsigned d) {
    for (unsigned i = 0; i < d; ++i) linear /= sizes[i];
    return linear % sizes[d];
  };
  for (std::size_t l = 0; l < size_; ++l) {
    work_item &item = items_[l];
    std::array<std::size_t, 3> at{};
    for (unsigned d = 0; d < 3; ++d)
      at[d] = part(group, launch_.groups, d) * launch_.local[d] + part(l, launch_.local, d);
    const auto extent = [&](unsigned d) { return launch_.groups[d] * launch_.local[d]; };
    item.global = (at[2] * extent(1) + at[1]) * extent(0) + at[0];
    item.local = l;
    const std::size_t lanes = launch_.grouped ? std::min<std::size_t>(launch_.sub_group_size, size_) : 1;
    const std::size_t lane = l % lanes, rest = std::min(lanes, size_ - (l - lane));
    item.id = {item.global, l, group, size_, lane, rest, l / lanes, at[0] + launch_.offset[0]};
    for (std::size_t i = 0; i < variables.size(); ++i) item.v[i] = of_number(variables[i], i);
    for (std::size_t i = 0; i < uniform_variables.size(); ++i) item.u[i] = of_number(uniform_variables[i], i);
  }
}

void interpreter::run() {
  if (run_group(program_.group_code) == flow::return_item) return;
  for (work_item &item : items_)
    if (run_item(program_.item_code, item) != flow::return_item) finish(item);
}

void interpreter::finish(work_item &item) {
  std::size_t index = item.global * results;
  const auto keep = [&](type of, bits value) { std::memcpy(&data_.result[index++], &value, bytes_of(of)); };
  for (std::size_t i = 0; i < variables.size(); ++i) keep(variables[i], item.v[i]);
  for (std::size_t i = 0; i < uniform_variables.size(); ++i) keep(uniform_variables[i], item.u[i]);
  std::uint32_t integers = 0;
  double floats = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (unsigned j = 0; j < arrays[i].length; ++j) {
      const bits x = item.array[i][j];
      if (is_float(arrays[i].of))
        floats += from_bits<double>(converted(arrays[i].of, type::f64, x));
      else
        integers = integers * 31 + static_cast<std::uint32_t>(converted(arrays[i].of, type::i32, x));
    }
  keep(type::i32, integers);
  keep(type::f64, to_bits(floats));
}

bits interpreter::input(const expression &e, const work_item &item) const {
  const std::size_t g = item.global, c = e.number;
  const auto at = [&](std::size_t index) { return read(data_.in[static_cast<std::size_t>(e.of)], e.of, index); };
  switch (static_cast<input_index>(e.how)) {
  case input_index::own:
    return at(g);
  case input_index::strided2:
    return at(2 * g + c % 2);
  case input_index::strided3:
    return at(3 * g + c % 3);
  case input_index::strided4:
    return at(4 * g + c % 4);
  case input_index::ahead:
  case input_index::own_int:
    return at(g + c);
  case input_index::reversed:
    return at(launch_.items() - 1 - g);
  case input_index::flipped:
    return at(g ^ c);
  case input_index::row:
    return at(g + (item.counter[c] & 3) * launch_.items());
  case input_index::behind:
    return g >= c ? at(g - c) : of_number(e.of, 0);
  case input_index::gathered:
  case input_index::same:
    break;
  }
  return at(evaluate(e.operands[0], item) % 16);
}

bits interpreter::evaluate(const expression &e, const work_item &item) const {
  using kind = expression::kind;
  const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], item); };
  switch (e.what) {
  case kind::constant:
    return of_number(e.of, e.number);
  case kind::variable:
    return item.v[e.number];
  case kind::uniform:
    return item.u[e.number];
  case kind::counter:
    return item.counter[e.number];
  case kind::id: {
    // ids within sub-groups are i32, all others i64
    const auto which = static_cast<id>(e.number);
    const bool narrow = which == id::lane || which == id::sub_group_size || which == id::sub_group;
    return converted(narrow ? type::i32 : type::i64, e.of, item.id[e.number]);
  }
  case kind::in:
    return input(e, item);
  case kind::out:
    return read(data_.out[static_cast<std::size_t>(e.of)], e.of, item.global * own_elements + e.number);
  case kind::array:
    return item.array[e.number][operand(0) % arrays[e.number].length];
  case kind::unary:
    return apply(static_cast<unary>(e.how), e.of, operand(0));
  case kind::binary:
    return apply(static_cast<binary>(e.how), e.of, operand(0), operand(1));
  case kind::compare:
    return of_number(e.of, compares(e.how, e.operands[0].of, operand(0), operand(1)));
  case kind::select:
    return holds(e.operands[0], item) ? operand(1) : operand(2);
  case kind::convert:
    return converted(e.operands[0].of, e.of, operand(0));
  case kind::vector:
    return apply(binary::mul, e.of,
                 read(data_.in[static_cast<std::size_t>(e.of)], e.of, item.global * own_elements + e.number),
                 operand(0));
  }
  return 0;
}

flow interpreter::run_item(const block &body, work_item &item) {
  for (const statement &each : body)
    if (const flow next = run_item(each, item); next != flow::next) return next;
  return flow::next;
}

flow interpreter::run_item(const statement &s, work_item &item) {
  const auto own = [&](std::size_t i) { return item.global * own_elements + i; };
  const auto put = [&](std::size_t i, bits x) { write(data_.out[static_cast<std::size_t>(s.of)], s.of, own(i), x); };
  switch (s.what) {
  case action::assign:
    item.v[s.number] = evaluate(s.value, item);
    return flow::next;
  case action::assign_uniform:
    item.u[s.number] = evaluate(s.value, item);
    return flow::next;
  case action::assign_array: {
    const bits value = evaluate(s.value, item);
    item.array[s.number][evaluate(s.index, item) % arrays[s.number].length] = value;
    return flow::next;
  }
  case action::store:
    put(evaluate(s.index, item) % own_elements, evaluate(s.value, item));
    return flow::next;
  case action::store_all: {
    const bits value = evaluate(s.value, item);
    for (unsigned i = 0; i < own_elements; ++i) put(i, apply(binary::add, s.of, value, of_number(s.of, i)));
    return flow::next;
  }
  case action::store_pair: {
    const bits value = evaluate(s.value, item);
    put(std::size_t{2} * s.number, value);
    put(std::size_t{2} * s.number + 1, of_number(s.of, 1));
    return flow::next;
  }
  case action::store_same:
    data_.group_words[4 * item.id[static_cast<std::size_t>(id::group)] + s.number] =
        static_cast<std::uint32_t>(evaluate(s.value, item));
    return flow::next;
  case action::branch:
    return run_item(holds(s.value, item) ? s.body : s.other, item);
  case action::branch_ids:
    return run_item(passes(s, item) ? s.body : s.other, item);
  case action::choose: {
    const std::size_t which = case_of(s, evaluate(s.value, item));
    return which < s.cases.size() ? run_item(s.cases[which], item) : flow::next;
  }
  case action::loop:
    return run_item_loop(s, item);
  case action::break_loop:
    return holds(s.value, item) ? flow::break_loop : flow::next;
  case action::continue_loop:
    return holds(s.value, item) ? flow::continue_loop : flow::next;
  case action::return_item:
    return holds(s.value, item) ? flow::return_item : flow::next;
  case action::count:
  case action::own_atomic:
  case action::own_compare_exchange:
  case action::count_local:
    update(s, item);
    return flow::next;
  default:
    throw std::logic_error("a work-item of a random program diverges before a collective statement");
  }
}

bool interpreter::passes(const statement &s, const work_item &item) const {
  const std::size_t id = s.how ? item.global : item.local, bound = evaluate(s.value, item) % id_bound;
  switch (static_cast<id_test>(s.number)) {
  case id_test::below:
    return id < bound;
  case id_test::at_least:
    return id >= bound;
  case id_test::at_most:
    return id <= bound;
  case id_test::has_bits:
    return (id & bound) != 0;
  case id_test::lacks_bits:
    return (id & bound) == 0;
  case id_test::in_int:
    break;
  }
  return id > bound;
}

flow interpreter::run_item_loop(const statement &s, work_item &item) {
  const bits trips = evaluate(s.index, item) & 3;
  bits &counter = item.counter[s.number];
  for (counter = 0;; ++counter) {
    if (s.how != 0 && counter >= trips) break;
    if (s.how == 2 && holds(s.value, item)) break;
    const flow next = run_item(s.body, item);
    if (next == flow::return_item) return next;
    if (next == flow::break_loop) break;
    if (s.how == 0 && counter + 1 > trips) {
      ++counter;
      break;
    }
  }
  return flow::next;
}

flow interpreter::run_group(const block &body) {
  for (const statement &each : body)
    if (const flow next = run_group(each); next != flow::next) return next;
  return flow::next;
}

flow interpreter::run_group(const statement &s) {
  const auto if_uniform = [&](flow exit) {
    return uniform_value([&](const work_item &item) { return holds(s.value, item); }) ? exit : flow::next;
  };
  switch (s.what) {
  case action::branch:
    if (!s.uniform) break;
    return run_group(uniform_value([&](const work_item &item) { return holds(s.value, item); }) ? s.body : s.other);
  case action::branch_same:
    return run_group(uniform_value([&](const work_item &item) { return (data_.same[item.global] & s.number) != 0; })
                         ? s.body
                         : s.other);
  case action::choose: {
    if (!s.uniform) break;
    const std::size_t which = uniform_value([&](const work_item &item) { return case_of(s, evaluate(s.value, item)); });
    return which < s.cases.size() ? run_group(s.cases[which]) : flow::next;
  }
  case action::loop:
    if (!s.uniform) break;
    return run_group_loop(s);
  case action::break_loop:
    return if_uniform(flow::break_loop);
  case action::continue_loop:
    return if_uniform(flow::continue_loop);
  case action::return_item:
    return if_uniform(flow::return_item);
  case action::barrier:
    return flow::next;
  case action::exchange:
  case action::call:
  case action::leader:
  case action::tree:
  case action::scan:
  case action::scan_in_steps:
  case action::sort:
  case action::tiles:
  case action::shuffle:
  case action::sub_group_exchange:
  case action::histogram:
    run_collective(s);
    return flow::next;
  default:
    break;
  }
  for (work_item &item : items_) (void)run_item(s, item);
  return flow::next;
}

flow interpreter::run_group_loop(const statement &s) {
  const bits trips = uniform_value([&](const work_item &item) { return evaluate(s.index, item) & 3; });
  const auto set = [&](bits count) {
    for (work_item &item : items_) item.counter[s.number] = count;
  };
  set(0);
  for (bits count = 0;; set(++count)) {
    if (s.how != 0 && count >= trips) break;
    if (s.how == 2 && uniform_value([&](const work_item &item) { return holds(s.value, item); })) break;
    const flow next = run_group(s.body);
    if (next == flow::return_item) return next;
    if (next == flow::break_loop) break;
    if (s.how == 0 && count + 1 > trips) {
      set(count + 1);
      break;
    }
  }
  return flow::next;
}

std::size_t interpreter::taken_from(local_index how, const statement &s, const work_item &item, std::size_t own,
                                    std::size_t size) const {
  switch (how) {
  case local_index::own:
    return own;
  case local_index::reversed:
    return size - 1 - own;
  case local_index::flipped:
    return (own ^ s.number) < size ? own ^ s.number : own;
  case local_index::shifted:
    return (own + s.number) % size;
  case local_index::multiple:
    return own * s.number % size;
  case local_index::computed:
    break;
  }
  return evaluate(s.index, item) % size;
}

void interpreter::run_collective(const statement &s) {
  if (s.what == action::histogram) {
    bins_ = {};
    histogram_how_ = s.how;
    for (work_item &item : items_) (void)run_item(s.body, item);
    for (work_item &item : items_) item.v[1] = bins_[evaluate(s.index, item) % bins];
    return;
  }
  std::vector<bits> given;
  for (const work_item &item : items_) given.push_back(evaluate(s.value, item));
  std::vector<bits> slots(size_);
  for (const work_item &item : items_)
    slots[s.what == action::exchange ? taken_from(s.write, s, item, item.local, size_) : item.local] =
        given[item.local];
  if (s.what == action::tree)
    for (std::size_t half = size_ / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) slots[i] = apply(binary::add, type::i32, slots[i], slots[i + half]);
  if (s.what == action::sort) sort(slots);
  if (s.what == action::tiles) {
    multiply_tiles(s, given);
    return;
  }
  bits sum = 0;
  for (work_item &item : items_) {
    const std::size_t l = item.local, first = l - lane(item);
    switch (s.what) {
    case action::exchange:
      item.v[variable_of(s.of)] = slots[taken_from(s.read, s, item, l, size_)];
      break;
    case action::call:
      item.v[s.number % 3] = slots[(l + s.number) % size_];
      break;
    case action::tree:
      item.v[s.number % 3] = slots[0];
      break;
    case action::scan:
      item.v[s.number % 3] = sum;
      sum = apply(binary::add, type::i32, sum, given[l]);
      break;
    case action::scan_in_steps:
      sum = apply(binary::add, type::i32, sum, given[l]);
      item.v[s.number % 3] = sum;
      break;
    case action::sort:
      item.v[s.number % 3] = slots[l];
      break;
    case action::leader:
      sum = 0;
      for (const bits x : given) sum = apply(binary::add, type::i32, sum, x);
      item.v[s.number % 3] = sum;
      break;
    default: {
      const auto lanes = item.id[static_cast<std::size_t>(id::sub_group_size)];
      item.v[variable_of(s.of)] = slots[first + taken_from(s.read, s, item, lane(item), lanes)];
    }
    }
  }
}

// The result is sorted only if the size is a power of two.
void interpreter::sort(std::vector<bits> &slots) {
  for (std::size_t run = 2; run <= slots.size(); run *= 2)
    for (std::size_t distance = run / 2; distance > 0; distance /= 2)
      for (std::size_t low = 0; low < slots.size(); ++low) {
        const std::size_t high = low ^ distance;
        if (high < low || high >= slots.size()) continue;
        const bool in_order = !compares(1, type::i32, slots[high], slots[low]), up = (low & run) == 0;
        if (slots[low] != slots[high] && in_order != up) std::swap(slots[low], slots[high]);
      }
}

void interpreter::multiply_tiles(const statement &s, std::vector<bits> tile) {
  const std::size_t width = launch_.local[0], height = size_ / width;
  std::vector<bits> sums(size_);
  for (std::uint32_t t = 0; t < s.number; ++t) {
    for (const work_item &item : items_) {
      const std::size_t column = item.local % width, row = item.local - column;
      for (std::size_t k = 0; k < width; ++k) {
        const bits product = apply(binary::mul, s.of, tile[row + k], tile[k % height * width + column]);
        sums[item.local] = apply(binary::add, s.of, sums[item.local], product);
      }
    }
    for (bits &each : tile) each = apply(binary::add, s.of, each, of_number(s.of, 1));
  }
  for (work_item &item : items_) item.v[variable_of(s.of)] = sums[item.local];
}

void interpreter::update(const statement &s, work_item &item) {
  const bits x = evaluate(s.value, item);
  if (s.what == action::count) {
    const std::size_t bin = s.how * bins + evaluate(s.index, item) % bins;
    if (s.of == type::i32)
      data_.bins32[bin] = static_cast<std::uint32_t>(updated(s.how, s.of, data_.bins32[bin], x));
    else
      data_.bins64[bin] = updated(s.how, s.of, data_.bins64[bin], x);
    return;
  }
  if (s.what == action::count_local) {
    bits &bin = bins_[evaluate(s.index, item) % bins];
    bin = updated(histogram_how_, type::i32, bin, x);
    return;
  }
  auto &out = data_.out[static_cast<std::size_t>(s.of)];
  const std::size_t index = item.global * own_elements + s.number;
  const bits old = read(out, s.of, index);
  bits &result = item.v[variable_of(s.of)];
  if (s.what == action::own_atomic) {
    result = old;
    write(out, s.of, index, updated(s.how, s.of, old, x));
    return;
  }
  const bits expected = holds(s.value, item) ? old : x;
  if (expected == old) write(out, s.of, index, x);
  result = apply(binary::add, s.of, old, expected == old);
}

}  // namespace dpep::test::random_program
