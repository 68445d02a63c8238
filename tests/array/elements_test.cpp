// Element operations: which types they compute in, and values, shapes and memory of their results.
#include <gtest/gtest.h>

#include <cmath>

#include <dpep/array_opcodes.hpp>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

const device &here_device() { return test_queue().get_device(); }

/// The signature's codes for arrays of these codes; a digit stands for a number: 0 bool, 1 int, 2 float, 3 complex.
std::string chosen(opcode code, std::string_view types) {
  std::vector<ndarray> arrays;
  std::vector<scalar> numbers;
  arrays.reserve(3), numbers.reserve(3);
  std::vector<operand> operands;
  for (const char c : types) {
    if (c >= '0' && c <= '3') {
      numbers.push_back(c == '0'   ? scalar::of(true)
                        : c == '1' ? scalar::of(std::int64_t{1})
                        : c == '2' ? scalar::of(1.0)
                                   : scalar::of(std::complex<double>(1, 0)));
      operands.push_back({nullptr, &numbers.back()});
    } else {
      arrays.push_back(empty(shape_t{2}, *dtype_from_code(c), here()));
      operands.push_back({&arrays.back(), nullptr});
    }
  }
  const resolved r = resolve(code, operands, here_device());
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) text += code_of(r.inputs[i]);
  return text + code_of(r.result);
}

// As dpctl 0.20 and NumPy 2 resolve them.
TEST(resolve, computes_in_the_smallest_types_that_keep_values) {
  struct {
    opcode code;
    std::string_view given, expected;
  } const cases[] = {
      {opcode::add, "bB", "hhh"},      {opcode::add, "lL", "ddd"},         {opcode::add, "fi", "ddd"},
      {opcode::add, "??", "???"},      {opcode::add, "Fd", "DDD"},         {opcode::add, "eh", "fff"},
      {opcode::subtract, "?b", "bbb"}, {opcode::divide, "ii", "ddd"},      {opcode::divide, "bb", "ddd"},
      {opcode::divide, "be", "eee"},   {opcode::divide, "??", "ddd"},      {opcode::divide, "if", "ddd"},
      {opcode::divide, "hf", "fff"},   {opcode::exp, "b", "ee"},           {opcode::exp, "h", "ff"},
      {opcode::exp, "l", "dd"},        {opcode::exp, "?", "ee"},           {opcode::reciprocal, "b", "dd"},
      {opcode::reciprocal, "F", "FF"}, {opcode::abs, "F", "Ff"},           {opcode::equal, "lL", "lL?"},
      {opcode::less, "bH", "ii?"},     {opcode::logical_and, "fd", "dd?"}, {opcode::bitwise_and, "?B", "BBB"},
      {opcode::hypot, "ii", "ddd"},    {opcode::isnan, "i", "i?"},         {opcode::where, "?bf", "?fff"},
      {opcode::where, "ilL", "?ddd"},  {opcode::clip, "dif", "dddd"},
  };
  for (const auto &c : cases) EXPECT_EQ(chosen(c.code, c.given), c.expected) << info(c.code).name << " " << c.given;
}

TEST(resolve, numbers_take_the_arrays_dtype_where_their_kind_fits) {
  struct {
    opcode code;
    std::string_view given, expected;
  } const cases[] = {
      {opcode::add, "b1", "bbb"},     {opcode::add, "1b", "bbb"},    {opcode::add, "b2", "ddd"},
      {opcode::add, "f2", "fff"},     {opcode::add, "f1", "fff"},    {opcode::add, "f3", "FFF"},
      {opcode::add, "e3", "FFF"},     {opcode::add, "d3", "DDD"},    {opcode::add, "l3", "DDD"},
      {opcode::add, "?1", "lll"},     {opcode::add, "?0", "???"},    {opcode::add, "F2", "FFF"},
      {opcode::divide, "i1", "ddd"},  {opcode::pow, "f1", "fff"},    {opcode::where, "?12", "?ddd"},
      {opcode::where, "?f1", "?fff"}, {opcode::clip, "i11", "iiii"},
  };
  for (const auto &c : cases) EXPECT_EQ(chosen(c.code, c.given), c.expected) << info(c.code).name << " " << c.given;
}

