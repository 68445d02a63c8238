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

[[noreturn]] void refuse(const char *function, const std::string &why) {
  throw ::oneapi::mkl::invalid_argument("dft", function, why);
}
[[noreturn]] void refuse_value(const std::string &why) { refuse("set_value", why); }
const char *name_of(bool forward) { return forward ? "compute_forward" : "compute_backward"; }

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
    refuse(name_of(forward), fmt::format("a buffer has {} bytes, but {} are needed", o.bytes, needed));
  if (!o.memory && !o.pointer) refuse(name_of(forward), "a pointer is null");
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

event compute(const queue &where, const transform &t, bool forward, blas::operand from, blas::operand to,
              dependencies after) {
  check(forward, side_of(t, forward), from);
  check(forward, side_of(t, !forward), to);
  return mkl::with_buffers(where, {&from, &to}, after,
                           [&](dependencies all) { return submit(where, t, forward, from, to, all); });
}

/// Sets strides and the distance that are not set. `row`: the number of elements from row to row.
void complete(const std::vector<std::int64_t> &lengths, std::int64_t row, std::vector<std::int64_t> &strides,
              std::int64_t &distance) {
  std::vector<std::int64_t> usual(lengths.size() + 1, 0);
  std::int64_t next = 1;
  for (std::size_t i = lengths.size(); i > 0; --i) {
    usual[i] = next;
    next *= i == lengths.size() ? row : lengths[i - 1];
  }
  if (strides.empty()) strides = std::move(usual);
  if (!distance) distance = next;
}

}  // namespace

descriptor::descriptor(bool double_precision, bool real, std::vector<std::int64_t> lengths) {
  if (lengths.empty()) refuse("descriptor", "a transform has one dimension at least");
  for (const std::int64_t n : lengths)
    if (n < 1) refuse("descriptor", fmt::format("lengths must be positive, got {}", n));
  made_.double_precision = double_precision;
  made_.real = real;
  made_.lengths = std::move(lengths);
}

void descriptor::change() { queue_ = {}; }

void descriptor::set_value(config_param what, config_value value) {
  if (what != config_param::PLACEMENT || (value != config_value::INPLACE && value != config_value::NOT_INPLACE))
    refuse_value("PLACEMENT is INPLACE or NOT_INPLACE; other parameters have other types");
  change();
  placement_ = value;
}

void descriptor::set_value(config_param what, double value) {
  if (what != config_param::FORWARD_SCALE && what != config_param::BACKWARD_SCALE)
    refuse_value("only FORWARD_SCALE and BACKWARD_SCALE are floating-point numbers");
  change();
  (what == config_param::FORWARD_SCALE ? made_.forward_scale : made_.backward_scale) = value;
}

void descriptor::set_value(config_param what, std::int64_t value) {
  switch (what) {
  case config_param::NUMBER_OF_TRANSFORMS:
    if (value < 1) refuse_value(fmt::format("NUMBER_OF_TRANSFORMS must be positive, got {}", value));
    made_.count = value;
    break;
  case config_param::FWD_DISTANCE:
    made_.forward_distance = value;
    break;
  case config_param::BWD_DISTANCE:
    made_.backward_distance = value;
    break;
  case config_param::FORWARD_SCALE:
  case config_param::BACKWARD_SCALE:
    return set_value(what, static_cast<double>(value));
  default:
    refuse_value("the parameter is not an integer, or cannot be set");
  }
  change();
}

void descriptor::set_value(config_param what, const std::vector<std::int64_t> &strides) {
  if (what != config_param::FWD_STRIDES && what != config_param::BWD_STRIDES)
    refuse_value("only FWD_STRIDES and BWD_STRIDES are vectors");
  if (strides.size() != made_.lengths.size() + 1)
    refuse_value(fmt::format("strides are an offset and a number for each of {} dimensions, got {} numbers",
                             made_.lengths.size(), strides.size()));
  change();
  (what == config_param::FWD_STRIDES ? made_.forward_strides : made_.backward_strides) = strides;
}

void descriptor::set_value(config_param what, const std::int64_t *strides) {
  set_value(what, std::vector<std::int64_t>(strides, strides + made_.lengths.size() + 1));
}

void descriptor::get_value(config_param what, std::int64_t *value) const {
  const transform all = completed();
  switch (what) {
  case config_param::DIMENSION:
    *value = static_cast<std::int64_t>(all.lengths.size());
    return;
  case config_param::NUMBER_OF_TRANSFORMS:
    *value = all.count;
    return;
  case config_param::LENGTHS:
    std::ranges::copy(all.lengths, value);
    return;
  case config_param::FWD_DISTANCE:
    *value = all.forward_distance;
    return;
  case config_param::BWD_DISTANCE:
    *value = all.backward_distance;
    return;
  case config_param::FWD_STRIDES:
    std::ranges::copy(all.forward_strides, value);
    return;
  case config_param::BWD_STRIDES:
    std::ranges::copy(all.backward_strides, value);
    return;
  default:
    refuse("get_value", "the parameter has no integers");
  }
}

void descriptor::get_value(config_param what, double *value) const {
  if (what != config_param::FORWARD_SCALE && what != config_param::BACKWARD_SCALE)
    refuse("get_value", "only FORWARD_SCALE and BACKWARD_SCALE are floating-point numbers");
  *value = what == config_param::FORWARD_SCALE ? made_.forward_scale : made_.backward_scale;
}
void descriptor::get_value(config_param what, float *value) const {
  double precise = 0;
  get_value(what, &precise);
  *value = static_cast<float>(precise);
}
void descriptor::get_value(config_param what, config_value *value) const {
  if (what == config_param::PLACEMENT)
    *value = placement_;
  else if (what == config_param::COMMIT_STATUS)
    *value = queue_ ? config_value::COMMITTED : config_value::UNCOMMITTED;
  else
    refuse("get_value", "only PLACEMENT and COMMIT_STATUS are such values");
}

transform descriptor::completed() const {
  transform t = made_;
  const std::int64_t last = t.lengths.back(), half = last / 2 + 1;
  const bool padded = t.real && (t.lengths.size() > 1 || placement_ == config_value::INPLACE);
  complete(t.lengths, padded ? 2 * half : last, t.forward_strides, t.forward_distance);
  complete(t.lengths, t.real ? half : last, t.backward_strides, t.backward_distance);
  return t;
}

void descriptor::commit(const queue &where) {
  committed_ = completed();
  queue_ = where;
}

event descriptor::compute(bool forward, bool in_place, const blas::operand &from, const blas::operand &to,
                          dependencies after) const {
  if (!queue_) throw ::oneapi::mkl::uninitialized("dft", name_of(forward), "commit the descriptor first");
  if (in_place != (placement_ == config_value::INPLACE))
    refuse(name_of(forward), in_place ? "the descriptor's PLACEMENT is NOT_INPLACE, but there is one array"
                                      : "the descriptor's PLACEMENT is INPLACE, but there are two arrays");
  return dft::compute(queue_, committed_, forward, from, to, after);
}

}  // namespace dpep::dft
