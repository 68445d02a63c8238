// Programs of many commands: graphs, several queues, host tasks, pieces of large data, hierarchical kernels, bundles.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <list>
#include <memory>
#include <numeric>

#include "data.hpp"

namespace programs {
namespace {

namespace graphs = sycl::ext::oneapi::experimental;

constexpr sycl::specialization_id<std::uint32_t> degree{2};
constexpr sycl::specialization_id<std::array<float, 8>> coefficients{};
class polynomial;

/// A level of a pyramid of images: means of four pixels.
struct shrink {
  const float *from;
  float *to;
  std::size_t width;

  void operator()(sycl::id<2> id) const {
    const float *first = from + 4 * id[0] * width + 2 * id[1];
    to[id[0] * width + id[1]] = (first[0] + first[1] + first[2 * width] + first[2 * width + 1]) / 4;
  }
};

}  // namespace

TEST(pipelines, time_steps_in_a_command_graph) {
  constexpr std::size_t n = 5001, steps = 41;
  sycl::queue q{sycl::property_list{sycl::property::queue::in_order()}};
  float *now = sycl::malloc_device<float>(n, q), *next = sycl::malloc_device<float>(n, q);
  float *energy = sycl::malloc_shared<float>(1, q);
  std::vector<float> result = fractions(n, 101), expected = result, energies, expected_energies;
  graphs::command_graph graph(q);
  graph.begin_recording(q);
  q.parallel_for(n, [=](sycl::id<1> i) {
    const float left = i > 0 ? now[i - 1] : 0, right = i + 1 < n ? now[i + 1] : 0;
    next[i] = 0.5f * now[i] + 0.25f * (left + right);
  });
  q.memcpy(now, next, n * sizeof(float));
  q.memset(energy, 0, sizeof(float));
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 0> sum(h);
    h.parallel_for(sycl::nd_range<1>((n + 63) / 64 * 64, 64), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0);
      if (item.get_group().leader()) sum = 0;
      sycl::group_barrier(item.get_group());
      if (i < n)
        sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(sum) += now[i] * now[i];
      sycl::group_barrier(item.get_group());
      if (item.get_group().leader())
        sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>(*energy).fetch_add(sum);
    });
  });
  graph.end_recording();
  auto executable = graph.finalize();
  q.copy(result.data(), now, n);
  for (std::size_t step = 0; step < steps; step++) {
    q.ext_oneapi_graph(executable);
    if (step % 10 == 0) energies.push_back((q.wait(), *energy));
  }
  q.copy(now, result.data(), n).wait();
  for (float *p : {now, next, energy}) sycl::free(p, q);
  for (std::size_t step = 0; step < steps; step++) {
    const std::vector<float> old = expected;
    for (std::size_t i = 0; i < n; i++)
      expected[i] = 0.5f * old[i] + 0.25f * ((i > 0 ? old[i - 1] : 0) + (i + 1 < n ? old[i + 1] : 0));
    if (step % 10 == 0)
      expected_energies.push_back(std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0f));
  }
  expect_near(result, expected, 1e-5f);
  expect_near(energies, expected_energies, 0.5f);
}

