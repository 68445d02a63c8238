// A generator of random programs in which all work-items of a group reach every barrier.
#pragma once

#include <random>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

class generator {
public:
  explicit generator(std::uint32_t seed) : random_(seed) {}

  program make() {
    program made;
    made.launch = make_launch();
    shape_ = made.launch;
    const unsigned kind = below(4);  // most have barriers
    if (made.launch.grouped && kind != 0)
      while (made.group_code.size() < 3) append(made.group_code, some({.convergent = true}, 4));
    if (made.group_code.empty() || kind == 3)
      while (made.item_code.size() < 2) append(made.item_code, some({.may_return = true}, 5));
    return made;
  }

private:
  /// The context of a statement.
  struct context {
    unsigned depth = 0, loops = 0;
    bool convergent = false;    // all work-items of the group run the statement
    bool may_return = false;    // no barrier follows
    bool uniform_loop = false;  // the enclosing loop is convergent
    bool counts = false;        // in the body of a histogram
  };

  shape make_launch() {
    shape made;
    made.grouped = below(4) != 0;
    made.sub_group_size = std::array{4u, 8u, 16u, 16u}[below(4)];
    if (made.grouped) {
      constexpr std::array<std::array<std::size_t, 3>, 14> sizes{{{5, 1, 1},
                                                                  {16, 1, 1},
                                                                  {2, 1, 1},
                                                                  {3, 4, 1},
                                                                  {32, 1, 1},
                                                                  {8, 4, 1},
                                                                  {4, 3, 2},
                                                                  {64, 1, 1},
                                                                  {33, 1, 1},
                                                                  {16, 2, 1},
                                                                  {20, 1, 1},
                                                                  {16, 2, 2},
                                                                  {96, 1, 1},
                                                                  {64, 2, 1}}};
      made.local = sizes[below(sizes.size())];
      made.dimensions = made.local[2] > 1 ? 3 : made.local[1] > 1 ? 2 : 1;
      made.groups[0] = 2 + below(2);
      if (made.dimensions > 1) made.groups[1] = 1 + below(2);
    } else {
      made.dimensions = 1 + below(3);
      for (unsigned d = 0; d < made.dimensions; ++d) made.groups[d] = 1 + below(d ? 5 : made.dimensions == 1 ? 90 : 40);
    }
    if (below(4) == 0)
      for (unsigned d = 0; d < made.dimensions; ++d) made.offset[d] = below(40);
    return made;
  }

  static void append(block &to, block more) {
    for (statement &each : more) to.push_back(std::move(each));
  }
  block some(const context &here, unsigned most = 0) {
    block made;
    for (unsigned n = 1 + below(most ? most : here.depth > 2 ? 2 : 4); n-- > 0;) made.push_back(one(here));
    return made;
  }
  context inside(context here, bool convergent) {
    ++here.depth;
    here.convergent &= convergent;
    return here;
  }

