// Command graphs: nodes and edges, recorded and added, runs, updates, errors.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include <dpep/array_functions.hpp>
#include <dpep/array_opcodes.hpp>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

namespace ext = sycl::ext::oneapi::experimental;
using ext::graph_state;
using ext::node_type;
using test::error_of;
using graph_type = ext::command_graph<>;
namespace graph_property = ext::property::graph;
namespace node_property = ext::property::node;

constexpr sycl::errc invalid = sycl::errc::invalid;

class graphs : public testing::Test {
protected:
  static constexpr std::size_t n = 1000;
  sycl::queue q, in_order{sycl::property::queue::in_order()};
  graph_type graph{q.get_context(), q.get_device()};
  shared_array<int> a{n, q}, b{n, q};
  int *x = a.get(), *y = b.get();

  /// x[i] = x[i] * factor + addend
  auto step(int factor, int addend) const {
    return [=, x = x](sycl::handler &h) { h.parallel_for(n, [=](sycl::id<1> i) { x[i] = x[i] * factor + addend; }); };
  }
  ext::node add_step(int factor, int addend, const sycl::property_list &properties = {}) {
    return graph.add(step(factor, addend), properties);
  }
};

}  // namespace

TEST_F(graphs, added_nodes_run_in_the_order_of_their_edges_each_time) {
  const ext::node first = add_step(1, 1);
  const ext::node second = add_step(2, 0, {node_property::depends_on(first)});
  const ext::node third = add_step(1, 3);
  graph.make_edge(second, third);
  auto executable = graph.finalize();
  EXPECT_EQ(a[5], 0);  // nothing has run
  for (const sycl::queue &where : {q, in_order}) {
    sycl::queue runs = where;
    const int before = a[5];
    runs.ext_oneapi_graph(executable).wait();
    EXPECT_EQ(a[5], (before + 1) * 2 + 3);
    runs.submit([&](sycl::handler &h) { h.ext_oneapi_graph(executable); });
    runs.wait();
    EXPECT_EQ(a[n - 1], ((before + 1) * 2 + 3 + 1) * 2 + 3);
  }
}

TEST_F(graphs, recorded_commands_depend_on_events_and_run_later) {
  graph.begin_recording(q);
  EXPECT_EQ(q.ext_oneapi_get_state(), ext::queue_state::recording);
  EXPECT_EQ(q.ext_oneapi_get_graph(), graph);
  const sycl::event filled = q.fill(x, 7, n);
  const sycl::event doubled = q.parallel_for(n, filled, [x = x](sycl::id<1> i) { x[i] *= 2; });
  const sycl::event copied = q.memcpy(y, x, n * sizeof(int), doubled);
  q.submit([&](sycl::handler &h) {
    h.depends_on(copied);
    h.host_task([y = y] { y[0] = -1; });
  });
  graph.end_recording(q);
  EXPECT_EQ(q.ext_oneapi_get_state(), ext::queue_state::executing);
  EXPECT_EQ(a[1], 0);

  std::vector<node_type> types;
  for (const ext::node &each : graph.get_nodes()) types.push_back(each.get_type());
  EXPECT_EQ(types, (std::vector{node_type::memfill, node_type::kernel, node_type::memcpy, node_type::host_task}));
  EXPECT_EQ(ext::node::get_node_from_event(doubled), graph.get_nodes()[1]);
  EXPECT_EQ(graph.get_nodes()[1].get_predecessors(), std::vector{graph.get_nodes()[0]});
  EXPECT_EQ(graph.get_nodes()[1].get_successors(), std::vector{graph.get_nodes()[2]});
  EXPECT_EQ(graph.get_root_nodes(), std::vector{graph.get_nodes()[0]});

  auto executable = graph.finalize();
  for (int round = 0; round < 3; round++) {
    b[0] = 0;
    q.ext_oneapi_graph(executable).wait();
    EXPECT_EQ(b[0], -1);
    EXPECT_EQ(b[n - 1], 14);
  }
}

