// Programs with compiled loops give bitwise the same results as with block kernels only.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include <dpep/array_opcodes.hpp>

#include "array/base/background.hpp"
#include "array/cpu/compiled_loop.hpp"
#include "array/cpu/operation_ir.hpp"
#include "array/cpu/program_code.hpp"
#include "array/executor.hpp"
#include "array/fusion/passes.hpp"
#include "build_program.hpp"
#include "random_program.hpp"
#include "runtime/device.hpp"

namespace dpep::array {
namespace {

using namespace testing;

/// Buffers of many sizes are allocated repeatedly; the allocator must not return each to the system.
const int keeps_memory = mallopt(M_MMAP_THRESHOLD, 1 << 30) + mallopt(M_TRIM_THRESHOLD, 1 << 30);

/// Set before the engine reads it: programs are checked when they are prepared, and scratch memory is filled with NaN.
const int checks_scratch_memory = setenv("DPEP_CHECK_SCRATCH", "1", 1);

TEST(compiled_loops, random_programs_give_the_same_bits) {
  for (std::uint32_t seed = 300'001; seed <= 300'060; ++seed) {
    const random_program p = program_maker(seed, 600'000).make();
    const auto first = results_of(p, cpu_queue());
    results_of(p, cpu_queue());  // a second execution: compiled from now on
    wait_for_background();
    const auto compiled = results_of(p, cpu_queue());
    for (const std::size_t m : p.stored)
      ASSERT_EQ(first[m], compiled[m]) << "seed " << seed << ", operand " << m << "\n" << p.code.describe();
  }
}

int count_from_environment(const char *variable, int otherwise) {
  const char *const value = std::getenv(variable);
  return value ? std::atoi(value) : otherwise;
}

// Checked without execution: each call and each compiled loop of a cell reads only values that earlier calls wrote.
TEST(compiled_loops, cells_read_only_what_was_written) {
  const auto first_seed = std::uint32_t(count_from_environment("DPEP_TEST_SEED", 500'001));
  const auto programs = std::uint32_t(count_from_environment("DPEP_TEST_PREPARED", 2000));
  for (std::uint32_t seed = first_seed; seed < first_seed + programs; ++seed) {
    using axes_of = program_maker::axes_of;
    const axes_of kind = seed % 3 == 0 ? axes_of::any_size : seed % 3 == 1 ? axes_of::one_short : axes_of::two_short;
    const random_program p = program_maker(seed, 2'000'000, kind, false).make();
    for (const bool aliased : {false, true})
      ASSERT_NO_THROW(prepare(p.code, aliased, runtime::code_device_of(cpu_queue().get_device())))
          << "seed " << seed << "\n"
          << p.code.describe();
  }
}

// The first execution, with block kernels, gives the interpreter's values; the third, with compiled loops, the same
// bits.
TEST(compiled_loops, values_that_a_reduction_and_later_operations_share_are_right) {
  const auto first_seed = std::uint32_t(count_from_environment("DPEP_TEST_SEED", 400'001));
  const auto programs = std::uint32_t(count_from_environment("DPEP_TEST_PROGRAMS", 300));
  for (std::uint32_t seed = first_seed; seed < first_seed + programs; ++seed) {
    const std::int64_t most = seed % 16 ? 60'000 : 600'000;
    const auto kind = seed % 2 ? program_maker::axes_of::two_short : program_maker::axes_of::one_short;
    const random_program p = program_maker(seed, most, kind).make();
    std::vector<std::vector<std::byte>> first;
    ASSERT_NO_THROW(first = results_of(p, cpu_queue())) << "seed " << seed << "\n" << p.code.describe();
    expect_near(p, first, expected_of(p), seed);
    if (HasFatalFailure()) return;
    results_of(p, cpu_queue());
    wait_for_background();
    const auto compiled = results_of(p, cpu_queue());
    for (const std::size_t m : p.stored)
      ASSERT_EQ(first[m], compiled[m]) << "seed " << seed << ", operand " << m << "\n" << p.code.describe();
  }
}

// A step of an n-body simulation: differences are squared and summed over three rows, and used again.
TEST(compiled_loops, rows_of_an_unrolled_sum_are_stored_for_later_calls) {
  const std::int64_t n = 300;
  std::vector<std::byte> x(std::size_t(3 * n * 8)), r(std::size_t(3 * n * n * 8));
  std::mt19937 random(3);
  for (std::size_t at = 0; at < x.size(); at += 8)
    write(x.data() + at, dtype::float64, {0, std::uniform_real_distribution<double>(-1, 1)(random)});
  constexpr dtype t = dtype::float64;
  program_builder p({3, n, n});
  const value_id d =
      p.element(opcode::subtract, t, {p.load(t, x.data(), {n * 8, 0, 8}), p.load(t, x.data(), {n * 8, 8, 0})});
  const value_id sum = p.reduce(reduction::sum, t, p.element(opcode::multiply, t, {d, d}), axis_set::of(0));
  p.store(p.element(opcode::multiply, t, {d, sum}), r.data(), {n * n * 8, n * 8, 8});
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(r, std::byte());
    run(cpu_queue(), p.code, p.arguments, {});
    cpu_queue().wait();
    wait_for_background();
    const auto *const a = reinterpret_cast<const double *>(x.data());
    const auto *const got = reinterpret_cast<const double *>(r.data());
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        double squares = 0;
        for (std::int64_t k = 0; k < 3; ++k) squares += std::pow(a[k * n + j] - a[k * n + i], 2);
        for (std::int64_t k = 0; k < 3; ++k)
          ASSERT_NEAR(got[(k * n + i) * n + j], (a[k * n + j] - a[k * n + i]) * squares, 1e-13)
              << "round " << round << ", " << k << " " << i << " " << j;
      }
  }
}

// A sum of two slices, two comparisons with it, and both, as numbers. The comparisons are results, too.
TEST(compiled_loops, operations_on_rows_of_slices_and_on_tiles_are_one_loop) {
  const std::int64_t n = 400, m = 300, row = (m + 2) * 8;
  std::vector<double> x(std::size_t((n + 2) * (m + 2))), numbers(std::size_t(n * m));
  std::vector<std::uint8_t> low(numbers.size()), high(numbers.size());
  std::mt19937 random(3);
  for (double &each : x) each = std::uniform_real_distribution<double>(0, 1)(random);
  program_builder p({n, m});
  const auto load = [&](std::int64_t i, std::int64_t j) {
    return p.load(dtype::float64, x.data() + i * (m + 2) + j, {row, 8});
  };
  const auto compare = [&](opcode how, value_id v, double number) {
    return p.element(how, dtype::boolean, {v, p.number(dtype::float64, number)});
  };
  const value_id sum = p.element(opcode::add, dtype::float64, {load(0, 1), load(2, 1)});
  const value_id below = p.element(opcode::logical_and, dtype::boolean,
                                   {compare(opcode::less, sum, 0.9), compare(opcode::less, load(1, 1), 0.8)});
  const value_id above = p.element(opcode::logical_and, dtype::boolean,
                                   {compare(opcode::greater, sum, 1.1), compare(opcode::less, load(1, 1), 0.2)});
  const value_id either = p.element(opcode::logical_or, dtype::boolean, {below, above});
  p.store(p.element(opcode::cast, dtype::float64, {either}), numbers.data(), {m * 8, 8});
  p.store(below, low.data(), {m, 1});
  p.store(above, high.data(), {m, 1});
  const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
  for (const cell_code &cell : code->program->passes[0].variants) {
    ASSERT_EQ(cell.loop_calls.size(), 1u);
    EXPECT_EQ(cell.loop_calls[0].count, 9u);
  }
  for (int round = 0; round < 3; ++round) {
    run(cpu_queue(), p.code, p.arguments, {});
    cpu_queue().wait();
    wait_for_background();
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < m; ++j) {
        const auto at = [&](std::int64_t di, std::int64_t dj) { return x[std::size_t((i + di) * (m + 2) + j + dj)]; };
        const double total = at(0, 1) + at(2, 1);
        const bool is_low = total < 0.9 && at(1, 1) < 0.8, is_high = total > 1.1 && at(1, 1) < 0.2;
        const auto k = std::size_t(i * m + j);
        ASSERT_EQ(low[k], is_low) << round << " " << i << " " << j;
        ASSERT_EQ(high[k], is_high) << round << " " << i << " " << j;
        ASSERT_EQ(numbers[k], double(is_low || is_high)) << round << " " << i << " " << j;
      }
  }
}

// sum over k of (x_ik - y_jk)^2, and operations on it
program_builder distances(dtype t, std::int64_t n, std::int64_t m, std::int64_t d, std::byte *x, std::byte *y,
                          std::byte *r, bool squares) {
  const auto w = std::int64_t(size_of(t));
  program_builder p({n, m, d});
  const value_id xs = p.load(t, x, {d * w, 0, w}), ys = p.load(t, y, {0, d * w, w});
  const value_id difference = p.element(opcode::subtract, t, {xs, ys});
  const value_id square =
      squares ? p.element(opcode::square, t, {difference}) : p.element(opcode::multiply, t, {difference, difference});
  const value_id sum = p.reduce(reduction::sum, t, square, axis_set::of(2));
  const value_id e = p.element(opcode::exp, t, {p.element(opcode::multiply, t, {sum, p.number(t, -0.5)})});
  p.store(e, r, {m * w, w, 0});
  return p;
}

TEST(compiled_loops, sums_over_a_short_axis_are_in_registers) {
  for (const dtype t : {dtype::float32, dtype::float64})
    for (const std::int64_t d : {2, 3, 7, 13, 16}) {
      const std::int64_t n = 3001, m = 65;
      const std::size_t w = size_of(t);
      std::vector<std::byte> x(std::size_t(n * d) * w), y(std::size_t(m * d) * w), r(std::size_t(n * m) * w);
      std::mt19937 random(7);
      for (auto *list : {&x, &y})
        for (std::size_t at = 0; at < list->size(); at += w)
          write(list->data() + at, t, {0, std::uniform_real_distribution<double>(-1, 1)(random)});
      const program_builder p = distances(t, n, m, d, x.data(), y.data(), r.data(), d % 2 == 0);
      const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
      const loop_call *longest = nullptr;
      for (const cell_code &cell : code->program->passes[0].variants)
        for (const loop_call &f : cell.loop_calls)
          if (!longest || f.count > longest->count) longest = &f;
      ASSERT_NE(longest, nullptr);
      const loop_call &f = *longest;
      ASSERT_FALSE(f.description.short_axes.empty()) << d;
      EXPECT_EQ(f.description.short_axes.back(), d);
      EXPECT_EQ(f.count, 7) << d;  // subtract, square, the sum's three calls, multiply, exp
      const auto result = [&] {
        std::ranges::fill(r, std::byte());
        run(cpu_queue(), p.code, p.arguments, {});
        cpu_queue().wait();
        return r;
      };
      const auto first = result();
      result();
      wait_for_background();
      ASSERT_NE(f.loop, nullptr);
      EXPECT_NE(f.loop->function(), nullptr);
      EXPECT_EQ(result(), first) << name_of(t) << " " << d;
    }
}

TEST(compiled_loops, the_nearest_of_a_few_centres_is_one_loop) {
  const std::int64_t n = 50'000;
  for (const std::int64_t k : {2, 3, 7, 20})
    for (const std::int64_t d : {2, 4, 5}) {
      std::vector<double> x(std::size_t(n * d)), centres(std::size_t(k * d));
      std::vector<std::int64_t> nearest(static_cast<std::size_t>(n));
      std::mt19937 random(5);
      for (auto *list : {&x, &centres})
        for (double &each : *list) each = double(int(random() % 5));  // many are equally near
      program_builder p({n, k, d});
      const value_id difference = p.element(
          opcode::subtract, dtype::float64,
          {p.load(dtype::float64, x.data(), {d * 8, 0, 8}), p.load(dtype::float64, centres.data(), {0, d * 8, 8})});
      const value_id squares = p.element(opcode::square, dtype::float64, {difference});
      const value_id distance = p.reduce(reduction::sum, dtype::float64, squares, axis_set::of(2));
      p.store(p.reduce(reduction::argmin, dtype::int64, distance, axis_set::of(1)), nearest.data(), {8, 0, 0});
      const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
      for (const cell_code &cell : code->program->passes[0].variants) {
        if (cell.loop_calls.empty()) continue;  // one point is left over
        ASSERT_EQ(cell.loop_calls.size(), 1u);
        EXPECT_EQ(cell.loop_calls[0].count, 8u);  // subtract, square, and three calls of each reduction
        EXPECT_EQ(cell.loop_calls[0].description.short_axes, (std::vector{k, d}));
      }
      for (int round = 0; round < 3; ++round) {
        run(cpu_queue(), p.code, p.arguments, {});
        cpu_queue().wait();
        wait_for_background();
        for (std::int64_t i = 0; i < n; ++i) {
          double least = INFINITY;
          std::int64_t first = 0;
          for (std::int64_t c = 0; c < k; ++c) {
            double sum = 0;
            for (std::int64_t j = 0; j < d; ++j)
              sum += std::pow(x[std::size_t(i * d + j)] - centres[std::size_t(c * d + j)], 2);
            if (sum < least) least = sum, first = c;
          }
          ASSERT_EQ(nearest[std::size_t(i)], first) << round << " " << k << " " << d << " " << i;
        }
      }
    }
}

// The sums over j of f(x_i, x_j): little is read and the states are as large, but it takes long.
TEST(schedules, long_reductions_of_small_arrays_have_segments) {
  const std::int64_t n = 1000;
  std::vector<double> x(std::size_t(3 * n)), r(x.size());
  program_builder p({3, n, n});
  const value_id d =
      p.element(opcode::subtract, dtype::float64,
                {p.load(dtype::float64, x.data(), {n * 8, 0, 8}), p.load(dtype::float64, x.data(), {n * 8, 8, 0})});
  const value_id e = p.element(opcode::multiply, dtype::float64, {d, p.element(opcode::exp, dtype::float64, {d})});
  p.store(p.reduce(reduction::sum, dtype::float64, e, axis_set::of(2)), r.data(), {n * 8, 8, 0});
  const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
  EXPECT_GE(code->program->passes[0].plan.segments, 8);
}

// (x - mean) / deviation * gain + bias of each row, and the largest result
program_builder layer_norm(dtype t, std::int64_t n, std::int64_t m, std::byte *x, std::byte *gain, std::byte *r,
                           std::byte *largest) {
  const auto w = std::int64_t(size_of(t));
  program_builder p({n, m});
  const axis_set columns = axis_set::of(1);
  const value_id xs = p.load(t, x, {m * w, w}), gains = p.load(t, gain, {0, w});
  const auto mean = [&](value_id v) {
    return p.element(opcode::divide, t, {p.reduce(reduction::sum, t, v, columns), p.number(t, double(m))});
  };
  const value_id d = p.element(opcode::subtract, t, {xs, mean(xs)});
  const value_id variance = mean(p.element(opcode::multiply, t, {d, d}));
  const value_id scaled = p.element(opcode::divide, t, {d, p.element(opcode::sqrt, t, {variance})});
  const value_id result = p.element(opcode::multiply, t, {scaled, gains});
  p.store(result, r, {m * w, w});
  p.store(p.reduce(reduction::max, t, p.element(opcode::exp, t, {result}), columns), largest, {w, 0});
  return p;
}

TEST(compiled_loops, rows_are_reduced_as_block_kernels_do_it) {
  for (const dtype t : {dtype::float32, dtype::float64})
    for (const std::int64_t m : {64, 100, 129, 333}) {
      const std::int64_t n = 700'001 / m;
      const std::size_t w = size_of(t);
      std::vector<std::byte> x(std::size_t(n * m) * w), gain(std::size_t(m) * w), r(x.size()), top(std::size_t(n) * w);
      std::mt19937 random(5);
      for (auto *list : {&x, &gain})
        for (std::size_t at = 0; at < list->size(); at += w)
          write(list->data() + at, t, {0, std::uniform_real_distribution<double>(-1, 1)(random)});
      const program_builder p = layer_norm(t, n, m, x.data(), gain.data(), r.data(), top.data());
      const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
      const cell_code &cell = code->program->passes[0].variants[0];
      const bool over_rows =
          std::ranges::any_of(cell.loop_calls, [&](const loop_call &f) { return f.description.row_length == m; });
      ASSERT_EQ(over_rows, can_reduce_rows(reduction::sum, t, m)) << m;  // depends on the length of vectors
      const auto result = [&] {
        std::ranges::fill(r, std::byte());
        std::ranges::fill(top, std::byte());
        run(cpu_queue(), p.code, p.arguments, {});
        cpu_queue().wait();
        auto all = r;
        all.insert(all.end(), top.begin(), top.end());
        return all;
      };
      const auto first = result();
      result();
      wait_for_background();
      for (const loop_call &f : cell.loop_calls) EXPECT_NE(f.loop->function(), nullptr);
      EXPECT_EQ(result(), first) << name_of(t) << " " << m;
    }
}

// Several reductions of a long row: of a product and of an operand, and of what `where` selects with a number. Among
// the elements are NaN, infinities and both zeros, the order of which decides a result's bits.
program_builder statistics(dtype t, std::int64_t n, std::byte *x, std::byte *y, std::byte *kept, std::byte *results) {
  const auto w = std::int64_t(size_of(t));
  program_builder p({n});
  const value_id xs = p.load(t, x, {w}), ys = p.load(t, y, {w});
  const value_id mask = p.element(opcode::greater, dtype::boolean, {xs, p.number(t, 1)});
  const value_id selected =
      p.element(opcode::where, t, {mask, p.element(opcode::multiply, t, {xs, ys}), p.number(t, 2)});
  const axis_set all = axis_set::of(0);
  const auto store = [&](value_id v, int k) { p.store(v, results + 8 * k, {0}); };
  store(p.reduce(reduction::sum, t, selected, all), 0);
  store(p.reduce(reduction::max, t, selected, all), 1);
  store(p.reduce(reduction::min, t, ys, all), 2);
  store(p.reduce(reduction::max, t, ys, all), 3);
  const value_id counted = p.element(opcode::cast, dtype::int64, {mask});
  store(p.reduce(reduction::sum, dtype::int64, counted, all), 4);
  p.store(mask, kept, {1});
  return p;
}

TEST(compiled_loops, blocks_are_reduced_as_block_kernels_do_it) {
  for (const dtype t : {dtype::float32, dtype::float64, dtype::int16, dtype::int64, dtype::uint32})
    for (const std::int64_t n : {40'000, 65'536, 100'003, 250'000})
      for (const bool special : {false, true}) {
        const std::size_t w = size_of(t);
        std::vector<std::byte> x(std::size_t(n) * w), y(x.size()), kept(static_cast<std::size_t>(n)), results(5 * 8);
        std::mt19937 random(5);
        for (auto *list : {&x, &y})
          for (std::size_t at = 0; at < list->size(); at += w)
            if (const std::int64_t integer = random() % 100; kind_of(t) == dtype_kind::real)
              write(list->data() + at, t, {0, std::uniform_real_distribution<double>(-3, 3)(random)});
            else
              std::memcpy(list->data() + at, &integer, w);  // its lowest bytes
        if (special && kind_of(t) == dtype_kind::real)
          for (int k = 0; k < 40; ++k) {
            const double numbers[] = {-0.0, 0.0, INFINITY, -INFINITY, k < 36 ? 1.0 : NAN};
            auto &list = random() % 2 ? x : y;
            write(list.data() + random() % std::size_t(n) * w, t, {0, numbers[random() % 5]});
          }
        const program_builder p = statistics(t, n, x.data(), y.data(), kept.data(), results.data());
        const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
        const cell_code &cell = code->program->passes[0].variants[0];
        ASSERT_EQ(cell.loop_calls.size(), 1u) << name_of(t) << " " << n;
        EXPECT_EQ(cell.loop_calls[0].reductions.size(), 5u);
        const auto result = [&] {
          std::ranges::fill(results, std::byte(1));
          std::ranges::fill(kept, std::byte(1));
          run(cpu_queue(), p.code, p.arguments, {});
          cpu_queue().wait();
          auto all = results;
          all.insert(all.end(), kept.begin(), kept.end());
          return all;
        };
        const auto first = result();
        result();
        wait_for_background();
        EXPECT_NE(cell.loop_calls[0].loop->function(), nullptr);
        EXPECT_EQ(result(), first) << name_of(t) << " " << n << " " << special;
      }
}

// Square roots, absolute values, rounding and counts of bits are LLVM intrinsics that become instructions: loops with
// them have the passes of loops without calls, and their chunks are unrolled. Loops with exponentials do not.
TEST(compiled_loops, blocks_with_intrinsics_are_reduced_as_block_kernels_do_it) {
  const struct {
    opcode code;
    dtype type;
    bool calls;
  } cases[] = {{opcode::abs, dtype::float64, false},   {opcode::abs, dtype::int32, false},
               {opcode::sqrt, dtype::float32, false},  {opcode::sqrt, dtype::float64, false},
               {opcode::floor, dtype::float32, false}, {opcode::round, dtype::float64, false},
               {opcode::trunc, dtype::float64, false}, {opcode::ceil, dtype::float32, false},
               {opcode::abs, dtype::float32, false},   {opcode::abs, dtype::int8, false},
               {opcode::exp, dtype::float64, true},    {opcode::log, dtype::float32, true}};
  for (const auto &[code, t, calls] : cases)
    for (const std::int64_t n : {262'144, 500'003}) {
      const auto w = std::int64_t(size_of(t));
      std::vector<std::byte> x(std::size_t(n * w)), kept(x.size()), results(3 * 8);
      std::mt19937 random(7);
      for (std::size_t at = 0; at < x.size(); at += std::size_t(w))
        if (kind_of(t) == dtype_kind::real) {
          const double special[] = {-0.0, INFINITY, -INFINITY, 0.5, -1.5};
          const double number = std::uniform_real_distribution<double>(-3, 30)(random);
          write(x.data() + at, t, {0, random() % 1000 == 0 ? special[random() % 5] : number});
        } else {
          const auto integer = std::int64_t(random() % 4096) - 2048;
          std::memcpy(x.data() + at, &integer, std::size_t(w));  // its lowest bytes
        }
      program_builder p({n});
      const value_id xs = p.load(t, x.data(), {w}), y = p.element(code, t, {xs});
      const value_id sum_of = p.element(opcode::add, t, {y, p.number(t, 1)});
      const axis_set all = axis_set::of(0);
      p.store(p.reduce(reduction::sum, t, sum_of, all), results.data(), {0});
      p.store(p.reduce(reduction::max, t, y, all), results.data() + 8, {0});
      p.store(p.reduce(reduction::min, t, y, all), results.data() + 16, {0});
      p.store(y, kept.data(), {w});
      const auto prepared = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
      const cell_code &cell = prepared->program->passes[0].variants[0];
      ASSERT_EQ(cell.loop_calls.size(), 1u) << int(code) << " " << name_of(t) << " " << n;
      const element_loop &loop = cell.loop_calls[0].description;
      EXPECT_EQ(cell.loop_calls[0].reductions.size(), 3u);
      ASSERT_NE(cell.loop_calls[0].loop, nullptr) << int(code) << " " << name_of(t);
      EXPECT_EQ(has_calls(loop), calls) << int(code) << " " << name_of(t);
      EXPECT_EQ(chunk_loop_ir(loop, "loop").find("dpep-plain-loop") == std::string::npos, calls) << int(code);
      const auto result = [&] {
        std::ranges::fill(results, std::byte(1));
        std::ranges::fill(kept, std::byte(1));
        run(cpu_queue(), p.code, p.arguments, {});
        cpu_queue().wait();
        auto both = results;
        both.insert(both.end(), kept.begin(), kept.end());
        return both;
      };
      const auto first = result();
      result();
      wait_for_background();
      EXPECT_NE(cell.loop_calls[0].loop->function(), nullptr);
      EXPECT_EQ(result(), first) << int(code) << " " << name_of(t) << " " << n;
    }
}

// What does not vary along the lanes is computed once for all cells, and not between operations that are one loop.
TEST(compiled_loops, values_of_outer_loops_stand_before_operations_of_the_inner_one) {
  const std::int64_t n = 100'000;
  std::vector<double> x(static_cast<std::size_t>(n)), r(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i % 7) - 3;
  program_builder p({n});
  const auto t = dtype::float64;
  const value_id xs = p.load(t, x.data(), {8});
  const value_id square = p.element(opcode::square, t, {p.element(opcode::add, t, {xs, p.number(t, 1)})});
  const value_id mask = p.element(opcode::less, dtype::boolean, {xs, p.number(t, 2)});
  const value_id selected = p.element(opcode::where, t, {mask, square, p.number(t, -5)});
  p.store(p.element(opcode::multiply, t, {selected, p.number(t, 0.5)}), r.data(), {8});
  const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
  for (const cell_code &cell : code->program->passes[0].variants) {
    ASSERT_EQ(cell.loop_calls.size(), 1u);
    EXPECT_EQ(cell.loop_calls[0].count, 5u);
  }
  for (int round = 0; round < 3; ++round) {
    run(cpu_queue(), p.code, p.arguments, {});
    cpu_queue().wait();
    wait_for_background();
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(r[i], x[i] < 2 ? (x[i] + 1) * (x[i] + 1) / 2 : -2.5) << round << " " << i;
  }
}

// (x - row) / other row: divisions by the same numbers in all rows are products. Quotients are those of the division
// instruction, also of numbers for which the products would overflow or underflow.
TEST(compiled_loops, divisions_by_repeated_rows_give_the_same_bits) {
  for (const dtype t : {dtype::float32, dtype::float64})
    for (const std::int64_t m : {2, 3, 7, 8, 10, 12, 33, 48, 100})
      for (const int operations_before : {0, 1, 2}) {
        const std::int64_t n = 150'000 / m, w = std::int64_t(size_of(t));
        std::vector<std::byte> x(std::size_t(n * m * w)), mean(std::size_t(m * w)), deviation(mean.size()), r(x.size());
        std::mt19937 random(5);
        for (auto *list : {&x, &mean, &deviation})
          for (std::size_t at = 0; at < list->size(); at += std::size_t(w)) {
            const double largest = t == dtype::float32 ? 3e38 : 1e308, least = t == dtype::float32 ? 1e-44 : 1e-320;
            const double special[] = {0.0, -0.0, INFINITY, NAN, largest, -largest, least, 1 / largest};
            const bool is_special = list != &mean && random() % (list == &x ? 1000 : 9) == 0;
            write(list->data() + at, t,
                  {0, is_special ? special[random() % 8] : std::uniform_real_distribution<double>(-3, 3)(random)});
          }
        program_builder p({n, m});
        value_id v = p.load(t, x.data(), {m * w, w});
        if (operations_before > 0) v = p.element(opcode::subtract, t, {v, p.load(t, mean.data(), {0, w})});
        if (operations_before > 1) v = p.element(opcode::abs, t, {v});
        p.store(p.element(opcode::divide, t, {v, p.load(t, deviation.data(), {0, w})}), r.data(), {m * w, w});
        const auto code = prepare(p.code, false, runtime::code_device_of(cpu_queue().get_device()));
        const cell_code &cell = code->program->passes[0].variants[0];
        if (m == 8 || m == 10) {
          ASSERT_EQ(cell.loop_calls.size(), 1u);
          EXPECT_GT(cell.loop_calls[0].description.chunk, 0);
        }
        const auto result = [&] {
          std::ranges::fill(r, std::byte());
          run(cpu_queue(), p.code, p.arguments, {});
          cpu_queue().wait();
          return r;
        };
        const auto first = result();
        result();
        wait_for_background();
        EXPECT_EQ(result(), first) << name_of(t) << " " << m << " " << operations_before;
      }
}

TEST(compiled_loops, contiguous_short_rows_are_one_long_block) {
  for (const dtype t : {dtype::float32, dtype::int64, dtype::float64})
    for (const std::int64_t m : {2, 3, 10, 63, 200}) {
      const std::int64_t n = 300'000 / m, w = std::int64_t(size_of(t));
      std::vector<std::byte> x(std::size_t(n * m * w)), row(std::size_t(m * w)), r(x.size());
      std::mt19937 random(5);
      for (auto *list : {&x, &row})
        for (std::size_t at = 0; at < list->size(); at += std::size_t(w))
          write(list->data() + at, t,
                {std::int64_t(random() % 100), std::uniform_real_distribution<double>(-1, 1)(random)});
      program_builder p({n, m});
      const value_id xs = p.load(t, x.data(), {m * w, w}), rows = p.load(t, row.data(), {0, w});
      p.store(p.element(opcode::add, t, {xs, p.element(opcode::square, t, {rows})}), r.data(), {m * w, w});
      const std::vector<pass> passes = split(simplify(p.code));
      ASSERT_EQ(passes.size(), 1u);
      EXPECT_EQ(passes[0].sizes[std::size_t(passes[0].lanes)], n * m);
      run(cpu_queue(), p.code, p.arguments, {});
      cpu_queue().wait();
      // the same of one row at a time
      std::vector<std::byte> wanted(r.size());
      for (std::int64_t i = 0; i < n; ++i) {
        if (i % 1000 > 2 && i + 3 < n) {
          std::memcpy(wanted.data() + i * m * w, r.data() + i * m * w, std::size_t(m * w));
          continue;
        }
        program_builder q({m});
        const value_id one = q.load(t, x.data() + i * m * w, {w}), other = q.load(t, row.data(), {w});
        q.store(q.element(opcode::add, t, {one, q.element(opcode::square, t, {other})}), wanted.data() + i * m * w,
                {w});
        run(cpu_queue(), q.code, q.arguments, {});
        cpu_queue().wait();
      }
      EXPECT_EQ(r, wanted) << name_of(t) << " " << m;
    }
}

}  // namespace
}  // namespace dpep::array
