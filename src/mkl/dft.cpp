// Fourier transforms of memory, by those of arrays.
#include <dpep/dft.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <dpep/array_fft.hpp>
#include <dpep/array_functions.hpp>
#include <dpep/array_opcodes.hpp>

#include <oneapi/mkl/exceptions.hpp>

#include "mkl/buffers.hpp"

namespace dpep::dft {
namespace {

[[noreturn]] void refuse(bool forward, const std::string &why) {
  throw ::oneapi::mkl::invalid_argument("dft", forward ? "compute_forward" : "compute_backward", why);
}

/// One side of the transforms: its memory as an array.
struct side {
  dtype type;
  std::int64_t offset;
  std::vector<std::int64_t> shape, strides;

  /// The elements from the first byte of the memory to the last element.
  std::int64_t span() const {
    std::int64_t last = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * std::max<std::int64_t>(strides[i], 0);
    return last + 1;
  }
};

side side_of(const transform &t, bool forward_side) {
  const bool is_real = t.real && forward_side;
  side made{.type = t.double_precision ? is_real ? dtype::float64 : dtype::complex128
                    : is_real          ? dtype::float32
                                       : dtype::complex64,
            .offset = (forward_side ? t.forward_strides : t.backward_strides).front(),
            .shape = {t.count},
            .strides = {forward_side ? t.forward_distance : t.backward_distance}};
  const std::vector<std::int64_t> &strides = forward_side ? t.forward_strides : t.backward_strides;
  made.shape.insert(made.shape.end(), t.lengths.begin(), t.lengths.end());
  made.strides.insert(made.strides.end(), strides.begin() + 1, strides.end());
  if (t.real && !forward_side) made.shape.back() = t.lengths.back() / 2 + 1;
  return made;
}

ndarray array_of(const queue &where, const side &s, const blas::operand &o) {
  const std::size_t bytes = static_cast<std::size_t>(s.span()) * mkl::size_of(s.type);
  const std::shared_ptr<void> owner(const_cast<void *>(o.pointer), [](void *) {});  // the caller keeps the memory
  const std::optional<allocation> found = find_allocation(o.pointer);
  return array::view_of_memory(owner.get(), bytes, s.offset, s.shape, s.strides, s.type,
                               {where, found ? found->kind : usm_kind::device}, owner);
}

void check(bool forward, const side &s, const blas::operand &o) {
  const std::size_t needed = static_cast<std::size_t>(s.span()) * mkl::size_of(s.type);
  if (o.memory && o.bytes < needed)
    refuse(forward, fmt::format("a buffer has {} bytes, but {} are needed", o.bytes, needed));
  if (!o.memory && !o.pointer) refuse(forward, "a pointer is null");
}

/// Submits the transforms in order with the queue's array work.
event submit(const queue &where, const transform &t, bool forward, const blas::operand &from, const blas::operand &to,
             dependencies after) {
  using array::fourier_norm, array::fourier_transform;
  for (const event &e : after) array::order_after(where, e);
  const side from_side = side_of(t, forward), to_side = side_of(t, !forward);
  const ndarray x = array_of(where, from_side, from);
  const bool in_place = from.pointer == to.pointer;
  const bool same_array = in_place && from_side.type == to_side.type && from_side.strides == to_side.strides &&
                          from_side.offset == to_side.offset;
  const ndarray y = same_array ? x : array_of(where, to_side, to);
  std::vector<int> axes;
  for (int i = 1; i <= static_cast<int>(t.lengths.size()); ++i) axes.push_back(i);
  const auto which = forward  ? t.real ? fourier_transform::rfft : fourier_transform::fft
                     : t.real ? fourier_transform::irfft
                              : fourier_transform::ifft;
  // neither direction divides: the scales are the descriptor's
  array::fourier_options options{forward ? fourier_norm::backward : fourier_norm::forward, nullptr};
  if (in_place && !same_array) {  // the sides overlap
    const ndarray made = array::fftn(x, which, t.lengths, axes, options);
    made.evaluate();
    array::assign(y, made);
  } else {
    options.out = &y;
    array::fftn(x, which, t.lengths, axes, options);
  }
  if (const double factor = forward ? t.forward_scale : t.backward_scale; factor != 1) {
    const array::scalar number = array::scalar::of(factor);
    const array::operand product[] = {{&y, nullptr}, {nullptr, &number}};
    array::element_options in_y;
    in_y.out = &y;
    array::element(array::opcode::multiply, product, in_y);
  }
  y.evaluate();
  return array::last_event(where);
}

}  // namespace

event compute(const queue &where, const transform &t, bool forward, blas::operand from, blas::operand to,
              dependencies after) {
  if (t.count <= 0) return mkl::after_all(where, after);
  check(forward, side_of(t, forward), from);
  check(forward, side_of(t, !forward), to);
  return mkl::with_buffers(where, {&from, &to}, after,
                           [&](dependencies all) { return submit(where, t, forward, from, to, all); });
}

}  // namespace dpep::dft
