// Selects the kernels for the processor, and finds kernels by operation and type.
#include "array/blocks/table.hpp"

#include <dpep/array_opcodes.hpp>

#include "array/blocks/matrix_block.hpp"
#include "array/blocks/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace dpep::array::blocks {

const char *name_of(instructions i) noexcept {
  constexpr const char *names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return names[static_cast<std::size_t>(i)];
}

bool has(instructions i) noexcept {
  switch (i) {
  case instructions::v2:
    return true;  // the baseline that dpep is built for
  case instructions::v3:
    return __builtin_cpu_supports("x86-64-v3");
  case instructions::v4:
    return __builtin_cpu_supports("x86-64-v4");
  }
  return false;
}

element_function &kernel_table::by_form::at(form first, form second) {
  return functions[first == form::one ? 1 : second == form::one ? 2 : 0];
}

void kernel_table::add(const element_list &list) {
  for (const element_entry &e : list) {
    by_form *kernels = &elements_[index(e.code)][index(e.first)];
    if (e.first != e.second) {
      auto found = std::ranges::find_if(
          mixed_, [&](const mixed &m) { return m.code == e.code && m.first == e.first && m.second == e.second; });
      if (found == mixed_.end()) found = mixed_.insert(found, {e.code, e.first, e.second, {}});
      kernels = &found->functions;
    }
    kernels->at(e.first_form, e.second_form) = e.function;
  }
}

void kernel_table::add(const reducer_list &list) {
  for (std::size_t i = 0; i < list.count; ++i)
    reducers_[index(list.entries[i].how)][index(list.entries[i].type)] = &list.entries[i].functions;
}

kernel_table::kernel_table(instructions which) : which_(which) {
#define DPEP_ADD_ELEMENTS(name) add(name##_elements);
#define DPEP_ADD_REDUCERS(name) add(name##_reducers);
#define DPEP_ADD_KERNELS                                                                                               \
  DPEP_ELEMENT_FAMILIES(DPEP_ADD_ELEMENTS)                                                                             \
  DPEP_REDUCER_FAMILIES(DPEP_ADD_REDUCERS)                                                                             \
  casts_ = &set::casts;                                                                                                \
  selects_ = &set::selects;                                                                                            \
  copies_ = &set::copies;                                                                                              \
  distances_ = &set::distances;                                                                                        \
  filters_ = &set::filters;                                                                                            \
  folds_ = &set::folds;                                                                                                \
  updates_ = &set::updates;                                                                                            \
  gathers_ = &set::gathers;                                                                                            \
  interpolations_ = &set::interpolations;                                                                              \
  matrices_ = &set::matrices;                                                                                          \
  memory_ = &set::memory;                                                                                              \
  partitions_ = &set::partitions;                                                                                      \
  random_ = &set::random_numbers;                                                                                      \
  scans_ = &set::scans;                                                                                                \
  sorts_ = &set::sorts;                                                                                                \
  searches_ = &set::searches;                                                                                          \
  small_matrices_ = set::small_matrices;                                                                               \
  sparse_ = set::sparse;                                                                                               \
  fourier_ = set::fourier;                                                                                             \
  fourier_passes_ = set::fourier_passes;
  switch (which) {
  case instructions::v2: {
    namespace set = v2;
    using namespace v2;
    DPEP_ADD_KERNELS
    break;
  }
  case instructions::v3: {
    namespace set = v3;
    using namespace v3;
    DPEP_ADD_KERNELS
    break;
  }
  case instructions::v4: {
    namespace set = v4;
    using namespace v4;
    DPEP_ADD_KERNELS
    break;
  }
  }
}

element_function kernel_table::find(opcode code, const signature &types, form first, form second) const noexcept {
  switch (code) {
  case opcode::cast:
    return casts_->functions[index(types.from[0])][index(types.to)];
  case opcode::where:
    return selects_->where[std::countr_zero(size_of(types.to))];
  case opcode::clip:
    return selects_->clip[index(types.to)];
  default:
    break;
  }
  const std::size_t form = first == form::one ? 1 : second == form::one ? 2 : 0;
  const dtype a = types.from[0], b = types.inputs == 2 ? types.from[1] : a;
  if (a == b) return elements_[index(code)][index(a)].functions[form];
  for (const mixed &m : mixed_)
    if (m.code == code && m.first == a && m.second == b) return m.functions.functions[form];
  return nullptr;
}

namespace {

/// The instruction set in DPEP_ISA, or the best one. Unknown and unsupported names are ignored.
instructions choose() noexcept {
  const char *const wanted = std::getenv("DPEP_ISA");
  instructions best = instructions::v2;
  for (const instructions i : all_instructions) {
    if (!has(i)) continue;
    if (wanted && std::strcmp(wanted, name_of(i)) == 0) return i;
    best = i;
  }
  return best;
}

const kernel_table &kernels() noexcept {
  static const kernel_table table(choose());
  return table;
}

constexpr std::size_t index(auto x) { return static_cast<std::size_t>(x); }

}  // namespace

