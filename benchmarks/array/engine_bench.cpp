// The array engine without Python: programs as fusion makes them, compared with memory bandwidth.
//
// Arguments: words; only programs whose names contain one of them run. The bandwidth of a program counts the bytes that
// it must move (each operand once), and is compared with that of a parallel memcpy.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <dpep/array_opcodes.hpp>
#include <dpep/memory.hpp>

#include "build_program.hpp"

namespace {

using namespace dpep;
using namespace dpep::array;
using clock_type = std::chrono::steady_clock;

struct timing {
  double median, cpu;  // ms: median wall-clock time; minimum processor time of all threads
};

timing time_of(const std::function<void()> &action, int repetitions = 15) {
  const auto processor_time = [] {
    std::timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
  };
  action();
  action();
  std::vector<double> times, used;
  for (int i = 0; i < repetitions; ++i) {
    const double before = processor_time();
    const auto start = clock_type::now();
    action();
    times.push_back(std::chrono::duration<double, std::milli>(clock_type::now() - start).count());
    used.push_back(processor_time() - before);
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], std::ranges::min(used)};
}

const queue &cpu() {
  static const queue q{device("cpu")};
  return q;
}
void run_and_wait(const program_builder &p) {
  run(cpu(), p.code, p.arguments, {});
  cpu().wait();
}

std::byte *memory(std::size_t bytes) {
  auto *p = static_cast<std::byte *>(allocate(usm_kind::device, bytes, 64, cpu().get_context(), cpu().get_device()));
  std::memset(p, 0, bytes);
  return p;
}
template <class T> T *random_array(std::int64_t n) {
  T *const p = reinterpret_cast<T *>(memory(std::size_t(n) * sizeof(T)));
  std::uint64_t state = 88172645463325252;
  for (std::int64_t i = 0; i < n; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    p[i] = T(double(state >> 11) * 0x1p-53);
  }
  return p;
}

std::vector<std::string> wanted;
bool is_wanted(const std::string &name) {
  if (wanted.empty()) return true;
  return std::ranges::any_of(wanted, [&](const std::string &w) { return name.find(w) != std::string::npos; });
}

double copy_bandwidth = 0, copy_cpu_bandwidth = 0;  // GB/s, read and written bytes

void measure(const char *name, const program_builder &p, double bytes) {
  if (!is_wanted(name)) return;
  const timing t = time_of([&] { run_and_wait(p); });
  const double bandwidth = bytes / t.median / 1e6;
  std::printf("%-28s %9.3f ms  %6.1f GB/s  %5.2f of memcpy; %9.3f ms of processor time, %5.2f of memcpy\n", name,
              t.median, bandwidth, bandwidth / copy_bandwidth, t.cpu, bytes / t.cpu / 1e6 / copy_cpu_bandwidth);
  std::fflush(stdout);
}

constexpr dtype f8 = dtype::float64;