TEST_F(graphs, an_in_order_queue_records_a_chain) {
  graph.begin_recording(in_order);
  in_order.memset(x, 0, n * sizeof(int));
  for (int i = 0; i < 5; i++) in_order.parallel_for(n, [x = x](sycl::id<1> i) { x[i] = x[i] * 2 + 1; });
  graph.end_recording();
  const auto nodes = graph.get_nodes();
  ASSERT_EQ(nodes.size(), 6u);
  EXPECT_EQ(nodes[0].get_type(), node_type::memset);
  for (std::size_t i = 1; i < nodes.size(); i++) EXPECT_EQ(nodes[i].get_predecessors(), std::vector{nodes[i - 1]});
  auto executable = graph.finalize();
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[3], 31);
}

TEST_F(graphs, a_queue_records_from_the_first_command_that_depends_on_a_recorded_one) {
  sycl::queue other(q.get_context(), q.get_device());
  graph.begin_recording(q);
  const sycl::event first = q.single_task([x = x] { x[0] = 5; });
  other.single_task(first, [x = x] { x[0] *= 3; });
  EXPECT_EQ(other.ext_oneapi_get_state(), ext::queue_state::recording);
  graph.end_recording();
  EXPECT_EQ(other.ext_oneapi_get_state(), ext::queue_state::executing);
  EXPECT_EQ(a[0], 0);
  auto executable = graph.finalize();
  other.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[0], 15);
}

TEST_F(graphs, empty_nodes_and_barriers_order_others) {
  // Two writers, an empty node behind both, two readers behind it.
  const ext::node w1 = graph.add([x = x](sycl::handler &h) { h.single_task([=] { x[0] = 3; }); });
  const ext::node w2 = graph.add([x = x](sycl::handler &h) { h.single_task([=] { x[1] = 4; }); });
  const ext::node middle = graph.add({node_property::depends_on_all_leaves()});
  EXPECT_EQ(middle.get_type(), node_type::empty);
  EXPECT_EQ(middle.get_predecessors(), (std::vector{w1, w2}));
  for (int r = 0; r < 2; r++)
    graph.add([=, x = x, y = y](sycl::handler &h) { h.single_task([=] { y[r] = x[0] * 10 + x[1]; }); },
              {node_property::depends_on(middle)});
  graph.begin_recording(q);
  q.single_task([x = x] { x[2] = 1; });
  q.ext_oneapi_submit_barrier();
  q.single_task([x = x] { x[2] += 1; });
  graph.end_recording();
  const auto nodes = graph.get_nodes();
  EXPECT_EQ(nodes[6].get_type(), node_type::ext_oneapi_barrier);
  EXPECT_EQ(nodes[6].get_predecessors(), std::vector{nodes[5]});
  EXPECT_EQ(nodes[7].get_predecessors(), std::vector{nodes[6]});
  auto executable = graph.finalize();
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(b[0], 34);
  EXPECT_EQ(b[1], 34);
  EXPECT_EQ(a[2], 2);
}

TEST_F(graphs, sub_graphs_run_as_one_node) {
  const ext::node first = add_step(1, 1);
  add_step(3, 0, {node_property::depends_on(first)});
  auto inner = graph.finalize();
  graph_type outer(q);
  const ext::node before = outer.add(step(1, 10));
  const ext::node middle =
      outer.add([&](sycl::handler &h) { h.ext_oneapi_graph(inner); }, {node_property::depends_on(before)});
  outer.add(step(1, 5), {node_property::depends_on(middle)});
  EXPECT_EQ(middle.get_type(), node_type::subgraph);
  auto executable = outer.finalize();
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[0], (10 + 1) * 3 + 5);
  q.ext_oneapi_graph(inner).wait();  // still on its own
  EXPECT_EQ(a[0], (38 + 1) * 3);
}

TEST_F(graphs, runs_wait_for_events_and_for_each_other) {
  add_step(2, 1);
  auto executable = graph.finalize();
  const sycl::event filled = q.fill(x, 1, n);
  sycl::event done = q.ext_oneapi_graph(executable, filled);
  for (int i = 0; i < 8; i++) done = q.ext_oneapi_graph(executable);
  q.parallel_for(n, done, [x = x](sycl::id<1> i) { x[i] = -x[i]; }).wait();
  EXPECT_EQ(a[7], -1023);
  q.ext_oneapi_graph(executable, std::vector{filled, done}).wait();
  EXPECT_EQ(a[7], -2045);
}

