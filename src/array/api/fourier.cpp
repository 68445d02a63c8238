// Fourier transforms: argument checks, and one transform along an axis after the other for the executor.
#include <dpep/array_fft.hpp>

#include <cmath>

#include <dpep/array_opcodes.hpp>

#include "array/api/resolve.hpp"
#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

struct transform_traits {
  const char *name, *name_of_many;
  bool is_forward;  // divided by the length for fourier_norm::forward
  fourier_kind kind;
};
const transform_traits &traits_of(fourier_transform which) {
  static constexpr transform_traits all[] = {
      {"fft", "fftn", true, fourier_kind::forward},           {"ifft", "ifftn", false, fourier_kind::backward},
      {"rfft", "rfftn", true, fourier_kind::real_to_complex}, {"irfft", "irfftn", false, fourier_kind::complex_to_real},
      {"hfft", "hfft", true, fourier_kind::complex_to_real},  {"ihfft", "ihfft", false, fourier_kind::real_to_complex},
  };
  return all[static_cast<std::size_t>(which)];
}
/// The name that errors show.
struct operation {
  const transform_traits &traits;
  const char *name;
};

double factor_of(fourier_norm norm, bool forward, std::int64_t length) {
  if (norm == fourier_norm::ortho) return 1 / std::sqrt(static_cast<double>(length));
  return (norm == fourier_norm::forward) == forward ? 1 / static_cast<double>(length) : 1;
}

/// The complex dtype that arrays are computed in.
dtype complex_type_for(dtype type, const device &where) {
  switch (type) {
  case dtype::float16:
  case dtype::float32:
  case dtype::complex64:
    return dtype::complex64;
  case dtype::float64:
  case dtype::complex128:
    return dtype::complex128;
  default:
    return default_complex(where);
  }
}

ndarray in_type(const ndarray &x, dtype type) {
  return x.type() == type ? x : astype(x, type, casting::unsafe, order::keep, false);
}

ndarray conjugated(const ndarray &x) {
  if (kind_of(x.type()) != dtype_kind::complex) return x;
  const operand given[] = {{.array = &x}};
  return element(opcode::conj, given);
}

extents_list with_length(const extents_list &shape, int axis, std::int64_t length) {
  extents_list made = shape;
  made[static_cast<std::size_t>(axis)] = length;
  return made;
}

/// At most `most` elements along the axis.
ndarray cut(const ndarray &x, int axis, std::int64_t most) {
  array_object &of = implementation_of(x, "fft");
  if (of.layout.shape[static_cast<std::size_t>(axis)] <= most) return x;
  static_cast<void>(of.memory());  // a view of a pending array would be computed twice
  return make_view(of, layout(with_length(of.layout.shape, axis, most), of.layout.strides, of.layout.offset));
}

/// Whether the array can be the target of a transform of x, whose memory is other memory.
bool can_receive(const ndarray &to, dtype type, const ndarray &x) {
  array_object &out = implementation_of(to, "fft"), &from = implementation_of(x, "fft");
  if (out.type != type || !out.layout.row_major) return false;
  const ref<storage> &a = out.memory(), &b = from.memory();
  return a->base() + a->bytes <= b->base() || b->base() + b->bytes <= a->base();
}

/// One transform along an axis, of an operand that has the executor's dtype.
ndarray transform_axis(fourier_kind kind, const ndarray &x, std::int64_t length, int axis, double factor,
                       const ndarray *to) {
  const bool from_real = kind == fourier_kind::real_to_complex, to_real = kind == fourier_kind::complex_to_real;
  fourier_work w;
  w.what = kind;
  w.type = from_real ? complex_type_for(x.type(), x.get_queue().get_device()) : x.type();
  w.length = length;
  w.factor = factor;
  w.axis = axis;
  w.x = cut(x, axis, to_real ? length / 2 + 1 : length);
  array_object &from = implementation_of(w.x, "fft");
  const extents_list shape = with_length(from.layout.shape, axis, from_real ? length / 2 + 1 : length);
  const dtype type = to_real ? real_of(w.type) : w.type;
  if (to) {
    w.y = *to;
    static_cast<void>(implementation_of(w.y, "fft").memory());
    evaluate_readers(implementation_of(w.y, "fft"));
  } else if (from.layout.size == 0) {
    return full(shape, scalar::of(false), type, {from.queue, from.kind});
  } else {
    w.y = make_empty(from.queue, type, layout::contiguous(shape), from.kind);
  }
  if (w.y.size() == 0) return w.y;
  if (from.layout.size == 0) {
    assign(w.y, scalar::of(false));
    return w.y;
  }
  static_cast<void>(from.memory());
  const executor &e = executor_of(from.queue);
  if (!(idle(from.queue) && e.apply_now(w))) static_cast<void>(e.apply(w));
  return w.y;
}

