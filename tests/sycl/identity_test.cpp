// Equality, hashes and swaps of objects whose copies are the same object (SYCL 2020, section 4.5.2).
#include <functional>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace {

template <class T> std::size_t hash_of(const T &x) { return std::hash<T>()(x); }

/// Copies are equal and have the same hash; the other object is different.
template <class T> void expect_identity(const T &object, const T &other) {
  const T copy = object;  // NOLINT
  EXPECT_TRUE(copy == object);
  EXPECT_FALSE(copy != object);
  EXPECT_EQ(hash_of(copy), hash_of(object));
  EXPECT_TRUE(object != other);
  T a = object, b = other;
  std::swap(a, b);
  EXPECT_TRUE(a == other && b == object);
}

}  // namespace

TEST(identity, of_runtime_objects) {
  const sycl::queue q, r;
  expect_identity(q, r);
  expect_identity(sycl::context(q.get_device()), sycl::context(q.get_device()));
  EXPECT_EQ(hash_of(sycl::device()), hash_of(sycl::device()));
  EXPECT_EQ(hash_of(sycl::platform()), hash_of(sycl::platform()));
  expect_identity(sycl::event(), sycl::event());
}

TEST(identity, of_buffers_and_accessors) {
  sycl::buffer<int> b(sycl::range(4)), c(sycl::range(4));
  expect_identity(b, c);
  sycl::accessor<int> x(b), y(c);
  expect_identity(x, y);
  x.swap(y);
  EXPECT_TRUE(x == sycl::accessor<int>(c));
  sycl::host_accessor h(b), i(c);
  expect_identity(h, i);
  h.swap(i);
  EXPECT_TRUE(h != i);
  auto old = b.get_access<sycl::access::mode::read_write>(), other = c.get_access<sycl::access::mode::read_write>();
  expect_identity(old, other);
}

TEST(identity, of_placeholders_outlasts_their_use) {
  sycl::queue q;
  sycl::buffer<int> b(sycl::range(4));
  const sycl::accessor<int> placeholder(b), copy = placeholder;
  const std::size_t hash = hash_of(placeholder);
  q.submit([&](sycl::handler &h) {
    h.require(placeholder);
    h.single_task([=] { placeholder[0] = 1; });
  });
  EXPECT_TRUE(placeholder == copy);
  EXPECT_EQ(hash_of(placeholder), hash);
}

TEST(identity, of_objects_of_command_groups) {
  sycl::queue q;
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> a(4, h), b(8, h);
    expect_identity(a, b);
    a.swap(b);
    EXPECT_EQ(a.size(), 8u);
    const sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::target::local> old(sycl::range<1>(4), h);
    EXPECT_EQ(hash_of(old), hash_of(sycl::accessor(old)));
    expect_identity(sycl::stream(100, 10, h), sycl::stream(100, 10, h));
  });
}

TEST(identity, of_h_items) {
  sycl::queue q;
  bool *const same = sycl::malloc_shared<bool>(2, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(2), [=](sycl::group<1> g) {
       g.parallel_for_work_item([&](sycl::h_item<1> i) {
         const sycl::h_item<1> copy = i;
         same[i.get_local_id(0)] = copy == i && !(copy != i);
       });
     });
   }).wait();
  EXPECT_TRUE(same[0] && same[1]);
  sycl::free(same, q);
}