TEST_F(graphs, buffers_order_nodes_and_other_commands) {
  graph_type with_buffers(q.get_context(), q.get_device(), {graph_property::assume_buffer_outlives_graph()});
  std::vector<int> host(n, 1);
  {
    sycl::buffer<int> u(host.data(), n), v(n);
    const ext::node writer = with_buffers.add([&](sycl::handler &h) {
      const sycl::accessor in(u, h, sycl::read_only);
      const sycl::accessor out(v, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { out[i] = in[i] * 2; });
    });
    const ext::node reader = with_buffers.add([&](sycl::handler &h) {
      const sycl::accessor in(v, h, sycl::read_only);
      const sycl::accessor out(u, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { out[i] = in[i] + 1; });
    });
    EXPECT_EQ(reader.get_predecessors(), std::vector{writer});
    auto executable = with_buffers.finalize();
    for (int i = 0; i < 3; i++) q.ext_oneapi_graph(executable);
    q.submit([&](sycl::handler &h) {
      sycl::accessor out(u, h);
      h.parallel_for(n, [=](sycl::id<1> i) { out[i] += 100; });
    });
    EXPECT_EQ(sycl::host_accessor(u)[9], 115);
  }
  sycl::buffer<int> refused(n);
  EXPECT_EQ(error_of([&] {
              graph.add([&](sycl::handler &h) {
                sycl::accessor in(refused, h);
                h.single_task([=] { in[0] = 1; });
              });
            }).code,
            invalid);
}

TEST_F(graphs, reductions_and_large_kernels) {
  shared_array<long> sum(1, q);
  constexpr std::size_t many = 300'000;
  graph.begin_recording(in_order);
  in_order.parallel_for(many, sycl::reduction(sum.get(), sycl::plus<long>()),
                        [](sycl::id<1> i, auto &s) { s += i[0]; });
  in_order.single_task([p = sum.get()] { p[0] *= 2; });
  graph.end_recording();
  auto executable = graph.finalize();
  for (int i = 1; i <= 2; i++) in_order.ext_oneapi_graph(executable);
  in_order.wait();
  const long once = long(many) * (many - 1) / 2;
  EXPECT_EQ(sum[0], (once * 2 + once) * 2);
}

TEST_F(graphs, wide_graphs_run_all_nodes) {
  std::vector<ext::node> layer;
  for (int i = 0; i < 50; i++)
    layer.push_back(graph.add([=, x = x](sycl::handler &h) { h.single_task([=] { x[i] = i; }); }));
  const ext::node sum = graph.add([x = x](sycl::handler &h) {
    h.single_task([=] {
      int s = 0;
      for (int i = 0; i < 50; i++) s += x[i];
      x[50] = s;
    });
  });
  for (ext::node &each : layer) graph.make_edge(each, sum);
  EXPECT_EQ(sum.get_predecessors().size(), 50u);
  auto executable = graph.finalize();
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[50], 1225);
}

TEST_F(graphs, nodes_of_an_executable_graph_are_updated) {
  ext::node kernel = add_step(1, 1);
  auto executable = graph.finalize({graph_property::updatable()});
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[n - 1], 1);
  kernel.update_range(sycl::range<1>(10));
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[n - 1], 2);  // not before the update
  executable.update(kernel);
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[9], 3);
  EXPECT_EQ(a[10], 2);
  EXPECT_EQ(error_of([&] { kernel.update_range(sycl::range<2>(2, 2)); }).code, invalid);
  EXPECT_EQ(error_of([&] { graph.add().update_range(sycl::range<1>(1)); }).code, invalid);
  auto fixed = graph.finalize();
  EXPECT_EQ(error_of([&] { fixed.update(kernel); }).code, invalid);
}

TEST_F(graphs, the_whole_executable_graph_is_updated) {
  const auto fill = [](graph_type &g, int *where, int value) {
    const ext::node first =
        g.add([=](sycl::handler &h) { h.parallel_for(n, [=](sycl::id<1> i) { where[i] = value; }); });
    g.add([=](sycl::handler &h) { h.parallel_for(n, [=](sycl::id<1> i) { where[i] += value; }); },
          {node_property::depends_on(first)});
  };
  graph_type source(q), shorter(q);
  fill(graph, x, 3);
  fill(source, y, 4);
  shorter.add();
  auto executable = graph.finalize({graph_property::updatable()});
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[5], 6);
  executable.update(source);
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(b[5], 8);
  EXPECT_EQ(error_of([&] { executable.update(shorter); }).code, invalid);
}

