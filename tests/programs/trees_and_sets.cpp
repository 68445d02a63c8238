// Trees, lists and sets: spanning trees, independent sets, ranks of linked lists, regions of a picture.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>

#include "data.hpp"

namespace programs {
namespace {

struct edge {
  int from, to;
  std::uint32_t weight;
};

/// A ring, so that all nodes are linked, and random edges. No two weights are equal.
std::vector<edge> random_edges(int nodes, int count, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<edge> all;
  for (int i = 0; i < count; i++) {
    const int a = i < nodes ? i : int(r.below(std::uint32_t(nodes)));
    const int b = i < nodes ? (i + 1) % nodes : int(r.below(std::uint32_t(nodes)));
    all.push_back({a, b, r.below(1 << 15) << 16 | std::uint32_t(i)});
  }
  return all;
}

/// A node of a list in shared memory.
struct list_node {
  list_node *next = nullptr;
  int value = 0;
};

template <class T>
using global_atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                       sycl::access::address_space::global_space>;

/// Links of equal sets: a parent is never above its child.
struct disjoint_sets {
  sycl::accessor<int, 1, sycl::access_mode::read_write> parent;

  int root(int v) const {
    while (true) {
      const int up = global_atomic<int>(parent[std::size_t(v)]).load();
      if (up == v) return v;
      const int above = global_atomic<int>(parent[std::size_t(up)]).load();
      global_atomic<int>(parent[std::size_t(v)]).store(above);
      v = above;
    }
  }
  /// The root, without the changes of `root`: these may restore a value that was read earlier.
  int root_at_rest(int v) const {
    for (int up; (up = global_atomic<int>(parent[std::size_t(v)]).load()) != v;) v = up;
    return v;
  }
  void join(int a, int b) const {
    while (true) {
      a = root(a), b = root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      int expected = a;
      if (global_atomic<int>(parent[std::size_t(a)]).compare_exchange_strong(expected, b)) return;
    }
  }
};

}  // namespace

TEST(trees_and_sets, minimum_spanning_tree) {
  constexpr int nodes = 1501, count = 6007;
  const std::vector<edge> edges = random_edges(nodes, count, 81);
  std::vector<char> chosen(count);
  std::uint64_t total = 0, expected = 0;
  {
    sycl::queue q;
    sycl::buffer<edge> all(edges.data(), sycl::range<1>(count), {sycl::property::buffer::use_host_ptr()});
    sycl::buffer<int> parents(nodes);
    sycl::buffer<std::uint32_t> best(nodes);
    sycl::buffer<char> taken(chosen.data(), chosen.size());
    sycl::buffer<int> changes(1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(parents, h, sycl::write_only, sycl::no_init);
      h.parallel_for(nodes, [=](sycl::id<1> i) { p[i] = int(i[0]); });
    });
    for (bool changed = true; changed;) {  // Boruvka: every tree takes its lightest edge
      q.submit([&](sycl::handler &h) { h.fill(best.get_access<sycl::access_mode::write>(h), ~0u); });
      q.submit([&](sycl::handler &h) { h.fill(changes.get_access<sycl::access_mode::write>(h), 0); });
      q.submit([&](sycl::handler &h) {
        sycl::accessor e(all, h, sycl::read_only);
        const disjoint_sets sets{{parents, h, sycl::read_write}};
        sycl::accessor b(best, h);
        h.parallel_for(count, [=](sycl::id<1> i) {
          const int u = sets.root(e[i].from), v = sets.root(e[i].to);
          if (u == v) return;
          global_atomic<std::uint32_t>(b[u]).fetch_min(e[i].weight);
          global_atomic<std::uint32_t>(b[v]).fetch_min(e[i].weight);
        });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor e(all, h, sycl::read_only);
        sycl::accessor b(best, h, sycl::read_only);
        sycl::accessor t(taken, h);
        sycl::accessor c(changes, h);
        h.parallel_for(nodes, [=](sycl::item<1> item) {
          if (b[item] == ~0u) return;
          t[b[item] & 0xffff] = 1;  // the weight's lower bits are the edge's index
          c[0] = 1;
        });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor e(all, h, sycl::read_only);
        sycl::accessor t(taken, h, sycl::read_only);
        const disjoint_sets sets{{parents, h, sycl::read_write}};
        h.parallel_for(count, [=](sycl::id<1> i) {
          if (t[i] == 1) sets.join(e[i].from, e[i].to);
        });
      });
      changed = changes.get_host_access(sycl::read_only)[0] == 1;
    }
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return edges[i].weight; });
  std::vector<int> set(nodes);
  std::iota(set.begin(), set.end(), 0);
  const std::function<int(int)> root = [&](int v) {
    return set[std::size_t(v)] == v ? v : set[std::size_t(v)] = root(set[std::size_t(v)]);
  };
  for (const std::size_t i : order) {  // Kruskal
    const int u = root(edges[i].from), v = root(edges[i].to);
    if (u == v) continue;
    set[std::size_t(u)] = v;
    expected += edges[i].weight;
    EXPECT_EQ(chosen[i], 1) << i;
  }
  for (std::size_t i = 0; i < count; i++) total += chosen[i] ? edges[i].weight : 0;
  EXPECT_EQ(total, expected);
}

