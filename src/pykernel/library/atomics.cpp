// Atomic operations: kernel_api's AtomicRef, and the older functions.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

struct row {
  std::string_view method;
  const char *integer, *natural, *real;  // the operation for signed, unsigned, floating; null: there is none
};
constexpr std::array rows{
    row{"fetch_add", "add", "add", "fadd"},  row{"fetch_sub", "sub", "sub", "fsub"},
    row{"fetch_min", "min", "umin", "fmin"}, row{"fetch_max", "max", "umax", "fmax"},
    row{"fetch_and", "and", "and", nullptr}, row{"fetch_or", "or", "or", nullptr},
    row{"fetch_xor", "xor", "xor", nullptr}, row{"exchange", "xchg", "xchg", "xchg"},
    row{"store", "store", "store", "store"}, row{"load", "load", "load", "load"},
};

/// Of a reference's operations, which is its text.
memory_ordering ordering_of(const value &reference) {
  return reference.text.empty() ? memory_ordering() : memory_ordering::of(std::stoi(reference.text));
}

}  // namespace

memory_ordering translator::known_ordering(const value *order, const value *scope, const expression &at) {
  memory_ordering result;
  if (order) result.order = known_integer(*order, at, "memory_order");
  if (scope) result.scope = known_integer(*scope, at, "memory_scope");
  // MemoryOrder's and MemoryScope's values
  if (result.order < 0 || result.order > 5 || result.order == 2)
    fail(mistake::typing, at, fmt::format("there is no memory order {} for kernels", result.order));
  if (result.scope < 0 || result.scope > 4)
    fail(mistake::typing, at, fmt::format("there is no memory scope {}", result.scope));
  return result;
}

/// The barrier by itself orders memory for the group.
void translator::barrier(bool sub_group, const value *scope, const expression &at) {
  memory_ordering ordering{.order = 4, .scope = sub_group ? 1 : 2};
  const std::int64_t own = ordering.scope;
  if (scope) ordering.scope = known_ordering(nullptr, scope, at).scope;
  const bool wider = ordering.scope > own;
  if (wider) b.fence(ordering);
  b.call(machine::none, sub_group ? "__dpep_sub_group_barrier" : "__dpep_group_barrier", {});
  if (wider) b.fence(ordering);
}

std::optional<value> translator::atomic_function(std::string_view name, arguments &a) {
  const expression &at = a.call;
  const auto reference = [&](const value &array, const value &index) {
    if (!is_array(array.of))
      fail(mistake::typing, at, fmt::format("{}() takes an array, got {}", a.function, described(array.of)));
    if (array.of->where == memory::work_item)
      fail(mistake::typing, at, fmt::format("{}() of a private array: nobody else sees it", a.function));
    const dtype t = array.of->element;
    if (is_complex(t) || t == dtype::boolean || t == dtype::float16)
      fail(mistake::typing, at, fmt::format("there are no atomic operations on {}", name_of(t)));
    if (!array.of->writable)
      fail(mistake::typing, at,
           fmt::format("{}() of {}: atomic operations write to it, so pass an array that can be written to", a.function,
                       described(array.of)));
    type_facts facts;
    facts.what = type_facts::kind::atomic;
    facts.element = t;
    facts.shadow = array.of->shadow;
    if (facts.shadow) facts.where = array.of->where;
    const std::vector<value> indices = is_tuple(index.of) ? index.members : std::vector{index};
    return value{.of = intern(facts), .parts = {address_of(array, indices, at)}};
  };
  if (name == "kernel_api.AtomicRef") {
    expect_count(a, 1, 5);
    const value *index = take(a, 1, "index"), *order = take(a, 2, "memory_order"), *scope = take(a, 3, "memory_scope");
    const value *space = take(a, 4, "address_space");
    const value &array = need(a, 0, "ref");
    value v = reference(array, index                                                                    ? *index
                               : array.of->what == type_facts::kind::array && array.of->dimensions == 0 ? tuple({})
                                                                                                        : integer(0));
    v.text = std::to_string(known_ordering(order, scope, at).number());
    if (space) {
      const std::int64_t s = known_integer(*space, at, "address_space");
      // SYCL's numbers: 1 global, 3 local, 4 generic
      if ((s == 3 && array.of->where == memory::global) || (s == 1 && array.of->where == memory::local))
        fail(mistake::typing, at, fmt::format("the address space given is not where {} is", described(array.of)));
    }
    return v;
  }
  if (!name.starts_with("old.atomic_")) return std::nullopt;
  expect_count(a, 3, 3);
  const value v = reference(need(a, 0, "array"), need(a, 1, "index"));
  arguments rest{at, a.function, {need(a, 2, "value")}, {}};
  return atomic_method(v, "fetch_" + std::string(name.substr(11)), rest);
}