TEST_F(graphs, dynamic_command_groups_have_one_active_command) {
  ext::dynamic_command_group one_of(graph, {step(0, 5), step(0, 6)});
  EXPECT_EQ(one_of.get_active_index(), 0u);
  ext::node node = graph.add(one_of);
  auto executable = graph.finalize({graph_property::updatable()});
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[3], 5);
  one_of.set_active_index(1);
  executable.update(node);
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[3], 6);
  EXPECT_EQ(error_of([&] { one_of.set_active_index(2); }).code, invalid);
  EXPECT_EQ(error_of([&] { ext::dynamic_command_group(graph, {}); }).code, invalid);
  EXPECT_EQ(
      error_of([&] { ext::dynamic_command_group(graph, {[p = x](sycl::handler &h) { h.memset(p, 0, 4); }}); }).code,
      invalid);
}

TEST_F(graphs, refuse_what_they_must) {
  const ext::node first = add_step(1, 1), second = add_step(1, 1, {node_property::depends_on(first)});
  graph_type other(q);
  ext::node foreign = other.add();
  EXPECT_EQ(error_of([&] { graph.make_edge(second, first); }).code, invalid);
  EXPECT_EQ(error_of([&] { graph.make_edge(first, first); }).code, invalid);
  EXPECT_EQ(error_of([&] { graph.make_edge(first, foreign); }).code, invalid);
  EXPECT_EQ(error_of([&] { ext::node::get_node_from_event(sycl::event()); }).code, invalid);
  EXPECT_EQ(error_of([&] { q.ext_oneapi_get_graph(); }).code, invalid);

  const sycl::event outside = q.single_task([] {});
  graph.begin_recording(q);
  EXPECT_EQ(error_of([&] { graph.begin_recording(q); }).code, invalid);
  EXPECT_EQ(error_of([&] { graph.begin_recording(std::vector<sycl::queue>{in_order, q}); }).code, invalid);
  EXPECT_EQ(in_order.ext_oneapi_get_state(), ext::queue_state::executing);
  EXPECT_EQ(error_of([&] { other.end_recording(q); }).code, invalid);
  EXPECT_EQ(error_of([&] { add_step(1, 1); }).code, invalid);
  EXPECT_EQ(error_of([&] { graph.make_edge(first, second); }).code, invalid);
  EXPECT_EQ(error_of([&] { q.wait(); }).code, invalid);
  EXPECT_EQ(error_of([&] { q.single_task(outside, [] {}); }).code, invalid);
  const sycl::event recorded = q.single_task([] {});
  EXPECT_EQ(error_of([&] { recorded.wait(); }).code, invalid);
  EXPECT_EQ(error_of([&] { recorded.get_info<sycl::info::event::command_execution_status>(); }).code, invalid);
  EXPECT_EQ(error_of([&] { recorded.get_profiling_info<sycl::info::event_profiling::command_end>(); }).code, invalid);
  graph.end_recording();
  EXPECT_EQ(error_of([&] { q.single_task(recorded, [] {}); }).code, invalid);
  q.wait();
}

TEST_F(graphs, refusals_change_nothing) {
  const ext::node first = add_step(1, 1);
  EXPECT_EQ(error_of([&] { graph.begin_recording(std::vector<sycl::queue>{q, q}); }).code, invalid);
  EXPECT_EQ(q.ext_oneapi_get_state(), ext::queue_state::executing);
  graph_type other(q);
  const ext::node foreign = other.add();
  EXPECT_EQ(error_of([&] { add_step(1, 1, {node_property::depends_on(foreign)}); }).code, invalid);
  EXPECT_EQ(graph.get_nodes().size(), 1u);

  const sycl::event outside = q.single_task([] {});
  sycl::queue begins_by_event(q.get_context(), q.get_device());
  graph.begin_recording(q);
  const sycl::event recorded = q.single_task([] {});
  EXPECT_EQ(error_of([&] { begins_by_event.single_task({recorded, outside}, [] {}); }).code, invalid);
  EXPECT_EQ(begins_by_event.ext_oneapi_get_state(), ext::queue_state::executing);
  graph.end_recording();
  begins_by_event.wait();
}

