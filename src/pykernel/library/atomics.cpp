// Atomic operations: AtomicRef of kernel_api, and numba_dpex.atomic.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/initialisation_checks.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

struct row {
  std::string_view method;
  const char *signed_integer, *unsigned_integer,
      *real;  // IR operations by type; null: not supported
};
constexpr std::array rows{
    row{"fetch_add", "add", "add", "fadd"},  row{"fetch_sub", "sub", "sub", "fsub"},
    row{"fetch_min", "min", "umin", "fmin"}, row{"fetch_max", "max", "umax", "fmax"},
    row{"fetch_and", "and", "and", nullptr}, row{"fetch_or", "or", "or", nullptr},
    row{"fetch_xor", "xor", "xor", nullptr}, row{"exchange", "xchg", "xchg", "xchg"},
    row{"store", "store", "store", "store"}, row{"load", "load", "load", "load"},
};

/// The memory ordering of a reference, which is stored in its `text`.
memory_ordering ordering_of(const value &reference) {
  return reference.text.empty() ? memory_ordering() : memory_ordering::of(std::stoi(reference.text));
}

}  // namespace

memory_ordering constant_ordering(const translation &ctx, const value *order, const value *scope,
                                  const expression &at) {
  memory_ordering result;
  if (order) result.order = constant_integer(ctx, *order, at, "memory_order");
  if (scope) result.scope = constant_integer(ctx, *scope, at, "memory_scope");
  // The values of kernel_api.MemoryOrder and MemoryScope; 2 is CONSUME_UNSUPPORTED.
  if (result.order < 0 || result.order > 5 || result.order == 2)
    fail(
        ctx, error_kind::typing, at,
        fmt::format("memory order {} is not supported in kernels: use RELAXED, ACQUIRE, RELEASE, ACQ_REL or SEQ_CST of "
                    "kernel_api.MemoryOrder",
                    result.order));
  if (result.scope < 0 || result.scope > 4)
    fail(ctx, error_kind::typing, at,
         fmt::format("{} is not a memory scope: use a member of kernel_api.MemoryScope", result.scope));
  return result;
}

/// Emits a barrier. It orders memory for the group; a wider scope needs additional fences.
void barrier(translation &ctx, bool sub_group, const value *scope, const expression &at) {
  memory_ordering ordering{.order = 4, .scope = sub_group ? 1 : 2};
  const std::int64_t own = ordering.scope;
  if (scope) ordering.scope = constant_ordering(ctx, nullptr, scope, at).scope;
  const bool wider = ordering.scope > own;
  if (wider) ctx.ir.fence(ordering);
  ctx.ir.call(machine_type::none, sub_group ? "__dpep_sub_group_barrier" : "__dpep_group_barrier", {});
  if (wider) ctx.ir.fence(ordering);
}

std::optional<value> atomic_function(translation &ctx, std::string_view name, const arguments &a) {
  const expression &at = a.call;
  const auto reference = [&](const value &array, const value &index) {
    if (!is_array(array.of))
      fail(ctx, error_kind::typing, at, fmt::format("{}() takes an array, got {}", a.function, display_name(array.of)));
    if (array.of->space == address_space::private_space)
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() takes an array that work-items share, got a private array: update its elements directly",
                       a.function));
    const dtype t = array.of->element;
    if (is_complex(t) || t == dtype::boolean || t == dtype::float16)
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() does not support elements of type {}", a.function, name_of(t)));
    if (!array.of->writable)
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() writes to its array, got {}: pass a writable array", a.function, display_name(array.of)));
    type_properties properties;
    properties.what = type_properties::kind::atomic;
    properties.element = t;
    properties.shadow = array.of->shadow;
    if (properties.shadow) properties.space = array.of->space;
    const std::vector<value> indices = is_tuple(index.of) ? index.members : std::vector{index};
    return value{.of = intern(properties), .parts = {address_of(ctx, array, indices, at)}};
  };
  if (name == "kernel_api.AtomicRef") {
    check_count(ctx, a, 1, 5);
    const value *index = find_argument(a, 1, "index"), *order = find_argument(a, 2, "memory_order"),
                *scope = find_argument(a, 3, "memory_scope");
    const value *space = find_argument(a, 4, "address_space");
    const value &array = require_argument(ctx, a, 0, "ref");
    value v = reference(array, index ? *index
                               : array.of->what == type_properties::kind::array && array.of->dimensions == 0
                                   ? tuple({})
                                   : integer(ctx, 0));
    v.text = std::to_string(constant_ordering(ctx, order, scope, at).number());
    if (space) {
      const std::int64_t s = constant_integer(ctx, *space, at, "address_space");
      // The values of kernel_api.AddressSpace: 1 global, 3 local, 4 generic.
      if ((s == 3 && array.of->space == address_space::global_space) ||
          (s == 1 && array.of->space == address_space::local_space))
        fail(ctx, error_kind::typing, at,
             fmt::format("AtomicRef: address_space does not match {}: leave the argument out", display_name(array.of)));
    }
    return v;
  }
  if (!name.starts_with("old.atomic_")) return std::nullopt;
  check_count(ctx, a, 3, 3);
  const value v = reference(require_argument(ctx, a, 0, "array"), require_argument(ctx, a, 1, "index"));
  arguments rest{at, a.function, {require_argument(ctx, a, 2, "value")}, {}};
  return atomic_method(ctx, v, "fetch_" + std::string(name.substr(11)), rest);
}