  statement one(const context &here) {
    statement made;
    const bool nested = here.depth < 4, meets = here.convergent && shape_.grouped;
    for (;;) switch (made.what = static_cast<action>(below(static_cast<unsigned>(action::count_local) + 1))) {
      case action::assign:
        made.number = below(variables.size());
        made.value = any(variables[made.number], here.loops, 3, false);
        return made;
      case action::assign_uniform:
        if (!here.convergent) continue;
        made.number = below(uniform_variables.size());
        made.value = any(uniform_variables[made.number], here.loops, 3, true);
        return made;
      case action::assign_array:
        made.number = below(arrays.size());
        made.value = any(arrays[made.number].of, here.loops, 2, false);
        made.index = any(type::i32, here.loops, 2, false);
        return made;
      case action::store:
        made.of = any_type();
        made.value = any(made.of, here.loops, 2, false);
        made.index = below(3) ? constant(type::i32, below(own_elements)) : any(type::i32, here.loops, 1, false);
        return made;
      case action::store_all:
        made.of = any_type();
        made.number = below(own_elements);
        made.value = any(made.of, here.loops, 2, false);
        return made;
      case action::store_pair:
        made.of = any_type();
        made.number = below(own_elements / 2);
        made.value = any(made.of, here.loops, 2, false);
        return made;
      case action::store_same:
        if (!here.convergent) continue;
        made.number = below(4);
        made.value = any(type::i32, here.loops, 2, true);
        return made;
      case action::branch:
        if (!nested) continue;
        made.uniform = here.convergent && below(2);
        made.value = any(any_type(), here.loops, 2, made.uniform);
        made.body = some(inside(here, made.uniform));
        if (below(2)) made.other = some(inside(here, made.uniform));
        return made;
      case action::branch_same:
        if (!nested || !meets) continue;
        made.uniform = true;
        made.number = 1u << below(4);
        made.body = some(inside(here, true));
        if (below(2)) made.other = some(inside(here, true));
        return made;
      case action::branch_ids:
        if (!nested) continue;
        made.number = below(id_tests);
        made.how = below(2);
        made.value = below(2) ? constant(type::i32, below(40)) : any(type::i32, here.loops, 1, true);
        made.body = some(inside(here, false));
        if (below(3) == 0) made.other = some(inside(here, false));
        return made;
      case action::choose:
        if (!nested || below(2)) continue;
        made.uniform = here.convergent && below(2);
        made.value = any(type::i32, here.loops, 2, made.uniform);
        for (unsigned n = 2 + below(3); n-- > 0;) {
          made.cases.emplace_back();
          if (below(5)) made.cases.back() = some(inside(here, made.uniform));
        }
        return made;
      case action::loop: {
        if (!nested || here.loops == most_loops) continue;
        made.uniform = here.convergent && below(3);
        made.number = here.loops;
        made.how = below(3);  // tested at the end, at the start, or at the start with another condition
        made.index = any(type::i32, here.loops, 2, made.uniform);
        if (made.how == 2) made.value = any(any_type(), here.loops + 1, 2, made.uniform);
        context within = inside(here, made.uniform);
        ++within.loops;
        within.uniform_loop = made.uniform;
        made.body = some(within);
        return made;
      }
      case action::break_loop:
      case action::continue_loop:
        if (!here.loops || here.convergent != here.uniform_loop || below(2)) continue;
        made.uniform = here.convergent;
        made.value = any(any_type(), here.loops, 2, here.convergent);
        return made;
      case action::return_item:
        if (below(here.convergent ? 6 : 3) || !(here.may_return || (here.convergent && here.depth < 3))) continue;
        made.uniform = here.convergent;
        made.value = any(type::i32, here.loops, 2, here.convergent);
        return made;
      case action::barrier:
        if (!meets) continue;
        return made;
      case action::exchange:
        if (!meets) continue;
        made.of = any_type();
        made.value = any(made.of, here.loops, 2, false);
        made.write = static_cast<local_index>(below(4));
        made.read = static_cast<local_index>(below(6));
        made.number = 1 + below(5);
        made.index = any(type::i32, here.loops, 1, false);
        return made;
      case action::leader:
      case action::tree:
      case action::scan:
      case action::scan_in_steps:
      case action::sort:
      case action::tiles:
      case action::call:
        if (!meets || below(2)) continue;
        made.of = made.what == action::tiles && below(2) ? type::f32 : type::i32;
        made.number = 1 + below(3);
        made.value = any(made.of, here.loops, 2, false);
        return made;
      case action::shuffle:
      case action::sub_group_exchange:
        if (!meets) continue;
        made.of = std::array{type::i32, type::f32, type::i64}[below(3)];
        made.value = any(made.of, here.loops, 2, false);
        made.read = static_cast<local_index>(below(6));
        made.number = 1 + below(5);
        made.index = any(type::i32, here.loops, 1, false);
        return made;
      case action::count:
        made.of = below(3) ? type::i32 : type::i64;
        made.how = below(atomic_names.size());
        made.value = any(made.of, here.loops, 1, false);
        made.index = below(3) ? any(type::i32, here.loops, 1, false) : constant(type::i32, below(bins));
        return made;
      case action::own_atomic:
      case action::own_compare_exchange:
        if (below(2)) continue;
        made.of = below(2) ? type::i32 : type::i64;
        made.how = below(atomic_names.size());
        made.number = below(own_elements);
        made.value = any(made.of, here.loops, 1, false);
        return made;
      case action::histogram: {
        if (!meets || !nested || below(2)) continue;
        made.how = below(atomic_names.size());
        context within = inside(here, false);
        within.counts = true;
        made.body = some(within);
        made.body.push_back(counting(here));
        made.index = any(type::i32, here.loops, 1, false);
        return made;
      }
      case action::count_local:
        if (!here.counts) continue;
        return counting(here);
      }
  }