TEST_F(graphs, fills_of_any_pattern_run_again) {
  struct three {
    float x, y, z;
  };
  shared_array<double> numbers(n, q);
  shared_array<three> points(n, q);
  graph.add([p = numbers.get()](sycl::handler &h) { h.fill(p, 3.25, n); });
  graph.add([p = points.get()](sycl::handler &h) { h.fill(p, three{1, 2, 3}, n); });
  auto executable = graph.finalize();
  for (int run = 0; run < 3; ++run) {
    for (std::size_t i = 0; i < n; ++i) numbers[i] = -1, points[i] = {};
    q.ext_oneapi_graph(executable).wait();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(numbers[i], 3.25) << run;
      ASSERT_EQ(points[i].z, 3) << run;
    }
  }
}

TEST_F(graphs, run_while_graphs_that_contain_them_are_finalized) {
  for (int k = 0; k < 20; ++k) add_step(1, 1);
  auto inner = graph.finalize();
  graph_type outer(q);
  for (int k = 0; k < 4; ++k) outer.add([&](sycl::handler &h) { h.ext_oneapi_graph(inner); });
  std::jthread finalizes([&](const std::stop_token &stop) {
    while (!stop.stop_requested()) outer.finalize();
  });
  for (int run = 0; run < 500; ++run) {  // array work is pending when the graph is submitted
    const std::int64_t shape[] = {20000};
    const auto x = dpep::array::full(shape, {}, dpep::dtype::float32, dpep::array::placement{q});
    const dpep::array::operand twice[] = {{&x, nullptr}, {&x, nullptr}};
    const auto pending = dpep::array::element(dpep::array::opcode::add, twice);
    q.ext_oneapi_graph(inner);
  }
  q.wait();
}

TEST_F(graphs, times_need_the_property) {
  sycl::queue timed{sycl::property::queue::enable_profiling()};
  graph_type g(timed);
  shared_array<int> c(n, timed);
  const ext::node first =
      g.add([p = c.get()](sycl::handler &h) { h.parallel_for(n, [=](sycl::id<1> i) { p[i] = 1; }); });
  g.add([p = c.get()](sycl::handler &h) { h.parallel_for(n, [=](sycl::id<1> i) { p[i]++; }); },
        {node_property::depends_on(first)});
  auto with = g.finalize({graph_property::enable_profiling()}), without = g.finalize();
  const sycl::event run = timed.ext_oneapi_graph(with), other = timed.ext_oneapi_graph(without);
  using namespace sycl::info::event_profiling;
  EXPECT_LE(run.get_profiling_info<command_submit>(), run.get_profiling_info<command_start>());
  EXPECT_LE(run.get_profiling_info<command_start>(), run.get_profiling_info<command_end>());
  EXPECT_EQ(error_of([&] { other.get_profiling_info<command_end>(); }).code, invalid);
}

TEST_F(graphs, have_the_common_reference_semantics_and_print) {
  const graph_type copy = graph;
  EXPECT_EQ(copy, graph);
  EXPECT_EQ(std::hash<graph_type>()(copy), std::hash<graph_type>()(graph));
  EXPECT_TRUE(copy.empty());
  const ext::node first = add_step(1, 1), second = add_step(1, 2, {node_property::depends_on(first)});
  EXPECT_FALSE(copy.empty());
  EXPECT_NE(first, second);
  EXPECT_LT(graph.get_id(), graph_type(q).get_id());
  const std::string path = testing::TempDir() + "dpep_graph_test.dot";
  graph.print_graph(path, true);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("0 -> 1"), std::string::npos);
  EXPECT_NE(text.str().find("kernel"), std::string::npos);
  std::remove(path.c_str());
  EXPECT_EQ(error_of([&] { graph.print_graph("graph.txt"); }).code, invalid);
  EXPECT_TRUE(q.get_device().has(sycl::aspect::ext_oneapi_graph));
  EXPECT_EQ(graph.finalize().get_required_mem_size(), 0u);
}

