// Every element operation, for every signature and instruction set, against references that compute one element at a
// time.
#include <gtest/gtest.h>

#include <random>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/table.hpp"
#include "blocks_reference.hpp"
#include "special_reference.hpp"

namespace {

using namespace blocks_test;
using namespace dpep::array;
using namespace dpep::array::blocks;
using dpep::dtype;
using dpep::dtype_kind;

constexpr std::size_t sizes[] = {0, 1, 7, 64, 1000, 4099};
constexpr std::size_t most = 4099;

using bytes = std::vector<std::byte>;

template <class T> void put(bytes &to, T x) {
  const auto *from = reinterpret_cast<const std::byte *>(&x);
  to.insert(to.end(), from, from + sizeof x);
}

std::uint16_t half_of(double x) {  // inputs need not be rounded correctly
  const auto h = static_cast<_Float16>(static_cast<float>(x));
  std::uint16_t bits;
  std::memcpy(&bits, &h, 2);
  return bits;
}

void put_real(bytes &to, dtype t, double x) {
  switch (t) {
  case dtype::float16:
    return put(to, half_of(x));
  case dtype::float32:
    return put(to, static_cast<float>(x));
  default:
    return put(to, x);
  }
}

/// Special numbers in all pairs (the second operand changes faster), followed by random ones.
bytes operand(dtype t, opcode code, bool second) {
  std::mt19937_64 random(second ? 7 : 3);
  bytes values;
  const dtype_kind kind = dpep::kind_of(t);
  const auto pairs = [&](std::size_t n, auto put_one) {
    for (std::size_t i = 0; i < n * n && i < most / 2; ++i) put_one(second ? i % n : i / n);
    while (values.size() < most * dpep::size_of(t)) put_one(n);
  };
  if (kind == dtype_kind::boolean) {
    pairs(2, [&](std::size_t i) { put(values, std::uint8_t(i == 2 ? random() & 1 : i)); });
  } else if (kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer) {
    const int bits = int(dpep::size_of(t) * 8);
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    const std::uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   5,
                                   7,
                                   31,
                                   63,
                                   64,
                                   100,
                                   top,
                                   top - 1,
                                   top + 1,
                                   ~std::uint64_t{0},
                                   ~std::uint64_t{1},
                                   ~std::uint64_t{6},
                                   ~std::uint64_t{99},
                                   top >> 1};
    pairs(std::size(edges), [&](std::size_t i) {
      const std::uint64_t x = i < std::size(edges) ? edges[i] : random() >> (random() % 64);
      const auto *from = reinterpret_cast<const std::byte *>(&x);
      values.insert(values.end(), from, from + dpep::size_of(t));
    });
  } else if (kind == dtype_kind::real) {
    const double infinity = INFINITY, nan = std::nan("");
    const bool special = is_special(code);
    const double edges[] = {0.0, -0.0, 1,    -1,     0.5, -0.5, 1.5,     2,        -2,        2.5, 3,
                            -7,  10,   1e-3, 100.25, 1e4, -6e4, 0x1p-20, infinity, -infinity, nan};
    pairs(std::size(edges), [&](std::size_t i) {
      double x = i < std::size(edges) ? edges[i] : std::uniform_real_distribution(-20.0, 20.0)(random);
      if (i == std::size(edges) && random() % 4 == 0 && !special) x *= std::exp2(double(random() % 60) - 30);
      put_real(values, t, x);
    });
  } else {
    const dtype part = dpep::real_of(t);
    const double edges[] = {0.0, 1, -1, 0.5, -2, 3, 1e-3};
    pairs(49, [&](std::size_t i) {
      const auto any = [&] { return std::uniform_real_distribution(-3.0, 3.0)(random); };
      put_real(values, part, i < 49 ? edges[i / 7] : any());
      put_real(values, part, i < 49 ? edges[i % 7] : any());
    });
  }
  values.resize(most * dpep::size_of(t));
  return values;
}

/// Whether the reference is unreliable: at branch cuts and poles, which the device library's tests cover.
bool skipped(opcode code, dtype t, number x, number y, number expected) {
  if (dpep::kind_of(t) == dtype_kind::complex) {
    const bool finite = std::isfinite(expected.real()) && std::isfinite(expected.imag());
    switch (code) {
    case opcode::divide:
    case opcode::reciprocal:
    case opcode::numpy_reciprocal:
    case opcode::sign:
      return !finite || (code == opcode::divide && y == number(0)) || x == number(0);
    case opcode::add:
    case opcode::subtract:
    case opcode::multiply:
    case opcode::square:
    case opcode::negative:
    case opcode::positive:
    case opcode::round:
    case opcode::rint:
    case opcode::conj:
    case opcode::real:
    case opcode::imag:
    case opcode::abs:
      return false;
    case opcode::pow:
    case opcode::float_power:
      return x == number(0) || !finite || std::abs(expected) > 1e4L || std::abs(expected) < 1e-4L;
    default:
      return !finite || x.real() == 0 || x.imag() == 0 || std::abs(std::abs(x.real()) - 1) < 1e-9L ||
             std::abs(expected) < 1e-2L;
    }
  }
  if (special_skipped(code, x.real(), y.real(), expected.real())) return true;
  if (code == opcode::tgamma || code == opcode::lgamma) return x.real() < 0.5L;
  if (code == opcode::logaddexp || code == opcode::logaddexp2) {  // near 0 the two parts of the sum cancel
    const long double part = code == opcode::logaddexp ? 1e-2L : 1e-1L;
    return std::fabs(expected.real()) < part * std::fmax(std::fabs(x.real()), std::fabs(y.real()));
  }
  if (code == opcode::tan) return std::fabs(x.real()) > 1e5L;
  return false;
}

