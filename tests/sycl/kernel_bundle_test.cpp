// Kernel bundles: specialization constants set in them, and their way through the states.
#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {
constexpr sycl::specialization_id<int> length(3);
constexpr sycl::specialization_id<float> scale(1.5f);
class scaled;
}  // namespace

TEST(KernelBundles, BringSpecializationConstants) {
  sycl::queue q;
  const shared_array<float> p(1, q);
  auto input = sycl::get_kernel_bundle<scaled, sycl::bundle_state::input>(q.get_context());
  EXPECT_EQ(input.get_specialization_constant<length>(), 3);
  EXPECT_FALSE(input.contains_specialization_constants());
  input.set_specialization_constant<length>(10);
  auto other = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context());
  other.set_specialization_constant<length>(1000);
  other.set_specialization_constant<scale>(2.5f);
  const auto bundle = sycl::link(sycl::compile(sycl::join(std::vector{input, other})));
  EXPECT_TRUE(bundle.has_kernel(sycl::get_kernel_id<scaled>(), q.get_device()));
  EXPECT_EQ(sycl::build(input).get_specialization_constant<length>(), 10);
  q.submit([&](sycl::handler &h) {
     h.use_kernel_bundle(bundle);
     h.single_task<scaled>([p = p.get()](sycl::kernel_handler k) {
       p[0] = static_cast<float>(k.get_specialization_constant<length>()) * k.get_specialization_constant<scale>();
     });
   }).wait();
  EXPECT_EQ(p[0], 25.0f);
}

TEST(KernelBundles, AndCommandGroupsDoNotBothSetConstants) {
  sycl::queue q;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  EXPECT_THROW(q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<length>(1);
    h.use_kernel_bundle(bundle);
  }),
               sycl::exception);
  EXPECT_THROW(sycl::join(std::vector<sycl::kernel_bundle<sycl::bundle_state::object>>()), sycl::exception);
}