/// Elements [first, first + count) along the axis.
ndarray part_of(const ndarray &x, int axis, std::int64_t first, std::int64_t count) {
  std::vector<index> parts;
  for (const std::int64_t length : x.shape()) parts.push_back({index::kind::slice, 0, length, 1});
  parts[static_cast<std::size_t>(axis)] = {index::kind::slice, first, count, 1};
  return view(x, parts);
}

/// A complex transform of real numbers: that of half as many complex ones, whose results are followed by their
/// conjugates in reverse order.
ndarray transform_real(bool is_forward, const ndarray &x, std::int64_t length, int axis, double factor) {
  const ndarray half = transform_axis(fourier_kind::real_to_complex, x, length, axis, factor, nullptr);
  const std::int64_t known = length / 2 + 1, rest = length - known;
  array_object &from = implementation_of(half, "fft");
  const extents_list shape = with_length(from.layout.shape, axis, length);
  const ndarray whole = make_empty(from.queue, from.type, layout::contiguous(shape), from.kind);
  const int along[] = {axis};
  const ndarray mirrored = flip(part_of(half, axis, 1, rest), along);
  assign(part_of(whole, axis, 0, known), is_forward ? half : conjugated(half));
  assign(part_of(whole, axis, known, rest), is_forward ? conjugated(mirrored) : mirrored);
  return whole;
}

void check_length(const char *name, std::int64_t length, extents shape, int axis) {
  if (length < 1)
    refuse(refusal::value, "{}: invalid number of data points ({}) along axis {} of shape {}; at least 1 is needed",
           name, length, axis, text_of(shape));
}

/// Checks an output array but for its dtype.
void check_output(const char *name, const ndarray &out, extents shape, const ndarray &x) {
  const array_object &o = implementation_of(out, name);
  check_out(o, shape, o.type, x.get_queue(), name);
}

void check_real(const char *name, const ndarray &x) {
  if (kind_of(x.type()) == dtype_kind::complex)
    refuse(refusal::type, "{}: expected an array of real numbers, got dtype {}", name, name_of(x.type()));
}

