// Which kernels this processor runs, and finding them.
#include <cstdlib>
#include <cstring>

#include "array/blocks.hpp"
#include "array/blocks/kernels.hpp"

namespace dpep::array::blocks {
namespace {

constexpr std::size_t index(auto x) { return static_cast<std::size_t>(x); }

struct kernel_set {
  const char *name;
  std::array<element_list, index(family::special) + 1> elements;
  std::array<reducer_list, 5> reducers;
  const cast_kernels &casts;
  const select_kernels &selects;
  const memory_kernels &memory;
  const scan_kernels &scans;
};

#define DPEP_ELEMENTS(name) name##_elements,
#define DPEP_REDUCERS(name) name##_reducers,
#define DPEP_KERNEL_SET(isa)                                                                                           \
  kernel_set isa##_kernels() {                                                                                         \
    using namespace isa;                                                                                               \
    return {"x86-64-" #isa,                                                                                            \
            {{DPEP_ELEMENT_FAMILIES(DPEP_ELEMENTS)}},                                                                  \
            {{DPEP_REDUCER_FAMILIES(DPEP_REDUCERS)}},                                                                  \
            casts,                                                                                                     \
            selects,                                                                                                   \
            memory,                                                                                                    \
            scans};                                                                                                    \
  }
DPEP_KERNEL_SET(v2)
DPEP_KERNEL_SET(v3)
DPEP_KERNEL_SET(v4)

/// A name that is not a set's, or of one that the processor has not got, changes nothing.
kernel_set choose() {
  const bool has_v3 = __builtin_cpu_supports("x86-64-v3"), has_v4 = __builtin_cpu_supports("x86-64-v4");
  const char *const wanted = std::getenv("DPEP_ISA");
  const auto wants = [&](const char *name) { return wanted && std::strcmp(wanted, name) == 0; };
  if (wants("x86-64-v2") || !has_v3) return v2_kernels();
  if (wants("x86-64-v3") || !has_v4) return v3_kernels();
  return v4_kernels();
}

struct all_kernels {
  kernel_set set = choose();
  // by operation, the operands' type, and which operand is one element (0: neither, 1: the first, 2: the second)
  element_function elements[opcode_count][dtype_count][3] = {};
  // operands of different types
  struct mixed {
    opcode code;
    dtype first, second;
    element_function functions[3];
  };
  mixed mixtures[32] = {};
  std::size_t mixture_count = 0;
  const reducer *reducers[index(reduction::deviation) + 1][dtype_count] = {};

  static std::size_t form_index(form first, form second) {
    return first == form::one ? 1 : second == form::one ? 2 : 0;
  }

  all_kernels() {
    for (const element_list &list : set.elements)
      for (const element_entry &e : list) {
        const auto form = form_index(e.first_form, e.second_form);
        if (e.first == e.second)
          elements[index(e.code)][index(e.first)][form] = e.function;
        else
          mixture(e.code, e.first, e.second).functions[form] = e.function;
      }
    for (const reducer_list &list : set.reducers)
      for (std::size_t i = 0; i < list.count; ++i)
        reducers[index(list.entries[i].how)][index(list.entries[i].type)] = &list.entries[i].functions;
  }
  mixed &mixture(opcode code, dtype first, dtype second) {
    for (std::size_t i = 0; i < mixture_count; ++i)
      if (mixtures[i].code == code && mixtures[i].first == first && mixtures[i].second == second) return mixtures[i];
    mixtures[mixture_count] = {code, first, second, {}};
    return mixtures[mixture_count++];
  }
  element_function find(opcode code, dtype first, dtype second, std::size_t form) const {
    if (first == second) return elements[index(code)][index(first)][form];
    for (std::size_t i = 0; i < mixture_count; ++i)
      if (mixtures[i].code == code && mixtures[i].first == first && mixtures[i].second == second)
        return mixtures[i].functions[form];
    return nullptr;
  }
};

const all_kernels &kernels() noexcept {
  static const all_kernels all;
  return all;
}

constexpr std::size_t logarithm(std::size_t bytes) { return static_cast<std::size_t>(std::countr_zero(bytes)); }

numbers numbers_of(const scalar &x) noexcept {
  if (x.what == scalar::kind::real || x.what == scalar::kind::complex)
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(x.number.real())), x.number.real(), x.number.imag()};
  const auto integer = static_cast<std::uint64_t>(x.integer);
  return {integer, x.beyond_int64 ? static_cast<double>(integer) : static_cast<double>(x.integer), 0};
}

}  // namespace

element_function find(opcode code, const signature &types, form first, form second) noexcept {
  switch (code) {
  case opcode::cast:
    return find_cast(types.from[0], types.to);
  case opcode::where:
    return find_where(size_of(types.to));
  case opcode::clip:
    return find_clip(types.to);
  default:
    break;
  }
  const dtype other = types.inputs == 2 ? types.from[1] : types.from[0];
  return kernels().find(code, types.from[0], other, all_kernels::form_index(first, second));
}

bool has_form(opcode code, form first, form second) noexcept {
  if (first == form::vector && second == form::vector) return true;
  return info(code).inputs == 2 && is_cheap(code) && first != second;
}

element_function find_cast(dtype from, dtype to) noexcept {
  return kernels().set.casts.functions[index(from)][index(to)];
}
element_function find_where(std::size_t bytes) noexcept { return kernels().set.selects.where[logarithm(bytes)]; }
element_function find_clip(dtype t) noexcept { return kernels().set.selects.clip[index(t)]; }
copy_function find_copy(std::size_t bytes) noexcept { return kernels().set.memory.copy[logarithm(bytes)]; }
void stream(void *to, const void *from, std::size_t bytes) noexcept { kernels().set.memory.stream(to, from, bytes); }
void fill(void *to, const void *element, std::size_t element_bytes, std::size_t count) noexcept {
  kernels().set.memory.fill(to, element, element_bytes, count);
}
void iota(void *to, dtype t, const ramp &values, std::uint64_t first, std::size_t count) noexcept {
  kernels().set.memory.iota[index(t)](to, numbers_of(values.start), numbers_of(values.step), first, count);
}
const reducer *find_reducer(reduction how, dtype t) noexcept { return kernels().reducers[index(how)][index(t)]; }
scan_function find_scan(accumulation how, dtype t) noexcept {
  return kernels().set.scans.functions[index(how)][index(t)];
}
const char *instruction_set() noexcept { return kernels().set.name; }

}  // namespace dpep::array::blocks