numbers numbers_of(const scalar &x) noexcept {
  if (x.what == scalar::kind::real || x.what == scalar::kind::complex)
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(x.number.real())), x.number.real(), x.number.imag()};
  const auto integer = static_cast<std::uint64_t>(x.integer);
  return {integer, x.beyond_int64 ? static_cast<double>(integer) : static_cast<double>(x.integer), 0};
}

element_function find(opcode code, const signature &types, form first, form second) noexcept {
  return kernels().find(code, types, first, second);
}
bool has_form(opcode code, form first, form second) noexcept {
  if (first == form::vector && second == form::vector) return true;
  return info(code).inputs == 2 && is_cheap(code) && first != second;
}
element_function find_cast(dtype from, dtype to) noexcept {
  return kernels().casts().functions[index(from)][index(to)];
}
element_function find_where(std::size_t bytes) noexcept { return kernels().selects().where[std::countr_zero(bytes)]; }
element_function find_clip(dtype t) noexcept { return kernels().selects().clip[index(t)]; }
copy_function find_copy(std::size_t bytes) noexcept { return kernels().copies().functions[std::countr_zero(bytes)]; }
void gather(std::size_t bytes, std::size_t rows, std::size_t columns, strided to, strided offsets,
            strided from) noexcept {
  kernels().gathers().functions[std::countr_zero(bytes)](rows, columns, to, offsets, from);
}
void copy_nontemporal(void *to, const void *from, std::size_t bytes) noexcept {
  kernels().memory().copy_nontemporal(to, from, bytes);
}
void fill(void *to, const void *element, std::size_t element_bytes, std::size_t count) noexcept {
  kernels().memory().fill(to, element, element_bytes, count);
}
void iota(void *to, dtype t, const ramp &values, std::uint64_t first, std::size_t count) noexcept {
  kernels().memory().iota[index(t)](to, numbers_of(values.start), numbers_of(values.step), first, count);
}
native_loop find_random(random_function f) noexcept { return kernels().random(f); }
const reducer *find_reducer(reduction how, dtype t) noexcept { return kernels().find_reducer(how, t); }
scan_function find_scan(accumulation how, dtype t) noexcept {
  return kernels().scans().functions[index(how)][index(t)];
}
const matrix_kernel &find_matrix_kernel(dtype t) noexcept { return kernels().matrices().kernels[index(t)]; }
sort_function find_sort(std::size_t key_bytes) noexcept { return kernels().sorts().sort[std::countr_zero(key_bytes)]; }
encode_function find_encode(dtype t) noexcept { return kernels().sorts().encode[index(t)]; }
decode_function find_decode(dtype t) noexcept { return kernels().sorts().decode[index(t)]; }
tag_function find_tag(dtype t, std::size_t key_bytes) noexcept {
  return kernels().sorts().tag[key_bytes == 16][index(t)];
}
position_function find_positions(std::size_t key_bytes) noexcept {
  return kernels().sorts().positions[key_bytes == 16];
}
void sort_ties(std::size_t count, const void *numbers, void *keys, bool descending) noexcept {
  kernels().sorts().sort_ties(count, numbers, keys, descending);
}
search_function find_search(dtype t) noexcept { return kernels().searches().functions[index(t)]; }
distance_function find_distances(distance_kind kind, dtype t) noexcept {
  return kernels().distances().functions[index(kind)][t == dtype::float64];
}
filter_function find_filter(filter_form how, dtype t) noexcept {
  return kernels().filters().functions[index(how)][index(t)];
}
const fold_kernels::functions *find_fold(opcode code, dtype t) noexcept {
  const fold_list &list = kernels().folds();
  const auto found = std::find_if(list.entries, list.entries + list.count, [&](auto &k) { return k.code == code; });
  if (found == list.entries + list.count || !found->of[index(t)].segments) return nullptr;
  return &found->of[index(t)];
}
update_function find_update(opcode code, dtype t) noexcept {
  const update_list &list = kernels().updates();
  const auto found = std::find_if(list.entries, list.entries + list.count, [&](auto &k) { return k.code == code; });
  return found == list.entries + list.count ? nullptr : found->of[index(t)];
}
index_limits limits_of(std::size_t count, const std::int64_t *indices) noexcept {
  return kernels().updates().limits(count, indices);
}
void find_offsets(std::size_t count, const std::int64_t *indices, std::int64_t length, std::int64_t stride,
                  std::int64_t *offsets) noexcept {
  kernels().updates().offsets(count, indices, length, stride, offsets);
}
const interpolation_kernels &find_interpolations() noexcept { return kernels().interpolations(); }
const partition_kernels &find_partitions() noexcept { return kernels().partitions(); }
const small_matrix_kernels &find_small_matrices(dtype t) noexcept { return kernels().small_matrices(t); }
const sparse_kernels &find_sparse(dtype index) noexcept { return kernels().sparse(index); }
const fourier_kernels &find_fourier(dtype real) noexcept { return kernels().fourier(real); }
fourier_pass_function find_fourier_pass(dtype real) noexcept { return kernels().fourier_pass(real); }
const char *instruction_set() noexcept { return kernels().name(); }
std::size_t vector_bytes() noexcept { return kernels().vector_bytes(); }

}  // namespace dpep::array::blocks
