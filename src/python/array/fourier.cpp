// Fourier transforms: the functions of dpctl.tensor.fft.
#include <dpep/array_fft.hpp>

#include "fourier_docs.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

using array::fourier_transform;

constexpr const char *name_of(fourier_transform which, bool many = false) noexcept {
  constexpr const char *one[] = {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"};
  constexpr const char *several[] = {"fftn", "ifftn", "rfftn", "irfftn"};
  return many ? several[static_cast<std::size_t>(which)] : one[static_cast<std::size_t>(which)];
}

array::fourier_norm norm_from(nb::handle norm, const char *function) {
  if (norm.is_none()) return array::fourier_norm::backward;
  const std::string text = nb::isinstance<nb::str>(norm) ? text_of(norm) : std::string();
  if (text == "backward") return array::fourier_norm::backward;
  if (text == "ortho") return array::fourier_norm::ortho;
  if (text == "forward") return array::fourier_norm::forward;
  throw value_error(std::string(function) + ": norm must be 'backward', 'ortho' or 'forward', got " +
                    text_of(nb::repr(norm)));
}

std::int64_t length_from(nb::handle x) {
  const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  const Py_ssize_t value = PyNumber_AsSsize_t(index.ptr(), PyExc_OverflowError);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

/// The axes of an int or a sequence of ints, which may be named repeatedly; nothing for None.
std::optional<std::vector<int>> repeatable_axes(nb::handle axes, int dimensions, const char *function) {
  if (axes.is_none()) return {};
  std::vector<int> found;
  const extents_argument given = integers_from(axes, function, "axes");
  for (const std::int64_t axis : array::extents(given))
    found.push_back(array::normalized_axis(axis, dimensions, function));
  return found;
}

/// The result: the output array itself if there is one.
nb::object result_of(ndarray made, nb::handle x, nb::handle out) {
  return out.is_none() ? to_python(std::move(made), package_of(x.ptr())) : nb::borrow(out);
}

template <fourier_transform which>
nb::object transform(nb::handle x, nb::handle n, nb::handle axis, nb::handle norm, nb::handle out) {
  constexpr const char *name = name_of(which);
  const ndarray &a = array_argument(x, name, "x");
  std::optional<std::int64_t> length;
  if (!n.is_none()) length = length_from(n);
  const int along = axis_from(axis, a.dimensions(), name);
  const array::fourier_options options{norm_from(norm, name), optional_array(out, name, "out")};
  return result_of(computing(a.size() * 16, [&] { return array::fft(a, which, length, along, options); }), x, out);
}

template <fourier_transform which>
nb::object transform_many(nb::handle x, nb::handle s, nb::handle axes, nb::handle norm, nb::handle out) {
  constexpr const char *name = name_of(which, true);
  const ndarray &a = array_argument(x, name, "x");
  std::optional<std::vector<std::int64_t>> lengths;
  if (!s.is_none()) {
    const extents_argument given = integers_from(s, name, "s");
    const array::extents all = given;
    lengths.emplace(all.begin(), all.end());
  }
  const std::optional<std::vector<int>> along = repeatable_axes(axes, a.dimensions(), name);
  const array::fourier_options options{norm_from(norm, name), optional_array(out, name, "out")};
  return result_of(computing(a.size() * 16, [&] { return array::fftn(a, which, lengths, along, options); }), x, out);
}

template <ndarray (*frequencies)(std::int64_t, double, dtype, const array::placement &)>
nb::object frequencies_of(const char *name, nb::handle n, nb::handle d, nb::handle type, nb::handle device,
                          nb::handle kind, nb::handle queue) {
  if (!PyIndex_Check(n.ptr())) throw value_error(std::string(name) + ": n must be an integer, got " + type_of(n));
  const double spacing = PyFloat_AsDouble(d.ptr());
  if (spacing == -1 && PyErr_Occurred()) throw nb::python_error();
  const array::placement where = placement_from(device, kind, queue);
  const dtype t = type.is_none() ? array::default_real(where.queue.get_device()) : dtype_from(type);
  array::check_supported(t, where.queue.get_device(), name);
  return to_python(frequencies(length_from(n), spacing, t, where), package::dpctl);
}
nb::object fftfreq(nb::handle n, nb::handle d, nb::handle type, nb::handle device, nb::handle kind, nb::handle queue) {
  return frequencies_of<array::fftfreq>("fftfreq", n, d, type, device, kind, queue);
}
nb::object rfftfreq(nb::handle n, nb::handle d, nb::handle type, nb::handle device, nb::handle kind, nb::handle queue) {
  return frequencies_of<array::rfftfreq>("rfftfreq", n, d, type, device, kind, queue);
}

template <ndarray (*shift)(const ndarray &, std::optional<std::vector<int>>)>
nb::object shifted(const char *name, nb::handle x, nb::handle axes) {
  const ndarray &a = array_argument(x, name, "x");
  const std::optional<std::vector<int>> along = repeatable_axes(axes, a.dimensions(), name);
  return to_python(computing(a.size(), [&] { return shift(a, along); }), package_of(x.ptr()));
}
nb::object fftshift(nb::handle x, nb::handle axes) { return shifted<array::fftshift>("fftshift", x, axes); }
nb::object ifftshift(nb::handle x, nb::handle axes) { return shifted<array::ifftshift>("ifftshift", x, axes); }

template <fourier_transform which> void bind_transform(nb::module_ &m, const char *signature, const char *docs) {
  m.def(name_of(which), transform<which>, nb::arg(), nb::kw_only(), nb::arg("n") = nb::none(), nb::arg("axis") = -1,
        nb::arg("norm").none() = "backward", nb::arg("out") = nb::none(), nb::sig(signature), docs);
}
template <fourier_transform which> void bind_many(nb::module_ &m, const char *signature, const char *docs) {
  m.def(name_of(which, true), transform_many<which>, nb::arg(), nb::kw_only(), nb::arg("s") = nb::none(),
        nb::arg("axes") = nb::none(), nb::arg("norm").none() = "backward", nb::arg("out") = nb::none(),
        nb::sig(signature), docs);
}

#define DPEP_ONE_AXIS(name)                                                                                            \
  "def " name "(x: usm_ndarray, /, *, n: int | None = None, axis: int = -1, norm: str | None = 'backward', "           \
  "out: usm_ndarray | None = None) -> usm_ndarray"
#define DPEP_MANY_AXES(name)                                                                                           \
  "def " name "(x: usm_ndarray, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, "             \
  "norm: str | None = 'backward', out: usm_ndarray | None = None) -> usm_ndarray"
#define DPEP_FREQUENCIES(name)                                                                                         \
  "def " name "(n: int, /, *, d: float = 1.0, dtype: object = None, " DPEP_PLACEMENT ") -> usm_ndarray"
#define DPEP_SHIFT(name) "def " name "(x: usm_ndarray, /, *, axes: int | Sequence[int] | None = None) -> usm_ndarray"

}  // namespace

void bind_fourier(nb::module_ &m) {
  const auto none = nb::none();
  bind_transform<fourier_transform::fft>(m, DPEP_ONE_AXIS("fft"), docs::fft);
  bind_transform<fourier_transform::ifft>(m, DPEP_ONE_AXIS("ifft"), docs::ifft);
  bind_transform<fourier_transform::rfft>(m, DPEP_ONE_AXIS("rfft"), docs::rfft);
  bind_transform<fourier_transform::irfft>(m, DPEP_ONE_AXIS("irfft"), docs::irfft);
  bind_transform<fourier_transform::hfft>(m, DPEP_ONE_AXIS("hfft"), docs::hfft);
  bind_transform<fourier_transform::ihfft>(m, DPEP_ONE_AXIS("ihfft"), docs::ihfft);
  bind_many<fourier_transform::fft>(m, DPEP_MANY_AXES("fftn"), docs::fftn);
  bind_many<fourier_transform::ifft>(m, DPEP_MANY_AXES("ifftn"), docs::ifftn);
  bind_many<fourier_transform::rfft>(m, DPEP_MANY_AXES("rfftn"), docs::rfftn);
  bind_many<fourier_transform::irfft>(m, DPEP_MANY_AXES("irfftn"), docs::irfftn);
  m.def("fftfreq", fftfreq, nb::arg(), nb::kw_only(), nb::arg("d") = 1.0, nb::arg("dtype") = none,
        nb::arg("device") = none, nb::arg("usm_type") = "device", nb::arg("sycl_queue") = none,
        nb::sig(DPEP_FREQUENCIES("fftfreq")), docs::fftfreq);
  m.def("rfftfreq", rfftfreq, nb::arg(), nb::kw_only(), nb::arg("d") = 1.0, nb::arg("dtype") = none,
        nb::arg("device") = none, nb::arg("usm_type") = "device", nb::arg("sycl_queue") = none,
        nb::sig(DPEP_FREQUENCIES("rfftfreq")), docs::rfftfreq);
  m.def("fftshift", fftshift, nb::arg(), nb::kw_only(), nb::arg("axes") = none, nb::sig(DPEP_SHIFT("fftshift")),
        docs::fftshift);
  m.def("ifftshift", ifftshift, nb::arg(), nb::kw_only(), nb::arg("axes") = none, nb::sig(DPEP_SHIFT("ifftshift")),
        docs::ifftshift);
}

}  // namespace dpep::python
