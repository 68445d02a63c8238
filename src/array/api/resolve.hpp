// Which signature an operation runs with, and where.
#pragma once

#include <span>

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

/// The signature for these operands, as dpctl and NumPy choose it; refusal::value when there is none.
const signature &choose_signature(opcode, std::span<const operand>, const device &);
/// The signature that computes in the given type; refusal::type when there is none or an operand cannot be cast to it.
const signature &choose_signature_in(dtype, opcode, std::span<const operand>);

/// The dtype of an array made of the number alone.
dtype default_type(const scalar &, const device &) noexcept;

/// The kind of memory of a result of two operands: device before shared before host.
usm_kind coerced(usm_kind, usm_kind) noexcept;

/// Throws refusal::value for an output array of another shape or dtype, or a read-only one; refusal::placement for one
/// on another queue.
void check_out(const array_object &out, std::span<const std::int64_t> shape, dtype, const queue &,
               const char *operation);

}  // namespace dpep::array