  statement counting(const context &here) {
    statement made;
    made.what = action::count_local;
    made.value = any(type::i32, here.loops, 1, false);
    made.index = below(3) ? any(type::i32, here.loops, 1, false) : constant(type::i32, below(bins));
    return made;
  }

  expression any(type of, unsigned loops, unsigned depth, bool uniform) {
    expression made;
    made.of = of;
    if (depth == 0 || below(5) < 2) return leaf(of, loops, uniform);
    const auto operand = [&](type t) { made.operands.push_back(any(t, loops, depth - 1, uniform)); };
    switch (below(10)) {
    case 0:
      made.what = expression::kind::unary;
      made.how = is_float(of) ? std::array{0u, 4u, 5u, 6u}[below(4)] : below(of == type::i8 ? 3 : 4);
      operand(of);
      return made;
    case 1:
      made.what = expression::kind::select;
      operand(any_type());
      operand(of);
      operand(of);
      return made;
    case 2:
    case 3: {
      const type from = any_type();
      if (from == of) break;
      made.what = expression::kind::convert;
      operand(from);
      return made;
    }
    case 4: {
      if (is_float(of)) break;
      made.what = expression::kind::compare;
      made.how = below(3);
      const type compared = any_type();
      operand(compared);
      operand(compared);
      return made;
    }
    case 5:
      if (uniform || (of != type::i32 && of != type::f32)) break;
      made.what = expression::kind::vector;
      made.number = below(4);
      operand(of);
      return made;
    default:
      break;
    }
    made.what = expression::kind::binary;
    made.how = is_float(of) ? std::array{0u, 1u, 2u, 9u}[below(4)] : below(integer_binaries);
    operand(of);
    operand(of);
    return made;
  }

  expression leaf(type of, unsigned loops, bool uniform) {
    expression made;
    made.of = of;
    for (;;) {
      switch (made.what = static_cast<expression::kind>(below(8))) {
      case expression::kind::constant:
        return constant(of, below(6));
      case expression::kind::variable:
        if (uniform || !number_of(variables, of, made.number)) continue;
        return made;
      case expression::kind::uniform:
        if (!number_of(uniform_variables, of, made.number)) continue;
        return made;
      case expression::kind::counter:
        // The counter of a divergent loop is not uniform.
        if (loops == 0 || uniform || of != type::i32) continue;
        made.number = below(loops);
        return made;
      case expression::kind::id: {
        if (of != type::i32 && of != type::i64) continue;
        made.number = below(ids);
        const auto which = static_cast<id>(made.number);
        if (uniform && which != id::group && which != id::local_size) continue;
        if (uniform && !shape_.grouped && which == id::group) continue;
        return made;
      }
      case expression::kind::in: {
        made.number = below(8);
        made.how = uniform ? static_cast<unsigned>(input_index::same) : below(input_indices);
        const auto which = static_cast<input_index>(made.how);
        if (which == input_index::row && loops == 0) continue;
        if (which == input_index::row) made.number = below(loops);
        if (which == input_index::gathered) made.operands.push_back(any(type::i32, loops, 1, false));
        if (which == input_index::same) made.operands.push_back(any(type::i32, loops, 1, true));
        return made;
      }
      case expression::kind::out:
        if (uniform) continue;
        made.number = below(own_elements);
        return made;
      case expression::kind::array:
        if (uniform || !number_of_array(of, made.number)) continue;
        made.operands.push_back(any(type::i32, loops, 1, false));
        return made;
      default:
        break;
      }
    }
  }

  template <class List> bool number_of(const List &list, type of, std::uint32_t &number) {
    number = below(static_cast<std::uint32_t>(list.size()));
    for (std::size_t tried = 0; tried < list.size(); ++tried, number = (number + 1) % list.size())
      if (list[number] == of) return true;
    return false;
  }
  bool number_of_array(type of, std::uint32_t &number) {
    number = below(arrays.size());
    return arrays[number].of == of;
  }

  static expression constant(type of, std::uint32_t number) {
    expression made;
    made.of = of;
    made.number = number;
    return made;
  }
  type any_type() {
    // half the numbers are i32 and f32, as in most programs
    constexpr std::array often{type::i32, type::i32, type::i32, type::f32, type::f32};
    return below(2) ? often[below(often.size())] : all_types[below(all_types.size())];
  }
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  std::mt19937 random_;
  shape shape_;
};

}  // namespace dpep::test::random_program
