// Compiled loops give bitwise the same results as block kernels that run one after another.
#include "array/base/background.hpp"

#include "array/cpu/compiled_loop.hpp"
#include <dpep/array_opcodes.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t longest = 1003;

struct arguments {
  std::uint64_t count;
  std::array<const void *, 8> addresses{};
};

std::vector<std::byte> random_values(dtype t, std::mt19937_64 &random) {
  std::vector<std::byte> bytes(longest * size_of(t));
  const auto fill = [&](auto example, auto make) {
    using T = decltype(example);
    for (std::size_t i = 0; i < longest; ++i) {
      const T value = make();
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  };
  constexpr double special[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-310, NAN, INFINITY, -INFINITY};
  std::uniform_real_distribution<double> real(-4, 4);
  const auto number = [&] { return random() % 8 ? real(random) : special[random() % 10]; };
  switch (t) {
  case dtype::float32:
    fill(0.0f, [&] { return static_cast<float>(number()); });
    break;
  case dtype::float64:
    fill(0.0, number);
    break;
  case dtype::boolean:
    fill(std::uint8_t{}, [&] { return static_cast<std::uint8_t>(random() % 2); });
    break;
  default:
    for (std::byte &b : bytes) b = static_cast<std::byte>(random());
    break;
  }
  return bytes;
}

/// The results of the block kernels for the operations of the loop.
std::vector<std::vector<std::byte>> by_blocks(const element_loop &loop,
                                              const std::vector<std::vector<std::byte>> &inputs, std::size_t count) {
  std::vector<std::vector<std::byte>> values;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    values.push_back(inputs[i]);
    if (loop.inputs[i].form == blocks::form::vector) continue;
    blocks::fill(values.back().data(), inputs[i].data(), size_of(loop.inputs[i].type), longest);
  }
  for (const element_loop::operation &o : loop.operations) {
    std::array<const void *, 3> operands{};
    signature types{o.count, {}, o.type};
    for (std::uint8_t i = 0; i < o.count; ++i) {
      operands[i] = values[o.operands[i]].data();
      types.from[i] = loop.type_of(o.operands[i]);
    }
    blocks::element_function f = nullptr;
    if (o.code == opcode::cast)
      f = blocks::find_cast(types.from[0], o.type);
    else if (o.code == opcode::where)
      f = blocks::find_where(size_of(o.type));
    else
      f = blocks::find(o.code, types);
    std::vector<std::byte> result(longest * size_of(o.type));
    f(count, operands.data(), result.data());
    values.push_back(std::move(result));
  }
  std::vector<std::vector<std::byte>> results;
  for (const std::uint16_t r : loop.results) results.push_back(values[r]);
  return results;
}

void expect_same(const element_loop &loop, std::mt19937_64 &random) {
  const auto compiled = compiled_loop::find(loop, runtime::code_device_of(device("cpu")));
  const backend::work_function function = compiled->compile();
  ASSERT_NE(function, nullptr) << loop.key();
  std::vector<std::vector<std::byte>> inputs, results;
  for (const element_loop::input &i : loop.inputs) inputs.push_back(random_values(i.type, random));
  for (const std::uint16_t r : loop.results) results.emplace_back(longest * size_of(loop.type_of(r)));
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{64}, longest}) {
    arguments packed{count, {}};
    std::size_t n = 0;
    for (const auto &i : inputs) packed.addresses[n++] = i.data();
    for (const auto &r : results) packed.addresses[n++] = r.data();
    const std::size_t items = has_item_per_element(loop) ? count : 1;
    const geometry all{1, {items, 1, 1}, {}, {}};
    function(&packed, &all, 0, items, nullptr, 0);
    const auto expected = by_blocks(loop, inputs, count);
    for (std::size_t r = 0; r < results.size(); ++r) {
      const std::size_t size = size_of(loop.type_of(loop.results[r]));
      for (std::size_t i = 0; i < count; ++i) {
        const bool equal = !std::memcmp(results[r].data() + i * size, expected[r].data() + i * size, size);
        double mine = 0, theirs = 0;  // NaNs compare equal
        if (loop.type_of(loop.results[r]) == dtype::float64) {
          std::memcpy(&mine, results[r].data() + i * size, 8);
          std::memcpy(&theirs, expected[r].data() + i * size, 8);
        } else if (loop.type_of(loop.results[r]) == dtype::float32) {
          float a, b;
          std::memcpy(&a, results[r].data() + i * size, 4);
          std::memcpy(&b, expected[r].data() + i * size, 4);
          mine = a, theirs = b;
        }
        ASSERT_TRUE(equal || (mine != mine && theirs != theirs))
            << loop.key() << ", element " << i << " of " << count << ": " << mine << ", by blocks " << theirs;
      }
    }
  }
}