void streaming() {
  constexpr std::int64_t n = 10'000'000, rows = 10'000, columns = 1000, w = 8;
  constexpr double array = double(n) * w;
  double *const a = random_array<double>(n), *const b = random_array<double>(n), *const c = random_array<double>(n);
  auto *const r = reinterpret_cast<double *>(memory(std::size_t(n * w)));
  {
    const timing t = time_of([&] {
      cpu().copy(r, a, std::size_t(n * w));
      cpu().wait();
    });
    copy_bandwidth = 2 * array / t.median / 1e6;
    copy_cpu_bandwidth = 2 * array / t.cpu / 1e6;
    std::printf("%-28s %9.3f ms  %6.1f GB/s; %9.3f ms of processor time\n", "parallel memcpy", t.median, copy_bandwidth,
                t.cpu);
  }
  const auto unary = [&](const char *name, opcode code) {
    program_builder p({n});
    p.store(p.element(code, f8, {p.load(f8, a, {w})}), r, {w});
    measure(name, p, 2 * array);
  };
  {
    program_builder p({n});
    p.store(p.element(opcode::add, f8, {p.load(f8, a, {w}), p.load(f8, b, {w})}), r, {w});
    measure("add", p, 3 * array);
  }
  {
    program_builder p({n});
    const value_id product = p.element(opcode::multiply, f8, {p.load(f8, a, {w}), p.load(f8, b, {w})});
    p.store(p.element(opcode::add, f8, {product, p.load(f8, c, {w})}), r, {w});
    measure("multiply-add", p, 4 * array);
  }
  {
    program_builder p({n});
    p.store(p.load(f8, a, {w}), r, {w});
    measure("copy", p, 2 * array);
  }
  {
    program_builder p({n});
    p.store(p.number(f8, 2.5), r, {w});
    measure("fill", p, array);
  }
  unary("exp", opcode::exp);
  unary("sin", opcode::sin);
  unary("sqrt", opcode::sqrt);
  const auto reduced = [&](const char *name, reduction how, axis_set over) {
    program_builder p({rows, columns});
    const bool position = how == reduction::argmax;
    const value_id v = p.reduce(how, position ? dtype::int64 : f8, p.load(f8, a, {columns * w, w}), over);
    p.store(v, r, {over.has(0) ? 0 : w, over.has(1) ? 0 : w});
    measure(name, p, array);
  };
  reduced("sum", reduction::sum, axis_set::first(2));
  reduced("sum over rows (axis 0)", reduction::sum, axis_set::of(0));
  reduced("sum over columns (axis 1)", reduction::sum, axis_set::of(1));
  reduced("max", reduction::max, axis_set::first(2));
  reduced("argmax", reduction::argmax, axis_set::first(2));
  {
    program_builder p({n});
    const value_id d = p.element(opcode::subtract, f8, {p.load(f8, a, {w}), p.load(f8, b, {w})});
    p.store(p.reduce(reduction::sum, f8, p.element(opcode::square, f8, {d}), axis_set::of(0)), r, {0});
    measure("sum of (a-b)^2", p, 2 * array);
  }
  constexpr std::int64_t side = 3162;
  {
    program_builder p({side, side});
    const value_id x = p.load(f8, a, {side * w, w}), y = p.load(f8, b, {w, side * w});
    p.store(p.element(opcode::add, f8, {x, y}), r, {side * w, w});
    measure("add transposed", p, 3.0 * side * side * w);
  }
  {
    program_builder p({rows, columns});
    const value_id x = p.load(f8, a, {columns * w, w}), y = p.load(f8, b, {0, w});
    p.store(p.element(opcode::add, f8, {x, y}), r, {columns * w, w});
    measure("add row", p, 2 * array);
  }
  {
    program_builder p({rows, columns});
    const value_id x = p.load(f8, a, {columns * w, w}), y = p.load(f8, b, {w, 0});
    p.store(p.element(opcode::add, f8, {x, y}), r, {columns * w, w});
    measure("add column", p, 2 * array);
  }
  {
    program_builder p({n / 4, 3});
    const value_id x = p.load(f8, a, {3 * w, w}), y = p.load(f8, b, {0, w});
    p.store(p.element(opcode::add, f8, {x, y}), r, {3 * w, w});
    measure("add row of 3", p, 2 * array * 0.75);
  }
  {
    program_builder p({n / 2});
    p.store(p.element(opcode::add, f8, {p.load(f8, a, {2 * w}), p.load(f8, b, {2 * w})}), r, {w});
    measure("add, every other", p, 2.5 * array);
  }
  {
    program_builder p({n});
    const value_id x = p.load(dtype::float32, a, {4});
    p.store(p.element(opcode::add, f8, {p.element(opcode::cast, f8, {x}), p.load(f8, b, {w})}), r, {w});
    measure("add float32 + float64", p, 2.5 * array);
  }
  {
    program_builder p({rows, columns});  // softmax over the last axis
    const value_id x = p.load(f8, a, {columns * w, w});
    const value_id top = p.reduce(reduction::max, f8, x, axis_set::of(1));
    const value_id e = p.element(opcode::exp, f8, {p.element(opcode::subtract, f8, {x, top})});
    const value_id sum = p.reduce(reduction::sum, f8, e, axis_set::of(1));
    p.store(p.element(opcode::divide, f8, {e, sum}), r, {columns * w, w});
    measure("softmax", p, 2 * array);
  }
  {
    program_builder p({n});  // Horner's scheme, 20 operations
    const value_id x = p.load(f8, a, {w});
    value_id y = p.number(f8, 0.5);
    for (int k = 0; k < 10; ++k)
      y = p.element(opcode::add, f8, {p.element(opcode::multiply, f8, {y, x}), p.number(f8, 1.0 / (k + 1))});
    p.store(y, r, {w});
    measure("polynomial, 20 operations", p, 2 * array);
  }
}

