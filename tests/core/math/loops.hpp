// The device library's functions in loops, as kernels have them: one table for each kind of processor.
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
  // of complex numbers: real and imaginary parts in turns
  std::span<const loop<float>> complex_floats;
  std::span<const loop<double>> complex_doubles;
};

loop_tables sse_loops();     // no fused multiply-add
loop_tables avx2_loops();    // FMA, four doubles
loop_tables avx512_loops();  // FMA, eight doubles
loop_tables gpu_loops();     // with what the JIT and a GPU's instructions answer

// Where gpu_loops() run: of floats, by what approximates a double's reciprocals.
float gpu_rounded_quotient(float, float);
float gpu_rounded_square_root(float);

}  // namespace dpep::test
