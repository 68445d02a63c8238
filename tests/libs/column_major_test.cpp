// Row-major calls of BLAS as column-major ones: both have the same results.
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <oneapi/mkl/exceptions.hpp>

#include "mkl/blas.hpp"

#include "matrices.hpp"

namespace dpep::mkl {
namespace {

constexpr std::int64_t m = 6, n = 4, k = 3, leading = 9, elements = 200;
enum { never, of_complex, of_conjugates };  // which calls have no equivalent

struct row {
  function what;
  bool real, complex;
  int operands;       // matrices and vectors
  const char *steps;  // of the operands: l: leading dimension, v: increment, p: packed
  int missing;
};
using enum function;
constexpr row rows[] = {
    {gemv, true, true, 3, "lvv", never},        {gbmv, true, true, 3, "lvv", of_conjugates},
    {ger, true, false, 3, "vvl", never},        {geru, false, true, 3, "vvl", never},
    {gerc, false, true, 3, "vvl", never},       {hbmv, false, true, 3, "lvv", of_complex},
    {sbmv, true, false, 3, "lvv", never},       {hemv, false, true, 3, "lvv", never},
    {symv, true, false, 3, "lvv", never},       {hpmv, false, true, 3, "pvv", of_complex},
    {spmv, true, false, 3, "pvv", never},       {her, false, true, 2, "vl", never},
    {syr, true, false, 2, "vl", never},         {hpr, false, true, 2, "vp", of_complex},
    {spr, true, false, 2, "vp", never},         {her2, false, true, 3, "vvl", never},
    {syr2, true, false, 3, "vvl", never},       {hpr2, false, true, 3, "vvp", of_complex},
    {spr2, true, false, 3, "vvp", never},       {tbmv, true, true, 2, "lv", of_conjugates},
    {tbsv, true, true, 2, "lv", of_conjugates}, {tpmv, true, true, 2, "pv", of_conjugates},
    {tpsv, true, true, 2, "pv", of_conjugates}, {trmv, true, true, 2, "lv", never},
    {trsv, true, true, 2, "lv", never},         {gemm, true, true, 3, "lll", never},
    {hemm, false, true, 3, "lll", never},       {symm, true, true, 3, "lll", never},
    {herk, false, true, 2, "ll", never},        {syrk, true, true, 2, "ll", never},
    {her2k, false, true, 3, "lll", never},      {syr2k, true, true, 3, "lll", never},
    {trmm, true, true, 2, "ll", never},         {trsm, true, true, 2, "ll", never},
};

template <class T> T number_of(int i) {
  const double x = std::sin(i * 1.7), y = std::cos(i * 0.9);
  if constexpr (libs::is_complex<T>)
    return {typename T::value_type(x), typename T::value_type(y)};
  else
    return T(x);
}

/// Whether the function allows the operation on its matrix.
bool is_allowed(function what, char operation, bool complex_type) {
  switch (what) {
  case herk:
  case her2k:
    return operation != 'T';
  case syrk:
  case syr2k:
    return operation != 'C' || !complex_type;
  default:
    return true;
  }
}

template <class T> void compare(const row &r, dtype type) {
  const queue q{device("cpu")};
  constexpr bool complex_type = libs::is_complex<T>;
  for (const char operation : {'N', 'T', 'C'})
    for (const char second : {'N', 'T', 'C'})
      for (const char triangle : {'U', 'L'})
        for (const char side : {'L', 'R'}) {
          if (!is_allowed(r.what, operation, complex_type)) continue;
          call c{.what = r.what,
                 .type = type,
                 .row_major = true,
                 .transpose_a = operation,
                 .transpose_b = second,
                 .side = side,
                 .triangle = triangle,
                 .m = m,
                 .n = n,
                 .k = k,
                 .lower = 1,
                 .upper = 2,
                 .alpha = blas::scalar::of(number_of<T>(1)),
                 .beta = blas::scalar::of(number_of<T>(2))};
          std::vector<T> memory[2][3];
          for (int i = 0; i < r.operands; ++i) {
            for (auto &copy : memory) {
              copy[i].resize(elements);
              for (int e = 0; e < elements; ++e) copy[i][std::size_t(e)] = number_of<T>(e + 31 * i);
              for (int e = 0; e < elements; e += leading + 1) copy[i][std::size_t(e)] += T(3);  // a diagonal
            }
            c.operands[i].step = r.steps[i] == 'l' ? leading : r.steps[i] == 'v' ? 2 : 1;
          }
          const auto run = [&](call with, std::vector<T>(&on)[3], const call &order) {
            for (int i = 0; i < r.operands; ++i)
              for (int j = 0; j < r.operands; ++j)
                if (order.operands[i].pointer == memory[0][j].data()) with.operands[i].pointer = on[j].data();
            blas::submit(q, with).wait();
          };
          for (int i = 0; i < r.operands; ++i) c.operands[i].pointer = memory[0][i].data();
          const std::string where = std::string(name_of(r.what)) + " " + operation + second + triangle + side;
          if (complex_type && (r.missing == of_complex || (r.missing == of_conjugates && operation == 'C'))) {
            EXPECT_THROW(column_major(c), ::oneapi::mkl::unimplemented) << where;
            continue;
          }
          const call other = column_major(c);
          EXPECT_FALSE(other.row_major) << where;
          run(other, memory[1], other);
          run(c, memory[0], c);
          for (int i = 0; i < r.operands; ++i)
            for (std::size_t e = 0; e < elements; ++e)
              if (!(std::abs(memory[0][i][e] - memory[1][i][e]) <= 1e-12 * (1 + std::abs(memory[0][i][e])))) {
                ADD_FAILURE() << where << ": element " << e << " of operand " << i << " is " << memory[1][i][e]
                              << " instead of " << memory[0][i][e];
                break;
              }
        }
}

TEST(column_major_calls, of_real_matrices_are_equivalent) {
  for (const row &r : rows)
    if (r.real) compare<double>(r, dtype::float64);
}
TEST(column_major_calls, of_complex_matrices_are_equivalent) {
  for (const row &r : rows)
    if (r.complex) compare<std::complex<double>>(r, dtype::complex128);
}
TEST(column_major_calls, of_vectors_as_matrices_need_positive_increments) {
  std::complex<double> numbers[elements]{};
  call c{.what = hemv, .type = dtype::complex128, .row_major = true, .n = n};
  for (operand &o : c.operands) o = {.pointer = numbers, .step = leading};
  c.operands[1].step = -1;
  EXPECT_THROW(column_major(c), ::oneapi::mkl::unimplemented);
}

}  // namespace
}  // namespace dpep::mkl
