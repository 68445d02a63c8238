// Kernel bundles: specialization constants and conversions between states.
#include <algorithm>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {
constexpr sycl::specialization_id<int> length(3);
constexpr sycl::specialization_id<float> scale(1.5f);
constexpr sycl::specialization_id<int> of_the_host(7);
class scaled;
class of_nothing;
class of_a_pointer;
}  // namespace

TEST(kernel_bundles, carry_specialization_constants) {
  sycl::queue q;
  const shared_array<float> p(1, q);
  auto input = sycl::get_kernel_bundle<scaled, sycl::bundle_state::input>(q.get_context());
  EXPECT_EQ(input.get_specialization_constant<length>(), 3);
  EXPECT_TRUE(input.contains_specialization_constants());
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

TEST(kernel_bundles, have_the_constants_that_their_kernels_read) {
  const sycl::queue q;
  const auto state = sycl::bundle_state::executable;
  const auto of_scaled = sycl::get_kernel_bundle<scaled, sycl::bundle_state::executable>(q.get_context());
  EXPECT_TRUE(of_scaled.has_specialization_constant<length>());
  EXPECT_TRUE(of_scaled.has_specialization_constant<scale>());
  EXPECT_FALSE(of_scaled.has_specialization_constant<of_the_host>());
  EXPECT_FALSE((sycl::get_kernel_bundle<of_nothing, state>(q.get_context()).has_specialization_constant<length>()));
  auto all = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context());
  EXPECT_TRUE(all.has_specialization_constant<scale>());
  EXPECT_FALSE(all.has_specialization_constant<of_the_host>());
  all.set_specialization_constant<of_the_host>(8);
  EXPECT_EQ(all.get_specialization_constant<of_the_host>(), 8);
  EXPECT_FALSE(all.has_specialization_constant<of_the_host>());
}

TEST(kernel_bundles, exclude_constants_of_the_command_group) {
  sycl::queue q;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  EXPECT_THROW(q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<length>(1);
    h.use_kernel_bundle(bundle);
  }),
               sycl::exception);
}

TEST(kernel_bundles, of_all_kernels_list_them) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  q.single_task<of_nothing>([] {});
  q.single_task<of_a_pointer>([p = p.get()] { p[0] = 1; });
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const std::vector<sycl::kernel_id> ids = bundle.get_kernel_ids();
  for (const auto &id : {sycl::get_kernel_id<of_nothing>(), sycl::get_kernel_id<of_a_pointer>()})
    EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1) << id.get_name();
  EXPECT_EQ(bundle.get_kernel<of_nothing>().get_info<sycl::info::kernel::num_args>(), 0u);
  EXPECT_EQ(bundle.get_kernel<of_a_pointer>().get_info<sycl::info::kernel::num_args>(), 1u);
  const auto one = sycl::get_kernel_bundle<of_nothing, sycl::bundle_state::executable>(q.get_context());
  EXPECT_EQ(one.get_kernel_ids(), std::vector{sycl::get_kernel_id<of_nothing>()});
}

TEST(kernel_bundles, give_kernels_without_captures_for_launches) {
  sycl::queue q;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel nothing = bundle.get_kernel<of_nothing>(), pointer = bundle.get_kernel<of_a_pointer>();
  q.submit([&](sycl::handler &h) { h.single_task(nothing); }).wait();
  q.submit([&](sycl::handler &h) { h.parallel_for(10, nothing); }).wait();
  q.submit([&](sycl::handler &h) { h.parallel_for({3, 4}, sycl::id<2>(1, 2), nothing); }).wait();
  q.submit([&](sycl::handler &h) { h.parallel_for(sycl::nd_range<1>(8, 4), nothing); }).wait();
  q.wait_and_throw();
  const auto refused = [&](auto group, const char *what) {
    const test::caught_error error = test::error_of([&] { q.submit(group); });
    EXPECT_EQ(error.code, sycl::errc::feature_not_supported);
    EXPECT_TRUE(error.mentions(what)) << error.message;
  };
  refused([&](sycl::handler &h) { h.parallel_for(10, pointer); }, "of_a_pointer");
  const auto with_arguments = [&](sycl::handler &h) {
    h.set_args(1, 2.0f);
    h.parallel_for(10, nothing);
  };
  refused(with_arguments, "set_arg");
  const sycl::queue elsewhere(sycl::context(q.get_device()), q.get_device());
  EXPECT_THROW(elsewhere.submit([&](sycl::handler &h) { h.single_task(nothing); }), sycl::exception);
}

