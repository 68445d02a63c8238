// Buffers and accessors: contents, order of commands, write-back.
#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace {

std::vector<int> counted(std::size_t n, int first = 0) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

void add(const sycl::queue &q, sycl::buffer<int> &b, int summand) {
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(b, h);
    h.parallel_for(a.get_range(), [=](sycl::id<1> i) { a[i] += summand; });
  });
}

template <int D> std::vector<int> contents(sycl::buffer<int, D> &b) {
  const sycl::host_accessor a(b, sycl::read_only);
  return {a.cbegin(), a.cend()};
}

}  // namespace

TEST(buffers, write_back_to_the_programs_memory) {
  sycl::queue q;
  std::vector<int> data = counted(1000);
  {
    sycl::buffer b(data.data(), sycl::range(data.size()));
    add(q, b, 5);
  }
  EXPECT_EQ(data, counted(1000, 5));
}

TEST(buffers, leave_the_programs_memory_alone_when_the_result_goes_elsewhere) {
  const auto increment = [](sycl::buffer<int> &b) {
    sycl::queue().submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h);
      h.parallel_for(b.get_range(), [=](sycl::id<1> i) { a[i] += 10; });
    });
  };
  std::vector<int> input{1, 2, 3, 4};
  const std::vector<int> before = input, after{11, 12, 13, 14};
  {
    sycl::buffer<int> b(input.data(), 4);
    b.set_write_back(false);
    increment(b);
    EXPECT_EQ(b.get_host_access()[3], 14);
  }
  EXPECT_EQ(input, before);
  {
    sycl::buffer<int> b(input);
    b.set_final_data(nullptr);
    increment(b);
  }
  EXPECT_EQ(input, before);
  std::vector<int> output(4);
  {
    sycl::buffer<int> b(input);
    b.set_final_data(output.begin());
    increment(b);
  }
  EXPECT_EQ(input, before);
  EXPECT_EQ(output, after);
  {
    sycl::buffer<int> b(input);
    b.set_write_back(false);
    increment(b);
    b.set_write_back(true);
  }
  EXPECT_EQ(input, after);
}

TEST(buffers, write_back_to_containers) {
  sycl::queue q;
  std::vector<int> data = counted(100);
  {
    sycl::buffer b(data);
    EXPECT_EQ(b.size(), 100u);
    add(q, b, 1);
  }
  EXPECT_EQ(data, counted(100, 1));
}

TEST(buffers, leave_constant_memory_alone) {
  sycl::queue q;
  const std::vector<int> data = counted(100);
  {
    sycl::buffer<int> b(data.data(), data.size());
    add(q, b, 1);
    EXPECT_EQ(contents(b), counted(100, 1));
    sycl::buffer<int> c(data);
    add(q, c, 2);
  }
  EXPECT_EQ(data, counted(100));
}

TEST(buffers, copy_from_iterators) {
  sycl::queue q;
  std::list<int> list{3, 4, 5};
  std::vector<int> out(3);
  {
    sycl::buffer b(list.begin(), list.end());
    b.set_final_data(out.begin());
    add(q, b, 10);
  }
  EXPECT_EQ(list, (std::list<int>{3, 4, 5}));
  EXPECT_EQ(out, (std::vector<int>{13, 14, 15}));
}

TEST(buffers, share_ownership_of_host_memory) {
  sycl::queue q;
  auto data = std::make_shared<std::vector<int>>(counted(10));
  auto array = std::shared_ptr<int[]>(new int[4]{1, 2, 3, 4});
  {
    sycl::buffer<int> b(std::shared_ptr<int>(data, data->data()), 10);
    sycl::buffer<int> c(array, 4);
    add(q, b, 1);
    add(q, c, 1);
  }
  EXPECT_EQ(*data, counted(10, 1));
  EXPECT_EQ(array[3], 5);
}

TEST(buffers, write_final_data_to_the_given_address) {
  sycl::queue q;
  std::vector<int> data = counted(50), pointer(50), iterator;
  auto weak = std::make_shared<int[]>(50);
  {
    sycl::buffer<int> a(data.data(), 50), b(data.data(), 50, {sycl::property::buffer::use_host_ptr()}),
        c(counted(50).data(), 50);
    const sycl::buffer<int> &constant = c;
    EXPECT_FALSE(constant.has_property<sycl::property::buffer::use_host_ptr>());
    EXPECT_TRUE(b.has_property<sycl::property::buffer::use_host_ptr>());
    a.set_final_data(pointer.data());
    b.set_final_data(std::back_inserter(iterator));
  }
  EXPECT_EQ(pointer, data);
  EXPECT_EQ(iterator, data);
  {
    sycl::buffer<int> a{sycl::range(50)};
    a.set_final_data(std::weak_ptr<int[]>(weak));
    q.submit([&](sycl::handler &h) {
      const sycl::accessor out(a, h, sycl::write_only, sycl::no_init);
      h.parallel_for(50, [=](sycl::id<1> i) { out[i] = int(i[0]); });
    });
  }
  EXPECT_EQ(std::vector(weak.get(), weak.get() + 50), data);
}