/// The transforms along the axes, in this order.
class axis_transforms {
public:
  axis_transforms(const char *name, const ndarray &x, fourier_norm norm, bool is_forward)
      : name_(name), norm_(norm), is_forward_(is_forward), x_(x), shape_(x.shape()) {}
  void add(fourier_kind kind, std::int64_t length, int axis) {
    check_length(name_, length, shape_, axis);
    steps_.push_back({kind, length, axis});
    shape_[static_cast<std::size_t>(axis)] = kind == fourier_kind::real_to_complex ? length / 2 + 1 : length;
  }
  const extents_list &shape() const noexcept { return shape_; }
  ndarray run(const ndarray *out) const {
    const device &where = x_.get_queue().get_device();
    const dtype type = complex_type_for(x_.type(), where);
    const bool has_real_result = steps_.back().kind == fourier_kind::complex_to_real;
    const dtype result = has_real_result ? real_of(type) : type;
    // as in NumPy, whose complex numbers between transforms along several axes are complex64
    const bool is_half = has_real_result && x_.type() == dtype::float16 && steps_.size() == 1;
    const dtype visible = is_half ? dtype::float16 : result;
    if (out && !can_cast(visible, out->type(), casting::same_kind))
      refuse(refusal::type, "{}: cannot cast the result from {} to the dtype of `out`, {}, by the rule same_kind",
             name_, name_of(visible), name_of(out->type()));
    const step &first = steps_[0];
    const bool is_complex = first.kind == fourier_kind::forward || first.kind == fourier_kind::backward;
    constexpr std::int64_t few = 8192;  // the calls for the halves cost more than they save
    const bool mirrors = is_complex && kind_of(x_.type()) != dtype_kind::complex && first.length > 2 && x_.size() > few;
    ndarray now = in_type(x_, mirrors || first.kind == fourier_kind::real_to_complex ? real_of(type) : type);
    bool is_own = now != x_ || mirrors;
    if (mirrors)
      now = transform_real(first.kind == fourier_kind::forward, now, first.length, first.axis,
                           factor_of(norm_, is_forward_, first.length));
    for (const step &s : std::span(steps_).subspan(mirrors)) {
      const bool is_last = &s == &steps_.back();
      const ndarray *to = nullptr;
      if (is_last && out && (now == *out ? replaces(now, s) : can_receive(*out, result, now)))
        to = out;
      else if (is_own && replaces(now, s))
        to = &now;
      now = transform_axis(s.kind, now, s.length, s.axis, factor_of(norm_, is_forward_, s.length), to);
      is_own = true;
    }
    if (now.type() != visible) now = astype(now, visible);
    if (!out) return now;
    if (now != *out) assign(*out, now);
    return *out;
  }

private:
  struct step {
    fourier_kind kind;
    std::int64_t length;
    int axis;
  };
  /// Whether a transform of an intermediate array can be computed in place.
  static bool replaces(const ndarray &x, const step &s) {
    return x.row_major() && (s.kind == fourier_kind::forward || s.kind == fourier_kind::backward) &&
           x.shape()[static_cast<std::size_t>(s.axis)] == s.length;
  }

  const char *const name_;
  const fourier_norm norm_;
  const bool is_forward_;
  const ndarray &x_;
  extents_list shape_;
  std::vector<step> steps_;
};

ndarray frequencies(const char *name, std::int64_t count, double spacing, dtype type, const placement &where,
                    bool half) {
  if (count < 1) refuse(refusal::value, "{}: n must be a positive integer, got {}", name, count);
  if (kind_of(type) != dtype_kind::real)
    refuse(refusal::type, "{}: expected a real floating-point dtype, got {}", name, name_of(type));
  if (spacing == 0) refuse(refusal::zero_division, "{}: the spacing d must not be 0", name);
  const scalar step = scalar::of(1 / (static_cast<double>(count) * spacing)), one = scalar::of(std::int64_t{1});
  const auto numbers = [&](std::int64_t first, std::int64_t elements) {
    return arange(scalar::of(first), one, elements, type, where);
  };
  ndarray all;
  if (half) {
    all = numbers(0, count / 2 + 1);
  } else {
    const ndarray parts[] = {numbers(0, (count - 1) / 2 + 1), numbers(-(count / 2), count / 2)};
    all = concat(parts, 0);
  }
  const operand product[] = {{.array = &all}, {.number = &step}};
  return element(opcode::multiply, product);
}

ndarray shifted(const char *name, const ndarray &x, std::optional<std::vector<int>> axes, bool back) {
  const int dimensions = x.dimensions();
  std::vector<int> of;
  if (axes)
    for (const int axis : *axes) of.push_back(normalized_axis(axis, dimensions, name));
  else
    for (int axis = 0; axis < dimensions; ++axis) of.push_back(axis);
  std::vector<std::int64_t> shifts;
  for (const int axis : of) {
    const std::int64_t half = x.shape()[static_cast<std::size_t>(axis)] / 2;
    shifts.push_back(back ? -half : half);
  }
  return of.empty() ? copy(x) : roll(x, shifts, of);
}

}  // namespace