TEST(compiled_loop, contains_functions_that_branch_on_large_arguments) {
  std::mt19937_64 random(7);
  for (const dtype t : {dtype::float32, dtype::float64})
    for (const opcode code : {opcode::sin, opcode::cos, opcode::tan}) {
      element_loop loop;
      loop.inputs = {{t, blocks::form::vector}, {t, blocks::form::one}};
      loop.operations = {{code, t, {0}, 1}, {opcode::multiply, t, {2, 1}, 2}};
      loop.results = {3, 2};
      expect_same(loop, random);
    }
}

TEST(compiled_loop, has_no_code_for_users_functions) {
  const std::array operands{dtype::float64};
  EXPECT_FALSE(can_fuse(user_code, operands, dtype::float64));
  EXPECT_TRUE(can_fuse(opcode::exp, operands, dtype::float64));
}

TEST(compiled_loop, computes_a_polynomial) {
  element_loop loop;
  loop.inputs = {{dtype::float64, blocks::form::vector}, {dtype::float64, blocks::form::one}};
  loop.operations = {{opcode::multiply, dtype::float64, {0, 1}, 2},
                     {opcode::add, dtype::float64, {2, 1}, 2},
                     {opcode::multiply, dtype::float64, {3, 0}, 2},
                     {opcode::exp, dtype::float64, {4}, 1}};
  loop.results = {5, 3};
  std::mt19937_64 random(1);
  expect_same(loop, random);
}

TEST(compiled_loop, of_random_operations_equals_the_block_kernels) {
  std::mt19937_64 random(7);
  constexpr dtype types[] = {dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::uint8, dtype::boolean};
  for (int round = 0; round < 60; ++round) {
    element_loop loop;
    for (int i = 0; i < 4; ++i)
      loop.inputs.push_back(
          {types[random() % std::size(types)], random() % 4 ? blocks::form::vector : blocks::form::one});
    while (loop.operations.size() < 8) {
      const auto code = static_cast<opcode>(random() % opcode_count);
      const auto pick = [&] {
        return static_cast<std::uint16_t>(random() % (loop.inputs.size() + loop.operations.size()));
      };
      element_loop::operation o{code, {}, {pick(), pick(), pick()}, 1};
      std::array<dtype, 3> from{loop.type_of(o.operands[0]), loop.type_of(o.operands[1]), loop.type_of(o.operands[2])};
      if (code == opcode::cast) {
        o.type = types[random() % std::size(types)];
      } else if (code == opcode::where) {
        o.count = 3;
        o.type = from[1];
      } else if (code == opcode::clip) {
        continue;
      } else {
        const signature *found = nullptr;
        for (const signature &s : info(code).signatures)
          if (std::equal(s.from.begin(), s.from.begin() + s.inputs, from.begin())) found = &s;
        if (!found) continue;
        o.count = found->inputs;
        o.type = found->to;
      }
      if (can_fuse(code, std::span(from).first(o.count), o.type)) loop.operations.push_back(o);
    }
    const auto last = static_cast<std::uint16_t>(loop.inputs.size() + loop.operations.size() - 1);
    loop.results = {last, static_cast<std::uint16_t>(last - 3)};
    expect_same(loop, random);
  }
}

/// Divides numbers of all kinds by one of the kind, in a compiled loop; the test's own division is the reference.
template <class T> void expect_quotients_of_the_instruction() {
  element_loop loop;  // (x - 0) / y, x * x / y, x / y / y
  constexpr dtype type = sizeof(T) == 4 ? dtype::float32 : dtype::float64;
  loop.inputs = {{type, blocks::form::vector}, {type, blocks::form::one}};
  loop.operations = {{opcode::divide, type, {0, 1}, 2},
                     {opcode::multiply, type, {0, 0}, 2},
                     {opcode::divide, type, {3, 1}, 2},
                     {opcode::divide, type, {2, 1}, 2}};
  loop.results = {2, 4, 5};
  const backend::work_function function = compiled_loop::find(loop, runtime::code_device_of(device("cpu")))->compile();
  ASSERT_NE(function, nullptr);
  using limits = std::numeric_limits<T>;
  const T specials[] = {0,
                        T(-0.0),
                        1,
                        -1,
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN(),
                        limits::max(),
                        limits::lowest(),
                        limits::min(),
                        limits::denorm_min(),
                        -limits::denorm_min(),
                        3 * limits::min()};
  std::mt19937_64 random(5);
  const auto number = [&](int span) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * span + 1)) - span;
    return std::ldexp(T(1) + T(static_cast<double>(random() >> 11) * 0x1p-53), exponent) *
           (random() % 2 ? T(1) : T(-1));
  };
  constexpr int widest = limits::max_exponent - 2, spans[] = {0, 4, 40, 49, 50, 51, 390, 401, widest};
  std::array<std::vector<T>, 4> memory;
  for (auto &m : memory) m.resize(longest);
  for (int round = 0; round < 3000; ++round) {
    const int span = std::min(spans[random() % std::size(spans)], widest);
    const bool has_specials = random() % 3 == 0;
    T y = random() % 4 ? number(std::min(spans[random() % std::size(spans)], widest)) : specials[random() % 13];
    for (T &x : memory[0]) x = has_specials && random() % 16 == 0 ? specials[random() % 13] : number(span);
    // Quotients next to the middle of two numbers are the hardest to round.
    if (round % 5 == 0 && std::isfinite(y))
      for (T &x : memory[0]) x = T((static_cast<long double>(number(1)) + limits::epsilon() / 2) * y);
    const std::size_t count = random() % 4 ? longest : random() % longest;
    arguments packed{count, {memory[0].data(), &y, memory[1].data(), memory[2].data(), memory[3].data()}};
    const geometry all{1, {1, 1, 1}, {}, {}};
    function(&packed, &all, 0, 1, nullptr, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const T x = memory[0][i], expected[] = {x / y, x * x / y, x / y / y};
      for (std::size_t r = 0; r < 3; ++r) {
        const T mine = memory[r + 1][i];
        const bool same = std::isnan(expected[r])
                              ? std::isnan(mine)
                              : mine == expected[r] && std::signbit(mine) == std::signbit(expected[r]);
        ASSERT_TRUE(same) << "result " << r << " of x = " << x << ", y = " << y << ": " << mine << ", expected "
                          << expected[r];
      }
    }
  }
}

