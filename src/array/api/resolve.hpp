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

/// The dtype that a device has instead: without 64-bit floats the 32-bit ones, without 16-bit floats too.
dtype supported(dtype, const device &) noexcept;
/// Refuses dtypes that the device has not got.
void check_supported(dtype, const device &, const char *operation);
/// A number's dtype when nothing else says one.
dtype default_type(const scalar &, const device &) noexcept;

/// Of memory kinds that meet: device before shared before host.
usm_kind coerced(usm_kind, usm_kind) noexcept;
/// Refuses arrays of another queue (refusal::placement).
void check_queue(const queue &, const array_object &, const char *operation);
/// What `out=` must be; a shape other than `shape`, another dtype or read-only: refusal::value.
void check_out(const array_object &out, std::span<const std::int64_t> shape, dtype, const queue &,
               const char *operation);

}  // namespace dpep::array