value atomic_method(translation &ctx, const value &of, const std::string &name, const arguments &a) {
  const expression &at = a.call;
  const dtype t = of.of->element;
  const machine_type m = machine_type_of(t);
  const memory_ordering in_order = ordering_of(of);
  if (name == "compare_exchange") {
    const value &expected = find_argument(a, 0, "expected") ? require_argument(ctx, a, 0, "expected")
                                                            : require_argument(ctx, a, 0, "expected_ref");
    const value &desired = require_argument(ctx, a, 1, "desired");
    const value *index = find_argument(a, 2, "expected_idx");
    if (!is_array(expected.of))
      fail(ctx, error_kind::typing, at,
           fmt::format("compare_exchange() takes an array that holds the expected value, got {}",
                       display_name(expected.of)));
    const value i = index ? *index : integer(ctx, 0);
    const node where = address_of(ctx, expected, is_tuple(i.of) ? i.members : std::vector{i}, at);
    const value wanted = convert(ctx, load(ctx, expected, where), t, at);
    check_initialised(ctx, of.of, of.parts[0]);
    const node old =
        ctx.ir.compare_exchange(of.parts[0], wanted.parts[0], convert(ctx, desired, t, at).parts[0], in_order);
    store(ctx, expected, where, scalar(ctx, t, old), at);
    // Floats are compared by their bits, as the hardware does.
    const machine_type bits = bits_of(m) == 64 ? machine_type::i64 : machine_type::i32;
    const node same = is_float(m) ? ctx.ir.compare(operation::eq, ctx.ir.cast(operation::bits, bits, old),
                                                   ctx.ir.cast(operation::bits, bits, wanted.parts[0]))
                                  : ctx.ir.compare(operation::eq, old, wanted.parts[0]);
    return scalar(ctx, dtype::boolean, same);
  }
  const auto r = std::ranges::find(rows, name, &row::method);
  if (r == rows.end()) fail(ctx, error_kind::name, at, fmt::format("AtomicRef has no method '{}'", name));
  const char *what = is_real(t) ? r->real : is_unsigned(t) ? r->unsigned_integer : r->signed_integer;
  if (!what)
    fail(ctx, error_kind::typing, at, fmt::format("{}() needs elements of an integer type, got {}", name, name_of(t)));
  if (name == "load") {
    check_count(ctx, a, 0, 0);
    check_initialised(ctx, of.of, of.parts[0]);
    return scalar(ctx, t, ctx.ir.atomic(what, m, of.parts[0], 0, in_order));
  }
  check_count(ctx, a, 1, 1);
  const value &operand = require_argument(ctx, a, 0, "val");
  if (!is_scalar(operand.of))
    fail(ctx, error_kind::typing, at, fmt::format("{}() takes a number, got {}", name, display_name(operand.of)));
  // Integers are converted as in NumPy's assignments; other conversions must be lossless.
  const bool integers = is_integer(t) && (is_integer(operand.of->element) || operand.of->element == dtype::boolean);
  if (!integers && promote(operand.of, scalar_type(t)) != scalar_type(t))
    fail(ctx, error_kind::typing, at,
         fmt::format("{}() on an element of type {} got {}: convert it, {}.type(x) where a is the array", name,
                     name_of(t), display_name(operand.of), "a.dtype"));
  const node x = convert(ctx, operand, t, at).parts[0];
  if (name == "store" || name == "exchange")
    mark_initialised(ctx, of.of, of.parts[0]);
  else
    check_initialised(ctx, of.of, of.parts[0]);
  if (name == "store") {
    ctx.ir.atomic(what, machine_type::none, of.parts[0], x, in_order);
    return none();
  }
  return scalar(ctx, t, ctx.ir.atomic(what, m, of.parts[0], x, in_order));
}

}  // namespace dpep::pykernel
