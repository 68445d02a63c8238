// User-defined element operations, given as LLVM IR: their types, alone and fused with other operations.
#include <dpep/array_user_function.hpp>

#include <atomic>
#include <sstream>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "array/graph/deferred_queue.hpp"
#include "host_values.hpp"

namespace dpep::array::testing {
namespace {

/// Textual IR contains a function once: a defined function must not be declared as well.
std::vector<unsigned char> with_text(std::span<const unsigned char> module, const std::string &definition) {
  const std::size_t at = definition.find('@') + 1;
  const std::string name = '"' + definition.substr(at, definition.find('(', at) - at) + '"';
  std::istringstream lines(std::string(module.begin(), module.end()));
  std::string text, line;
  while (std::getline(lines, line))
    if (!line.starts_with("declare") || line.find(name) == line.npos) text += line + '\n';
  text += definition;
  return {text.begin(), text.end()};
}

/// x * y + 1 of float64; counts the kernels into which it was compiled.
ref<const user_function> multiply_add(std::atomic<int> *defined = nullptr) {
  return make_object<user_function>(
      "multiply_add", "multiply_add.1", std::vector{dtype::float64, dtype::float64}, dtype::float64,
      [defined](std::span<const unsigned char> module) {
        if (defined) ++*defined;
        return with_text(module, "define double @multiply_add.1(double %x, double %y) alwaysinline {\n"
                                 "  %p = fmul double %x, %y\n  %r = fadd double %p, 1.0\n  ret double %r\n}\n");
      });
}

ndarray apply_to(const ref<const user_function> &f, const ndarray &x, const ndarray &y) {
  const operand operands[] = {{.array = &x}, {.array = &y}};
  return apply(f, operands);
}

TEST(user_functions, are_applied_to_each_element) {
  const ndarray x = counting<double>({3, 4}), y = counting<double>({4}, 2);
  const std::vector<double> result = values_of<double>(apply_to(multiply_add(), x, y));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(result[i], double(i) * (2 + double(i % 4)) + 1);
}

TEST(user_functions, have_their_operands_cast) {
  const std::vector<double> result =
      values_of<double>(apply_to(multiply_add(), counting<std::int32_t>({5}), counting<float>({5})));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(result[i], double(i * i + 1));
}

TEST(user_functions, are_part_of_the_program_around_them) {
  const std::int64_t n = 100'000;
  const ndarray x = counting<double>({n}), y = counting<double>({n}, 1);
  x.wait(), y.wait();
  deferred_queue &s = deferred_queue::of(test_queue());
  s.submit_all();
  const auto before = s.counted();
  for (int round = 0; round < 3; ++round) {
    const operand sum[] = {{.array = &x}, {.array = &y}};
    const ndarray f = apply_to(multiply_add(), element(opcode::add, sum), y);
    const operand product[] = {{.array = &f}, {.array = &x}};
    const std::vector<double> result = values_of<double>(element(opcode::subtract, product));
    for (std::size_t i = 0; i < std::size_t(n); i += 997) {
      const auto k = double(i);
      ASSERT_EQ(result[i], (2 * k + 1) * (k + 1) + 1 - k);
    }
  }
  EXPECT_EQ(s.counted().programs - before.programs, 3u);
}

/// The conjugate of a complex number, multiplied by a half.
ref<const user_function> scaled_conjugate() {
  return make_object<user_function>(
      "scaled_conjugate", "scaled_conjugate.3", std::vector{dtype::complex64, dtype::float16}, dtype::complex64,
      [](std::span<const unsigned char> module) {
        return with_text(module, "define { float, float } @scaled_conjugate.3(float %x, float %y, half %h) {\n"
                                 "  %s = fpext half %h to float\n  %a = fmul float %x, %s\n  %b = fmul float %y, %s\n"
                                 "  %n = fneg float %b\n  %r = insertvalue { float, float } poison, float %a, 0\n"
                                 "  %z = insertvalue { float, float } %r, float %n, 1\n  ret { float, float } %z\n}\n");
      });
}

void expect_scaled_conjugates(std::int64_t n) {
  using complex = std::complex<float>;
  std::vector<complex> z;
  for (std::int64_t k = 0; k < n; ++k) z.emplace_back(float(k), float(k % 7) - 3);
  const ndarray x = array_of(z), h = array_of(std::vector<_Float16>{_Float16(0.5)}, {1});
  const operand sum[] = {{.array = &x}, {.array = &x}};
  const std::vector<complex> result = values_of<complex>(apply_to(scaled_conjugate(), element(opcode::add, sum), h));
  for (std::size_t k = 0; k < z.size(); ++k) ASSERT_EQ(result[k], std::conj(z[k])) << k;
}

TEST(user_functions, may_have_complex_numbers_and_half_precision) {
  for (const std::int64_t n : {1, 10, 20'000}) expect_scaled_conjugates(n);
}

TEST(user_functions, are_part_of_generated_kernels) {
  const bool before = use_generated_kernels(true);
  expect_scaled_conjugates(20'000);
  use_generated_kernels(before);
}

TEST(user_functions, are_compiled_once_for_all_shapes) {
  std::atomic<int> defined{0};
  const ref<const user_function> f = make_object<user_function>(
      "fresh", "fresh.2", std::vector{dtype::float64, dtype::float64}, dtype::float64,
      [&defined](std::span<const unsigned char> module) {
        ++defined;
        return with_text(module, "define double @fresh.2(double %x, double %y) alwaysinline { ret double %y }\n");
      });
  for (const std::int64_t n : {3, 10, 5000, 20'000})
    (void)values_of<double>(apply_to(f, counting<double>({n}), counting<double>({n})));
  EXPECT_LE(defined, 1);  // 0 if its machine code was in the disk cache
}

TEST(user_functions, refuse_other_numbers_of_operands) {
  const ndarray x = counting<double>({3});
  const operand one[] = {{.array = &x}};
  EXPECT_THROW((void)apply(multiply_add(), one), error);
  EXPECT_THROW(make_object<user_function>("none", "none", std::vector<dtype>(), dtype::float64, nullptr), error);
}

/// x + 1, which does not compile in a kernel with a subtraction.
ref<const user_function> unsociable() {
  return make_object<user_function>(
      "unsociable", "unsociable.1", std::vector{dtype::float64}, dtype::float64,
      [](std::span<const unsigned char> module) {
        const std::string text(module.begin(), module.end());
        const char *const wrong = text.find("fsub") == text.npos ? "" : "nonsense";
        return with_text(module, std::string("define double @unsociable.1(double %x) alwaysinline {\n  %r = fadd ") +
                                     wrong + "double %x, 1.0\n  ret double %r\n}\n");
      });
}

TEST(user_functions, programs_whose_kernels_do_not_compile_run_operation_by_operation_with_one_warning) {
  const bool before = use_generated_kernels(true);
  const std::int64_t n = 20'000;
  const ref<const user_function> f = unsociable();
  const ndarray x = counting<double>({n}), y = counting<double>({n}, 3);
  ::testing::internal::CaptureStderr();
  for (int round = 0; round < 2; ++round) {
    const operand two[] = {{.array = &x}, {.array = &y}};
    const ndarray difference = element(opcode::subtract, two);
    const operand one[] = {{.array = &difference}};
    const ndarray g = apply(f, one);
    const operand product[] = {{.array = &g}, {.array = &x}};
    const std::vector<double> result = values_of<double>(element(opcode::multiply, product));
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      const auto k = double(i);
      ASSERT_EQ(result[i], (k - (3 + k) + 1) * k);
    }
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("array: subtract unsociable multiply"), said.npos) << said;
  EXPECT_EQ(said.find("dpep:"), said.rfind("dpep:")) << said;
  use_generated_kernels(before);
}

}  // namespace
}  // namespace dpep::array::testing
