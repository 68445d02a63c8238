// The device library's functions in loops, as kernels contain them: a table for each kind of processor.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace dpep::test {

template <class T> struct loop {
  std::string_view name;
  void (*run)(const T *x, const T *y, T *result, std::size_t count);  // y: functions of two arguments only
};

struct loop_tables {
  std::string_view processor;
  bool runs_here;
  std::span<const loop<float>> floats;
  std::span<const loop<double>> doubles;
  // complex numbers: real and imaginary parts alternate
  std::span<const loop<float>> complex_floats;
  std::span<const loop<double>> complex_doubles;
};

loop_tables sse_loops();     // no fused multiply-add
loop_tables avx2_loops();    // FMA, four doubles
loop_tables avx512_loops();  // FMA, eight doubles
loop_tables gpu_loops();     // with emulated instructions of a GPU

// For floats on processors that run gpu_loops(): results from approximate reciprocals of doubles.
float gpu_rounded_quotient(float, float);
float gpu_rounded_square_root(float);

}  // namespace dpep::test
