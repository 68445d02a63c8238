// Questions about the values of a cell.
#include "array/cpu/cell_value.hpp"

#include <array>
#include <span>

namespace dpep::array {

bool can_fuse(const schedule &s, const pass_value &i) {
  if (i.what != step::element || i.function || i.expands) return false;
  std::array<dtype, max_inputs> types{};
  for (std::size_t k = 0; k < i.inputs.size(); ++k) types[k] = s.work.code[i.inputs[k]].type;
  return can_fuse(i.code, std::span(types).first(i.inputs.size()), i.type);
}

}  // namespace dpep::array
