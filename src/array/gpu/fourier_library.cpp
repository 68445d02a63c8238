// Fourier transforms by cuFFT.
//
// Where the lines of an operand do not have the strides of one plan, the operand is copied before, which also extends
// lines by zeros, or the axis is moved to the end. An inverse real transform overwrites its operand, so it gets a copy.
#include "array/gpu/fourier_library.hpp"

#include <algorithm>
#include <numeric>

#include <dpep/array_functions.hpp>
#include <dpep/array_opcodes.hpp>

#include "array/gpu/launch.hpp"
#include "array/gpu/native_calls.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array::gpu {
namespace {

using libs::cufft_type;
using std::int64_t;

constexpr const char *name = "Fourier transform";

cufft_type type_of(fourier_kind what, dtype t) noexcept {
  const bool is_single = t == dtype::complex64;
  switch (what) {
  case fourier_kind::real_to_complex:
    return is_single ? cufft_type::real_to_complex64 : cufft_type::real_to_complex128;
  case fourier_kind::complex_to_real:
    return is_single ? cufft_type::complex64_to_real : cufft_type::complex128_to_real;
  default:
    return is_single ? cufft_type::complex64 : cufft_type::complex128;
  }
}
dtype x_type(const fourier_sizes &s) noexcept {
  return s.what == fourier_kind::real_to_complex ? real_of(s.type) : s.type;
}
dtype y_type(const fourier_sizes &s) noexcept {
  return s.what == fourier_kind::complex_to_real ? real_of(s.type) : s.type;
}
/// Elements of a line of x, and of y.
int64_t x_length(const fourier_sizes &s) noexcept {
  return s.what == fourier_kind::complex_to_real ? s.length / 2 + 1 : s.length;
}
int64_t y_length(const fourier_sizes &s) noexcept {
  return s.what == fourier_kind::real_to_complex ? s.length / 2 + 1 : s.length;
}

std::byte *address(const ndarray &x) { return implementation_of(x, name).first(); }
bool is_aligned(const ndarray &x, dtype type) {
  return reinterpret_cast<std::uintptr_t>(address(x)) % size_of(type) == 0;
}

/// The elements of x along the axis from `first` on.
ndarray part_of(const ndarray &x, int axis, int64_t first, int64_t count) {
  std::vector<index> indices;
  for (int a = 0; a < axis; ++a) indices.push_back({index::kind::slice, 0, x.shape()[std::size_t(a)]});
  indices.push_back({index::kind::slice, first, count});
  return view(x, indices);
}

ndarray scaled(const ndarray &x, double factor) {
  if (factor == 1) return x;
  const scalar number = scalar::of(factor);
  const operand operands[] = {{.array = &x, .number = nullptr}, {.array = nullptr, .number = &number}};
  return element(opcode::multiply, operands);
}

/// A row-major copy of x, times the factor, with all elements that the transform reads.
ndarray complete(const fourier_work &w, const fourier_sizes &s) {
  std::vector<int64_t> shape(w.x.shape().begin(), w.x.shape().end());
  const int64_t present = shape[std::size_t(w.axis)], all = x_length(s);
  shape[std::size_t(w.axis)] = all;
  const ndarray copied = empty(shape, w.x.type(), {w.x.get_queue(), usm_kind::device});
  assign(part_of(copied, w.axis, 0, present), scaled(w.x, w.factor));
  if (present < all) assign(part_of(copied, w.axis, present, all - present), scalar::of(0.0));
  if (s.what == fourier_kind::complex_to_real) {
    // cuFFT requires that elements which are their own conjugates are real; NumPy ignores their imaginary parts
    assign(imaginary_part(part_of(copied, w.axis, 0, 1)), scalar::of(0.0));
    if (s.length % 2 == 0) assign(imaginary_part(part_of(copied, w.axis, all - 1, 1)), scalar::of(0.0));
  }
  copied.evaluate();
  return copied;
}

/// Submits the calls. Both operands have all elements; x may be overwritten by an inverse real transform.
event submit(const libs::cufft_library &library, backend::native_device &device, const fourier_work &w,
             const fourier_sizes &s, const fourier_call &call) {
  const queue &where = w.y.get_queue();
  // The holder releases the plan when the calls are made, so that the next transform can use it.
  auto holder = std::make_shared<std::unique_ptr<libs::cufft_plan>>();
  device.with_context([&] {
    *holder = std::make_unique<libs::cufft_plan>(library, device.native_context(), call.layout,
                                                 [&] { device.synchronize(); });
  });
  owner_list owners;
  ref<storage> scratch;
  if (const std::size_t bytes = (*holder)->scratch_bytes()) scratch = allocate_workspace(where, bytes, owners);
  const int sign = w.what == fourier_kind::forward || w.what == fourier_kind::real_to_complex ? -1 : 1;
  return submit_native(where, name, {w.x, w.y}, std::move(owners),
                       [holder, scratch, sign, from = address(w.x), to = address(w.y), repeats = call.repeats,
                        from_repeat = call.from_repeat * int64_t(size_of(x_type(s))),
                        to_repeat = call.to_repeat * int64_t(size_of(y_type(s)))](std::uintptr_t stream) {
                         const std::unique_ptr<libs::cufft_plan> plan = std::move(*holder);
                         plan->use(stream, scratch ? scratch->base() : nullptr);
                         for (int64_t i = 0; i < repeats; ++i)
                           plan->execute(from + i * from_repeat, to + i * to_repeat, sign);
                       });
}

/// Transforms along the last axis, of which there may be many calls along another one.
event transform_last_axis(const fourier_work &w) {
  fourier_work moved = w;
  const int from[] = {w.axis}, last[] = {w.x.dimensions() - 1};
  moved.axis = last[0];
  moved.x = moveaxis(w.x, from, last);
  std::vector<int64_t> shape(moved.x.shape().begin(), moved.x.shape().end());
  shape.back() = w.y.shape()[std::size_t(w.axis)];
  moved.y = empty(shape, w.y.type(), {w.y.get_queue(), usm_kind::device});
  moved.factor = 1;
  transform_by_library(moved);
  assign(w.y, moveaxis(scaled(moved.y, w.factor), last, from));
  w.y.evaluate();
  return last_submitted(w.y.get_queue());
}

}  // namespace

