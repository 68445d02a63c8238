// Output arrays and NaN by NumPy's rules.
#include <dpep/array_numpy.hpp>

#include <algorithm>

#include "array/base/errors.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {

void check_keeps_imaginary_parts(dtype from, dtype to, const char *operation) {
  if (kind_of(from) != dtype_kind::complex || kind_of(to) == dtype_kind::complex || to == dtype::boolean) [[likely]]
    return;
  refuse(refusal::type, "{}: {} cannot be cast to {} without losing imaginary parts; take the real part first",
         operation, name_of(from), name_of(to));
}

void store_result(const ndarray &out, const ndarray &result, const char *operation, casting how) {
  check_out_queue(out.get_queue(), result.get_queue(), operation);
  if (!std::ranges::equal(out.shape(), result.shape()))
    refuse(refusal::value, "{}: out has shape {}, but the result has shape {}", operation, text_of(out.shape()),
           text_of(result.shape()));
  check_keeps_imaginary_parts(result.type(), out.type(), operation);
  if (!can_cast(result.type(), out.type(), how)) {
    constexpr const char *rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    refuse(refusal::type, "{}: {} cannot be cast to {} of out (casting '{}')", operation, name_of(result.type()),
           name_of(out.type()), rules[static_cast<int>(how)]);
  }
  assign(out, out.type() == result.type() ? result : astype(result, out.type()));
}

ndarray replace_nan(const ndarray &x, double number) {
  const dtype_kind kind = kind_of(x.type());
  if (kind != dtype_kind::real && kind != dtype_kind::complex) return x;
  const operand operands[] = {{.array = &x}};
  const ndarray absent = element(opcode::isnan, operands);
  const scalar replacement = scalar::of(number);
  const operand choice[] = {{.array = &absent}, {.number = &replacement}, {.array = &x}};
  return element(opcode::where, choice);
}

}  // namespace dpep::array