TEST(resolve, whole_numbers_beyond_the_dtype_are_compared_by_value) {
  const ndarray x = array_of<std::uint8_t>({1, 255});
  EXPECT_EQ(values_of<bool>(apply(opcode::less, x, scalar::of(std::int64_t{300}))), (std::vector<bool>{true, true}));
  EXPECT_EQ(values_of<bool>(apply(opcode::greater, x, scalar::of(std::int64_t{-1}))), (std::vector<bool>{true, true}));
  EXPECT_EQ(refused(refusal::overflow, [&] { apply(opcode::add, x, scalar::of(std::int64_t{300})); }),
            "add: 300 is out of bounds for uint8");
}

TEST(resolve, what_has_no_meaning_is_refused) {
  const ndarray b = empty(shape_t{2}, dtype::boolean, here()), z = empty(shape_t{2}, dtype::complex128, here());
  const ndarray i = empty(shape_t{2}, dtype::int32, here());
  refused(refusal::value, [&] { apply(opcode::negative, b); });
  refused(refusal::value, [&] { apply(opcode::subtract, b, b); });
  refused(refusal::value, [&] { apply(opcode::floor, z); });
  EXPECT_NE(refused(refusal::value, [&] { apply(opcode::bitwise_and, i, z); }).find("(int32, complex128)"),
            std::string::npos);
  const operand limits[] = {{&i, nullptr}, {&z, nullptr}, {&i, nullptr}};
  refused(refusal::value, [&] { element(opcode::clip, limits); });
  const scalar one = scalar::of(1.0);
  const operand numbers[] = {{nullptr, &one}, {nullptr, &one}};
  refused(refusal::placement, [&] { element(opcode::add, numbers); });
}

TEST(resolve, result_types_of_expressions) {
  const auto of = [](std::vector<dtype> arrays, std::vector<scalar> numbers) {
    return result_type(arrays, numbers, here_device());
  };
  using enum dtype;
  EXPECT_EQ(of({int8, uint8}, {}), int16);
  EXPECT_EQ(of({uint64, int8}, {}), float64);
  EXPECT_EQ(of({float32}, {scalar::of(1.0)}), float32);
  EXPECT_EQ(of({int32}, {scalar::of(1.0)}), float64);
  EXPECT_EQ(of({float32}, {scalar::of(std::complex<double>(1, 1))}), complex64);
  EXPECT_EQ(of({}, {scalar::of(std::int64_t{1})}), int64);
  EXPECT_EQ(of({}, {scalar::of(true), scalar::of(1.0)}), float64);
  refused(refusal::value, [&] { of({}, {}); });
}

// --- values --------------------------------------------------------------------------------------------------------

TEST(elements, add_in_every_layout) {
  // small arrays are computed at once, large ones by a program; the expected values are computed from indices
  for (const std::int64_t n : {3, 70}) {
    const ndarray x = counting<double>({n, n}), y = counting<double>({n, n}, 1000);
    const ndarray column = counting<double>({n, 1}), number = array_of<double>({0.5}, {});
    const std::vector<int> swapped{1, 0}, all{0, 1};
    struct {
      ndarray array;
      std::function<double(std::int64_t, std::int64_t)> value;
    } const operands[] = {
        {x, [&](auto i, auto j) { return double(i * n + j); }},
        {permute(y, swapped), [&](auto i, auto j) { return 1000.0 + double(j * n + i); }},
        {flip(x, all), [&](auto i, auto j) { return double(n * n - 1 - (i * n + j)); }},
        {column, [&](auto i, auto) { return double(i); }},
        {number, [&](auto, auto) { return 0.5; }},
    };
    for (const auto &a : operands)
      for (const auto &b : operands) {
        const ndarray sum = apply(opcode::add, a.array, b.array);
        const auto got = values_of<double>(sum);
        const shape_t shape = shape_of(sum);
        if (shape.size() < 2 || shape[1] == 1) continue;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j)
            ASSERT_EQ(got[std::size_t(i * n + j)], a.value(i, j) + b.value(i, j)) << i << ", " << j << " of " << n;
      }
  }
}