std::optional<fourier_call> fourier_call_of(const fourier_sizes &s, const fourier_lines &x) {
  // cuFFT's operands are aligned as complex numbers are
  const auto keeps_alignment = [&](int64_t repeat, dtype t) {
    return repeat * int64_t(size_of(t)) % int64_t(size_of(s.type)) == 0;
  };
  if (x.step <= 0) return std::nullopt;
  fourier_call call;
  libs::cufft_layout &l = call.layout;
  l.type = type_of(s.what, s.type);
  l.length = s.length;
  l.from_step = x.step;
  l.to_step = x.inner;
  if (x.outer == 1 || x.inner == 1) {
    if (x.axes > 1) return std::nullopt;
    l.batch = x.count();
    l.from_distance = x.axes ? x.strides[0] : x_length(s);
    l.to_distance = x.inner == 1 ? y_length(s) : 1;
    return l.from_distance > 0 ? std::optional(call) : std::nullopt;
  }
  if (x.axes != 2 || x.lengths[0] != x.outer) return std::nullopt;
  const auto along = [&](std::size_t batch, std::size_t repeat) {
    const int64_t to[] = {y_length(s) * x.inner, 1};
    l.batch = x.lengths[batch];
    l.from_distance = x.strides[batch];
    l.to_distance = to[batch];
    call.repeats = x.lengths[repeat];
    call.from_repeat = x.strides[repeat];
    call.to_repeat = to[repeat];
    constexpr int64_t few_calls = 16, much_work = 1 << 18;
    return l.from_distance > 0 && (call.repeats <= few_calls || l.batch * s.length >= much_work) &&
           keeps_alignment(call.from_repeat, x_type(s)) && keeps_alignment(call.to_repeat, y_type(s));
  };
  const std::size_t fewer = x.outer <= x.inner ? 0 : 1;
  return along(1 - fewer, fewer) || along(fewer, 1 - fewer) ? std::optional(call) : std::nullopt;
}

std::optional<event> transform_by_library(const fourier_work &w) {
  if (w.length == 1) return std::nullopt;  // a copy
  const queue &where = w.x.get_queue();
  backend::native_device *const device = find_native_device(where);
  if (!device || where.get_device().info().backend != backend_kind::cuda) return std::nullopt;
  std::string why;
  const libs::cufft_library *const library = libs::find_cufft(libs::cuda_version_of(where.get_device().info()), why);
  if (!library || !is_aligned(w.y, w.type)) return std::nullopt;

  const fourier_sizes s{w.what, w.type, w.length};
  const std::optional<fourier_lines> lines = lines_of(w.x, w.axis);
  const bool is_complete = w.x.shape()[std::size_t(w.axis)] == x_length(s) && is_aligned(w.x, w.type);
  if (is_complete && w.what != fourier_kind::complex_to_real && lines)
    if (const std::optional<fourier_call> call = fourier_call_of(s, *lines)) {
      event done = submit(*library, *device, w, s, *call);
      if (w.factor == 1) return done;
      assign(w.y, scaled(w.y, w.factor));
      w.y.evaluate();
      return last_submitted(where);
    }
  int64_t outer = 1, inner = 1;
  for (int a = 0; a < w.y.dimensions(); ++a)
    if (a != w.axis) (a < w.axis ? outer : inner) *= w.y.shape()[std::size_t(a)];
  const std::optional<fourier_call> call = fourier_call_of(s, row_major_lines(outer, x_length(s), inner));
  if (!call) return transform_last_axis(w);
  fourier_work copied = w;
  copied.x = complete(w, s);
  return submit(*library, *device, copied, s, *call);
}

}  // namespace dpep::array::gpu
