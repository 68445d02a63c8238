// Failed assertions on a GPU, and exceptions raised by kernels in Python: the first one writes a record to memory that
// the host reads, and its work-item ends.
//
// Trapping would be simpler, but it destroys the process's whole context.
#include "backend/abi.hpp"

namespace {

using dpep::backend::abi::failure_place;
using dpep::backend::abi::failure_record;

void copy_text(char (&to)[256], const char *from) {
  int i = 0;
  for (; from && from[i] && i < 255; ++i) to[i] = from[i];
  to[i] = 0;
}

}  // namespace

extern "C" {

[[gnu::used]] std::uint64_t dpep_failing_kernel = 0;  // identifies this module for the host; set by the module loader

// Builtins that the JIT defines.
[[noreturn]] void __dpep_end_work_item();
/// The global id of the work-item, or all ones in functions that were not inlined into the kernel.
std::uint64_t __dpep_failing_item(std::uint32_t dimension);
/// The failure place of the queue that the kernel was launched in.
failure_place *__dpep_failure_place();
}

namespace {

// Not inlined: kernels contain many checks, and correct ones never take this path. The arguments are scalars, since
// every check of a structure would take private memory of each work-item.
[[noreturn, gnu::noinline]] void record(failure_place &place, failure_record::failure_kind what, const char *text,
                                        std::int64_t first, std::int64_t second, const char *file, std::uint32_t line,
                                        const char *function, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  failure_record &r = *place.record;
  const std::uint32_t round = *static_cast<const volatile std::uint32_t *>(&r.round);
  std::uint32_t before = round - 1;
  if (__atomic_compare_exchange_n(&place.claimed, &before, round, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    r.kind = what;
    r.line = line;
    r.numbers[0] = first;
    r.numbers[1] = second;
    r.item[0] = x;
    r.item[1] = y;
    r.item[2] = z;
    r.kernel = dpep_failing_kernel;
    copy_text(r.text, text);
    copy_text(r.file, file);
    copy_text(r.function, function);
    __atomic_store_n(&r.state, failure_record::complete, __ATOMIC_RELEASE);
  }
  __dpep_end_work_item();
}

// Inlined, so that the failing function itself queries its work-item.
[[noreturn, gnu::always_inline]] inline void fail(failure_record::failure_kind what, const char *text,
                                                  std::int64_t first, std::int64_t second, const char *file,
                                                  std::uint32_t line, const char *function) {
  record(*__dpep_failure_place(), what, text, first, second, file, line, function, __dpep_failing_item(0),
         __dpep_failing_item(1), __dpep_failing_item(2));
}

}  // namespace

extern "C" {

[[noreturn, gnu::always_inline]] void __dpep_assert_fail(const char *text, const char *file, std::uint32_t line,
                                                         const char *function) {
  fail(failure_record::assertion, text, 0, 0, file, line, function);
}
[[noreturn, gnu::always_inline]] void __dpep_raise(const char *text, const char *file, std::uint32_t line,
                                                   const char *function) {
  fail(failure_record::python, text, 0, 0, file, line, function);
}
[[noreturn, gnu::always_inline]] void __dpep_raise_with(const char *text, std::int64_t first, std::int64_t second,
                                                        const char *file, std::uint32_t line, const char *function) {
  fail(failure_record::python_with_numbers, text, first, second, file, line, function);
}
}
