// Kernels that use what devices do not have: their first launch fails with errc::build, and the message names the
// kernel and what it uses.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

int defined_nowhere(int);

namespace {

struct base {
  virtual int f() const { return 1; }
};
struct derived : base {
  int f() const override { return 2; }
};

int counter = 0;
thread_local int of_the_thread = 0;
const int random_number = std::rand();
const int squares[] = {0, 1, 4, 9};

struct wrong_kernel {
  const char *name;
  const char *says;  // part of the message
  std::function<void(sycl::queue &, int *)> launch;
};

void PrintTo(const wrong_kernel &k, std::ostream *out) { *out << k.name; }

class wrong_kernels : public testing::TestWithParam<wrong_kernel> {};

std::vector<wrong_kernel> kernels() {
  return {
      {"throws", "cannot throw", [](auto &q, int *) { q.single_task([] { throw 1; }); }},
      {"undefined_function", "defined_nowhere(int)",
       [](auto &q, int *p) { q.single_task([=] { p[0] = defined_nowhere(p[1]); }); }},
      {"new", "operator new",
       [](auto &q, int *p) { q.single_task([=] { *reinterpret_cast<int **>(p) = new int[4]; }); }},
      {"delete", "operator delete", [](auto &q, int *p) { q.single_task([=] { delete p; }); }},
      {"input_and_output", "std::", [](auto &q, int *p) { q.single_task([=] { std::cout << p[0]; }); }},
      {"random_numbers_of_the_host", "rand", [](auto &q, int *p) { q.single_task([=] { p[0] = std::rand(); }); }},
      {"end_of_the_program", "abort", [](auto &q, int *) { q.single_task([] { std::abort(); }); }},
      {"dynamic_cast", "dynamic_cast",
       [](auto &q, int *p) {
         q.single_task([=] {
           const base b;
           const derived d;
           const base *object = p[0] == 0 ? &b : &d;
           p[0] = dynamic_cast<const derived *>(object) != nullptr;
         });
       }},
      {"variable_that_is_written", "counter", [](auto &q, int *) { q.single_task([] { ++counter; }); }},
      {"variable_that_is_read", "counter", [](auto &q, int *p) { q.single_task([=] { p[0] = counter; }); }},
      {"variable_of_a_function", "calls",
       [](auto &q, int *p) {
         q.single_task([=] {
           static int calls = 0;
           p[0] = ++calls;
         });
       }},
      {"variable_of_a_thread", "of_the_thread",
       [](auto &q, int *p) { q.single_task([=] { p[0] = ++of_the_thread; }); }},
      {"constant_that_the_host_computes", "random_number",
       [](auto &q, int *p) { q.single_task([=] { p[0] = random_number; }); }},
  };
}

}  // namespace

TEST_P(wrong_kernels, are_not_built) {
  sycl::queue q(sycl::cpu_selector_v);
  const shared_array<int> memory(4, q);
  const auto launch = [&] {
    GetParam().launch(q, memory.get());
    q.wait_and_throw();
  };
  for (int time = 0; time < 2; ++time) {
    const test::caught_error error = test::error_of(launch);
    EXPECT_EQ(error.code, sycl::errc::build) << error.message;
    EXPECT_TRUE(error.mentions(GetParam().says)) << error.message;
    EXPECT_TRUE(error.mentions("kernels()")) << error.message;  // the function that has the kernel
  }
  q.single_task([p = memory.get()] { p[0] = squares[2]; }).wait_and_throw();  // constants are no variables
  EXPECT_EQ(memory.get()[0], 4);
}

constexpr auto name_of = [](const auto &info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(sycl, wrong_kernels, testing::ValuesIn(kernels()), name_of);