TEST(compiled_loop, divides_by_a_number_as_the_instruction_does) {
  expect_quotients_of_the_instruction<double>();
  expect_quotients_of_the_instruction<float>();
}

// Block kernels are vector code, so a loop that takes no longer is vectorised, too.
TEST(compiled_loop, takes_no_longer_than_block_kernels) {
  constexpr std::size_t count = 2048;
  constexpr std::uint16_t operations = 20;
  element_loop loop;
  loop.inputs = {{dtype::float64, blocks::form::vector}};
  for (std::uint16_t k = 0; k < operations; ++k)
    loop.operations.push_back({k % 2 ? opcode::add : opcode::multiply, dtype::float64, {k, 0}, 2});
  loop.results = {operations};
  compiled_loop code(loop, runtime::code_device_of(device("cpu")));
  const backend::work_function function = code.compile();
  const signature types{2, {dtype::float64, dtype::float64}, dtype::float64};
  const auto multiply = blocks::find(opcode::multiply, types), add = blocks::find(opcode::add, types);

  const std::vector<double> x(count, 0.5);
  std::vector<double> to(count), wanted(count);
  // rounds are shorter than a time slice: the fastest one is not affected by other load
  const auto fastest = [](auto turn) {
    auto least = std::chrono::steady_clock::duration::max();
    for (int k = 0; k < 500; ++k) {
      const auto start = std::chrono::steady_clock::now();
      turn();
      least = std::min(least, std::chrono::steady_clock::now() - start);
    }
    return static_cast<double>(least.count());
  };
  const double compiled = fastest([&] {
    const arguments a{count, {x.data(), to.data()}};
    constexpr geometry one{};
    function(&a, &one, 0, 1, nullptr, 0);
  });
  const double by_blocks = fastest([&] {
    for (std::uint16_t k = 0; k < operations; ++k) {
      const void *const inputs[] = {k ? wanted.data() : x.data(), x.data()};
      (k % 2 ? add : multiply)(count, inputs, wanted.data());
    }
  });
  EXPECT_EQ(to, wanted);
  EXPECT_LT(compiled, by_blocks);
}

/// A loop of two operations on numbers of that type.
std::shared_ptr<compiled_loop> loop_of(dtype type) {
  element_loop loop;
  loop.inputs = {{type, blocks::form::vector}};
  loop.operations = {{opcode::square, type, {0}, 1}, {opcode::negative, type, {1}, 1}};
  loop.results = {2};
  backend::device &where = runtime::code_device_of(device("cpu"));
  const auto compiled = compiled_loop::find(loop, where);
  EXPECT_EQ(compiled_loop::find(loop, where), compiled);
  return compiled;
}

TEST(compiled_loop, is_compiled_in_the_background_when_a_program_is_executed_again) {
  const auto compiled = loop_of(dtype::float32);
  compiled->request(false);
  wait_for_background();
  EXPECT_EQ(compiled->function(), nullptr) << "compiled for one use";
  compiled->request(true);
  wait_for_background();
  EXPECT_NE(compiled->function(), nullptr);
}

TEST(compiled_loop, is_compiled_in_the_background_for_many_programs) {
  const auto compiled = loop_of(dtype::float64);
  for (int i = 0; i < 7; ++i) compiled->request(false);
  wait_for_background();
  EXPECT_EQ(compiled->function(), nullptr);
  compiled->request(false);
  wait_for_background();
  EXPECT_NE(compiled->function(), nullptr);
}

}  // namespace
}  // namespace dpep::array
