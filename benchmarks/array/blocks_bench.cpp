// Block kernels alone: ns for each element with operands and result in the first-level cache, at each instruction set.
//
// Copies are the limit for operations that only load and store.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/table.hpp"

using namespace dpep::array;
using namespace dpep::array::blocks;
using dpep::dtype;

namespace {

constexpr std::size_t count = 1024;

struct alignas(64) block {
  std::byte bytes[count * 16];
};

/// The minimum of several timings.
template <class F> double nanoseconds(F f) {
  using clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int attempt = 0; attempt < 7; ++attempt) {
    int repeats = 1;
    for (;; repeats *= 4) {
      const auto begin = clock::now();
      for (int i = 0; i < repeats; ++i) f();
      const double ns = std::chrono::duration<double, std::nano>(clock::now() - begin).count();
      if (ns > 1e5) {
        best = std::min(best, ns / repeats);
        break;
      }
    }
  }
  return best;
}

void put(block &to, dtype t, double x, std::size_t i) {
  const auto as = [&](auto value) { std::memcpy(to.bytes + i * sizeof value, &value, sizeof value); };
  switch (t) {
  case dtype::boolean:
    return as(std::uint8_t(int(x) & 1));
  case dtype::int8:
  case dtype::uint8:
    return as(std::int8_t(x));
  case dtype::int16:
  case dtype::uint16:
    return as(std::int16_t(x));
  case dtype::int32:
  case dtype::uint32:
    return as(std::int32_t(x));
  case dtype::int64:
  case dtype::uint64:
    return as(std::int64_t(x));
  case dtype::float16:
    return as(_Float16(float(x)));
  case dtype::float32:
    return as(float(x));
  case dtype::float64:
    return as(x);
  case dtype::complex64:
    return as(std::complex<float>(float(x), 0.5f));
  case dtype::complex128:
    return as(std::complex<double>(x, 0.5));
  }
}

block x, y, z, result;