void expressions() {
  constexpr std::int64_t n = 10'000'000, rows = 10'000, columns = 1000, w = 8;
  constexpr double array = double(n) * w;
  double *const a = random_array<double>(n), *const b = random_array<double>(n);
  auto *const r = reinterpret_cast<double *>(memory(std::size_t(n * w)));
  const auto centred = [](program_builder &p, value_id x, axis_set over, double count) {
    const value_id mean = p.element(opcode::divide, f8, {p.reduce(reduction::sum, f8, x, over), p.number(f8, count)});
    return p.element(opcode::subtract, f8, {x, mean});
  };
  const auto mean_square = [](program_builder &p, value_id x, axis_set over, double count) {
    const value_id sum = p.reduce(reduction::sum, f8, p.element(opcode::square, f8, {x}), over);
    return p.element(opcode::divide, f8, {sum, p.number(f8, count)});
  };
  for (const int axis : {1, 0}) {
    program_builder p({rows, columns});
    const axis_set over = axis_set::of(axis);
    const double count = double(axis ? columns : rows);
    const value_id d = centred(p, p.load(f8, a, {columns * w, w}), over, count);
    const value_id variance = p.element(opcode::add, f8, {mean_square(p, d, over, count), p.number(f8, 1e-5)});
    p.store(p.element(opcode::divide, f8, {d, p.element(opcode::sqrt, f8, {variance})}), r, {columns * w, w});
    measure(axis ? "layer norm" : "standardise columns", p, 2 * array);
  }
  {
    program_builder p({n});
    const axis_set over = axis_set::of(0);
    const value_id d = centred(p, p.load(f8, a, {w}), over, double(n));
    const value_id square = p.element(opcode::square, f8, {d});
    const value_id variance = p.reduce(reduction::sum, f8, square, over);
    const value_id cubes = p.reduce(reduction::sum, f8, p.element(opcode::multiply, f8, {square, d}), over);
    p.store(variance, r, {0});
    p.store(cubes, r + 1, {0});
    measure("mean, variance, skewness", p, 2 * array);
  }
  {
    constexpr std::int64_t m = 3000, d = 3;
    program_builder p({m, m, d});
    const value_id x = p.load(f8, a, {d * w, 0, w}), y = p.load(f8, b, {0, d * w, w});
    const value_id square = p.element(opcode::square, f8, {p.element(opcode::subtract, f8, {x, y})});
    p.store(p.element(opcode::sqrt, f8, {p.reduce(reduction::sum, f8, square, axis_set::of(2))}), r, {m * w, w, 0});
    measure("pairwise distances", p, double(m) * m * w);
  }
  {
    program_builder p({n / 4});  // Black-Scholes, the call's price
    const value_id s = p.load(f8, a, {w}), k = p.load(f8, b, {w}), t = p.load(f8, a + n / 2, {w});
    const auto e = [&](opcode c, value_id x, value_id y = no_value) {
      return y == no_value ? p.element(c, f8, {x}) : p.element(c, f8, {x, y});
    };
    const auto number = [&](double x) { return p.number(f8, x); };
    const value_id root = e(opcode::sqrt, t);
    const value_id drift = e(opcode::multiply, t, number(0.1 + 0.5 * 0.04));
    const value_id scale = e(opcode::multiply, root, number(0.2));
    const value_id d1 = e(opcode::divide, e(opcode::add, e(opcode::log, e(opcode::divide, s, k)), drift), scale);
    const value_id d2 = e(opcode::subtract, d1, scale);
    const auto normal = [&](value_id x) {
      const value_id y = e(opcode::erf, e(opcode::multiply, x, number(M_SQRT1_2)));
      return e(opcode::multiply, e(opcode::add, y, number(1.0)), number(0.5));
    };
    const value_id discount = e(opcode::exp, e(opcode::multiply, t, number(-0.1)));
    const value_id price = e(opcode::subtract, e(opcode::multiply, s, normal(d1)),
                             e(opcode::multiply, e(opcode::multiply, k, discount), normal(d2)));
    p.store(price, r, {w});
    measure("Black-Scholes", p, array);
  }
}

