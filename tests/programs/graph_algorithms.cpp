// Algorithms on graphs in compressed rows: breadth-first search, shortest paths, components, ranks, triangles.
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "data.hpp"

namespace programs {
namespace {

struct csr_graph {
  std::size_t nodes;
  std::vector<int> first, to;
  std::vector<int> weight;
};

/// An undirected graph with `degree` random edges for each node, sorted and without duplicates.
csr_graph random_graph(std::size_t nodes, int degree, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<std::vector<int>> lists(nodes);
  for (std::size_t u = 0; u < nodes; u++)
    for (int k = 0; k < degree; k++) {
      const auto v = r.below(static_cast<std::uint32_t>(nodes));
      if (v == u) continue;
      lists[u].push_back(static_cast<int>(v));
      lists[v].push_back(static_cast<int>(u));
    }
  csr_graph g{nodes, {0}, {}, {}};
  for (std::size_t u = 0; u < nodes; u++) {
    std::sort(lists[u].begin(), lists[u].end());
    lists[u].erase(std::unique(lists[u].begin(), lists[u].end()), lists[u].end());
    g.to.insert(g.to.end(), lists[u].begin(), lists[u].end());
    g.first.push_back(static_cast<int>(g.to.size()));
    for (const int v : lists[u]) g.weight.push_back(1 + static_cast<int>((u + static_cast<std::size_t>(v)) % 17));
  }
  return g;
}

constexpr int unreached = std::numeric_limits<int>::max();

}  // namespace

TEST(graph_algorithms, breadth_first_search) {
  const csr_graph g = random_graph(5000, 2, 3);
  std::vector<int> level(g.nodes, -1);
  level[0] = 0;
  {
    sycl::queue q;
    sycl::buffer first(g.first);
    sycl::buffer to(g.to);
    sycl::buffer levels(level);
    int changed = 1;
    for (int depth = 0; changed; depth++) {
      changed = 0;
      sycl::buffer<int> flag(&changed, 1);
      q.submit([&](sycl::handler &h) {
        sycl::accessor f(first, h, sycl::read_only);
        sycl::accessor t(to, h, sycl::read_only);
        sycl::accessor l(levels, h, sycl::read_write);
        sycl::accessor any(flag, h, sycl::read_write);
        h.parallel_for(g.nodes, [=](sycl::id<1> u) {
          if (l[u] != depth) return;
          for (int e = f[u]; e < f[u[0] + 1]; e++) {
            sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> target(l[t[e]]);
            int fresh = -1;
            if (target.compare_exchange_strong(fresh, depth + 1)) any[0] = 1;
          }
        });
      });
    }
  }
  std::vector<int> expected(g.nodes, -1);
  std::queue<int> open({0});
  expected[0] = 0;
  for (; !open.empty(); open.pop()) {
    const auto u = static_cast<std::size_t>(open.front());
    for (int e = g.first[u]; e < g.first[u + 1]; e++)
      if (int &l = expected[static_cast<std::size_t>(g.to[static_cast<std::size_t>(e)])]; l < 0) {
        l = expected[u] + 1;
        open.push(g.to[static_cast<std::size_t>(e)]);
      }
  }
  EXPECT_EQ(level, expected);
}

TEST(graph_algorithms, shortest_paths_by_relaxation) {
  const csr_graph g = random_graph(2000, 3, 5);
  sycl::queue q{sycl::property::queue::in_order()};
  int *first = sycl::malloc_device<int>(g.first.size(), q), *to = sycl::malloc_device<int>(g.to.size(), q);
  int *weight = sycl::malloc_device<int>(g.to.size(), q), *distance = sycl::malloc_device<int>(g.nodes, q);
  int *changed = sycl::malloc_shared<int>(1, q);
  q.copy(g.first.data(), first, g.first.size());
  q.copy(g.to.data(), to, g.to.size());
  q.copy(g.weight.data(), weight, g.weight.size());
  q.fill(distance, unreached, g.nodes);
  q.single_task([=] { distance[7] = 0; });
  do {
    q.single_task([=] { *changed = 0; });
    q.parallel_for(g.nodes, [=](sycl::id<1> u) {
      const int own = distance[u];
      if (own == unreached) return;
      for (int e = first[u]; e < first[u[0] + 1]; e++) {
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> target(distance[to[e]]);
        if (target.fetch_min(own + weight[e]) > own + weight[e]) *changed = 1;
      }
    });
    q.wait();
  } while (*changed);
  std::vector<int> result(g.nodes);
  q.copy(distance, result.data(), g.nodes).wait();
  for (void *p : {first, to, weight, distance, changed}) sycl::free(p, q);

  std::vector<int> expected(g.nodes, unreached);
  using entry = std::pair<int, std::size_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  expected[7] = 0;
  open.push({0, 7});
  while (!open.empty()) {
    const auto [d, u] = open.top();
    open.pop();
    if (d > expected[u]) continue;
    for (auto e = static_cast<std::size_t>(g.first[u]); e < static_cast<std::size_t>(g.first[u + 1]); e++)
      if (const auto v = static_cast<std::size_t>(g.to[e]); d + g.weight[e] < expected[v]) {
        expected[v] = d + g.weight[e];
        open.push({expected[v], v});
      }
  }
  EXPECT_EQ(result, expected);
}

TEST(graph_algorithms, connected_components) {
  const csr_graph g = random_graph(4000, 1, 9);
  std::vector<int> label(g.nodes);
  std::iota(label.begin(), label.end(), 0);
  {
    sycl::queue q;
    sycl::buffer first(g.first);
    sycl::buffer to(g.to);
    sycl::buffer labels(label);
    sycl::buffer<int> flag(1);
    for (bool changed = true; changed;) {
      sycl::host_accessor<int, 1, sycl::access_mode::write>{flag}[0] = 0;
      q.submit([&](sycl::handler &h) {
        sycl::accessor f(first, h, sycl::read_only);
        sycl::accessor t(to, h, sycl::read_only);
        sycl::accessor l(labels, h);
        sycl::accessor any(flag, h);
        h.parallel_for(g.nodes, [=](sycl::id<1> u) {
          for (int e = f[u]; e < f[u[0] + 1]; e++) {
            sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> own(l[u]), other(l[t[e]]);
            const int least = other.load();
            if (own.fetch_min(least) > least) any[0] = 1;
          }
        });
      });
      const sycl::host_accessor any(flag, sycl::read_only);
      changed = any[0];
    }
  }
  std::vector<int> expected(g.nodes, -1);
  for (std::size_t s = 0; s < g.nodes; s++) {
    if (expected[s] >= 0) continue;
    std::vector<std::size_t> open{s};
    expected[s] = static_cast<int>(s);
    while (!open.empty()) {
      const std::size_t u = open.back();
      open.pop_back();
      for (auto e = static_cast<std::size_t>(g.first[u]); e < static_cast<std::size_t>(g.first[u + 1]); e++)
        if (const auto v = static_cast<std::size_t>(g.to[e]); expected[v] < 0) {
          expected[v] = static_cast<int>(s);
          open.push_back(v);
        }
    }
  }
  EXPECT_EQ(label, expected);
}

TEST(graph_algorithms, page_ranks) {
  const csr_graph g = random_graph(3000, 4, 2);
  const auto n = static_cast<float>(g.nodes);
  std::vector<float> rank(g.nodes, 1 / n), expected = rank;
  {
    sycl::queue q;
    sycl::buffer first(g.first);
    sycl::buffer to(g.to);
    sycl::buffer now(rank);
    sycl::buffer<float> next(g.nodes);
    for (int step = 0; step < 20; step++) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor f(first, h, sycl::read_only);
        sycl::accessor t(to, h, sycl::read_only);
        sycl::accessor from(step % 2 ? next : now, h, sycl::read_only);
        sycl::accessor into(step % 2 ? now : next, h, sycl::write_only, sycl::no_init);
        h.parallel_for(sycl::nd_range<1>((g.nodes + 63) / 64 * 64, 64), [=, nodes = g.nodes](sycl::nd_item<1> item) {
          const std::size_t u = item.get_global_id(0);
          if (u >= nodes) return;
          float sum = 0;
          for (int e = f[u]; e < f[u + 1]; e++) {
            const int v = t[e];
            sum += from[v] / float(f[v + 1] - f[v]);
          }
          into[u] = 0.15f / n + 0.85f * sum;
        });
      });
    }
  }
  for (int step = 0; step < 20; step++) {
    std::vector<float> fresh(g.nodes, 0.15f / n);
    for (std::size_t u = 0; u < g.nodes; u++)
      for (auto e = static_cast<std::size_t>(g.first[u]); e < static_cast<std::size_t>(g.first[u + 1]); e++) {
        const auto v = static_cast<std::size_t>(g.to[e]);
        fresh[u] += 0.85f * expected[v] / float(g.first[v + 1] - g.first[v]);
      }
    expected = fresh;
  }
  expect_near(rank, expected, 1e-6f);
}