TEST_F(graphs, an_executable_graph_outlives_its_graph_and_its_queue) {
  auto executable = [&] {
    graph_type local(q);
    local.add(step(1, 4));
    return local.finalize();
  }();
  {
    sycl::queue brief(q.get_context(), q.get_device());
    brief.ext_oneapi_graph(executable).wait();
  }
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[0], 8);
}

// -- Buffers

namespace {

class graphs_of_buffers : public graphs {
protected:
  graph_type with_buffers{q.get_context(), q.get_device(), {graph_property::assume_buffer_outlives_graph()}};
  sycl::queue other{q.get_context(), q.get_device()};
  sycl::buffer<int> u{sycl::range<1>(n)};

  auto writes(int value) {
    return [=, this](sycl::handler &h) {
      const sycl::accessor out(u, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { out[i] = value; });
    };
  }
  auto reads_after(const sycl::event &e) {
    return [=, this](sycl::handler &h) {
      const sycl::accessor in(u, h, sycl::read_only);
      h.depends_on(e);
      h.parallel_for(n, [=, x = x](sycl::id<1> i) { x[i] = in[i]; });
    };
  }
  static bool follows(const ext::node &later, const ext::node &earlier) {
    const std::vector<ext::node> before = later.get_predecessors();
    return std::find(before.begin(), before.end(), earlier) != before.end();
  }
};

}  // namespace

TEST_F(graphs_of_buffers, order_commands_of_a_queue_that_begins_to_record_by_an_event) {
  with_buffers.begin_recording(q);
  const sycl::event written = q.submit(writes(7)), unrelated = q.single_task([] {});
  const sycl::event read = other.submit(reads_after(unrelated));
  EXPECT_EQ(other.ext_oneapi_get_state(), ext::queue_state::recording);
  with_buffers.end_recording();
  const auto node = [](const sycl::event &e) { return ext::node::get_node_from_event(e); };
  EXPECT_TRUE(follows(node(read), node(written)));
  EXPECT_TRUE(follows(node(read), node(unrelated)));
  q.ext_oneapi_graph(with_buffers.finalize()).wait();
  EXPECT_EQ(a[n - 1], 7);
}

TEST_F(graphs_of_buffers, do_not_depend_on_commands_outside_when_an_event_begins_the_recording) {
  std::promise<void> release;
  other.submit([&, released = release.get_future().share()](sycl::handler &h) {
    const sycl::accessor out(u, h, sycl::write_only_host_task);
    h.host_task([=] {
      released.wait();
      for (std::size_t i = 0; i < n; ++i) out[i] = 3;
    });
  });
  with_buffers.begin_recording(q);
  const sycl::event recorded = q.single_task([] {});
  EXPECT_EQ(error_of([&] { other.submit(reads_after(recorded)); }).message, "");
  with_buffers.end_recording();
  auto executable = with_buffers.finalize();
  const sycl::event run = q.ext_oneapi_graph(executable);  // the run does
  release.set_value();
  run.wait();
  EXPECT_EQ(a[n - 1], 3);
}

TEST_F(graphs_of_buffers, need_the_property_when_an_event_begins_the_recording) {
  graph.begin_recording(q);
  const sycl::event recorded = q.single_task([] {});
  EXPECT_EQ(error_of([&] { other.submit(reads_after(recorded)); }).code, invalid);
  EXPECT_EQ(other.ext_oneapi_get_state(), ext::queue_state::executing);
  graph.end_recording();
  EXPECT_EQ(graph.get_nodes().size(), 1u);
}

TEST_F(graphs_of_buffers, order_sub_graphs_and_other_nodes) {
  with_buffers.add(writes(5));
  auto inner = with_buffers.finalize();
  graph_type outer(q.get_context(), q.get_device(), {graph_property::assume_buffer_outlives_graph()});
  const ext::node before = outer.add(writes(4));
  const ext::node middle = outer.add([&](sycl::handler &h) { h.ext_oneapi_graph(inner); });
  const ext::node after = outer.add([&](sycl::handler &h) {
    const sycl::accessor in(u, h, sycl::read_only);
    h.parallel_for(n, [=, x = x](sycl::id<1> i) { x[i] = in[i]; });
  });
  EXPECT_TRUE(follows(middle, before));
  EXPECT_TRUE(follows(after, middle));
  q.ext_oneapi_graph(outer.finalize()).wait();
  EXPECT_EQ(a[0], 5);
  EXPECT_EQ(error_of([&] { graph.add([&](sycl::handler &h) { h.ext_oneapi_graph(inner); }); }).code, invalid);
}

