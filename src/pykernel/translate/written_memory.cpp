// DPEP_CHECK: private and local memory is followed by a shadow of the same layout, whose elements say which ones were
// written. Reading others ends the kernel.
#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

machine memory_type(dtype t) { return t == dtype::boolean ? machine::i8 : machine_of(t); }

node number(builder &b, machine m, int x) { return is_float(m) ? b.real(m, x) : b.integer(m, x); }

}  // namespace

void translator::check_written(type of, node address) {
  if (!of->shadow) return;
  const machine m = memory_type(of->element);
  const node written = b.load(m, b.offset(address, b.size(1), of->shadow));
  b.branch(b.compare(is_float(m) ? operation::feq : operation::eq, written, number(b, m, 0)), [&] {
    b.fail(of->where == memory::local
               ? "RuntimeError: an element of local memory is read that no work-item of the group has written"
               : "RuntimeError: an element of a private array is read that was never written: write it first, or make "
                 "the array with fill_zeros=True",
           source().file, source().name);
  });
}

void translator::mark_written(type of, node address) {
  if (!of->shadow) return;
  const machine m = memory_type(of->element);
  b.store(b.offset(address, b.size(1), of->shadow), number(b, m, 1));
}

void translator::mark_all(const value &array, bool written) {
  const type t = array.of;
  if (!t->shadow) return;
  const machine m = memory_type(t->element);
  const auto bytes = std::int64_t(size_of(t->element));
  const bool shared = !written;  // the group's work-items each take their part
  const auto each = [&](const value &i) {
    const node element = b.offset(array.parts[0], i.parts[0], bytes);
    b.store(b.offset(element, b.size(1), t->shadow), number(b, m, written));
  };
  expression at;
  at.at = here->called_at;
  const value start = shared ? linear("__dpep_local_id", "__dpep_local_size") : integer(0);
  node step = b.size(1);
  for (int d = 0; shared && d < dimensions(); ++d) step = b.mul(step, id("__dpep_local_size", d).parts[0]);
  loop_over_range(each, start, size_value(elements(array)), shared ? size_value(step) : integer(1), at);
}

std::int64_t translator::local_shadow(type t) {
  std::int64_t bytes = std::int64_t(size_of(t->element));
  for (const std::int64_t length : t->extents) bytes *= length;
  return (bytes + 63) / 64 * 64;
}

/// At the kernel's begin, for what the group's memory held before is not the group's.
void translator::forget_local_memory(const std::vector<value> &arguments) {
  if (!asked.check || !asked.grouped) return;
  bool any = false;
  const auto forget = [&](const value &array) { mark_all(array, false), any = true; };
  for (const value &v : arguments)
    if (is_array(v.of) && v.of->shadow) forget(v);
  for (std::size_t number = 1; number <= local_arrays_.size(); ++number) forget(local_array(number));
  if (any) b.call(machine::none, "__dpep_group_barrier", {});
}

}  // namespace dpep::pykernel