TEST(graph_algorithms, triangles) {
  const csr_graph g = random_graph(1500, 8, 4);
  long count = 0, expected = 0;
  {
    sycl::queue q;
    sycl::buffer first(g.first);
    sycl::buffer to(g.to);
    sycl::buffer<long> total(&count, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor f(first, h, sycl::read_only);
      sycl::accessor t(to, h, sycl::read_only);
      h.parallel_for(g.nodes, sycl::reduction(total, h, sycl::plus<long>()), [=](sycl::id<1> id, auto &sum) {
        const int u = int(id[0]);
        for (int e = f[u]; e < f[u + 1]; e++) {
          const int v = t[e];
          if (v <= u) continue;
          int a = e + 1, b = f[v];  // neighbours of u behind v, and neighbours of v
          while (a < f[u + 1] && b < f[v + 1]) {
            if (t[a] == t[b]) sum += 1;
            t[a] < t[b] ? a++ : b++;
          }
        }
      });
    });
  }
  const auto linked = [&](int u, int v) {
    return std::binary_search(g.to.begin() + g.first[static_cast<std::size_t>(u)],
                              g.to.begin() + g.first[static_cast<std::size_t>(u) + 1], v);
  };
  for (int u = 0; u < int(g.nodes); u++)
    for (auto a = static_cast<std::size_t>(g.first[static_cast<std::size_t>(u)]);
         a < static_cast<std::size_t>(g.first[static_cast<std::size_t>(u) + 1]); a++)
      for (std::size_t b = a + 1; b < static_cast<std::size_t>(g.first[static_cast<std::size_t>(u) + 1]); b++)
        expected += g.to[a] > u && linked(g.to[a], g.to[b]);
  EXPECT_EQ(count, expected);
}

}  // namespace programs