template <class T> void kde(const char *name, dtype t) {
  if (!is_wanted(name)) return;
  constexpr std::int64_t n = 1'000'000, m = 17, d = 7, w = sizeof(T);
  T *const x = random_array<T>(n * d), *const y = random_array<T>(m * d);
  auto *const f = reinterpret_cast<T *>(memory(m * w));
  const double h = 0.05, norm = std::pow(2 * M_PI * h * h, -d / 2.0);
  program_builder p({n, m, d});
  const value_id xs = p.load(t, x, {d * w, 0, w}), ys = p.load(t, y, {0, d * w, w});
  const value_id square = p.element(opcode::square, t, {p.element(opcode::subtract, t, {xs, ys})});
  const value_id distance = p.reduce(reduction::sum, t, square, axis_set::of(2));
  const value_id e =
      p.element(opcode::exp, t, {p.element(opcode::multiply, t, {distance, p.number(t, -0.5 / (h * h))})});
  const value_id sum = p.reduce(reduction::sum, t, e, axis_set::of(0));
  p.store(p.element(opcode::multiply, t, {sum, p.number(t, norm / n)}), f, {0, w, 0});
  const timing time = time_of([&] { run_and_wait(p); }, 31);
  double worst = 0;
  for (std::int64_t j = 0; j < m; ++j) {
    double s = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      double q = 0;
      for (std::int64_t k = 0; k < d; ++k)
        q += (double(x[i * d + k]) - y[j * d + k]) * (double(x[i * d + k]) - y[j * d + k]);
      s += std::exp(-0.5 / (h * h) * q);
    }
    worst = std::max(worst, std::fabs(f[j] - s / n * norm) / (s / n * norm));
  }
  std::printf("%-28s %9.3f ms, %9.3f ms of processor time; largest relative error %.1e\n", name, time.median, time.cpu,
              worst);
}

void small() {
  if (!is_wanted("small")) return;
  double *const a = random_array<double>(1000), *const b = random_array<double>(1000),
                *const r = random_array<double>(1000);
  for (const std::int64_t n : {10, 1000}) {
    program_builder p({n});
    p.store(p.element(opcode::add, f8, {p.load(f8, a, {8}), p.load(f8, b, {8})}), r, {8});
    const double add = time_of([&] {
                         for (int k = 0; k < 1000; ++k) run(cpu(), p.code, p.arguments, {});
                       }).cpu;
    std::printf("small add of %-4ld             %9.0f ns\n", long(n), add * 1e3);
    program_builder s({n});
    s.store(s.reduce(reduction::sum, f8, s.load(f8, a, {8}), axis_set::of(0)), r, {0});
    const double sum = time_of([&] {
                         for (int k = 0; k < 1000; ++k) run(cpu(), s.code, s.arguments, {});
                       }).cpu;
    std::printf("small sum of %-4ld             %9.0f ns\n", long(n), sum * 1e3);
  }
}

}  // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) wanted.emplace_back(argv[i]);
  small();
  kde<float>("KDE float32", dtype::float32);
  kde<double>("KDE float64", dtype::float64);
  streaming();
  expressions();
}
