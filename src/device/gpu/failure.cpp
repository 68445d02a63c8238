// Failed assertions on a GPU, and what kernels in Python raise: the first one writes what it says to memory that the
// host reads, and its work-item ends.
//
// Trapping would be simpler, but takes the whole context of the process with it.
#include <cstdint>

namespace {

// As backend/cuda/code.hpp has it.
struct failure_record {
  std::uint32_t state, round, kind, line, axis;
  std::int64_t index, length;
  std::uint64_t item[3];
  char text[256], file[256], function[256];
};
enum kind : std::uint32_t { assertion, python, python_index };

void keep(char (&to)[256], const char *from) {
  int i = 0;
  for (; from && from[i] && i < 255; ++i) to[i] = from[i];
  to[i] = 0;
}

}  // namespace

extern "C" {

[[gnu::used]] failure_record *dpep_failure_record = nullptr;  // set by who loads the module

[[noreturn]] void __dpep_end_work_item();  // the JIT's, and the next
std::uint64_t __dpep_global_id(std::uint32_t dimension);
}

namespace {

// Who may write the record: the first of a round. It is claimed here, since atomic operations on the host's memory are
// not for every device.
std::uint32_t claimed = 0;

struct index_fault {
  std::int64_t index = 0, length = 0;
  std::uint32_t axis = 0;
};

struct item_id {
  std::uint64_t x = __dpep_global_id(0), y = __dpep_global_id(1), z = __dpep_global_id(2);
};

// Not inlined: kernels check many indices, and this is where none of them goes.
[[noreturn, gnu::noinline]] void record(kind what, const char *text, index_fault at, const char *file,
                                        std::uint32_t line, const char *function, const item_id &item) {
  failure_record &r = *dpep_failure_record;
  const std::uint32_t round = *static_cast<const volatile std::uint32_t *>(&r.round);
  std::uint32_t before = round - 1;
  if (__atomic_compare_exchange_n(&claimed, &before, round, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    r.kind = what;
    r.line = line;
    r.axis = at.axis;
    r.index = at.index;
    r.length = at.length;
    r.item[0] = item.x;
    r.item[1] = item.y;
    r.item[2] = item.z;
    keep(r.text, text);
    keep(r.file, file);
    keep(r.function, function);
    __atomic_store_n(&r.state, 2, __ATOMIC_RELEASE);
  }
  __dpep_end_work_item();
}

}  // namespace

extern "C" {

[[noreturn]] void __dpep_assert_fail(const char *text, const char *file, std::uint32_t line, const char *function) {
  record(assertion, text, {}, file, line, function, {});
}
[[noreturn]] void __dpep_raise(const char *text, const char *file, std::uint32_t line, const char *function) {
  record(python, text, {}, file, line, function, {});
}
[[noreturn]] void __dpep_index_error(std::int64_t index, std::int64_t length, std::uint32_t axis, const char *file,
                                     std::uint32_t line, const char *function) {
  record(python_index, "", {index, length, axis}, file, line, function, {});
}
}
