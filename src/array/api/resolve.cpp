// Type resolution: the signature of an operation for the operands' dtypes, and the common dtype of arrays and numbers.
#include "array/api/resolve.hpp"

#include <atomic>

#include <dpep/array_opcodes.hpp>
#include <dpep/dtype_kinds.hpp>

#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"

namespace dpep::array {
namespace {

/// The floating-point types that a device supports.
struct float_support {
  bool fp16, fp64;
  explicit float_support(const device &d) noexcept : fp16(d.info().fp16), fp64(d.info().fp64) {}
  float_support(bool fp16, bool fp64) noexcept : fp16(fp16), fp64(fp64) {}
  bool has(dtype t) const noexcept {
    return (t != dtype::float16 || fp16) && ((t != dtype::float64 && t != dtype::complex128) || fp64);
  }
  /// The dtype, or the one that replaces it on this device.
  dtype instead_of(dtype t) const noexcept {
    if (has(t)) return t;
    return t == dtype::complex128 ? dtype::complex64 : dtype::float32;
  }
  // On a device without 64-bit floats, integers are cast to the widest ones, though precision is lost.
  bool casts(dtype from, dtype to) const noexcept {
    if (!has(to)) return false;
    if (can_cast(from, to)) return true;
    const bool widest = !fp64 && (to == dtype::float32 || to == dtype::complex64);
    return widest && (kind_of(from) == dtype_kind::signed_integer || kind_of(from) == dtype_kind::unsigned_integer);
  }
  dtype default_of(dtype_kind k, dtype otherwise) const noexcept {
    if (k == dtype_kind::real) return instead_of(dtype::float64);
    return k == dtype_kind::complex ? instead_of(dtype::complex128) : otherwise;
  }
};

// Ranks of kinds, to compare those of numbers and dtypes.
int kind_rank(dtype t) noexcept { return rank_of(kind_of(t)); }
int kind_rank(const scalar &x) noexcept { return static_cast<int>(x.what); }

dtype default_type(const scalar &x, const float_support &can) noexcept {
  switch (x.what) {
  case scalar::kind::boolean:
    return dtype::boolean;
  case scalar::kind::integer:
    return x.beyond_int64 ? dtype::uint64 : dtype::int64;
  case scalar::kind::real:
    return can.instead_of(dtype::float64);
  case scalar::kind::complex:
    break;
  }
  return can.instead_of(dtype::complex128);
}

/// The dtype of a number in an operation with arrays of dtype `other`.
dtype adopted(const scalar &x, dtype other, const float_support &can) noexcept {
  if (kind_rank(x) <= kind_rank(other)) return other;
  if (x.what == scalar::kind::complex && (other == dtype::float16 || other == dtype::float32)) return dtype::complex64;
  return x.what == scalar::kind::integer ? dtype::int64 : default_type(x, can);
}

/// The smallest integer dtype that holds the number.
dtype smallest_type(const scalar &x) noexcept {
  using enum dtype;
  if (!x.beyond_int64 && x.integer < 0) {
    for (const dtype t : {int8, int16, int32})
      if (fits(x, t)) return t;
    return int64;
  }
  for (const dtype t : {uint8, uint16, uint32})
    if (fits(x, t)) return t;
  return uint64;
}

/// Whether the signature may be chosen if it casts all operands.
bool acceptable(opcode code, std::span<const dtype> given, const signature &s, const float_support &can) noexcept {
  if (!has_property(code, operation_properties::DEFAULT_FLOAT)) return true;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (kind_rank(given[i]) == kind_rank(s.from[i])) return true;
  return s.to == can.default_of(kind_of(s.to), s.to);
}

const signature *search(opcode code, std::span<const dtype> given, const float_support &can) noexcept {
  // Subtraction and negation have no natural meaning for truth values.
  const bool all_bool = std::ranges::all_of(given, [](dtype t) { return t == dtype::boolean; });
  if (all_bool && (code == opcode::negative || code == opcode::subtract)) return nullptr;
  for (const signature &s : info(code).signatures) {
    bool casts = true, exact = true, all_cast = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
      casts = casts && (given[i] == s.from[i] || can.casts(given[i], s.from[i]));
      exact = exact && given[i] == s.from[i];
      all_cast = all_cast && given[i] != s.from[i];
    }
    if (exact || (casts && (!all_cast || acceptable(code, given, s, can)))) return &s;
  }
  return nullptr;
}

// Results of search(), by device, operation and dtypes: 0 if unknown, else the signature's index plus one.
constexpr std::uint8_t none = 255;
std::atomic<std::uint8_t> found[4][opcode_count][dtype_count][dtype_count];

const signature *look_up(opcode code, dtype a, dtype b, bool binary, const float_support &can) noexcept {
  auto &entry = found[can.fp16 * 2 + can.fp64][int(code)][int(a)][int(b)];
  std::uint8_t position = entry.load(std::memory_order_relaxed);
  if (position == 0) {
    const dtype given[] = {a, b};
    const signature *s = search(code, {given, binary ? 2u : 1u}, can);
    position = s ? static_cast<std::uint8_t>(s - info(code).signatures.data() + 1) : none;
    entry.store(position, std::memory_order_relaxed);
  }
  return position == none ? nullptr : &info(code).signatures[position - 1u];
}

[[noreturn]] void no_signature(opcode code, std::span<const dtype> given) {
  std::string types, known;
  for (const dtype t : given) types += fmt::format("{}{}", types.empty() ? "" : ", ", name_of(t));
  for (const auto &s : info(code).types()) known += fmt::format("{}{}", known.empty() ? "" : " ", s);
  if (std::ranges::all_of(given, [](dtype t) { return t == dtype::boolean; })) {
    if (code == opcode::negative)
      refuse(refusal::value, "negative: not defined for bool; use logical_not or bitwise_invert (~)");
    if (code == opcode::subtract)
      refuse(refusal::value, "subtract: not defined for two bools; use logical_xor or bitwise_xor (^)");
  }
  refuse(refusal::value, "{}: input types ({}) are not supported, and cannot be cast safely to any of: {}",
         info(code).name, types, known);
}

dtype type_of(const operand &o) noexcept { return o.array->type(); }

void check_count(opcode code, std::span<const operand> operands) {
  if (operands.size() != info(code).inputs)
    refuse(refusal::type, "{}: expected {} operand(s), got {}", info(code).name, info(code).inputs, operands.size());
  for (const operand &o : operands) {
    if (!o.array && !o.number) refuse(refusal::type, "{}: an operand is missing", info(code).name);
    if (o.array) implementation_of(*o.array, info(code).name.data());
  }
}

const signature &choose_where(std::span<const operand> operands, const float_support &can) {
  const operand &a = operands[1], &b = operands[2];
  const dtype ta = a.array ? type_of(a) : b.array ? adopted(*a.number, type_of(b), can) : default_type(*a.number, can);
  const dtype tb = b.array ? type_of(b) : a.array ? adopted(*b.number, type_of(a), can) : default_type(*b.number, can);
  return info(opcode::where).signatures[int(can.instead_of(promote(ta, tb)))];
}

const signature &choose_clip(std::span<const operand> operands, const float_support &can) {
  const operand &x = operands[0];
  if (!x.array) refuse(refusal::type, "clip: expected an array as the first operand, got a number");
  const dtype type = type_of(x);
  // a number takes the dtype of the array with the highest kind
  dtype beside = type;
  for (const operand &o : operands.subspan(1))
    if (o.array && kind_rank(type_of(o)) > kind_rank(beside)) beside = type_of(o);
  dtype given[3] = {type, type, type};
  bool fit = true;
  for (std::size_t i = 1; i < 3; ++i) {
    given[i] = operands[i].array ? type_of(operands[i]) : adopted(*operands[i].number, beside, can);
    fit = fit && can.casts(given[i], type);
  }
  if (!fit)
    refuse(refusal::value, "clip: limits of types ({}, {}) cannot be cast safely to the array's {}", name_of(given[1]),
           name_of(given[2]), name_of(type));
  return info(opcode::clip).signatures[int(type)];
}

}  // namespace

