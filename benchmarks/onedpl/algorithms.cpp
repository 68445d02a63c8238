// Algorithms on large sequences: oneapi::dpl, or with -DPEER the standard library with std::execution::par on oneTBB.
// With -DDEVICE, the sequences of oneapi::dpl are in the device's memory; without it, all are in the host's.
//
//     algorithms ELEMENTS
//
// Reads names of rows from standard input, runs each once, and prints its wall-clock and processor time in ms.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#ifdef PEER
#include <algorithm>
#include <execution>
#include <numeric>
#define CALL(name, ...) std::name(std::execution::par, __VA_ARGS__)
#else
#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/execution>
#include <oneapi/dpl/numeric>
#define CALL(name, ...) oneapi::dpl::name(oneapi::dpl::execution::dpcpp_default, __VA_ARGS__)
#endif

namespace {

double processor_ms() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval &t) { return 1e3 * double(t.tv_sec) + 1e-3 * double(t.tv_usec); };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

#ifdef DEVICE
/// An array in the memory of the device of the default policy.
template <class T> class sequence {
public:
  explicit sequence(std::size_t n) : size_(n), data_(sycl::malloc_device<T>(n, queue())) {}
  sequence(const sequence &) = delete;
  sequence &operator=(const sequence &other) {
    queue().memcpy(data_, other.data_, size_ * sizeof(T)).wait();
    return *this;
  }
  ~sequence() { sycl::free(data_, queue()); }
  T *begin() const { return data_; }
  T *end() const { return data_ + size_; }

private:
  static sycl::queue queue() { return oneapi::dpl::execution::dpcpp_default.queue(); }

  std::size_t size_;
  T *data_;
};

template <class T> void assign(const sequence<T> &to, const std::vector<T> &from) {
  oneapi::dpl::execution::dpcpp_default.queue().memcpy(to.begin(), from.data(), from.size() * sizeof(T)).wait();
}
#else
template <class T> using sequence = std::vector<T>;

template <class T> void assign(sequence<T> &to, const std::vector<T> &from) { to = from; }
#endif

template <class T> std::vector<T> random_numbers(std::size_t n) {
  std::mt19937 generator(1);
  std::vector<T> made(n);
  for (T &x : made) x = static_cast<T>(generator() & 0xFFFFFF);
  return made;
}

struct row {
  std::function<void()> prepare, run;
};

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  sequence<float> x(n), y(n);
  sequence<double> d(n), e(n);
  sequence<int> k(n), l(n);
  assign(x, random_numbers<float>(n));
  assign(y, std::vector<float>(n));
  assign(d, random_numbers<double>(n));
  assign(k, random_numbers<int>(n));
  volatile double kept = 0;
  const auto larger = [](float a, float b) { return a < b ? b : a; };
  const auto small = [](float a) { return a < 0x800000; };
  const auto nothing = [] {};
  const auto copy_doubles = [&] { e = d; };
  const auto copy_integers = [&] { l = k; };
  const std::map<std::string, row> rows{
      {"reduce float", {nothing, [&] { kept = CALL(reduce, x.begin(), x.end(), 0.0f); }}},
      {"reduce double", {nothing, [&] { kept = CALL(reduce, d.begin(), d.end(), 0.0); }}},
      {"reduce by a lambda", {nothing, [&] { kept = CALL(reduce, x.begin(), x.end(), 0.0f, larger); }}},
      {"transform_reduce", {nothing, [&] { kept = CALL(transform_reduce, x.begin(), x.end(), y.begin(), 0.0f); }}},
      {"transform",
       {nothing, [&] { CALL(transform, x.begin(), x.end(), y.begin(), [](float a) { return 2 * a + 1; }); }}},
      {"inclusive_scan float", {nothing, [&] { CALL(inclusive_scan, x.begin(), x.end(), y.begin()); }}},
      {"inclusive_scan double", {nothing, [&] { CALL(inclusive_scan, d.begin(), d.end(), e.begin()); }}},
      {"exclusive_scan by a lambda",
       {nothing, [&] { CALL(exclusive_scan, x.begin(), x.end(), y.begin(), 0.0f, larger); }}},
      {"copy_if", {nothing, [&] { CALL(copy_if, x.begin(), x.end(), y.begin(), small); }}},
      {"count_if", {nothing, [&] { kept = double(CALL(count_if, x.begin(), x.end(), small)); }}},
      {"find, no match", {nothing, [&] { kept = double(CALL(find, x.begin(), x.end(), -1.0f) - x.begin()); }}},
      {"max_element", {nothing, [&] { kept = double(CALL(max_element, x.begin(), x.end()) - x.begin()); }}},
      {"sort double", {copy_doubles, [&] { CALL(sort, e.begin(), e.end()); }}},
      {"sort int", {copy_integers, [&] { CALL(sort, l.begin(), l.end()); }}},
      {"sort by a lambda",
       {copy_doubles, [&] { CALL(sort, e.begin(), e.end(), [](double a, double b) { return a > b; }); }}},
      {"stable_sort by a lambda",
       {copy_doubles, [&] { CALL(stable_sort, e.begin(), e.end(), [](double a, double b) { return a > b; }); }}},
  };
  if (argc > 2) {  // the names
    for (const auto &[name, r] : rows) std::cout << name << "\n";
    return 0;
  }
  for (std::string name; std::getline(std::cin, name);) {
    const row &r = rows.at(name);
    r.prepare();
    const double before = processor_ms();
    const auto start = std::chrono::steady_clock::now();
    r.run();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    std::cout << wall.count() << " " << processor_ms() - before << std::endl;
  }
}
