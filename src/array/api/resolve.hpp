// Resolution of signatures, dtypes and kinds of memory, and checks of output arrays.
#pragma once

#include <span>

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

/// Chooses the signature for the operands by the rules of dpctl and NumPy. Throws refusal::value if there is none.
const signature &choose_signature(opcode, std::span<const operand>, const device &);
/// Chooses the signature that computes in the given dtype. Throws refusal::type if there is none or an operand cannot
/// be cast to it.
const signature &choose_signature_in(dtype, opcode, std::span<const operand>);

/// The dtype of an array made of the number.
dtype default_type(const scalar &, const device &) noexcept;

/// The kind of memory of a result of two operands: device if either is, else shared if either is, else host.
usm_kind coerced(usm_kind, usm_kind) noexcept;

/// Throws refusal::value for an output array of another shape or dtype, or a read-only one; refusal::placement for one
/// on another queue.
void check_out(const array_object &out, std::span<const std::int64_t> shape, dtype, const queue &,
               const char *operation);

}  // namespace dpep::array