dtype supported(dtype t, const device &d) noexcept { return float_support(d).instead_of(t); }

void check_supported(dtype t, const device &d, const char *operation) {
  if (float_support can(d); !can.has(t))
    refuse(refusal::value, "{}: device '{}' does not support {}; use {}", operation, d.info().name, name_of(t),
           name_of(can.instead_of(t)));
}

dtype default_type(const scalar &x, const device &d) noexcept { return default_type(x, float_support(d)); }
dtype default_type(scalar::kind kind, const device &d) noexcept {
  constexpr dtype defaults[] = {dtype::boolean, dtype::int64, dtype::float64, dtype::complex128};
  return supported(defaults[static_cast<int>(kind)], d);
}
dtype default_real(const device &d) noexcept { return supported(dtype::float64, d); }
dtype default_complex(const device &d) noexcept { return supported(dtype::complex128, d); }

namespace {

/// Whether the second operand is an integer in all signatures, and the first is not.
bool takes_integer_second(opcode code) {
  const signature &s = info(code).signatures.front();
  return s.inputs == 2 && kind_rank(s.from[1]) == kind_rank(dtype::int64) &&
         kind_rank(s.from[0]) != kind_rank(s.from[1]);
}

}  // namespace

const signature &choose_signature(opcode code, std::span<const operand> operands, const device &where) {
  check_count(code, operands);
  const float_support can(where);
  if (code == opcode::where) return choose_where(operands, can);
  if (code == opcode::clip) return choose_clip(operands, can);

  const bool binary = operands.size() == 2;
  const operand &first = operands[0], &second = operands[binary ? 1 : 0];
  dtype a, b;
  if (first.array && second.array) {
    a = type_of(first), b = type_of(second);
  } else if (!first.array && !second.array) {
    a = default_type(*first.number, can), b = default_type(*second.number, can);
  } else {
    const scalar &number = first.array ? *second.number : *first.number;
    const dtype strong = type_of(first.array ? first : second);
    dtype weak = adopted(number, strong, can);
    if (number.what == scalar::kind::integer && kind_rank(strong) == 1 &&
        has_property(code, operation_properties::ANY_INTEGER) && !fits(number, strong))
      weak = smallest_type(number);
    // An exponent of 2 (ldexp) is an integer also beside a floating-point number.
    if (first.array && number.what == scalar::kind::integer && takes_integer_second(code)) weak = dtype::int64;
    a = first.array ? strong : weak, b = first.array ? weak : strong;
  }
  if (const signature *s = look_up(code, a, binary ? b : dtype::boolean, binary, can)) return *s;
  const dtype given[] = {a, b};
  no_signature(code, {given, binary ? 2u : 1u});
}