TEST(buffers, without_write_back_are_discarded) {
  sycl::queue q;
  std::vector<int> data = counted(50), out(50, -1);
  for (const bool by_null : {true, false}) {
    sycl::buffer<int> b(std::as_const(data).data(), 50);
    b.set_final_data(out.data());
    if (by_null)
      b.set_final_data(nullptr);
    else
      b.set_write_back(false);
    add(q, b, 1);
  }
  EXPECT_EQ(out, std::vector<int>(50, -1));
}

TEST(buffers, order_commands_by_their_access) {
  sycl::queue q, other;
  std::vector<int> data(10000, 1);
  {
    sycl::buffer b(data);
    for (int round = 0; round < 20; round++) {
      const sycl::queue &mine = round % 2 ? q : other;
      mine.submit([&](sycl::handler &h) {
        const sycl::accessor a(b, h, sycl::read_write);
        h.parallel_for(10000, [=](sycl::id<1> i) { a[i] = a[i] * 3 % 1009; });
      });
    }
  }
  int expected = 1;
  for (int round = 0; round < 20; round++) expected = expected * 3 % 1009;
  EXPECT_EQ(data, std::vector<int>(10000, expected));
}

TEST(buffers, chain_through_several_buffers) {
  sycl::queue q;
  constexpr std::size_t n = 5000;
  sycl::buffer<int> a{sycl::range(n)}, b{sycl::range(n)}, c{sycl::range(n)};
  q.submit([&](sycl::handler &h) {
    const sycl::accessor out(a, h, sycl::write_only, sycl::no_init);
    h.parallel_for(n, [=](sycl::id<1> i) { out[i] = int(i[0]); });
  });
  q.submit([&](sycl::handler &h) {
    const sycl::accessor out(b, h, sycl::write_only, sycl::no_init);
    h.parallel_for(n, [=](sycl::id<1> i) { out[i] = 2 * int(i[0]); });
  });
  for (int round = 0; round < 10; round++) {
    q.submit([&](sycl::handler &h) {
      const sycl::accessor x(a, h, sycl::read_only), y(b, h, sycl::read_only);
      const sycl::accessor z(c, h, sycl::write_only, sycl::no_init);
      h.parallel_for(n, [=](sycl::id<1> i) { z[i] = x[i] + y[n - 1 - i[0]]; });
    });
    q.submit([&](sycl::handler &h) {  // writes the buffer that the previous command reads
      const sycl::accessor x(a, h, sycl::write_only);
      const sycl::accessor z(c, h, sycl::read_only);
      h.parallel_for(n, [=](sycl::id<1> i) { x[i] = z[i] % 1000; });
    });
  }
  std::vector<int> x = counted(n), z(n);
  for (int round = 0; round < 10; round++) {
    for (std::size_t i = 0; i < n; i++) z[i] = x[i] + 2 * int(n - 1 - i);
    for (std::size_t i = 0; i < n; i++) x[i] = z[i] % 1000;
  }
  EXPECT_EQ(contents(c), z);
  EXPECT_EQ(contents(a), x);
}

TEST(buffers, host_tasks_take_part_in_the_order) {
  sycl::queue q;
  std::vector<int> data(10, 1);
  {
    sycl::buffer b(data);
    add(q, b, 1);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h, sycl::read_write_host_task);
      h.host_task([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (int &x : a) x *= 10;
      });
    });
    add(q, b, 1);
  }
  EXPECT_EQ(data, std::vector<int>(10, 21));
}

TEST(buffers, of_many_threads_keep_every_command) {
  std::vector<int> first(100, 0), second(100, 0);
  {
    sycl::buffer a(first), b(second);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&, t] {
        sycl::queue q;
        for (int round = 0; round < 50; round++)
          q.submit([&](sycl::handler &h) {  // accessors in either order must not deadlock
            sycl::accessor<int> x, y;
            if (t % 2)
              x = sycl::accessor(a, h), y = sycl::accessor(b, h);
            else
              y = sycl::accessor(b, h), x = sycl::accessor(a, h);
            h.parallel_for(100, [=](sycl::id<1> i) {
              x[i] += 1;
              y[i] += x[i] > 0;
            });
          });
      });
  }
  EXPECT_EQ(first, std::vector<int>(100, 200));
  EXPECT_EQ(second, std::vector<int>(100, 200));
}

