// Arguments of a graph's kernels that change between runs (dynamic_parameter of sycl_ext_oneapi_graph).
#include <functional>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using test::error_of;

constexpr const char *source = R"(
  typedef struct { int factor; long offset; } line;
  kernel void scaled(global const int *x, global int *y, line l) {
    const size_t i = get_global_id(0);
    y[i] = l.factor * x[i] + (int)l.offset;
  }
  kernel void add(global int *y, int summand, local int *t) {
    const size_t i = get_global_id(0), j = get_local_id(0);
    t[j] = y[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = t[j] + summand;
  }
)";

struct line {
  int factor;
  long offset;
};

class dynamic_parameters : public testing::Test {
protected:
  static constexpr std::size_t n = 1000;

  void SetUp() override {
    const auto error = error_of([&] {
      bundle.emplace(syclex::build(
          syclex::create_kernel_bundle_from_source(q.get_context(), syclex::source_language::opencl, source)));
    });
    if (error.mentions("clang 22 was not found")) GTEST_SKIP() << "needs clang 22";
    ASSERT_TRUE(bundle) << error.message;
    for (std::size_t i = 0; i < n; i++) x[i] = int(i), z[i] = -int(i);
  }
  sycl::kernel kernel(const char *name) { return bundle->ext_oneapi_get_kernel(name); }
  void run(const syclex::command_graph<syclex::graph_state::executable> &graph) { q.ext_oneapi_graph(graph).wait(); }
  void expect(const shared_array<int> &found, const std::function<int(int)> &expected, const char *what) {
    for (std::size_t i = 0; i < n; i++) ASSERT_EQ(found[i], expected(int(i))) << what << " " << i;
  }

  sycl::queue q;
  std::optional<sycl::kernel_bundle<sycl::bundle_state::executable>> bundle;
  const shared_array<int> x{n, q}, y{n, q}, z{n, q};
};

}  // namespace

TEST_F(dynamic_parameters, pointers_and_values_are_replaced) {
  syclex::command_graph graph(q);
  syclex::dynamic_parameter<const int *> from(graph, x.get());
  syclex::dynamic_parameter<line> how(graph, {2, 3});
  const syclex::node node = graph.add([&](sycl::handler &h) {
    h.set_args(from, y.get(), how);
    h.parallel_for(sycl::range<1>(n), kernel("scaled"));
  });
  auto executable = graph.finalize(syclex::property::graph::updatable{});
  run(executable);
  expect(y, [](int i) { return 2 * i + 3; }, "first");
  from.update(z.get());
  run(executable);
  expect(y, [](int i) { return 2 * i + 3; }, "not before the graph is updated");
  executable.update(node);
  run(executable);
  expect(y, [](int i) { return -2 * i + 3; }, "another pointer");
  how.update({5, 7});
  from.update(x.get());
  executable.update({node});
  run(executable);
  run(executable);
  expect(y, [](int i) { return 5 * i + 7; }, "both");
}

TEST_F(dynamic_parameters, belong_to_several_nodes_and_to_recorded_ones) {
  syclex::command_graph graph(q.get_context(), q.get_device());
  syclex::dynamic_parameter to(y.get());
  syclex::dynamic_parameter summand(1);
  std::vector<syclex::node> nodes;
  nodes.push_back(graph.add([&](sycl::handler &h) {
    h.set_args(x.get(), to, line{1, 0});
    h.parallel_for(sycl::nd_range<1>(n, 100), kernel("scaled"));
  }));
  graph.begin_recording(q);
  sycl::event last;
  for (int k = 0; k < 3; k++) {
    last = q.submit([&](sycl::handler &h) {
      h.depends_on(last);
      h.set_arg(1, summand);
      h.set_arg(0, to);
      h.set_arg(2, sycl::local_accessor<int>(100, h));
      h.parallel_for(sycl::nd_range<1>(n, 100), kernel("add"));
    });
    nodes.push_back(syclex::node::get_node_from_event(last));
  }
  graph.end_recording();
  graph.make_edge(nodes[0], nodes[1]);
  summand.update(10);  // before the graph is finalized
  auto executable = graph.finalize(syclex::property::graph::updatable{});
  run(executable);
  expect(y, [](int i) { return i + 30; }, "first");
  summand.update(100);
  to.update(z.get());
  executable.update(nodes);
  run(executable);
  expect(z, [](int i) { return i + 300; }, "other memory");
  expect(y, [](int i) { return i + 30; }, "the memory before");
}

TEST_F(dynamic_parameters, have_reference_semantics) {
  syclex::command_graph graph(q);
  syclex::dynamic_parameter<int> a(1), b(1), copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_NE(a, b);
  EXPECT_EQ(std::hash<syclex::dynamic_parameter<int>>()(a), std::hash<syclex::dynamic_parameter<int>>()(copy));
  graph.add([&](sycl::handler &h) {
    h.set_args(y.get(), a, sycl::local_accessor<int>(1, h));
    h.parallel_for(sycl::nd_range<1>(n, 1), kernel("add"));
  });
  copy.update(5);
  run(graph.finalize());
  expect(y, [](int) { return 5; }, "by a copy");
}

TEST_F(dynamic_parameters, of_the_wrong_kind_are_refused) {
  syclex::command_graph graph(q);
  syclex::dynamic_parameter<int> number(1);
  syclex::dynamic_parameter<char> small('a');
  syclex::dynamic_parameter<int *> pointer(y.get());
  const auto add = [&](auto first, auto second) {
    return error_of([&] {
      graph.add([&](sycl::handler &h) {
        h.set_args(first, second, sycl::local_accessor<int>(1, h));
        h.parallel_for(sycl::nd_range<1>(n, 1), kernel("add"));
      });
    });
  };
  EXPECT_EQ(add(number, number).code, sycl::errc::kernel_argument);
  EXPECT_EQ(add(pointer, pointer).code, sycl::errc::kernel_argument);
  EXPECT_EQ(add(pointer, small).code, sycl::errc::kernel_argument);
  EXPECT_TRUE(add(pointer, small).mentions("summand"));
  const auto outside = error_of([&] {
    q.submit([&](sycl::handler &h) {
      h.set_args(pointer, number, sycl::local_accessor<int>(1, h));
      h.parallel_for(sycl::nd_range<1>(n, 1), kernel("add"));
    });
  });
  EXPECT_EQ(outside.code, sycl::errc::invalid);
  EXPECT_TRUE(outside.mentions("dynamic_parameter"));
}
