// Types: names, promotion by NumPy 2's rules, and unification of a variable's types.
#include <array>

#include <gtest/gtest.h>

#include "pykernel/types/types.hpp"

namespace dpep::pykernel {
namespace {

TEST(kernel_types, equal_properties_are_the_same_type) {
  EXPECT_EQ(array_type(dtype::float32, 2, 'C'), array_type(dtype::float32, 2, 'C'));
  EXPECT_NE(array_type(dtype::float32, 2, 'C'), array_type(dtype::float32, 2, 'F'));
  EXPECT_NE(array_type(dtype::float32, 2, 'C'), array_with_index32(array_type(dtype::float32, 2, 'C')));
  EXPECT_EQ(tuple_type({weak_integer(), weak_real()}), tuple_type({weak_integer(), weak_real()}));
  EXPECT_NE(scalar_type(dtype::int64), weak_integer());
}

TEST(kernel_types, names_of_types_are_parsed_again) {
  for (const char *text :
       {"float32", "uint8", "bool", "complex128", "pyint", "pyfloat", "pybool", "pycomplex", "array(float32, 1, C)",
        "array(int64, 3, F)", "array(int8, 2, A)", "array(float64, 1, C, readonly)", "local array(uint32, 2, C)"}) {
    const auto t = type_from_text(text);
    ASSERT_TRUE(t) << text;
    EXPECT_EQ(text_of(*t), text);
  }
  for (const char *text : {"", "float", "array(", "array()", "array(float32)", "array(float32, -1, C)",
                           "array(float32, 1, X)", "array(float32, 99, C)", "float32 "})
    EXPECT_FALSE(type_from_text(text)) << text;
}

TEST(kernel_types, numbers_promote_as_in_numpy) {
  const auto s = [](dtype t) { return scalar_type(t); };
  // Results of np.result_type in NumPy 2, also with Python numbers.
  const std::array<std::array<type, 3>, 16> table{{
      {s(dtype::int8), s(dtype::int16), s(dtype::int16)},
      {s(dtype::int8), s(dtype::uint8), s(dtype::int16)},
      {s(dtype::int32), s(dtype::uint32), s(dtype::int64)},
      {s(dtype::int64), s(dtype::uint64), s(dtype::float64)},
      {s(dtype::int16), s(dtype::float16), s(dtype::float32)},
      {s(dtype::int32), s(dtype::float32), s(dtype::float64)},
      {s(dtype::float32), s(dtype::complex64), s(dtype::complex64)},
      {s(dtype::float64), s(dtype::complex64), s(dtype::complex128)},
      {s(dtype::boolean), s(dtype::int8), s(dtype::int8)},
      {s(dtype::int8), weak_integer(), s(dtype::int8)},
      {s(dtype::float32), weak_real(), s(dtype::float32)},
      {s(dtype::float32), weak_integer(), s(dtype::float32)},
      {s(dtype::int8), weak_real(), s(dtype::float64)},
      {s(dtype::float32), weak_complex(), s(dtype::complex64)},
      {weak_integer(), weak_real(), weak_real()},
      {weak_boolean(), weak_integer(), weak_integer()},
  }};
  for (const auto &[a, b, both] : table) {
    EXPECT_EQ(promote(a, b), both) << text_of(a) << ", " << text_of(b);
    EXPECT_EQ(promote(b, a), both) << text_of(b) << ", " << text_of(a);
  }
}

TEST(kernel_types, types_of_assignments_are_unified) {
  EXPECT_EQ(unify(weak_integer(), weak_real()), weak_real());
  EXPECT_EQ(unify(scalar_type(dtype::int8), array_type(dtype::int8, 1, 'C')), nullptr);
  EXPECT_EQ(unify(array_type(dtype::int8, 1, 'C'), array_type(dtype::int16, 1, 'C')), nullptr);
  EXPECT_EQ(unify(array_type(dtype::int8, 2, 'C'), array_type(dtype::int8, 2, 'F')), array_type(dtype::int8, 2, 'A'));
  const type plain = array_type(dtype::int8, 1, 'C');
  EXPECT_EQ(unify(array_with_index32(plain), plain), plain);
  EXPECT_EQ(unify(array_with_index32(plain), array_with_index32(plain)), array_with_index32(plain));
  EXPECT_EQ(unify(array_with_aligned_rows(plain), plain), plain);
  EXPECT_EQ(unify(array_with_aligned_rows(plain), array_with_aligned_rows(plain)), array_with_aligned_rows(plain));
  EXPECT_EQ(unify(array_with_extents(plain, {4}), array_with_extents(plain, {5})), array_with_index32(plain));
  EXPECT_EQ(unify(tuple_type({weak_integer()}), tuple_type({weak_real()})), tuple_type({weak_real()}));
  EXPECT_EQ(unify(tuple_type({weak_integer()}), tuple_type({weak_real(), weak_real()})), nullptr);
}

TEST(kernel_types, arrays_of_less_than_2_31_elements_have_32_bit_indices) {
  const auto narrow = [](std::vector<std::int64_t> shape) { return fits_index32(shape); };
  EXPECT_TRUE(narrow({}));
  EXPECT_TRUE(narrow({(1LL << 31) - 1}));
  EXPECT_FALSE(narrow({1LL << 31}));
  EXPECT_FALSE(narrow({1 << 16, 1 << 15}));
  EXPECT_FALSE(narrow({1LL << 40, 1LL << 40}));
  EXPECT_FALSE(narrow({0, 1LL << 40}));  // the second length alone exceeds 32-bit indices
  EXPECT_TRUE(narrow({0, 5}));
}

}  // namespace
}  // namespace dpep::pykernel