TEST_F(graphs_of_buffers, follow_an_update_of_the_whole_graph) {
  sycl::buffer<int> v{sycl::range<1>(n)};
  const auto sets_later = [](sycl::buffer<int> &b, int value) {
    return [&b, value](sycl::handler &h) {
      const sycl::accessor out(b, h, sycl::write_only_host_task);
      h.host_task([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        out[0] = value;
      });
    };
  };
  with_buffers.add(sets_later(u, 1));
  auto executable = with_buffers.finalize({graph_property::updatable()});
  graph_type second(q.get_context(), q.get_device(), {graph_property::assume_buffer_outlives_graph()});
  second.add(sets_later(v, 2));
  executable.update(second);
  q.ext_oneapi_graph(executable);
  EXPECT_EQ(sycl::host_accessor(v)[0], 2);  // waits for the run
}

// -- Threads, output, and kernels' ranges

TEST_F(graphs, nodes_that_another_thread_adds_do_not_become_part_of_a_dynamic_command_group) {
  std::optional<ext::node> added;
  const auto first = [&](sycl::handler &h) {
    std::thread([&] { added = add_step(1, 1); }).join();
    h.parallel_for(n, [x = x](sycl::id<1> i) { x[i] += 10; });
  };
  ext::dynamic_command_group group(graph, {first, step(1, 20)});
  const ext::node both = graph.add(group, {node_property::depends_on(*added)});
  EXPECT_EQ(graph.get_nodes(), (std::vector{*added, both}));
  q.ext_oneapi_graph(graph.finalize()).wait();
  EXPECT_EQ(a[0], 11);
}

TEST_F(graphs, recordings_end_when_their_graph_is_destroyed_by_another_thread) {
  std::jthread submits([&](const std::stop_token &stop) {
    while (!stop.stop_requested()) q.single_task([] {});
  });
  for (int round = 0; round < 300; ++round) {
    {
      graph_type brief(q);
      brief.begin_recording(q);
      std::this_thread::yield();
    }
    while (q.ext_oneapi_get_state() == ext::queue_state::recording) std::this_thread::yield();  // a command's event
  }
  submits.request_stop();
  submits.join();
  EXPECT_EQ(q.ext_oneapi_get_state(), ext::queue_state::executing);
  q.wait();
}

TEST_F(graphs, streams_print_the_text_of_each_run_once) {
  graph.add([x = x](sycl::handler &h) {
    const sycl::stream out(1024, 256, h);
    h.single_task([=] { out << "run " << x[0]++ << sycl::endl; });
  });
  auto executable = graph.finalize();
  testing::internal::CaptureStdout();
  for (int run = 0; run < 3; ++run) q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "run 0\nrun 1\nrun 2\n");
}

TEST_F(graphs, an_nd_range_kernel_takes_a_range_of_as_many_dimensions) {
  ext::node counts = graph.add([x = x](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(n, 10), [=](sycl::nd_item<1> i) { x[i.get_global_id(0)]++; });
  });
  auto executable = graph.finalize({graph_property::updatable()});
  q.ext_oneapi_graph(executable).wait();
  counts.update_range(sycl::range<1>(n / 2));
  executable.update(counts);
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(a[n / 2 - 1], 2);
  EXPECT_EQ(a[n / 2], 1);
  EXPECT_EQ(error_of([&] { counts.update_range(sycl::range<2>(2, 2)); }).code, invalid);

  const ext::node with_local_memory = graph.add([x = x](sycl::handler &h) {
    const sycl::local_accessor<int> local(10, h);
    h.parallel_for(sycl::nd_range<1>(n, 10), [=](sycl::nd_item<1> i) {
      local[i.get_local_id(0)] = 1;
      x[i.get_global_id(0)] += local[i.get_local_id(0)];
    });
  });
  EXPECT_EQ(error_of([&] { ext::node(with_local_memory).update_range(sycl::range<1>(10)); }).code,
            sycl::errc::nd_range);
}
