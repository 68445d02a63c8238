// oneapi::dpl: errors in functions of the program reach the caller, and nothing waits for blocks that failed.
#include <cassert>

#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/numeric>

#include "dpl_sequences.hpp"

namespace {

using namespace dpl_test;

std::string message_of(auto run) {
  try {
    run();
  } catch (const std::exception &e) {
    return e.what();
  }
  return "";
}

TEST(dpl_errors, of_predicates_are_thrown) {
  std::vector<int> a = random_elements<int>(300001), b(a.size());
  a[150000] = -1;
  const auto holds = [](int x) {
    assert(x >= 0);
    return x > 50;
  };
  EXPECT_NE(message_of([&] { dpl::copy_if(policy(), a.begin(), a.end(), b.begin(), holds); }).find("x >= 0"),
            std::string::npos);
  EXPECT_NE(message_of([&] { dpl::count_if(policy(), a.begin(), a.end(), holds); }).find("x >= 0"), std::string::npos);
  EXPECT_NE(message_of([&] {
              dpl::transform_inclusive_scan(policy(), a.begin(), a.end(), b.begin(), std::plus<>(),
                                            [=](int x) { return holds(x) ? x : 0; });
            }).find("x >= 0"),
            std::string::npos);
  a[150000] = 1;  // the queue works on
  EXPECT_EQ(dpl::count_if(policy(), a.begin(), a.end(), holds), std::count_if(a.begin(), a.end(), holds));
}
TEST(dpl_errors, release_buffers) {
  std::vector<int> a(1000, -1);
  sycl::buffer<int> b(a);
  EXPECT_NE(message_of([&] { dpl::for_each(policy(), dpl::begin(b), dpl::end(b), [](int &x) { assert(x > 0); }); }),
            "");
  EXPECT_EQ(sycl::host_accessor(b)[0], -1);  // does not wait for the call that failed
}
TEST(dpl_errors, of_parts_beyond_a_buffer_are_thrown) {
  sycl::buffer<int> b(10);
  EXPECT_NE(message_of([&] { dpl::fill(policy(), dpl::begin(b), dpl::begin(b) + 11, 1); }), "");
  EXPECT_EQ(message_of([&] { dpl::fill(policy(), dpl::begin(b), dpl::end(b), 1); }), "");
  EXPECT_EQ(dpl::reduce(policy(), dpl::begin(b), dpl::end(b), 0), 10);
}

}  // namespace