TEST(pipelines, pyramid_of_images_on_several_queues) {
  constexpr std::size_t side = 256, images = 5, levels = 5, size = side * side * 4 / 3;
  sycl::context context{sycl::device{sycl::default_selector_v}};
  const sycl::device device = context.get_devices().front();
  std::vector<sycl::queue> queues;
  for (std::size_t i = 0; i < 3; i++) queues.emplace_back(context, device);
  std::vector<std::vector<float>> image;
  std::vector<float *> memory;
  std::vector<sycl::event> ends;
  std::vector<float> peaks(images, -1);
  std::vector<float> small(images * (side >> levels) * (side >> levels));
  for (std::size_t k = 0; k < images; k++) {
    image.push_back(fractions(side * side, 102 + k));
    memory.push_back(sycl::malloc_device<float>(size, device, context));
  }
  for (std::size_t k = 0; k < images; k++) {
    float *from = memory[k];
    sycl::event last = queues[k % 3].copy(image[k].data(), from, side * side);
    std::size_t width = side;
    for (std::size_t level = 0; level < levels; level++, width /= 2) {  // each level on another queue
      sycl::queue &q = queues[(k + level + 1) % 3];
      float *to = from + width * width;
      last = q.submit([&](sycl::handler &h) {
        h.depends_on(last);
        h.parallel_for({width / 2, width / 2}, shrink{from, to, width / 2});
      });
      from = to;
    }
    float *host = &small[k * width * width];
    const sycl::event copied = queues[k % 3].copy(from, host, width * width, last);
    ends.push_back(queues[(k + 1) % 3].submit([&](sycl::handler &h) {
      h.depends_on({copied, last});
      h.host_task([=, &peaks] { peaks[k] = *std::max_element(host, host + width * width); });
    }));
  }
  sycl::event::wait(ends);
  for (std::size_t k = 0; k < images; k++) {
    sycl::free(memory[k], context);
    std::vector<float> level = image[k];
    for (std::size_t width = side / 2; width >= side >> levels; width /= 2) {
      std::vector<float> next;
      for (std::size_t y = 0; y < width; y++)
        for (std::size_t x = 0; x < width; x++) {
          const float *first = &level[4 * y * width + 2 * x];
          next.push_back((first[0] + first[1] + first[2 * width] + first[2 * width + 1]) / 4);
        }
      level = next;
    }
    const std::vector<float> part(small.begin() + std::ptrdiff_t(k * level.size()),
                                  small.begin() + std::ptrdiff_t((k + 1) * level.size()));
    expect_near(part, level, 1e-6f);
    EXPECT_EQ(peaks[k], *std::max_element(part.begin(), part.end()));
  }
}