TEST(trees_and_sets, maximal_independent_set) {
  constexpr std::size_t nodes = 2003;
  std::vector<std::vector<int>> links(nodes);
  for (const edge &e : random_edges(int(nodes), 5000, 82))
    if (e.from != e.to) links[std::size_t(e.from)].push_back(e.to), links[std::size_t(e.to)].push_back(e.from);
  std::vector<int> first{0}, to;
  for (const auto &row : links) {
    to.insert(to.end(), row.begin(), row.end());
    first.push_back(int(to.size()));
  }
  enum class state : unsigned char { open, inside, outside };
  std::vector<state> states(nodes), expected(nodes);
  const auto priority = [](std::size_t v) { return std::pair(std::uint32_t(v) * 2654435761u >> 8, v); };
  {
    sycl::queue q;
    auto states_buffer = std::make_unique<sycl::buffer<state>>(states.begin(), states.end());
    states_buffer->set_final_data(states.data());
    sycl::buffer first_buffer(first), to_buffer(to);
    std::uint32_t open = nodes;
    while (open > 0) {
      sycl::buffer<state> fresh(sycl::range<1>{nodes});
      q.submit([&](sycl::handler &h) {
        sycl::accessor f(first_buffer, h, sycl::read_only), t(to_buffer, h, sycl::read_only);
        sycl::accessor now(*states_buffer, h, sycl::read_only);
        sycl::accessor next(fresh, h, sycl::write_only, sycl::no_init);
        h.parallel_for(sycl::nd_range<1>((nodes + 31) / 32 * 32, 32), [=](sycl::nd_item<1> item) {
          const std::size_t v = item.get_global_id(0);
          if (v >= nodes) return;
          state s = now[v];
          if (s == state::open) {
            s = state::inside;
            for (int e = f[v]; e < f[v + 1]; e++) {
              const auto u = std::size_t(t[e]);
              if (now[u] == state::inside) {
                s = state::outside;
                break;
              }
              if (now[u] == state::open && priority(u) < priority(v)) s = state::open;
            }
          }
          next[v] = s;
        });
      });
      open = 0;
      sycl::buffer<std::uint32_t> count{&open, sycl::range<1>{1}};
      q.submit([&](sycl::handler &h) {
        sycl::accessor from(fresh, h, sycl::read_only);
        sycl::accessor into(*states_buffer, h, sycl::write_only);
        auto sum = sycl::reduction(count, h, sycl::plus<>());
        h.parallel_for(sycl::range<1>{nodes}, sum, [=](sycl::id<1> v, auto &all) {
          into[v] = from[v];
          if (from[v] == state::open) ++all;
        });
      });
    }
  }
  std::vector<std::size_t> order(nodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, priority);
  for (const std::size_t v : order)
    if (expected[v] == state::open) {
      expected[v] = state::inside;
      for (const int u : links[v]) expected[std::size_t(u)] = state::outside;
    }
  EXPECT_TRUE(states == expected);
}