TEST(kernel_bundles, are_made_for_devices_kernels_and_selectors) {
  const sycl::queue q;
  const sycl::context c = q.get_context();
  const std::vector<sycl::device> devices = c.get_devices();
  constexpr auto executable = sycl::bundle_state::executable;
  const std::vector<sycl::kernel_id> ids{sycl::get_kernel_id<of_nothing>(), sycl::get_kernel_id<of_a_pointer>()};
  const auto of_ids = sycl::get_kernel_bundle<executable>(c, ids);
  EXPECT_EQ(of_ids.get_kernel_ids(), ids);
  EXPECT_EQ(sycl::get_kernel_bundle<executable>(c, devices, ids).get_kernel_ids(), ids);
  EXPECT_TRUE(of_ids.has_kernel<of_nothing>());
  EXPECT_TRUE(of_ids.has_kernel<of_nothing>(devices.front()));
  EXPECT_FALSE(of_ids.has_kernel<scaled>());
  const auto selector = [&](const sycl::device_image<executable> &image) { return image.has_kernel(ids[1]); };
  for (const auto &chosen :
       {sycl::get_kernel_bundle<executable>(c, selector), sycl::get_kernel_bundle<executable>(c, devices, selector)})
    EXPECT_EQ(chosen.get_kernel_ids(), std::vector{ids[1]});
  EXPECT_TRUE((sycl::has_kernel_bundle<executable>(c)));
  EXPECT_TRUE((sycl::has_kernel_bundle<executable>(c, devices)));
  EXPECT_TRUE((sycl::has_kernel_bundle<sycl::bundle_state::input>(c, ids)));
  EXPECT_TRUE((sycl::has_kernel_bundle<sycl::bundle_state::input>(c, devices, ids)));
  EXPECT_TRUE((sycl::has_kernel_bundle<of_nothing, executable>(c)));
  EXPECT_TRUE((sycl::has_kernel_bundle<of_nothing, executable>(c, devices)));
  EXPECT_TRUE(sycl::is_compatible(ids, devices.front()));
  EXPECT_TRUE(sycl::is_compatible<of_nothing>(devices.front()));
  const std::vector<sycl::device> none;
  for (const test::caught_error &error : {test::error_of([&] { sycl::get_kernel_bundle<executable>(c, none); }),
                                          test::error_of([&] { sycl::has_kernel_bundle<executable>(c, none); })}) {
    EXPECT_EQ(error.code, sycl::errc::invalid);
    EXPECT_TRUE(error.mentions("the list of devices is empty")) << error.message;
  }
}

TEST(kernel_bundles, consist_of_device_images) {
  const sycl::queue q;
  const std::vector<sycl::kernel_id> ids{sycl::get_kernel_id<of_nothing>(), sycl::get_kernel_id<of_a_pointer>()};
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context(), ids);
  std::size_t count = 0;
  for (const auto &image : bundle) {
    EXPECT_TRUE(image.has_kernel(ids[count]));
    EXPECT_TRUE(image.has_kernel(ids[count], q.get_device()));
    EXPECT_FALSE(image.has_kernel(ids[1 - count]));
    count++;
  }
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(std::distance(bundle.begin(), bundle.end()), 2);
  EXPECT_TRUE(*bundle.begin() == *bundle.begin());
  // A reference to an image outlives the iterator.
  const sycl::device_image<sycl::bundle_state::executable> &second = bundle.begin()[1];
  EXPECT_EQ(&second, &*(bundle.end() - 1));
  EXPECT_TRUE(second.has_kernel(ids[1]));
  const auto *const same = (decltype(bundle)(bundle).begin() + 1);
  EXPECT_TRUE(*same == second);
  const auto empty =
      sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context(), std::vector<sycl::kernel_id>());
  EXPECT_TRUE(empty.empty());
  EXPECT_TRUE(empty.begin() == empty.end());
}

TEST(kernel_bundles, are_the_same_object_as_their_copies) {
  const sycl::queue q;
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context());
  const auto copy = bundle, other = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context());
  EXPECT_TRUE(copy == bundle);
  EXPECT_TRUE(other != bundle);
  EXPECT_EQ(std::hash<decltype(bundle)>()(bundle), std::hash<decltype(bundle)>()(copy));
  const auto joined = sycl::join(std::vector{bundle});
  bundle.set_specialization_constant<length>(20);
  EXPECT_EQ(copy.get_specialization_constant<length>(), 20);
  EXPECT_EQ(joined.get_specialization_constant<length>(), 3);
  EXPECT_TRUE(bundle.has_specialization_constant<length>());
  const auto image = *bundle.begin();
  EXPECT_EQ(std::hash<sycl::device_image<sycl::bundle_state::input>>()(image),
            std::hash<sycl::device_image<sycl::bundle_state::input>>()(*copy.begin()));
}

TEST(kernels, know_their_bundle) {
  const sycl::queue q;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel k = bundle.get_kernel<of_nothing>(), same = bundle.get_kernel<of_nothing>();
  EXPECT_TRUE(k.get_kernel_bundle() == bundle);
  EXPECT_EQ(std::hash<sycl::kernel>()(k), std::hash<sycl::kernel>()(same));
}

TEST(kernels, have_information_for_a_device) {
  const sycl::queue q;
  const sycl::device d = q.get_device();
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel k = bundle.get_kernel<of_nothing>();
  namespace specific = sycl::info::kernel_device_specific;
  EXPECT_EQ(k.get_info<specific::work_group_size>(d), d.get_info<sycl::info::device::max_work_group_size>());
  EXPECT_EQ(k.get_info<specific::compile_work_group_size>(d), sycl::range<3>(0, 0, 0));
  EXPECT_GE(k.get_info<specific::preferred_work_group_size_multiple>(d), 1u);
  EXPECT_EQ(k.get_info<specific::private_mem_size>(d), 0u);
  EXPECT_GE(k.get_info<specific::max_sub_group_size>(d), 1u);
  EXPECT_EQ(test::error_of([&] { k.get_info<specific::global_work_size>(d); }).code, sycl::errc::invalid);
  EXPECT_EQ(test::error_of([&] { k.get_info<sycl::info::kernel::attributes>(); }).code, sycl::errc::invalid);
}
