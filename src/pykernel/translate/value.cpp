// The machine scalars of values.
#include "pykernel/translate/value.hpp"

namespace dpep::pykernel {

machine_type machine_type_of(dtype t) {
  switch (t) {
  case dtype::boolean:
    return machine_type::i1;
  case dtype::int8:
  case dtype::uint8:
    return machine_type::i8;
  case dtype::int16:
  case dtype::uint16:
    return machine_type::i16;
  case dtype::int32:
  case dtype::uint32:
    return machine_type::i32;
  case dtype::int64:
  case dtype::uint64:
    return machine_type::i64;
  case dtype::float16:
    return machine_type::f16;
  case dtype::float32:
  case dtype::complex64:
    return machine_type::f32;
  case dtype::float64:
  case dtype::complex128:
    break;
  }
  return machine_type::f64;
}

machine_type memory_type_of(dtype t) { return t == dtype::boolean ? machine_type::i8 : machine_type_of(t); }

std::vector<machine_type> machine_types_of(type t) {
  using kind = type_properties::kind;
  std::vector<machine_type> list;
  switch (t->what) {
  case kind::scalar:
    list.assign(std::size_t(parts_of(t->element)), machine_type_of(t->element));
    break;
  case kind::array:
    list.push_back(machine_type::pointer);
    list.insert(list.end(), std::size_t(t->dimensions) * (t->layout == 'A' ? 2 : 1), machine_type::i64);
    break;
  case kind::atomic:
  case kind::reduction:
    list.push_back(machine_type::pointer);
    break;
  case kind::tuple:
    for (type m : t->members)
      for (machine_type x : machine_types_of(m)) list.push_back(x);
    break;
  default:
    break;
  }
  return list;
}

void append_parts(const value &v, std::vector<node> &to) {
  to.insert(to.end(), v.parts.begin(), v.parts.end());
  for (const value &m : v.members) append_parts(m, to);
}

value value_of(type t, const node *&parts) {
  value v{.of = t};
  if (is_tuple(t)) {
    for (type m : t->members) v.members.push_back(value_of(m, parts));
    return v;
  }
  const std::size_t count = machine_types_of(t).size();
  v.parts.assign(parts, parts + count);
  parts += count;
  return v;
}

}  // namespace dpep::pykernel