value translator::atomic_method(const value &of, const std::string &name, arguments &a) {
  const expression &at = a.call;
  const dtype t = of.of->element;
  const machine m = machine_of(t);
  const memory_ordering in_order = ordering_of(of);
  if (name == "compare_exchange") {
    const value &expected = take(a, 0, "expected") ? need(a, 0, "expected") : need(a, 0, "expected_ref");
    const value &desired = need(a, 1, "desired");
    const value *index = take(a, 2, "expected_idx");
    if (!is_array(expected.of))
      fail(
          mistake::typing, at,
          fmt::format("compare_exchange() takes an array that holds what is expected, got {}", described(expected.of)));
    const value i = index ? *index : integer(0);
    const node where = address_of(expected, is_tuple(i.of) ? i.members : std::vector{i}, at);
    const value wanted = convert(load(expected, where), t, at);
    check_written(of.of, of.parts[0]);
    const node old = b.compare_exchange(of.parts[0], wanted.parts[0], convert(desired, t, at).parts[0], in_order);
    store(expected, where, scalar(t, old), at);
    // bits decide, as the hardware has it
    const machine bits = bits_of(m) == 64 ? machine::i64 : machine::i32;
    const node same = is_float(m) ? b.compare(operation::eq, b.cast(operation::bits, bits, old),
                                              b.cast(operation::bits, bits, wanted.parts[0]))
                                  : b.compare(operation::eq, old, wanted.parts[0]);
    return scalar(dtype::boolean, same);
  }
  const auto r = std::ranges::find(rows, name, &row::method);
  if (r == rows.end()) fail(mistake::name, at, fmt::format("AtomicRef has no method '{}'", name));
  const char *what = is_real(t) ? r->real : is_unsigned(t) ? r->natural : r->integer;
  if (!what) fail(mistake::typing, at, fmt::format("{}() is for integers, not for {}", name, name_of(t)));
  if (name == "load") {
    expect_count(a, 0, 0);
    check_written(of.of, of.parts[0]);
    return scalar(t, b.atomic(what, m, of.parts[0], 0, in_order));
  }
  expect_count(a, 1, 1);
  const value &operand = need(a, 0, "val");
  if (!is_scalar(operand.of))
    fail(mistake::typing, at, fmt::format("{}() takes a number, got {}", name, described(operand.of)));
  // Integers become the element's, as when NumPy assigns them; everything else only without loss.
  const bool integers = is_integer(t) && (is_integer(operand.of->element) || operand.of->element == dtype::boolean);
  if (!integers && promote(operand.of, scalar_type(t)) != scalar_type(t))
    fail(mistake::typing, at,
         fmt::format("{}() on an element of type {} got {}: convert it, {}.type(x) where a is the array", name,
                     name_of(t), described(operand.of), "a.dtype"));
  const node x = convert(operand, t, at).parts[0];
  if (name == "store" || name == "exchange")
    mark_written(of.of, of.parts[0]);
  else
    check_written(of.of, of.parts[0]);
  if (name == "store") {
    b.atomic(what, machine::none, of.parts[0], x, in_order);
    return none();
  }
  return scalar(t, b.atomic(what, m, of.parts[0], x, in_order));
}

}  // namespace dpep::pykernel
