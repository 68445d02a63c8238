// Docstrings of dpctl.tensor.fft.
#pragma once

namespace dpep::python::docs {

#define DPEP_FOURIER_ARGUMENTS(lengths)                                                                                \
  "n : int, optional\n    The length of the transform, which `x` is cut or padded with zeros to. Default: " lengths    \
  ".\n"                                                                                                                \
  "axis : int, optional\n    The axis that is transformed.\n" DPEP_FOURIER_NORM
#define DPEP_FOURIER_NORM                                                                                              \
  "norm : {'backward', 'ortho', 'forward'}, optional\n"                                                                \
  "    The direction whose result is divided by the length; 'ortho': both are, by its square root.\n"                  \
  "out : usm_ndarray, optional\n    The array to write the result into, of its shape.\n\n"
#define DPEP_FOURIER_ERRORS                                                                                            \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When `x` is not an array, or is complex where a real array is wanted.\n"                             \
  "ValueError\n    For a length below 1, an unknown norm, and an output array of another shape.\n"                     \
  "numpy.exceptions.AxisError\n    When there is no such axis.\n\n"                                                    \
  "Examples\n--------\n>>> import dpctl.tensor as dpt\n"
#define DPEP_FOURIER_AXES                                                                                              \
  "s : sequence of ints, optional\n    The lengths of the transforms, one for each axis; -1 is the length of `x`.\n"   \
  "axes : sequence of ints, optional\n    The axes that are transformed. Default: all, or the last ones, as many as\n" \
  "    there are lengths.\n" DPEP_FOURIER_NORM

inline constexpr char fft[] =
    "Return the discrete Fourier transforms along an axis.\n\n"
    "Element k is the sum of x[j] * exp(-2 pi i j k / n) over j.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real or complex numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_ARGUMENTS("the length of the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.fft.fft(dpt.asarray([1.0, 2.0, 3.0, 4.0]))\n"
    "usm_ndarray([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])\n";

inline constexpr char ifft[] =
    "Return the inverse discrete Fourier transforms along an axis.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real or complex numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_ARGUMENTS("the length of the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.fft.ifft(dpt.asarray([4.0, 0.0, 0.0, 0.0]))\n"
    "usm_ndarray([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])\n";

inline constexpr char rfft[] =
    "Return the discrete Fourier transforms of real numbers along an axis.\n\n"
    "The result has the elements 0 to n // 2. The others are their conjugates.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_ARGUMENTS("the length of the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.fft.rfft(dpt.asarray([1.0, 2.0, 3.0, 4.0]))\n"
    "usm_ndarray([10.+0.j, -2.+2.j, -2.+0.j])\n";

inline constexpr char irfft[] =
    "Return the real numbers whose discrete Fourier transforms along an axis have the given first elements.\n\n"
    "This is the inverse of `rfft`. The imaginary parts of element 0, and of element n / 2, count as zero.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    The elements 0 to n // 2 of the transforms.\n"  //
    DPEP_FOURIER_ARGUMENTS("2 (m - 1) for m elements along the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.fft.irfft(dpt.asarray([10.0, -2.0 + 2.0j, -2.0]))\n"
    "usm_ndarray([1., 2., 3., 4.])\n";

inline constexpr char hfft[] =
    "Return the discrete Fourier transforms of numbers with Hermitian symmetry, which are real.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    The elements 0 to n // 2. The others are their conjugates.\n"  //
    DPEP_FOURIER_ARGUMENTS("2 (m - 1) for m elements along the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.fft.hfft(dpt.asarray([1.0, 2.0, 3.0]))\n"
    "usm_ndarray([ 8., -2.,  0., -2.])\n";

inline constexpr char ihfft[] =
    "Return the inverse discrete Fourier transforms of real numbers, which have Hermitian symmetry.\n\n"
    "This is the inverse of `hfft`. The result has the elements 0 to n // 2.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_ARGUMENTS("the length of the axis") DPEP_FOURIER_ERRORS
    ">>> dpt.abs(dpt.fft.ihfft(dpt.asarray([8.0, -2.0, 0.0, -2.0])))\n"
    "usm_ndarray([1., 2., 3.])\n";

inline constexpr char fftn[] =
    "Return the discrete Fourier transform along several axes.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real or complex numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_AXES DPEP_FOURIER_ERRORS ">>> dpt.fft.fftn(dpt.asarray([[1.0, 2.0], [3.0, 4.0]]))\n"
    "usm_ndarray([[10.+0.j, -2.+0.j],\n             [-4.+0.j,  0.+0.j]])\n";

inline constexpr char ifftn[] =
    "Return the inverse discrete Fourier transform along several axes.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real or complex numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_AXES DPEP_FOURIER_ERRORS ">>> dpt.fft.ifftn(dpt.asarray([[10.0, -2.0], [-4.0, 0.0]]))\n"
    "usm_ndarray([[1.+0.j, 2.+0.j],\n             [3.+0.j, 4.+0.j]])\n";

inline constexpr char rfftn[] =
    "Return the discrete Fourier transform of real numbers along several axes.\n\n"
    "Along the last of the axes, the result has the elements 0 to n // 2.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    Real numbers. Integers are computed as floats.\n"  //
    DPEP_FOURIER_AXES DPEP_FOURIER_ERRORS ">>> dpt.fft.rfftn(dpt.asarray([[1.0, 2.0], [3.0, 4.0]]))\n"
    "usm_ndarray([[10.+0.j, -2.+0.j],\n             [-4.+0.j,  0.+0.j]])\n";

inline constexpr char irfftn[] =
    "Return the real numbers whose discrete Fourier transform along several axes has the given elements.\n\n"
    "This is the inverse of `rfftn`. The length along the last of the axes is 2 (m - 1) for m elements, unless `s`\n"
    "is given.\n\n"
    "Parameters\n----------\nx : usm_ndarray\n    The elements 0 to n // 2 along the last of the axes.\n"  //
    DPEP_FOURIER_AXES DPEP_FOURIER_ERRORS ">>> dpt.fft.irfftn(dpt.asarray([[10.0, -2.0], [-4.0, 0.0]]))\n"
    "usm_ndarray([[1., 2.],\n             [3., 4.]])\n";

#define DPEP_FREQUENCY_ARGUMENTS                                                                                       \
  "Parameters\n----------\n"                                                                                           \
  "n : int\n    The length of the transform.\n"                                                                        \
  "d : float, optional\n    The distance between samples.\n"                                                           \
  "dtype : data type, optional\n    A real floating-point dtype. Default: the device's.\n"                             \
  "device, usm_type, sycl_queue : optional\n    The placement of the result, as in `dpctl.tensor.empty`.\n\n"          \
  "Raises\n------\n"                                                                                                   \
  "ValueError\n    When `n` is not a positive integer.\n"                                                              \
  "ZeroDivisionError\n    When `d` is 0.\n\n"                                                                          \
  "Examples\n--------\n>>> import dpctl.tensor as dpt\n"
inline constexpr char fftfreq[] = "Return the frequencies of the elements of `fft`, k / (n d).\n\n"
                                  "The second half of the elements belongs to negative frequencies.\n\n"  //
    DPEP_FREQUENCY_ARGUMENTS ">>> dpt.fft.fftfreq(5)\n"
                                  "usm_ndarray([ 0. ,  0.2,  0.4, -0.4, -0.2])\n";
inline constexpr char rfftfreq[] = "Return the frequencies of the elements of `rfft`, k / (n d).\n\n"  //
    DPEP_FREQUENCY_ARGUMENTS ">>> dpt.fft.rfftfreq(4)\n"
                                   "usm_ndarray([0.  , 0.25, 0.5 ])\n";

#define DPEP_SHIFT_ARGUMENTS                                                                                           \
  "Parameters\n----------\nx : usm_ndarray\n    An array.\n"                                                           \
  "axes : int or sequence of ints, optional\n    The axes that are shifted. Default: all.\n\n"                         \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When `x` is not an array.\n"                                                                         \
  "numpy.exceptions.AxisError\n    When there is no such axis.\n\n"                                                    \
  "Examples\n--------\n>>> import dpctl.tensor as dpt\n"
inline constexpr char fftshift[] = "Return the array with the frequency 0 moved to the middle.\n\n"  //
    DPEP_SHIFT_ARGUMENTS ">>> dpt.fft.fftshift(dpt.fft.fftfreq(5))\n"
                                   "usm_ndarray([-0.4, -0.2,  0. ,  0.2,  0.4])\n";
inline constexpr char ifftshift[] =
    "Return the array with the frequency 0 moved to the front: the inverse of `fftshift`.\n\n"  //
    DPEP_SHIFT_ARGUMENTS ">>> dpt.fft.ifftshift(dpt.asarray([-0.4, -0.2, 0.0, 0.2, 0.4]))\n"
    "usm_ndarray([ 0. ,  0.2,  0.4, -0.4, -0.2])\n";

#undef DPEP_FOURIER_ARGUMENTS
#undef DPEP_FOURIER_NORM
#undef DPEP_FOURIER_ERRORS
#undef DPEP_FOURIER_AXES
#undef DPEP_FREQUENCY_ARGUMENTS
#undef DPEP_SHIFT_ARGUMENTS

}  // namespace dpep::python::docs
