// Repeated submissions of any kind of work must not leak memory.
//
// DPEP_STRESS=n makes the tests n times as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "growth.hpp"
#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

struct counter_arguments {
  std::uint64_t *count;
};
struct large_arguments {
  std::uint64_t *count;
  std::byte more[1000];
};

/// The queue, kernels and memory that the kinds of work use.
struct bench {
  explicit bench(bool in_order) : q(device(), {.in_order = in_order}) {}
  queue q;
  std::uint64_t count = 0;
  std::vector<std::byte> from = std::vector<std::byte>(4096), to = from;
  const ref<const backend::code> code =
      load(q.get_device(), each<counter_arguments, [](const counter_arguments &a, std::size_t) { ++*a.count; }>);
  const ref<const backend::code> large_code =
      load(q.get_device(), each<large_arguments, [](const large_arguments &a, std::size_t) { ++*a.count; }>);
  const ref<const backend::code> faulty =
      load(q.get_device(), each<counter_arguments, [](const counter_arguments &, std::size_t) {
             *static_cast<volatile int *>(nullptr) = 1;
           }>);

  event run(dependencies after = {}) { return launch(q, code, flat(1), counter_arguments{&count}, after); }
};

/// A kind of work: `batch` submits it `calls` times and waits for it.
struct kind {
  const char *name;
  int calls;
  std::function<void(bench &, int)> batch;
  friend void PrintTo(const kind &k, std::ostream *out) { *out << k.name; }
};

/// Submits work that depends on a user event, so that it becomes tasks instead of running inline.
void behind_a_gate(bench &b, int calls, const std::function<event(bench &, const event &)> &submit) {
  const user_event gate;
  for (int i = 0; i < calls; ++i) submit(b, gate);
  gate.complete();
  b.q.wait();
}

const std::vector<kind> kinds{
    {"inline_launches", 1'000'000,
     [](bench &b, int calls) {
       for (int i = 0; i < calls; ++i) b.run();
     }},
    {"launches_that_become_tasks", 100'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls, [](bench &b, const event &gate) { return b.run(after(gate)); });
     }},
    {"tasks_with_large_arguments", 100'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls, [](bench &b, const event &gate) {
         return launch(b.q, b.large_code, flat(1), large_arguments{&b.count, {}}, after(gate));
       });
     }},
    {"events_kept_and_dropped", 100'000,
     [](bench &b, int calls) {
       const user_event gate;
       std::vector<event> kept;
       for (int i = 0; i < calls; ++i) kept.push_back(b.run(after(gate)));
       gate.complete();
       b.q.wait();
     }},
    {"chains_of_which_the_last_is_kept", 100'000,
     [](bench &b, int calls) {
       const user_event gate;
       event last = gate;
       for (int i = 0; i < calls; ++i) last = b.run(after(last));
       gate.complete();
       last.wait();
     }},
    {"events_that_keep_owners_alive", 100'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls, [](bench &b, const event &gate) {
         const event done = b.run(after(gate));
         done.keep_alive(std::make_shared<int>(1));
         return done;
       });
     }},
    {"host_tasks", 50'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls, [](bench &b, const event &) {
         return b.q.host_task([owner = std::make_shared<std::vector<int>>(10), &b] { b.count += owner->size(); });
       });
     }},
    {"inline_copies", 100'000,
     [](bench &b, int calls) {
       for (int i = 0; i < calls; ++i) b.q.copy(b.to.data(), b.from.data(), b.to.size());
     }},
    {"copies_and_fills_that_become_tasks", 100'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls / 2, [](bench &b, const event &gate) {
         b.q.copy(b.to.data(), b.from.data(), 256, after(gate));
         return b.q.fill(b.to.data(), b.from.data(), 128, 4, after(gate));
       });
     }},
    {"barriers", 50'000,
     [](bench &b, int calls) {
       behind_a_gate(b, calls, [](bench &b, const event &gate) { return b.q.barrier(after(gate)); });
     }},
    {"failures_that_are_caught", 10'000,
     [](bench &b, int calls) {
       for (int i = 0; i < calls; ++i) {
         launch(b.q, b.faulty, flat(1), counter_arguments{&b.count});
         EXPECT_THROW(b.q.wait_and_throw(), exception);
       }
     }},
    {"queues", 20'000,
     [](bench &b, int calls) {
       for (int i = 0; i < calls; ++i) queue(b.q.get_context(), b.q.get_device()).host_task([] {}).wait();
     }},
};

class memory_growth_of_calls : public ::testing::TestWithParam<std::tuple<kind, bool>> {};
INSTANTIATE_TEST_SUITE_P(over, memory_growth_of_calls,
                         ::testing::Combine(::testing::ValuesIn(kinds), ::testing::Bool()), [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "_in_order" : "");
                         });

TEST_P(memory_growth_of_calls, is_none) {
  if (sanitized) GTEST_SKIP() << "sanitizers replace the heap and keep freed memory";
  const auto &[kind, in_order] = GetParam();
  const char *scale = std::getenv("DPEP_STRESS");
  bench b(in_order);
  EXPECT_LT(bytes_left_by_each(kind.calls * (scale ? std::max(1, std::atoi(scale)) : 1), 100,
                               [&](int calls) {
                                 kind.batch(b, calls);
                                 b.q.wait();  // on a busy machine inline work may become tasks
                               }),
            no_growth);
}

TEST(growth_measurement, detects_16_leaked_bytes_per_call) {
  if (sanitized) GTEST_SKIP() << "sanitizers replace the heap";
  std::vector<std::unique_ptr<std::byte[]>> left;
  left.reserve(120'000);
  EXPECT_GT(bytes_left_by_each(20'000, 100,
                               [&](int calls) {
                                 for (int i = 0; i < calls; ++i) left.push_back(std::make_unique<std::byte[]>(16));
                               }),
            no_growth);
}

}  // namespace
}  // namespace dpep::testing