TEST(pipelines, orders_of_a_market_between_host_and_device) {
  constexpr std::size_t n = 1203;
  const std::vector<std::uint32_t> price = integers(n, 500, 103);
  const std::list<std::uint32_t> amounts = [] {
    const std::vector<std::uint32_t> all = integers(n, 90, 104);
    return std::list<std::uint32_t>(all.begin(), all.end());
  }();
  std::deque<std::uint64_t> costs(n), expected_costs;
  std::vector<std::uint64_t> volumes;
  std::uint64_t sold = 0;
  {
    sycl::queue q([](const sycl::exception_list &errors) {
      for (const std::exception_ptr &e : errors) std::rethrow_exception(e);
    });
    const auto prices = std::make_shared<std::vector<std::uint32_t>>(price);
    sycl::buffer<std::uint32_t> price_buffer(std::shared_ptr<std::uint32_t[]>(prices, prices->data()), sycl::range(n));
    sycl::buffer<std::uint32_t> amount_buffer(amounts.begin(), amounts.end());
    sycl::buffer<std::uint64_t> cost_buffer{sycl::range<1>(n)};
    cost_buffer.set_final_data(costs.begin());
    sycl::buffer<std::uint64_t, 1, sycl::usm_allocator<std::uint64_t, sycl::usm::alloc::host>> total_buffer(
        sycl::range<1>(1), sycl::usm_allocator<std::uint64_t, sycl::usm::alloc::host>(q));
    for (int day = 0; day < 4; day++) {
      {  // the host raises prices; kernels of the day before and after wait for it
        sycl::host_accessor p(price_buffer, sycl::read_write);
        std::transform(p.begin(), p.end(), p.begin(), [](std::uint32_t x) { return x + x / 16; });
        std::ranges::fill(sycl::host_accessor(total_buffer, sycl::write_only, sycl::no_init), 0u);
      }
      q.submit([&](sycl::handler &h) {
        sycl::accessor p(price_buffer, h, sycl::read_only), a(amount_buffer, h, sycl::read_only);
        sycl::accessor c(cost_buffer, h, sycl::write_only);
        sycl::accessor t(total_buffer, h, sycl::read_write);
        h.parallel_for(sycl::range<1>(n), [=](sycl::item<1> i) {
          const std::uint64_t cost = std::uint64_t{p[i]} * a[i];
          c[i] = cost;
          sycl::atomic_ref<std::uint64_t, sycl::memory_order::seq_cst, sycl::memory_scope::system> total(t[0]);
          total += cost;
        });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor<std::uint64_t, 1, sycl::access_mode::read, sycl::target::host_task> t(total_buffer, h);
        h.host_task([&volumes, &sold, t](sycl::interop_handle) {
          volumes.push_back(t[0]);
          sold += t[0];
        });
      });
    }
    q.throw_asynchronous();
    q.wait_and_throw();
  }
  std::vector<std::uint32_t> p = price;
  std::vector<std::uint64_t> expected;
  for (int day = 0; day < 4; day++) {
    expected_costs.clear();
    for (auto amount = amounts.begin(); std::uint32_t &x : p) {
      x += x / 16;
      expected_costs.push_back(std::uint64_t{x} * *amount++);
    }
    expected.push_back(std::accumulate(expected_costs.begin(), expected_costs.end(), std::uint64_t{0}));
  }
  EXPECT_EQ(costs, expected_costs);
  EXPECT_EQ(volumes, expected);
  EXPECT_EQ(sold, std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
}

TEST(pipelines, large_data_in_pieces_with_two_staging_areas) {
  constexpr std::size_t n = 100'003, piece = 8192;
  const std::vector<std::uint32_t> data = integers(n, 1u << 20, 105);
  std::vector<std::uint32_t> result(n), expected(n);
  sycl::queue copies{sycl::property::queue::in_order()},
      kernels{copies.get_context(), copies.get_device(), sycl::property::queue::in_order()};
  std::uint32_t *host[2], *device[2];
  for (int k = 0; k < 2; k++) {
    host[k] = sycl::malloc_host<std::uint32_t>(piece, copies);
    device[k] = sycl::malloc_device<std::uint32_t>(piece, copies);
  }
  sycl::event ends[2];
  const auto collatz = [](std::uint32_t x) {
    std::uint32_t steps = 0;
    for (std::uint64_t v = x + 1; v != 1; steps++) v = v % 2 ? 3 * v + 1 : v / 2;
    return steps;
  };
  const auto drain = [&](std::size_t first, int k) {  // results of the piece that used this area before
    ends[k].wait();
    std::copy_n(host[k], std::min(piece, n - first), &result[first]);
  };
  std::size_t first = 0;
  for (int k = 0; first < n; first += piece, k = 1 - k) {
    if (first >= 2 * piece) drain(first - 2 * piece, k);
    const std::size_t count = std::min(piece, n - first);
    std::copy_n(&data[first], count, host[k]);
    const sycl::event in = copies.copy(host[k], device[k], count);
    const sycl::event computed =
        kernels.parallel_for(sycl::range<1>(count), in, [=, d = device[k]](sycl::id<1> i) { d[i] = collatz(d[i]); });
    ends[k] = kernels.submit([&](sycl::handler &h) {
      h.depends_on(computed);
      h.copy(device[k], host[k], count);
    });
  }
  drain(first - 2 * piece, int(first / piece % 2));
  drain(first - piece, int((first / piece + 1) % 2));
  for (int k = 0; k < 2; k++) {
    sycl::free(host[k], copies);
    sycl::free(device[k], copies);
  }
  std::ranges::transform(data, expected.begin(), collatz);
  EXPECT_EQ(result, expected);
}

TEST(pipelines, hierarchical_sums_and_transposition) {
  constexpr std::size_t rows = 75, columns = 118, tile = 8;
  const std::vector<float> values = fractions(rows * columns, 106);
  std::vector<float> turned(values.size()), sums(rows), expected(values.size());
  {
    sycl::queue q;
    sycl::buffer<float, 2> in(values.data(), {rows, columns}), out(turned.data(), {columns, rows});
    sycl::buffer<float> row_sums(sums.data(), rows);
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      const sycl::range<2> groups((rows + tile - 1) / tile, (columns + tile - 1) / tile);
      h.parallel_for_work_group(groups, {tile, tile}, [=](sycl::group<2> group) {
        float cells[tile][tile + 1];
        sycl::private_memory<sycl::id<2>, 2> kept(group);
        group.parallel_for_work_item([&](sycl::h_item<2> item) {
          const sycl::id<2> at = item.get_global_id();
          kept(item) = at;
          if (at[0] < rows && at[1] < columns) cells[item.get_local_id(0)][item.get_local_id(1)] = from[at];
        });
        group.parallel_for_work_item([&](sycl::h_item<2> item) {
          const sycl::id<2> at = kept(item), local = item.get_local_id();
          const std::size_t y = at[0] - local[0] + local[1], x = at[1] - local[1] + local[0];
          if (y < rows && x < columns) to[x][y] = cells[local[1]][local[0]];
        });
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(row_sums, h, sycl::write_only);
      h.parallel_for_work_group(sycl::range<1>(rows), [=](sycl::group<1> group) {
        float parts[32], total = 0;
        const std::size_t row = group.get_group_id(0);
        group.parallel_for_work_item(sycl::range<1>(32), [&](sycl::h_item<1> item) {
          const std::size_t l = item.get_logical_local_id(0);
          parts[l] = 0;
          for (std::size_t x = l; x < columns; x += 32) parts[l] += from[row][x];
        });
        for (std::size_t step = 16; step > 0; step /= 2)
          group.parallel_for_work_item(sycl::range<1>(step), [&](sycl::h_item<1> item) {
            parts[item.get_logical_local_id(0)] += parts[item.get_logical_local_id(0) + step];
          });
        total = parts[0];
        to[row] = total;
      });
    });
  }
  for (std::size_t y = 0; y < rows; y++) {
    float sum = 0;
    for (std::size_t x = 0; x < columns; x++) sum += expected[x * rows + y] = values[y * columns + x];
    ASSERT_NEAR(sums[y], sum, 1e-4f) << y;
  }
  EXPECT_EQ(turned, expected);
}

TEST(pipelines, polynomials_with_constants_of_a_bundle) {
  constexpr std::size_t n = 999;
  const std::vector<float> x = fractions(n, 107);
  sycl::queue q;
  sycl::buffer<float> in(x);
  for (const std::uint32_t order : {0u, 3u, 7u}) {
    std::array<float, 8> c{};
    for (std::size_t k = 0; k <= order; k++) c[k] = float(k) - 2.5f;
    auto bundle = sycl::get_kernel_bundle<polynomial, sycl::bundle_state::input>(q.get_context());
    bundle.set_specialization_constant<degree>(order);
    bundle.set_specialization_constant<coefficients>(c);
    const auto executable = sycl::build(bundle);
    EXPECT_TRUE(executable.has_kernel(sycl::get_kernel_id<polynomial>()));
    std::vector<float> y(n);
    {
      sycl::buffer<float> out(y.data(), n);
      q.submit([&](sycl::handler &h) {
        h.use_kernel_bundle(executable);
        sycl::accessor from(in, h, sycl::read_only);
        sycl::accessor to(out, h, sycl::write_only, sycl::no_init);
        h.parallel_for<polynomial>(n, [=](sycl::id<1> i, sycl::kernel_handler constants) {
          const auto factors = constants.get_specialization_constant<coefficients>();
          float sum = 0;
          for (std::uint32_t k = constants.get_specialization_constant<degree>() + 1; k-- > 0;)
            sum = sycl::mad(sum, from[i], factors[k]);
          to[i] = sum;
        });
      });
    }
    for (std::size_t i = 0; i < n; i++) {
      double sum = 0;
      for (std::size_t k = 0; k <= order; k++) sum += c[k] * std::pow(double(x[i]), double(k));
      ASSERT_NEAR(y[i], sum, 1e-4) << order << ' ' << i;
    }
  }
}

}  // namespace programs
