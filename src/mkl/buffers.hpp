// Operands of calls: element sizes, and preparation of those in buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <dpep/blas.hpp>
#include <dpep/memory.hpp>

namespace dpep::mkl {

inline bool is_complex_type(dtype type) noexcept { return type == dtype::complex64 || type == dtype::complex128; }

/// The bytes of an element of a floating-point or complex type.
constexpr std::size_t size_of(dtype type) noexcept {
  switch (type) {
  case dtype::float16:
    return 2;
  case dtype::float32:
    return 4;
  case dtype::complex128:
    return 16;
  default:
    return 8;
  }
}

/// Calls submit(events) with the operands' pointers set, in order with the other commands that use their buffers. The
/// command must wait for the events; `submit` returns its event.
template <class Submit>
event with_buffers(const queue &where, const std::vector<blas::operand *> &operands, dependencies after,
                   Submit submit) {
  const auto in_buffer = [](const blas::operand *o) { return o->memory != nullptr; };
  if (std::ranges::none_of(operands, in_buffer)) return submit(after);
  std::vector<event> all(after.begin(), after.end());
  const auto submission = buffer::lock_submission();
  for (blas::operand *o : operands)
    if (o->memory)
      o->pointer = static_cast<std::byte *>(o->memory->acquire(where, o->mode, o->offset, o->bytes, all)) + o->offset;
  const event done = submit(dependencies(all));
  for (const blas::operand *o : operands)
    if (o->memory) o->memory->record(done, o->mode, o->offset, o->bytes);
  return done;
}

/// USM memory that is freed with its last owner.
inline std::shared_ptr<std::byte> allocate_owned(const queue &q, usm_kind kind, std::size_t bytes) {
  return {static_cast<std::byte *>(allocate(kind, bytes, 256, q.get_context(), q.get_device())),
          [where = q.get_context()](std::byte *p) { free(p, where); }};
}

/// An event that is complete when the dependencies are.
inline event after_all(const queue &q, dependencies after) { return after.empty() ? event() : q.barrier(after); }

}  // namespace dpep::mkl
