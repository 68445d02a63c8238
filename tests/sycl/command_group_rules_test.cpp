// What command groups refuse and accept: work-group sizes, kernel bundles, placeholders, properties, local accessors.
#include <gtest/gtest.h>

#include <vector>

#include <sycl/sycl.hpp>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

constexpr sycl::specialization_id<int> factor(2);

using sycl::errc;
using test::error_of;

template <class Group> errc code_of(Group &&group) {
  return error_of([&] {
           sycl::queue q;
           q.submit(group).wait_and_throw();
         })
      .code;
}

template <class Name> auto bundle_of(const sycl::queue &q) {
  return sycl::get_kernel_bundle<Name, sycl::bundle_state::executable>(q.get_context());
}

}  // namespace

TEST(work_groups, are_not_larger_than_the_device_says) {
  const sycl::queue q;
  const std::size_t most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  const auto launch = [&](std::size_t local) {
    return error_of(
        [&] { sycl::queue(q).parallel_for(sycl::nd_range<1>(local, local), [](sycl::nd_item<1>) {}).wait(); });
  };
  EXPECT_EQ(launch(most).code, errc::success);
  EXPECT_EQ(launch(2 * most).code, errc::nd_range);
  EXPECT_TRUE(launch(2 * most).mentions(std::to_string(most))) << launch(2 * most).message;
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              h.parallel_for(sycl::nd_range<2>({most, 2}, {most, 2}), [](sycl::nd_item<2>) {});
            }),
            errc::nd_range);
}

TEST(bundles_in_use, must_have_the_kernel) {
  sycl::queue q;
  q.single_task<class in_the_bundle>([] {}).wait();
  q.single_task<class not_in_the_bundle>([] {}).wait();
  const auto bundle = bundle_of<in_the_bundle>(q);
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              h.use_kernel_bundle(bundle);
              h.single_task<class in_no_bundle>([] {});
            }),
            errc::kernel_not_supported);
  const auto both = sycl::join(std::vector{bundle, bundle_of<not_in_the_bundle>(q)});
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  for (const auto &fitting : {both, all})
    EXPECT_EQ(code_of([&](sycl::handler &h) {
                h.use_kernel_bundle(fitting);
                h.single_task(fitting.get_kernel<not_in_the_bundle>());
              }),
              errc::success);
}

TEST(bundles_in_use, exclude_specialization_constants_of_the_command_group) {
  sycl::queue q;
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              h.use_kernel_bundle(all);
              h.set_specialization_constant<factor>(3);
            }),
            errc::invalid);
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              h.set_specialization_constant<factor>(3);
              h.use_kernel_bundle(all);
            }),
            errc::invalid);
}

TEST(bundles, know_whether_their_kernels_read_specialization_constants) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  q.single_task<class reads_factor>([p = p.get()](sycl::kernel_handler k) {
     p[0] = k.get_specialization_constant<factor>();
   }).wait();
  q.single_task<class reads_nothing>([p = p.get()] { p[0] += 1; }).wait();
  EXPECT_EQ(p[0], 3);
  EXPECT_TRUE(bundle_of<reads_factor>(q).contains_specialization_constants());
  EXPECT_FALSE(bundle_of<reads_nothing>(q).contains_specialization_constants());
}

TEST(bundles, joined_from_none_are_empty) {
  const auto none = sycl::join(std::vector<sycl::kernel_bundle<sycl::bundle_state::executable>>{});
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.get_kernel_ids().empty());
  EXPECT_TRUE(none.begin() == none.end());
}

TEST(placeholders, are_required_also_beside_a_bound_accessor) {
  sycl::buffer<int> b{sycl::range<1>(4)};
  const sycl::accessor<int, 1> placeholder(b);
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              const sycl::accessor bound(b, h);
              h.single_task([=] { bound[0] = placeholder[0]; });
            }),
            errc::kernel_argument);
  EXPECT_EQ(code_of([&](sycl::handler &h) {
              const sycl::accessor bound(b, h);
              h.require(placeholder);
              h.require(bound);  // no effect
              h.single_task([=] { bound[0] = placeholder[0] = 1; });
            }),
            errc::success);
}

TEST(placeholders, are_required_for_reductions) {
  sycl::queue q;
  const shared_array<int> sum(1, q);
  std::vector<int> data{1, 2, 3, 4};
  sycl::buffer<int> b(data);
  const sycl::accessor placeholder(b, sycl::read_only);
  const auto submit = [&](bool require) {
    return code_of([&, sum = sum.get()](sycl::handler &h) {
      if (require) h.require(placeholder);
      h.parallel_for(sycl::range<1>(4), sycl::reduction(sum, sycl::plus<>()),
                     [=](sycl::id<1> i, auto &total) { total += placeholder[i]; });
    });
  };
  EXPECT_EQ(submit(true), errc::success);
  EXPECT_EQ(sum[0], 10);
  EXPECT_EQ(submit(false), errc::kernel_argument);
}

TEST(accessors, that_only_read_take_no_property_no_init) {
  sycl::buffer<int> b{sycl::range<1>(4)};
  EXPECT_EQ(error_of([&] { sycl::host_accessor a{b, sycl::read_only, sycl::no_init}; }).code, errc::invalid);
  EXPECT_EQ(error_of([&] { sycl::accessor a{b, sycl::read_only, sycl::no_init}; }).code, errc::invalid);
  EXPECT_EQ(code_of([&](sycl::handler &h) { sycl::accessor a{b, h, sycl::read_only, sycl::no_init}; }), errc::invalid);
  EXPECT_EQ(code_of([&](sycl::handler &h) { sycl::accessor a{b, h, sycl::write_only, sycl::no_init}; }), errc::success);
}

TEST(local_accessors, are_refused_only_where_a_kernel_without_groups_captures_them) {
  EXPECT_EQ(code_of([](sycl::handler &h) {
              const sycl::local_accessor<int> l(4, h);
              h.single_task([] {});
            }),
            errc::success);
  EXPECT_EQ(code_of([](sycl::handler &h) {
              const sycl::local_accessor<int> l(4, h);
              h.parallel_for(4, [](sycl::id<1>) {});
            }),
            errc::success);
  EXPECT_EQ(code_of([](sycl::handler &h) {
              const sycl::local_accessor<int> l(4, h);
              h.single_task([=] { l[0] = 1; });
            }),
            errc::kernel_argument);
  EXPECT_EQ(code_of([](sycl::handler &h) {
              const sycl::local_accessor<int, 2> l({2, 2}, h);
              h.parallel_for(4, [=](sycl::id<1>) { l[0][1] = 1; });
            }),
            errc::kernel_argument);
}
