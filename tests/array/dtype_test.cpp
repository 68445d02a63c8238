// Dtypes: names, promotion and casts as in NumPy 2.
#include <gtest/gtest.h>

#include <string_view>

#include <dpep/array.hpp>

namespace dpep::array {
namespace {

constexpr std::string_view codes = "?bBhHiIlLefdFD";

dtype at(char code) { return *dtype_from_code(code); }

TEST(dtypes, have_numpys_names_codes_and_sizes) {
  for (int i = 0; i < dtype_count; ++i) {
    EXPECT_EQ(code_of(dtype(i)), codes[std::size_t(i)]);
    EXPECT_EQ(dtype_from_code(codes[std::size_t(i)]), dtype(i));
  }
  EXPECT_EQ(name_of(dtype::boolean), "bool");
  EXPECT_EQ(name_of(dtype::complex64), "complex64");
  EXPECT_EQ(size_of(dtype::boolean), 1u);
  EXPECT_EQ(size_of(dtype::float16), 2u);
  EXPECT_EQ(size_of(dtype::complex128), 16u);
  EXPECT_EQ(dtype_from_code('q'), dtype::int64);
  EXPECT_EQ(dtype_from_code('U'), std::nullopt);
  EXPECT_EQ(real_of(dtype::complex64), dtype::float32);
}

// NumPy 2.4's results: numpy.promote_types with each of `codes`, and the dtypes for which numpy.can_cast is true.
struct row {
  char from;
  std::string_view promotes, safe, same_kind;
};
constexpr row numpy_rows[] = {
    {'?', "?bBhHiIlLefdFD", "?bBhHiIlLefdFD", "?bBhHiIlLefdFD"},
    {'b', "bbhhiilldefdFD", "bhilefdFD", "bhilefdFD"},
    {'B', "BhBhHiIlLefdFD", "BhHiIlLefdFD", "bBhHiIlLefdFD"},
    {'h', "hhhhiilldffdFD", "hilfdFD", "bhilefdFD"},
    {'H', "HiHiHiIlLffdFD", "HiIlLfdFD", "bBhHiIlLefdFD"},
    {'i', "iiiiiillddddDD", "ildD", "bhilefdFD"},
    {'I', "IlIlIlIlLdddDD", "IlLdD", "bBhHiIlLefdFD"},
    {'l', "llllllllddddDD", "ldD", "bhilefdFD"},
    {'L', "LdLdLdLdLdddDD", "LdD", "bBhHiIlLefdFD"},
    {'e', "eeeffddddefdFD", "efdFD", "efdFD"},
    {'f', "fffffddddffdFD", "fdFD", "efdFD"},
    {'d', "ddddddddddddDD", "dD", "efdFD"},
    {'F', "FFFFFDDDDFFDFD", "FD", "FD"},
    {'D', "DDDDDDDDDDDDDD", "D", "FD"},
};

TEST(dtypes, promote_as_numpy) {
  for (const row &r : numpy_rows)
    for (std::size_t k = 0; k < codes.size(); ++k)
      EXPECT_EQ(code_of(promote(at(r.from), at(codes[k]))), r.promotes[k]) << r.from << " with " << codes[k];
}

TEST(dtypes, cast_as_numpy) {
  for (const row &r : numpy_rows)
    for (const char to : codes) {
      const auto allows = [&](std::string_view list) { return list.find(to) != std::string_view::npos; };
      EXPECT_EQ(can_cast(at(r.from), at(to), casting::safe), allows(r.safe)) << r.from << " to " << to;
      EXPECT_EQ(can_cast(at(r.from), at(to), casting::same_kind), allows(r.same_kind)) << r.from << " to " << to;
      EXPECT_EQ(can_cast(at(r.from), at(to), casting::no), r.from == to);
      EXPECT_TRUE(can_cast(at(r.from), at(to), casting::unsafe));
    }
}

}  // namespace
}  // namespace dpep::array
