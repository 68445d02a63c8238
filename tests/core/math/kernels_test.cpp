// Kernels that call math functions get those of the device library, with results within the bound, also for denormals.
#include <bit>
#include <cmath>
#include <cstring>
#include <dpep/kernel.hpp>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace dpep::test {
namespace {

struct called_function {
  const char *name;  // as an intrinsic of LLVM, or as a function of C
  bool intrinsic;
  double (*reference)(double);
  double tolerance = 3;  // in ulp, for doubles: the reference has errors too
};

const called_function functions[] = {
    {"exp", true, std::exp},
    {"exp2", true, std::exp2},
    {"exp10", true, ::exp10},
    {"log", true, std::log},
    {"log2", true, std::log2},
    {"log10", true, std::log10},
    {"sin", true, std::sin},
    {"cos", true, std::cos},
    {"tan", true, std::tan},
    {"exp", false, std::exp},
    {"sin", false, std::sin},
    {"sqrt", false, std::sqrt},
    {"tanh", false, std::tanh},
    {"atan", true, std::atan},
    {"expm1", false, std::expm1},
    {"sinh", true, std::sinh},
    {"cosh", true, std::cosh},
    {"asinh", false, std::asinh},
    {"tgamma", false, std::tgamma, 16},
    {"erf", false, std::erf},
    {"cbrt", false, std::cbrt, 6},
    {"logb", false, std::logb},  // libm's own
};

template <class T> std::string kernel_text(const called_function &f) {
  const bool is_double = sizeof(T) == 8;
  const std::string type = is_double ? "double" : "float";
  const std::string name = f.intrinsic ? std::string("llvm.") + f.name + (is_double ? ".f64" : ".f32")
                                       : std::string(f.name) + (is_double ? "" : "f");
  std::string text = R"(
    declare i64 @__dpep_global_id(i32)
    declare TYPE @NAME(TYPE)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %x = load ptr, ptr %arguments
      %yp = getelementptr i8, ptr %arguments, i64 8
      %y = load ptr, ptr %yp
      %xi = getelementptr TYPE, ptr %x, i64 %i
      %yi = getelementptr TYPE, ptr %y, i64 %i
      %v = load TYPE, ptr %xi
      %r = call TYPE @NAME(TYPE %v)
      store TYPE %r, ptr %yi
      ret void
    })";
  const auto replace = [&](const std::string &what, const std::string &by) {
    for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
  };
  replace("TYPE", type);
  replace("NAME", name);
  return text;
}

/// The reference is libm's double precision. Its error is negligible for floats; for doubles the tolerance includes it.
template <class T> void expect_close(T got, double expected, T x, const called_function &f) {
  const char *name = f.name;
  if (std::isnan(expected) || std::isinf(T(expected))) {
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(got) : got == T(expected)) << name << "(" << x << ") = " << got;
    return;
  }
  const int exponent = std::max(expected == 0 ? -2000 : std::ilogb(expected), std::numeric_limits<T>::min_exponent - 1);
  const double ulp = std::ldexp(1.0, exponent - std::numeric_limits<T>::digits + 1);
  EXPECT_LE(std::abs(double(got) - expected), (sizeof(T) == 4 ? 2 : f.tolerance) * ulp)
      << name << "(" << x << ") = " << got;
}

template <class T> void run(const called_function &f) {
  const std::string text = kernel_text<T>(f);
  const kernel k = kernel::from_bitcode({reinterpret_cast<const unsigned char *>(text.data()), text.size()}, "k");
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::mt19937_64 random(7);
  std::vector<T> x = {0,
                      T(-0.0),
                      1,
                      -1,
                      std::numeric_limits<T>::infinity(),
                      -std::numeric_limits<T>::infinity(),
                      std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::denorm_min()};
  while (x.size() < 1000) x.push_back(std::bit_cast<T>(bits(random())));
  while (x.size() < 2000) x.push_back(T(double(random() >> 11) * 0x1p-53 * 200 - 100));
  while (x.size() < 2200) x.push_back(T(-double(random() >> 11) * 0x1p-53 * 40 - (sizeof(T) == 4 ? 80 : 705)));
  std::vector<T> y(x.size());
  const std::pair<const T *, T *> arguments{x.data(), y.data()};
  const queue q(device("cpu"));
  const geometry work{1, {x.size(), 1, 1}, {}, {}};
  launch(q, k, work, std::as_bytes(std::span(&arguments, 1)));
  q.wait();
  for (std::size_t i = 0; i < x.size(); ++i) expect_close(y[i], f.reference(x[i]), x[i], f);
}

class math_in_kernels : public testing::TestWithParam<called_function> {};
TEST_P(math_in_kernels, floats) { run<float>(GetParam()); }
TEST_P(math_in_kernels, doubles) { run<double>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(each, math_in_kernels, testing::ValuesIn(functions), [](const auto &info) {
  return std::string(info.param.name) + (info.param.intrinsic ? "_intrinsic" : "_function");
});

}  // namespace
}  // namespace dpep::test