ndarray fft(const ndarray &x, fourier_transform which, std::optional<std::int64_t> length, int axis,
            const fourier_options &options) {
  const transform_traits &t = traits_of(which);
  const int at = normalized_axis(axis, x.dimensions(), t.name);
  if (t.kind == fourier_kind::real_to_complex) check_real(t.name, x);
  const std::int64_t own = x.shape()[static_cast<std::size_t>(at)];
  const std::int64_t n = length.value_or(t.kind == fourier_kind::complex_to_real ? 2 * (own - 1) : own);
  const bool hermitian = which == fourier_transform::hfft, inverse_hermitian = which == fourier_transform::ihfft;
  const ndarray given = hermitian ? conjugated(x) : x;
  axis_transforms all(t.name, given, options.norm, t.is_forward);
  all.add(t.kind, n, at);
  if (options.out) check_output(t.name, *options.out, all.shape(), x);
  if (!inverse_hermitian) return all.run(options.out);
  const ndarray made = conjugated(all.run(nullptr));
  if (!options.out) return made;
  assign(*options.out, made);
  return *options.out;
}

ndarray fftn(const ndarray &x, fourier_transform which, std::optional<std::vector<std::int64_t>> lengths,
             std::optional<std::vector<int>> axes, const fourier_options &options) {
  const transform_traits &t = traits_of(which);
  const char *const name = t.name_of_many;
  const bool to_real = t.kind == fourier_kind::complex_to_real, from_real = t.kind == fourier_kind::real_to_complex;
  if (from_real) check_real(name, x);
  std::vector<int> of;
  const int count = axes      ? static_cast<int>(axes->size())
                    : lengths ? static_cast<int>(lengths->size())
                              : x.dimensions();
  for (int i = 0; i < count; ++i)
    of.push_back(normalized_axis(axes ? (*axes)[static_cast<std::size_t>(i)] : i - count, x.dimensions(), name));
  if (lengths && lengths->size() != of.size())
    refuse(refusal::value, "{}: shape and axes have different lengths: {} and {}", name, lengths->size(), of.size());
  if (of.empty()) {
    if (to_real || from_real)
      refuse(refusal::index, "{}: at least one axis must be transformed, got an array of shape {} and no axes", name,
             text_of(x.shape()));
    const ndarray made = in_type(x, complex_type_for(x.type(), x.get_queue().get_device()));
    if (!options.out) return made == x ? copy(x) : made;
    check_output(name, *options.out, x.shape(), x);
    assign(*options.out, made);
    return *options.out;
  }
  axis_transforms all(name, x, options.norm, t.is_forward);
  // forward transforms begin with the last axis, irfft ends with it
  for (std::size_t i = 0; i < of.size(); ++i) {
    const std::size_t k = to_real ? i : of.size() - 1 - i;
    const bool is_last_axis = k == of.size() - 1;
    const std::int64_t own = x.shape()[static_cast<std::size_t>(of[k])];
    std::int64_t n = own;
    if (lengths && (*lengths)[k] != -1)
      n = (*lengths)[k];
    else if (to_real && is_last_axis && !lengths)
      n = 2 * (own - 1);
    const bool is_complex = !is_last_axis || (!to_real && !from_real);
    all.add(is_complex ? t.is_forward ? fourier_kind::forward : fourier_kind::backward : t.kind, n, of[k]);
  }
  if (options.out) check_output(name, *options.out, all.shape(), x);
  return all.run(options.out);
}

ndarray fftfreq(std::int64_t count, double spacing, dtype type, const placement &where) {
  return frequencies("fftfreq", count, spacing, type, where, false);
}
ndarray rfftfreq(std::int64_t count, double spacing, dtype type, const placement &where) {
  return frequencies("rfftfreq", count, spacing, type, where, true);
}
ndarray fftshift(const ndarray &x, std::optional<std::vector<int>> axes) {
  return shifted("fftshift", x, std::move(axes), false);
}
ndarray ifftshift(const ndarray &x, std::optional<std::vector<int>> axes) {
  return shifted("ifftshift", x, std::move(axes), true);
}

}  // namespace dpep::array