void print_row(const char *name, const char *types, const std::vector<double> &times) {
  std::printf("%-22s %-14s", name, types);
  for (const double t : times) std::printf(t < 0 ? "         -" : "%10.3f", t);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<const kernel_table *> sets;
  std::printf("ns an element                       ");
  for (const instructions i : all_instructions) {
    if (!has(i)) continue;
    sets.push_back(new kernel_table(i));
    std::printf("%10s", name_of(i) + 7);
  }
  std::printf("\n");
  const auto wanted = [&](std::string_view name) {
    for (int i = 1; i < argc; ++i)
      if (name == argv[i]) return true;
    return argc == 1;
  };
  const auto inputs_of = [&](dtype a, dtype b) {
    for (std::size_t i = 0; i < count; ++i) put(x, a, 1 + double(i % 100) / 7, i), put(y, b, 2 + double(i % 37) / 9, i);
  };
  for (int code = 0; code < static_cast<int>(opcode::where); ++code) {
    const operation &op = info(static_cast<opcode>(code));
    if (!wanted(op.name)) continue;
    for (const signature &s : op.signatures) {
      const dtype b = op.inputs == 2 ? s.from[1] : s.from[0];
      inputs_of(s.from[0], b);
      std::vector<double> times;
      for (const kernel_table *set : sets) {
        const element_function f = set->find(op.code, s);
        const void *inputs[] = {x.bytes, y.bytes};
        times.push_back(nanoseconds([&] { f(count, inputs, result.bytes); }) / count);
      }
      const char types[] = {
          dpep::code_of(s.from[0]), op.inputs == 2 ? dpep::code_of(b) : ' ', '-', '>', dpep::code_of(s.to), 0};
      print_row(std::string(op.name).c_str(), types, times);
    }
  }
  for (int from = 0; wanted("cast") && from < dpep::dtype_count; ++from)
    for (int to = 0; to < dpep::dtype_count; ++to) {
      inputs_of(dtype(from), dtype(from));
      std::vector<double> times;
      for (const kernel_table *set : sets) {
        const element_function f = set->casts().functions[from][to];
        const void *inputs[] = {x.bytes};
        times.push_back(nanoseconds([&] { f(count, inputs, result.bytes); }) / count);
      }
      const char types[] = {dpep::code_of(dtype(from)), '-', '>', dpep::code_of(dtype(to)), 0};
      print_row("cast", types, times);
    }
  for (int how = 0; how <= static_cast<int>(reduction::hypot); ++how)
    for (int t = 0; wanted("reduce") && t < dpep::dtype_count; ++t) {
      inputs_of(dtype(t), dtype(t));
      std::vector<double> blocks, rows;
      for (const kernel_table *set : sets) {
        const reducer *const r = set->find_reducer(reduction(how), dtype(t));
        if (!r) continue;
        std::vector<std::byte> states(count * r->state_bytes);
        r->start(count, states.data());
        blocks.push_back(nanoseconds([&] { r->block(count, x.bytes, blocks::origin::cache, 0, states.data()); }) /
                         count);
        rows.push_back(nanoseconds([&] { r->rows(count, x.bytes, blocks::origin::cache, 0, states.data()); }) / count);
      }
      if (blocks.empty()) continue;
      const std::string name(name_of(reduction(how)));
      const char code[] = {dpep::code_of(dtype(t)), 0};
      print_row((name + " block").c_str(), code, blocks);
      print_row((name + " rows").c_str(), code, rows);
    }
  for (int how = 0; how < 5; ++how)
    for (int t = 0; wanted("scan") && t < dpep::dtype_count; ++t) {
      inputs_of(dtype(t), dtype(t));
      std::vector<double> times;
      for (const kernel_table *set : sets) {
        const scan_function f = set->scans().functions[how][t];
        alignas(16) std::byte state[16] = {};
        if (f) times.push_back(nanoseconds([&] { f(count, x.bytes, result.bytes, state); }) / count);
      }
      const char code[] = {dpep::code_of(dtype(t)), 0};
      if (!times.empty()) print_row(std::string(name_of(accumulation(how))).c_str(), code, times);
    }
  const struct {
    const char *name;
    std::size_t rows, columns;
    std::int64_t to_row, to_column, from_row, from_column;  // elements
  } copies[] = {{"copy whole", 1, 1024, 1024, 1, 1024, 1},     {"copy rows of 32", 32, 32, 32, 1, 64, 1},
                {"copy rows of 7", 128, 7, 7, 1, 9, 1},        {"copy every second", 1, 512, 512, 1, 1024, 2},
                {"copy every third", 1, 340, 340, 1, 1024, 3}, {"copy backwards", 1, 1024, 1024, 1, 1024, -1},
                {"transpose 32 x 32", 32, 32, 1, 32, 32, 1},   {"transpose 128 x 7", 128, 7, 1, 128, 7, 1},
                {"transpose 7 x 128", 7, 128, 1, 7, 128, 1},   {"transpose 300 x 3", 300, 3, 1, 300, 3, 1}};
  for (const auto &c : copies)
    for (std::size_t item = 1; wanted("copy") && item <= 16; item *= 2) {
      std::vector<double> times;
      const auto bytes = std::int64_t(item);
      std::byte *const from = x.bytes + (c.from_column < 0 ? 1023 * bytes : 0);
      for (const kernel_table *set : sets) {
        const copy_function f = set->copies().functions[std::countr_zero(item)];
        times.push_back(nanoseconds([&] {
                          f(c.rows, c.columns, {result.bytes, c.to_row * bytes, c.to_column * bytes},
                            {from, c.from_row * bytes, c.from_column * bytes});
                        }) /
                        double(c.rows * c.columns));
      }
      print_row(c.name, (std::to_string(item) + " bytes").c_str(), times);
    }
  if (wanted("where") || wanted("clip")) {
    for (const dtype t : {dtype::int8, dtype::float32, dtype::float64, dtype::complex128}) {
      inputs_of(t, t);
      for (std::size_t i = 0; i < count; ++i) put(z, dtype::boolean, double(i * i), i);
      std::vector<double> times, clips;
      for (const kernel_table *set : sets) {
        const void *inputs[] = {z.bytes, x.bytes, y.bytes}, *all[] = {x.bytes, y.bytes, y.bytes};
        const element_function f = set->selects().where[std::countr_zero(dpep::size_of(t))];
        const element_function g = set->selects().clip[int(t)];
        times.push_back(nanoseconds([&] { f(count, inputs, result.bytes); }) / count);
        clips.push_back(nanoseconds([&] { g(count, all, result.bytes); }) / count);
      }
      const char code[] = {dpep::code_of(t), 0};
      print_row("where", code, times);
      print_row("clip", code, clips);
    }
  }
}