TEST(trees_and_sets, linked_list_in_shared_memory) {
  constexpr std::size_t n = 1777;
  sycl::queue q;
  if (!q.get_device().has(sycl::aspect::usm_shared_allocations)) GTEST_SKIP() << "no shared memory";
  const auto release = [&q](auto *p) { sycl::free(p, q); };
  const std::unique_ptr<list_node[], decltype(release)> nodes(sycl::malloc_shared<list_node>(n, q), release);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  random_numbers r(83);
  for (std::size_t i = n - 1; i > 0; i--) std::swap(order[i], order[r.below(std::uint32_t(i + 1))]);
  for (std::size_t i = 0; i < n; i++)
    nodes[order[i]] = {i + 1 < n ? &nodes[order[i + 1]] : nullptr, int(r.below(1000)) - 500};
  // A single task walks; Wyllie's pointer jumping finds the same sums from each node to the end.
  std::vector<int> expected(n);
  for (std::size_t i = n, sum = 0; i-- > 0;) expected[order[i]] = int(sum += std::size_t(nodes[order[i]].value));
  int *walked = sycl::aligned_alloc_shared<int>(64, 1, q);
  q.single_task([=, head = &nodes[order[0]]] {
     *walked = 0;
     for (const list_node *node = head; node; node = node->next) *walked += node->value;
   }).wait();
  EXPECT_EQ(*walked, expected[order[0]]);
  sycl::free(walked, q);
  auto *copy = static_cast<list_node *>(sycl::malloc_device(n * sizeof(list_node), q));
  sycl::event before;
  for (std::size_t reach = 1; reach < n; reach *= 2) {
    const sycl::event copied = q.memcpy(copy, nodes.get(), n * sizeof(list_node), before);
    before = q.submit([&, list = nodes.get()](sycl::handler &h) {
      h.depends_on(copied);
      h.parallel_for(sycl::range(n), [=](sycl::id<1> i) {
        if (copy[i].next == nullptr) return;
        const list_node &next = copy[copy[i].next - list];
        list[i] = {next.next, copy[i].value + next.value};
      });
    });
  }
  before.wait();
  sycl::free(copy, q);
  for (std::size_t i = 0; i < n; i++) ASSERT_EQ(nodes[i].value, expected[i]) << i;
}

TEST(trees_and_sets, regions_of_a_picture) {
  constexpr std::size_t rows = 91, columns = 119;
  const std::vector<std::uint32_t> pixels = integers(rows * columns, 2, 84);
  std::vector<int> label(rows * columns), expected(rows * columns, -1);
  {
    sycl::queue q;
    sycl::buffer<std::uint32_t, 2> picture(pixels.data(), {rows, columns});
    sycl::buffer<int> labels(label.data(), label.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor l(labels, h, sycl::write_only, sycl::no_init);
      h.parallel_for(l.size(), [=](sycl::item<1> i) { l[i] = int(i.get_linear_id()); });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(picture, h, sycl::read_only);
      const disjoint_sets sets{{labels, h, sycl::read_write}};
      h.parallel_for(picture.get_range(), [=](sycl::item<2> item) {
        const auto [y, x] = std::array{item[0], item[1]};
        const int own = int(item.get_linear_id());
        if (x > 0 && p[y][x - 1] == p[y][x]) sets.join(own, own - 1);
        if (y > 0 && p[y - 1][x] == p[y][x]) sets.join(own, own - int(columns));
      });
    });
    q.submit([&](sycl::handler &h) {
      const disjoint_sets sets{{labels, h, sycl::read_write}};
      h.parallel_for(label.size(), [=](sycl::id<1> i) {
        const int root = sets.root_at_rest(int(i[0]));
        global_atomic<int>(sets.parent[i]).store(root);
      });
    });
  }
  for (std::size_t s = 0; s < expected.size(); s++) {
    if (expected[s] >= 0) continue;
    std::vector<std::size_t> open{s};
    expected[s] = int(s);
    while (!open.empty()) {
      const std::size_t at = open.back(), x = at % columns;
      open.pop_back();
      const auto visit = [&](bool there, std::size_t other) {
        if (!there || expected[other] >= 0 || pixels[other] != pixels[at]) return;
        expected[other] = int(s);
        open.push_back(other);
      };
      visit(x > 0, at - 1);
      visit(x + 1 < columns, at + 1);
      visit(at >= columns, at - columns);
      visit(at + columns < expected.size(), at + columns);
    }
  }
  EXPECT_EQ(label, expected);
}

}  // namespace programs