TEST(buffers, sub_buffers_are_parts) {
  sycl::queue q;
  std::vector<int> data = counted(100);
  {
    sycl::buffer b(data);
    sycl::buffer<int> low(b, 0, 48), high(b, 48, 52);
    EXPECT_TRUE(high.is_sub_buffer());
    EXPECT_FALSE(b.is_sub_buffer());
    add(q, low, 1000);
    add(q, high, 2000);
    EXPECT_EQ(contents(high), counted(52, 2048));
    add(q, b, 1);  // overlaps both
    EXPECT_THROW(sycl::buffer<int>(high, 0, 10), sycl::exception);
    EXPECT_THROW(sycl::buffer<int>(b, 60, 50), sycl::exception);
  }
  EXPECT_EQ(data[0], 1001);
  EXPECT_EQ(data[47], 1048);
  EXPECT_EQ(data[48], 2049);
  EXPECT_EQ(data[99], 2100);
}

TEST(buffers, sub_buffers_must_be_contiguous) {
  sycl::buffer<int, 2> b{sycl::range(8, 8)};
  EXPECT_NO_THROW((sycl::buffer<int, 2>(b, {2, 0}, {3, 8})));
  EXPECT_NO_THROW((sycl::buffer<int, 2>(b, {2, 3}, {1, 4})));
  EXPECT_THROW((sycl::buffer<int, 2>(b, {2, 3}, {2, 4})), sycl::exception);
}

TEST(buffers, can_be_read_as_other_types_and_shapes) {
  sycl::queue q;
  std::vector<float> data(64, 1.0f);
  {
    sycl::buffer b(data);
    auto bits = b.reinterpret<std::uint32_t>();
    auto square = b.reinterpret<float, 2>(sycl::range(8, 8));
    auto bytes = b.reinterpret<unsigned char>();
    EXPECT_EQ(bytes.size(), 256u);
    EXPECT_THROW((b.reinterpret<float, 2>(sycl::range(8, 7))), sycl::exception);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(bits, h);
      h.parallel_for(64, [=](sycl::id<1> i) { a[i] |= 0x80000000u; });
    });
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(square, h);
      h.parallel_for(sycl::range(8, 8), [=](sycl::id<2> i) { a[i] *= float(i[0] * 8 + i[1]); });
    });
  }
  for (int i = 0; i < 64; i++) ASSERT_EQ(data[i], -float(i));
}

TEST(buffers, bound_to_a_context_refuse_others) {
  const sycl::device d;
  const sycl::context mine(d), other(d);
  sycl::buffer<int> b(10, {sycl::property::buffer::context_bound(mine)});
  add(sycl::queue(mine, d), b, 1);
  EXPECT_THROW(add(sycl::queue(other, d), b, 1), sycl::exception);
}

TEST(buffers, lock_the_mutex_they_were_given) {
  sycl::queue q;
  std::mutex mutex;
  std::vector<int> data(10, 0);
  std::unique_lock lock(mutex);
  std::atomic<bool> gone = false;
  auto b = std::make_unique<sycl::buffer<int>>(
      data.data(), 10,
      sycl::property_list{sycl::property::buffer::use_host_ptr(), sycl::property::buffer::use_mutex(mutex)});
  add(q, *b, 1);
  std::jthread destroys([&] {
    b.reset();
    gone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(gone);
  lock.unlock();
  destroys.join();
  EXPECT_EQ(data, std::vector<int>(10, 1));
}

TEST(host_accessors, wait_for_earlier_commands_and_delay_later_ones) {
  sycl::queue q;
  sycl::buffer<int> b(sycl::range(100));
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
    h.parallel_for(100, [=](sycl::id<1> i) { a[i] = 1; });
  });
  sycl::event later;
  {
    const sycl::host_accessor a(b);
    EXPECT_EQ(a[99], 1);
    later = q.submit([&](sycl::handler &h) {
      const sycl::accessor x(b, h);
      h.parallel_for(100, [=](sycl::id<1> i) { x[i] *= 7; });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NE(later.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
    for (int &x : a) x += 2;
  }
  EXPECT_EQ(contents(b), std::vector<int>(100, 21));
}

TEST(host_accessors, keep_the_buffer_until_the_last_copy_is_destroyed) {
  sycl::queue q;
  sycl::buffer<int> b(sycl::range(4));
  std::optional<sycl::host_accessor<int>> a;
  {
    const sycl::host_accessor first(b, sycl::no_init);
    a = first;
  }
  (*a)[3] = 5;
  add(q, b, 1);
  EXPECT_EQ((*a)[3], 5);
  a.reset();
  EXPECT_EQ(contents(b)[3], 6);
}

TEST(host_accessors, readers_do_not_exclude_readers) {
  sycl::queue q;
  std::vector<int> data = counted(10);
  sycl::buffer b(data);
  const sycl::host_accessor first(b, sycl::read_only), second(b, sycl::read_only);
  sycl::buffer<int> out(sycl::range(10));
  q.submit([&](sycl::handler &h) {
    const sycl::accessor from(b, h, sycl::read_only);
    const sycl::accessor to(out, h, sycl::write_only, sycl::no_init);
    h.parallel_for(10, [=](sycl::id<1> i) { to[i] = from[i]; });
  });
  EXPECT_EQ(contents(out), data);
  EXPECT_EQ(first[3], second[3]);
}
