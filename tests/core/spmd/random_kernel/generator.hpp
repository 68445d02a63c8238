// Makes random programs in which work-items meet at every barrier.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

class generator {
public:
  explicit generator(std::uint32_t seed) : random_(seed) {}

  std::vector<statement> block(unsigned depth, bool together, unsigned loops) {
    std::vector<statement> made;
    for (unsigned n = 1 + below(depth > 2 ? 2 : 5); n-- > 0;) made.push_back(one(depth, together, loops));
    return made;
  }

private:
  statement one(unsigned depth, bool together, unsigned loops) {
    statement made;
    made.number = below(variables);
    const bool nested = depth < 4;
    for (;;) switch (below(14)) {
      case 0:
      case 1:
      case 2:
        made.value = any(loops, 3, false);
        return made;
      case 3:
        if (!together) continue;
        made.what = action::assign_uniform;
        made.number = below(uniform_variables);
        made.value = any(loops, 3, true);
        return made;
      case 4:
        made.what = action::assign_array;
        made.trips = any(loops, 2, false);
        made.value = any(loops, 2, false);
        return made;
      case 5:
      case 6: {
        if (!nested) continue;
        const bool uniform = together && below(2);
        made.what = action::branch;
        made.value = any(loops, 2, uniform);
        made.body = block(depth + 1, uniform, loops);
        if (below(2)) made.other = block(depth + 1, uniform, loops);
        return made;
      }
      case 7:
        if (!nested || !together) continue;
        made.what = action::branch_same;
        made.number = 1u << below(4);
        made.body = block(depth + 1, true, loops);
        if (below(2)) made.other = block(depth + 1, true, loops);
        return made;
      case 8:
      case 9: {
        if (!nested || loops == 3) continue;
        const bool uniform = together && below(3);
        made.what = action::loop;
        made.uniform = uniform;
        made.trips = any(loops, 2, uniform);
        if (below(3) == 0) {
          made.value = any(loops + 1, 2, uniform);
        } else {
          made.value = expression{};
        }
        made.body = block(depth + 1, uniform, loops + 1);
        return made;
      }
      case 10:
        if (!together) continue;
        made.what = action::barrier;
        return made;
      case 11:
      case 12:
        if (!together) continue;
        made.what = std::array{action::exchange, action::call, action::leader}[below(3)];
        made.value = any(loops, 3, false);
        made.trips = constant(1 + below(3));
        return made;
      case 13:
        if (!together || depth > 2 || below(4)) continue;
        made.what = action::leave;
        made.value = any(loops, 2, true);
        return made;
      }
  }

  expression any(unsigned loops, unsigned depth, bool uniform) {
    if (depth > 0 && below(3)) {
      expression made;
      made.is_leaf = false;
      made.how = static_cast<operation>(below(8));
      made.operands.push_back(any(loops, depth - 1, uniform));
      made.operands.push_back(made.how == operation::shift ? constant(below(8)) : any(loops, depth - 1, uniform));
      return made;
    }
    expression made;
    for (;;) {
      made.kind = static_cast<leaf>(below(11));
      switch (made.kind) {
      case leaf::constant:
        return constant(below(6));
      case leaf::counter:
        // Counters of loops that work-items run differently often aren't uniform.
        if (loops == 0 || uniform) continue;
        made.number = below(loops);
        return made;
      case leaf::uniform_variable:
        made.number = below(uniform_variables);
        return made;
      case leaf::table:
        made.operands.push_back(any(loops, 1, uniform));
        return made;
      case leaf::group_id:
      case leaf::local_size:
        return made;
      default:
        break;
      }
      if (uniform) continue;
      made.number = below(variables);
      if (made.kind == leaf::array) made.operands.push_back(any(loops, 1, false));
      return made;
    }
  }

  expression constant(std::uint32_t value) {
    expression made;
    made.number = value;
    return made;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  std::mt19937 random_;
};

}  // namespace dpep::test::random_program