class block_elements : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  const kernel_table table{GetParam()};

  /// Runs `f` for every size, with a separate result and with results in the memory of operands of the same size.
  void check(const operation &op, const signature &s, form first, form second) {
    SCOPED_TRACE(testing::Message() << op.name << " of " << dpep::name_of(s.from[0])
                                    << (first == form::one ? " (one)" : "") << (second == form::one ? ", one" : ""));
    const element_function f = table.find(op.code, s, first, second);
    ASSERT_NE(f, nullptr);
    const dtype a = s.from[0], b = op.inputs == 2 ? s.from[1] : a;
    const bytes x = operand(a, op.code, false), y = operand(b, op.code, true);
    const std::size_t fixed = 3001;  // the index of the element that is used for all
    const std::size_t item = dpep::size_of(s.to);
    const auto at = [&](const bytes &from, dtype t, form which, std::size_t i) {
      return from.data() + (which == form::one ? fixed : i) * dpep::size_of(t);
    };
    std::vector<number> expected(most);
    std::vector<bool> skip(most);
    for (std::size_t i = 0; i < most; ++i) {
      const number u = value_of(a, at(x, a, first, i)), v = value_of(b, at(y, b, second, i));
      const dtype t = std::max(a, b);
      expected[i] = expected_result(op.code, t, u, v);
      skip[i] = skipped(op.code, t, u, v, expected[i]);
    }
    const long double limit = s.to == dtype::boolean ? 0 : tolerance(op.code, std::max(a, b));
    const auto compare = [&](const bytes &result, std::size_t count, const char *where) {
      for (std::size_t i = 0; i < count; ++i) {
        if (skip[i]) continue;
        const number got = value_of(s.to, result.data() + i * item);
        const bool is_integer = dpep::kind_of(s.to) <= dtype_kind::unsigned_integer;
        const long double off = is_integer ? (got == expected[i] ? 0 : INFINITY) : distance(s.to, got, expected[i]);
        ASSERT_LE(off, limit) << where << " [" << i << "] of " << count << ": " << value_of(a, at(x, a, first, i))
                              << ", " << value_of(b, at(y, b, second, i)) << " gives " << got << ", not "
                              << expected[i];
      }
    };
    for (const std::size_t count : sizes) {
      bytes result(count * item + 64, std::byte{0xa5});
      const void *inputs[] = {at(x, a, first, 0), at(y, b, second, 0)};
      f(count, inputs, result.data());
      compare(result, count, "apart");
      for (std::size_t i = count * item; i < result.size(); ++i)
        ASSERT_EQ(result[i], std::byte{0xa5}) << "written beyond the end of " << count;
      if (first == form::vector && dpep::size_of(a) == item) {
        bytes over = x;
        inputs[0] = over.data();
        f(count, inputs, over.data());
        compare(over, count, "over the first operand");
        inputs[0] = at(x, a, first, 0);
      }
      if (op.inputs == 2 && second == form::vector && dpep::size_of(b) == item) {
        bytes over = y;
        inputs[1] = over.data();
        f(count, inputs, over.data());
        compare(over, count, "over the second operand");
      }
    }
  }
};

TEST_P(block_elements, follow_their_references) {
  for (int i = 0; i < static_cast<int>(opcode::where); ++i) {
    const operation &op = info(static_cast<opcode>(i));
    for (const signature &s : op.signatures) check(op, s, form::vector, form::vector);
  }
}

TEST_P(block_elements, accept_one_element_for_all) {
  for (int i = 0; i < static_cast<int>(opcode::where); ++i) {
    const operation &op = info(static_cast<opcode>(i));
    if (!has_form(op.code, form::one, form::vector)) continue;
    for (const signature &s : op.signatures) {
      check(op, s, form::one, form::vector);
      check(op, s, form::vector, form::one);
    }
  }
}

std::string set_name(const testing::TestParamInfo<instructions> &i) {
  constexpr const char *names[] = {"v2", "v3", "v4"};
  return names[static_cast<int>(i.param)];
}
INSTANTIATE_TEST_SUITE_P(instructions, block_elements, testing::ValuesIn(all_instructions), set_name);

TEST(blocks, the_instruction_set_in_use_is_one_that_the_processor_has) {
  bool found = false;
  for (const instructions i : all_instructions) found |= has(i) && std::string(instruction_set()) == name_of(i);
  EXPECT_TRUE(found);
}

}  // namespace