TEST(elements, of_mixed_types_and_numbers) {
  const ndarray x = array_of<std::int32_t>({1, 2, 3}), y = array_of<float>({0.5f, 1.5f, 2.5f});
  EXPECT_EQ(values_of<double>(apply(opcode::multiply, x, y)), (std::vector<double>{0.5, 3, 7.5}));
  EXPECT_EQ(values_of<std::int32_t>(apply(opcode::subtract, x, scalar::of(std::int64_t{5}))),
            (std::vector<std::int32_t>{-4, -3, -2}));
  EXPECT_EQ(values_of<float>(apply(opcode::divide, y, scalar::of(0.5))), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(values_of<bool>(apply(opcode::less, x, scalar::of(1.5))), (std::vector<bool>{true, false, false}));
  EXPECT_DOUBLE_EQ(values_of<double>(apply(opcode::exp, x))[0], std::exp(1.0));
  const scalar two = scalar::of(std::int64_t{2});
  const operand reversed[] = {{nullptr, &two}, {&x, nullptr}};
  EXPECT_EQ(values_of<std::int32_t>(element(opcode::pow, reversed)), (std::vector<std::int32_t>{2, 4, 8}));
}

TEST(elements, are_the_same_at_every_size) {
  // from 1024 and from 4096 elements on, other code computes the results
  for (const std::int64_t n : {1, 2, 63, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 20000}) {
    const ndarray x = counting<double>({n}, 1), i = counting<std::int32_t>({n}, 1),
                  last = array_of<double>({double(n)}, {});
    const auto sum = values_of<double>(apply(opcode::add, x, i)), plus = values_of<double>(apply(opcode::add, x, x));
    const auto ratio = values_of<double>(apply(opcode::divide, x, last)),
               power = values_of<double>(apply(opcode::hypot, x, last));
    const auto halves = values_of<float>(apply(opcode::multiply, astype(i, dtype::float32), scalar::of(0.5)));
    const auto wide = values_of<double>(copy(x));
    for (std::size_t k = 0; k < std::size_t(n); ++k) {
      const double v = double(k + 1);
      ASSERT_EQ(sum[k], 2 * v) << n;
      ASSERT_EQ(plus[k], 2 * v) << n;
      ASSERT_EQ(ratio[k], v / double(n)) << n;
      ASSERT_NEAR(power[k], std::hypot(v, double(n)), 1e-11 * double(n)) << n;
      ASSERT_EQ(halves[k], float(v / 2)) << n;
      ASSERT_EQ(wide[k], v) << n;
    }
    EXPECT_EQ(values_of<double>(reduce(reduction::sum, x))[0], double(n) * double(n + 1) / 2);
    EXPECT_EQ(values_of<double>(reduce(reduction::mean, i))[0], double(n + 1) / 2);
  }
}

TEST(elements, of_empty_arrays_are_empty) {
  const ndarray none = empty(shape_t{0, 3}, dtype::float32, here()), row = counting<float>({1, 3});
  EXPECT_EQ(shape_of(apply(opcode::add, none, row)), (shape_t{0, 3}));
  EXPECT_EQ(shape_of(apply(opcode::sin, none)), (shape_t{0, 3}));
}

TEST(elements, where_and_clip) {
  const ndarray c = array_of<bool>({true, false, true}), x = array_of<double>({1, 2, 3});
  const scalar zero = scalar::of(std::int64_t{0}), two = scalar::of(std::int64_t{2});
  const operand chosen[] = {{&c, nullptr}, {&x, nullptr}, {nullptr, &zero}};
  EXPECT_EQ(values_of<double>(element(opcode::where, chosen)), (std::vector<double>{1, 0, 3}));
  const operand limited[] = {{&x, nullptr}, {nullptr, &two}, {}};
  EXPECT_EQ(values_of<double>(element(opcode::clip, limited)), (std::vector<double>{2, 2, 3}));
  const operand both[] = {{&x, nullptr}, {nullptr, &two}, {nullptr, &two}};
  EXPECT_EQ(values_of<double>(element(opcode::clip, both)), (std::vector<double>{2, 2, 2}));
  const operand neither[] = {{&x, nullptr}, {}, {}};
  EXPECT_EQ(values_of<double>(element(opcode::clip, neither)), (std::vector<double>{1, 2, 3}));
}

TEST(elements, results_keep_memory_order) {
  const ndarray x = counting<double>({4, 6});
  const std::vector<int> swapped{1, 0}, columns{1};
  const auto strides = [](const ndarray &a) { return strides_of(a); };
  EXPECT_EQ(strides(apply(opcode::sin, permute(x, swapped))), (shape_t{1, 6}));
  EXPECT_EQ(strides(apply(opcode::sin, permute(x, swapped), {.layout = order::row_major})), (shape_t{4, 1}));
  EXPECT_EQ(strides(apply(opcode::sin, x, {.layout = order::column_major})), (shape_t{1, 4}));
  EXPECT_EQ(strides(apply(opcode::sin, permute(x, swapped), {.layout = order::any})), (shape_t{1, 6}));
  EXPECT_EQ(strides(apply(opcode::sin, flip(x, columns))), (shape_t{6, -1}));  // as dpctl
  EXPECT_EQ(values_of<double>(apply(opcode::negative, flip(x, columns)))[0], -5.0);
}

TEST(elements, results_are_written_to_out) {
  for (const std::int64_t n : {5, 5000}) {
    const ndarray x = counting<double>({n}), y = counting<double>({n}, 1),
                  out = empty(shape_t{n}, dtype::float64, here());
    EXPECT_EQ(apply(opcode::add, x, y, {.out = &out}), out);
    EXPECT_EQ(values_of<double>(out)[4], 9.0);
    // in place, and overlapping its operand: old values are read
    apply(opcode::add, x, x, {.out = &x});
    EXPECT_EQ(values_of<double>(x)[4], 8.0);
    const index tail[] = {{index::kind::slice, 1, n - 1}}, head[] = {{index::kind::slice, 0, n - 1}};
    const ndarray behind = view(y, tail), front = view(y, head);
    apply(opcode::add, front, front, {.out = &behind});
    const auto got = values_of<double>(y);
    for (std::int64_t i = 1; i < n; ++i) ASSERT_EQ(got[std::size_t(i)], 2.0 * double(i)) << i << " of " << n;
  }
}

TEST(elements, refuse_an_out_that_does_not_fit) {
  const ndarray x = counting<double>({4});
  const auto into = [&](const ndarray &out) { apply(opcode::add, x, x, {.out = &out}); };
  const std::string message = refused(refusal::value, [&] { into(empty(shape_t{5}, dtype::float64, here())); });
  for (const auto *part : {"add", "(5,)", "(4,)"}) EXPECT_NE(message.find(part), std::string::npos) << message;
  refused(refusal::value, [&] { into(empty(shape_t{4}, dtype::float32, here())); });
  const ndarray fixed = empty(shape_t{4}, dtype::float64, here());
  fixed.set_writable(false);
  refused(refusal::value, [&] { into(fixed); });
  const queue other{device()};
  refused(refusal::placement, [&] { into(empty(shape_t{4}, dtype::float64, {other})); });
  refused(refusal::placement, [&] { apply(opcode::add, x, empty(shape_t{4}, dtype::float64, {other})); });
  refused(refusal::value, [&] { apply(opcode::add, x, counting<double>({5})); });
}

TEST(elements, compute_in_a_type_that_is_asked_for) {
  const ndarray x = array_of<std::int32_t>({1, 2, 3});
  EXPECT_FLOAT_EQ(values_of<float>(apply(opcode::exp, x, {.type = dtype::float32}))[0], std::exp(1.0f));
  EXPECT_EQ(values_of<std::int8_t>(apply(opcode::add, x, x, {.type = dtype::int8})),
            (std::vector<std::int8_t>{2, 4, 6}));
  refused(refusal::type, [&] { apply(opcode::exp, x, {.type = dtype::int32}); });
  refused(refusal::type, [&] { apply(opcode::add, counting<double>({3}), x, {.type = dtype::int32}); });
}

TEST(elements, results_have_the_kind_of_memory_nearest_to_the_device) {
  const auto kind = [](usm_kind a, usm_kind b) {
    return apply(opcode::add, array_of<double>({1}, {1}, a), array_of<double>({1}, {1}, b)).memory_kind();
  };
  using enum usm_kind;
  EXPECT_EQ(kind(host, host), host);
  EXPECT_EQ(kind(host, shared), shared);
  EXPECT_EQ(kind(shared, usm_kind::device), usm_kind::device);
}

}  // namespace
}  // namespace dpep::array