const signature &choose_signature_in(dtype type, opcode code, std::span<const operand> operands) {
  check_count(code, operands);
  const auto has_type = [&](const operand &o) {
    return o.array ? type_of(o) == type : kind_rank(*o.number) <= kind_rank(type);
  };
  if (code != opcode::where && code != opcode::clip && std::ranges::all_of(operands, has_type)) [[likely]] {
    const signature *const s = look_up(code, type, operands.size() == 2 ? type : dtype::boolean, operands.size() == 2,
                                       float_support(true, true));
    if (s && std::all_of(s->from.begin(), s->from.begin() + s->inputs, [&](dtype t) { return t == type; })) return *s;
  }
  const auto computes_in = [&](const signature &s) {
    return std::all_of(s.from.begin() + (code == opcode::where), s.from.begin() + s.inputs,
                       [&](dtype t) { return t == type; });
  };
  const auto &list = info(code).signatures;
  const auto s = std::ranges::find_if(list, computes_in);
  if (s == list.end()) {
    std::string known;
    for (const auto &text : info(code).types()) known += fmt::format("{}{}", known.empty() ? "" : " ", text);
    refuse(refusal::type, "{}: does not compute in {}; its signatures are {}", info(code).name, name_of(type), known);
  }
  for (const operand &o : operands.subspan(code == opcode::where)) {
    const bool fit = o.array ? can_cast(type_of(o), type, casting::same_kind) : kind_rank(*o.number) <= kind_rank(type);
    if (!fit)
      refuse(refusal::type, "{}: an operand of type {} cannot be cast to {} within its kind (casting 'same_kind')",
             info(code).name, o.array ? std::string(name_of(type_of(o))) : text_of(*o.number), name_of(type));
  }
  return *s;
}

resolved resolve(opcode code, std::span<const operand> operands, const device &where) {
  const signature &s = choose_signature(code, operands, where);
  return {s.from, s.to};
}

dtype result_type(std::span<const dtype> arrays, std::span<const scalar> numbers, const device &where) {
  const float_support can(where);
  if (arrays.empty() && numbers.empty())
    refuse(refusal::value, "result_type: expected at least one array, number or dtype, got none");
  dtype result = arrays.empty() ? default_type(numbers[0], can) : arrays[0];
  for (const dtype t : arrays) {
    check_supported(t, where, "result_type");
    result = can.instead_of(promote(result, t));
  }
  for (const scalar &x : numbers) result = can.instead_of(promote(result, adopted(x, result, can)));
  return result;
}

usm_kind coerced(usm_kind a, usm_kind b) noexcept {
  if (a == usm_kind::device || b == usm_kind::device) return usm_kind::device;
  return a == usm_kind::shared || b == usm_kind::shared ? usm_kind::shared : usm_kind::host;
}

void check_out(const array_object &out, std::span<const std::int64_t> shape, dtype type, const queue &q,
               const char *operation) {
  if (!out.writable.load(std::memory_order_relaxed)) refuse(refusal::value, "{}: `out` is read-only", operation);
  // worded as in dpctl, because its tests match them
  if (!std::ranges::equal(out.layout.shape, shape))
    refuse(refusal::value,
           "The shape of input and output arrays are inconsistent: {} has a result of shape {}, `out` is of {}",
           operation, text_of(shape), text_of(out.layout.shape));
  if (out.type != type)
    refuse(refusal::value, "Output array of type {} is needed, got {} ({})", name_of(type), name_of(out.type),
           operation);
  check_out_queue(out.queue, q, operation);
}

}  // namespace dpep::array
