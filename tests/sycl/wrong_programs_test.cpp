// Wrong programs: each is refused with the specification's error code, and the message names what is wrong. Errors of
// kernels name the kernel or the line that launched it.
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

using sycl::errc;
using sycl::handler;
namespace info = sycl::info;
namespace ext = sycl::ext::oneapi::experimental;

constexpr sycl::specialization_id<int> constant(1);

/// What wrong programs use.
struct world {
  sycl::queue q{sycl::cpu_selector_v};  // GPUs differ in what they find at run time
  sycl::queue other{sycl::context(q.get_device()), q.get_device()};
  sycl::queue profiled{q.get_device(), sycl::property::queue::enable_profiling()};
  sycl::buffer<int> line{sycl::range<1>(256)};
  sycl::buffer<int, 2> square{sycl::range<2>(16, 16)};
  shared_array<int> memory{256, q};
  int *p = memory.get();

  void submit(const std::function<void(handler &)> &group) { q.submit(group).wait_and_throw(); }
};

struct program {
  const char *name;
  errc code;
  const char *says;  // part of the message
  std::function<void(world &)> run;
};

void PrintTo(const program &p, std::ostream *out) { *out << p.name; }

class wrong_programs : public testing::TestWithParam<program> {};

struct reference_holder {
  int &r;
  int *p;
  void operator()() const { p[0] = r; }
};

int sum_to(int n) {
  volatile int own[64];
  own[n % 64] = n;
  return n == 0 ? 0 : sum_to(n - 1) + own[n % 64];
}

std::vector<program> kernels() {
  return {
      {"captures_all_by_reference", errc::kernel_argument, "wrong_programs_test.cpp",
       [](world &w) {
         int x = 1;
         w.q.single_task([&] { w.p[0] = x; });
       }},
      {"captures_one_by_reference", errc::kernel_argument, "int &",
       [](world &w) {
         int x = 1;
         w.q.single_task([&x, p = w.p] { p[0] = x; });
       }},
      {"captures_by_reference_in_a_group", errc::kernel_argument, "double &",
       [](world &w) {
         double x = 1;
         w.submit([&](handler &h) { h.parallel_for(10, [&x, p = w.p](sycl::id<1> i) { p[i] = int(x); }); });
       }},
      {"captures_by_reference_in_a_reduction", errc::kernel_argument, "double &",
       [](world &w) {
         double x = 1;
         w.q.parallel_for(sycl::range<1>(10), sycl::reduction(w.p, sycl::plus<>()),
                          [&x](sycl::id<1>, auto &sum) { sum += int(x); });
       }},
      {"captures_a_member_that_is_a_reference", errc::kernel_argument, "int &",
       [](world &w) {
         int x = 1;
         w.q.single_task(reference_holder{x, w.p});
       }},
      {"captures_an_object_with_a_reference", errc::kernel_argument, "int &",
       [](world &w) {
         int x = 1;
         const reference_holder inner{x, w.p};
         w.q.single_task([=] { inner(); });
       }},
      {"work_group_does_not_divide_the_range", errc::nd_range, "100",
       [](world &w) { w.q.parallel_for(sycl::nd_range<1>(100, 7), [p = w.p](sycl::nd_item<1>) { p[0] = 1; }); }},
      {"work_group_does_not_divide_the_second_range", errc::nd_range, "",
       [](world &w) {
         w.q.parallel_for(sycl::nd_range<2>({8, 10}, {4, 4}), [p = w.p](sycl::nd_item<2>) { p[0] = 1; });
       }},
      {"work_group_is_empty", errc::nd_range, "",
       [](world &w) { w.q.parallel_for(sycl::nd_range<1>(100, 0), [p = w.p](sycl::nd_item<1>) { p[0] = 1; }); }},
      {"work_group_is_too_large", errc::nd_range, "",
       [](world &w) {
         const std::size_t size = std::size_t{1} << 28;
         w.q.parallel_for(sycl::nd_range<1>(size, size), [p = w.p](sycl::nd_item<1>) { p[0] = 1; });
       }},
      {"work_group_of_another_size_than_required", errc::nd_range, "",
       [](world &w) {
         w.q.parallel_for(sycl::nd_range<1>(64, 32),
                          [p = w.p](sycl::nd_item<1>) [[sycl::reqd_work_group_size(16)]] { p[0] = 1; });
       }},
      {"sub_group_size_that_the_device_lacks", errc::kernel_not_supported, "",
       [](world &w) {
         w.q.parallel_for(sycl::nd_range<1>(64, 32),
                          [p = w.p](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(48)]] { p[0] = 1; });
       }},
      {"required_work_group_that_the_device_lacks", errc::kernel_not_supported, "",
       [](world &w) {
         w.q.parallel_for(sycl::nd_range<1>(1 << 28, 1 << 28),
                          [p = w.p](sycl::nd_item<1>) [[sycl::reqd_work_group_size(1 << 28)]] { p[0] = 1; });
       }},
      {"aspect_that_the_device_lacks", errc::kernel_not_supported, "",
       [](world &w) { w.q.single_task([p = w.p]() [[sycl::device_has(sycl::aspect::accelerator)]] { p[0] = 1; }); }},
      {"local_memory_without_groups", errc::kernel_argument, "nd_range",
       [](world &w) {
         w.submit([&](handler &h) {
           const sycl::local_accessor<int> local(10, h);
           h.parallel_for(10, [=](sycl::id<1> i) { local[i] = 1; });
         });
       }},
      {"local_memory_in_a_single_task", errc::kernel_argument, "nd_range",
       [](world &w) {
         w.submit([&](handler &h) {
           const sycl::local_accessor<int> local(10, h);
           h.single_task([=] { local[0] = 1; });
         });
       }},
      {"local_memory_that_is_too_large", errc::memory_allocation, "local",
       [](world &w) {
         w.submit([&](handler &h) {
           const sycl::local_accessor<int> local(std::size_t{1} << 40, h);
           h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> i) { local[i.get_local_id(0)] = 1; });
         });
       }},
      {"placeholder_that_was_not_required", errc::kernel_argument, "placeholder",
       [](world &w) {
         const sycl::accessor<int> a(w.line);
         w.submit([&](handler &h) { h.single_task([=] { a[0] = 1; }); });
       }},
      {"placeholder_without_a_command_group", errc::kernel_argument, "placeholder",
       [](world &w) {
         const sycl::accessor<int> a(w.line);
         w.q.single_task([=] { a[0] = 1; });
       }},
      {"division_by_zero", errc::kernel, "wrong_programs_test.cpp",
       [](world &w) {
         w.p[0] = 1;
         w.p[1] = 0;
         w.q.single_task([p = w.p] { p[0] = p[0] / p[1]; }).wait_and_throw();
       }},
      {"null_pointer", errc::kernel, "wrong_programs_test.cpp",
       [](world &w) {
         int *const nothing = w.p[2] == 12345 ? w.p : nullptr;
         w.q.single_task([=] { nothing[0] = 1; }).wait_and_throw();
       }},
      {"assertion", errc::kernel, "p[0] == 3",
       [](world &w) {
         w.p[0] = 1;
         w.q.single_task([p = w.p] { assert(p[0] == 3); }).wait_and_throw();
       }},
      {"abort", errc::kernel, "wrong_programs_test.cpp",
       [](world &w) {
         w.q.single_task([p = w.p] {
              if (p[0] != 3) __builtin_trap();
            })
             .wait_and_throw();
       }},
      {"named_kernel_that_fails", errc::kernel, "kernel_with_a_name",
       [](world &w) {
         w.p[1] = 0;
         w.q.single_task<class kernel_with_a_name>([p = w.p] { p[0] = p[0] / p[1]; }).wait_and_throw();
       }},
      {"endless_recursion", errc::kernel, "",
       [](world &w) {
         w.p[0] = 1 << 30;
         w.q.single_task([p = w.p] { p[1] = sum_to(p[0]); }).wait_and_throw();
       }},
  };
}

std::vector<program> groups() {
  return {
      {"two_commands", errc::invalid, "one kernel",
       [](world &w) {
         w.submit([&](handler &h) {
           h.single_task([p = w.p] { p[0] = 1; });
           h.memset(w.p, 0, 4);
         });
       }},
      {"two_kernels", errc::invalid, "one kernel",
       [](world &w) {
         w.submit([&](handler &h) {
           h.single_task([p = w.p] { p[0] = 1; });
           h.single_task([p = w.p] { p[0] = 2; });
         });
       }},
      {"copy_to_a_smaller_accessor", errc::invalid, "smaller",
       [](world &w) {
         sycl::buffer<int> small(sycl::range<1>(8));
         w.submit([&](handler &h) {
           h.copy(sycl::accessor(w.line, h, sycl::read_only), sycl::accessor(small, h, sycl::write_only));
         });
       }},
      {"arguments_by_number", errc::feature_not_supported, "set_arg",
       [](world &w) {
         w.q.single_task<class takes_no_arguments>([] {});
         const auto bundle =
             sycl::get_kernel_bundle<takes_no_arguments, sycl::bundle_state::executable>(w.q.get_context());
         w.submit([&](handler &h) {
           h.set_arg(0, 1);
           h.single_task(bundle.get_kernel<takes_no_arguments>());
         });
       }},
      {"bundle_of_another_context", errc::invalid, "context",
       [](world &w) {
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(w.other.get_context());
         w.submit([&](handler &h) { h.use_kernel_bundle(bundle); });
       }},
      {"constant_set_before_a_bundle_is_used", errc::invalid, "use_kernel_bundle",
       [](world &w) {
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(w.q.get_context());
         w.submit([&](handler &h) {
           h.set_specialization_constant<constant>(2);
           h.use_kernel_bundle(bundle);
         });
       }},
      {"constant_set_after_a_bundle_is_used", errc::invalid, "set_specialization_constant",
       [](world &w) {
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(w.q.get_context());
         w.submit([&](handler &h) {
           h.use_kernel_bundle(bundle);
           h.set_specialization_constant<constant>(2);
         });
       }},
      {"constant_read_after_a_bundle_is_used", errc::invalid, "get_specialization_constant",
       [](world &w) {
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(w.q.get_context());
         w.submit([&](handler &h) {
           h.use_kernel_bundle(bundle);
           static_cast<void>(h.get_specialization_constant<constant>());
         });
       }},
      {"exception_in_a_host_task", errc::invalid, "its own",
       [](world &w) {
         w.submit([&](handler &h) { h.host_task([] { throw sycl::exception(errc::invalid, "its own words"); }); });
       }},
      {"host_task_that_waits_for_its_queue", errc::invalid, "",
       [](world &w) { w.submit([&](handler &h) { h.host_task([q = w.q]() mutable { q.wait(); }); }); }},
      {"host_task_that_waits_for_itself", errc::invalid, "",
       [](world &w) {
         const auto own = std::make_shared<std::optional<sycl::event>>();
         const auto ready = std::make_shared<std::atomic<bool>>(false);
         *own = w.q.submit([&](handler &h) {
           h.host_task([=] {
             while (!*ready) {}
             (*own)->wait();
           });
         });
         *ready = true;
         w.q.wait_and_throw();
       }},
      {"exception_in_the_group_s_function", errc::build, "mine",
       [](world &w) { w.submit([](handler &) { throw sycl::exception(errc::build, "mine"); }); }},
  };
}

std::vector<program> memory() {
  return {
      {"accessor_beyond_the_buffer", errc::invalid, "exceed",
       [](world &w) { w.submit([&](handler &h) { sycl::accessor(w.line, h, sycl::range<1>(257)); }); }},
      {"accessor_with_an_offset_beyond_the_buffer", errc::invalid, "exceed",
       [](world &w) {
         w.submit([&](handler &h) { sycl::accessor(w.line, h, sycl::range<1>(200), sycl::id<1>(100)); });
       }},
      {"placeholder_beyond_the_buffer", errc::invalid, "exceed",
       [](world &w) { sycl::accessor<int, 2>(w.square, sycl::range<2>(1, 17)); }},
      {"host_accessor_beyond_the_buffer", errc::invalid, "exceed",
       [](world &w) { sycl::host_accessor(w.line, sycl::range<1>(10), sycl::id<1>(250)); }},
      {"sub_buffer_beyond_the_buffer", errc::invalid, "exceed", [](world &w) { sycl::buffer<int>(w.line, 200, 100); }},
      {"sub_buffer_of_a_sub_buffer", errc::invalid, "sub-buffer",
       [](world &w) {
         sycl::buffer<int> part(w.line, 0, 64);
         sycl::buffer<int>(part, 0, 16);
       }},
      {"sub_buffer_with_gaps", errc::invalid, "contiguous",
       [](world &w) { sycl::buffer<int, 2>(w.square, {0, 0}, {4, 4}); }},
      {"sub_buffer_that_is_not_aligned", errc::invalid, "mem_base_addr_align",
       [](world &w) {
         sycl::buffer<int> part(w.line, 3, 16);
         w.submit([&](handler &h) { sycl::accessor(part, h); });
       }},
      {"reinterpretation_of_another_size", errc::invalid, "reinterpret",
       [](world &w) { w.line.reinterpret<float, 1>(sycl::range<1>(10)); }},
      {"reinterpretation_of_a_part_of_an_element", errc::invalid, "multiple",
       [](world &) {
         sycl::buffer<char> odd(sycl::range<1>(7));
         odd.reinterpret<int>();
       }},
      {"buffer_bound_to_another_context", errc::invalid, "context",
       [](world &w) {
         sycl::buffer<int> bound(sycl::range<1>(4), {sycl::property::buffer::context_bound(w.other.get_context())});
         w.submit([&](handler &h) { sycl::accessor(bound, h); });
       }},
      {"property_that_a_buffer_lacks", errc::invalid, "property",
       [](world &w) { w.line.get_property<sycl::property::buffer::use_host_ptr>(); }},
      {"property_that_an_accessor_lacks", errc::invalid, "property",
       [](world &w) { sycl::accessor<int>(w.line).get_property<sycl::property::no_init>(); }},
      {"image_without_elements", errc::invalid, "range",
       [](world &) { sycl::unsampled_image<2>(sycl::image_format::r8g8b8a8_unorm, sycl::range<2>(0, 4)); }},
      {"image_with_a_pitch_below_its_rows", errc::invalid, "pitch",
       [](world &) {
         sycl::unsampled_image<2>(sycl::image_format::r8g8b8a8_unorm, sycl::range<2>(4, 4), sycl::range<1>(8));
       }},
      {"memory_of_no_allocation", errc::invalid, "",
       [](world &w) {
         int x = 0;
         sycl::free(&x, w.q);
       }},
      {"memory_freed_twice", errc::invalid, "",
       [](world &w) {
         int *const once = sycl::malloc_device<int>(1, w.q);
         sycl::free(once, w.q);
         sycl::free(once, w.q);
       }},
      {"copy_beyond_an_allocation", errc::invalid, "copy",
       [](world &w) {
         std::vector<int> host(1 << 20);
         w.q.memcpy(w.p, host.data(), host.size() * sizeof(int)).wait_and_throw();
       }},
      {"fill_beyond_an_allocation", errc::invalid, "fill",
       [](world &w) { w.q.fill(w.p, 1, 1 << 20).wait_and_throw(); }},
      {"device_of_a_host_pointer", errc::invalid, "",
       [](world &w) {
         int x = 0;
         sycl::get_pointer_device(&x, w.q.get_context());
       }},
      {"memory_of_a_device_outside_the_context", errc::invalid, "",
       [](world &w) {
         const auto parts = w.q.get_device().create_sub_devices<info::partition_property::partition_equally>(1);
         const sycl::context only_part(parts.front());
         sycl::malloc_device<int>(1, w.q.get_device(), only_part);
       }},
  };
}

std::vector<program> objects() {
  return {
      {"times_without_profiling", errc::invalid, "profiling",
       [](world &w) {
         w.q.single_task([p = w.p] { p[0] = 1; }).get_profiling_info<info::event_profiling::command_end>();
       }},
      {"queue_of_a_device_outside_its_context", errc::invalid, "context",
       [](world &w) {
         const auto parts = w.q.get_device().create_sub_devices<info::partition_property::partition_equally>(1);
         sycl::queue(sycl::context(parts.front()), w.q.get_device());
       }},
      {"context_without_devices", errc::invalid, "", [](world &) { sycl::context(std::vector<sycl::device>()); }},
      {"parent_of_a_root_device", errc::invalid, "parent",
       [](world &w) { w.q.get_device().get_info<info::device::parent_device>(); }},
      {"sub_devices_of_no_units", errc::invalid, "",
       [](world &w) { w.q.get_device().create_sub_devices<info::partition_property::partition_equally>(0); }},
      {"sub_devices_of_too_many_units", errc::invalid, "",
       [](world &w) {
         w.q.get_device().create_sub_devices<info::partition_property::partition_by_counts>(
             std::vector<std::size_t>{1 << 20});
       }},
      {"sub_devices_by_a_cache_that_is_not_shared", errc::feature_not_supported, "",
       [](world &w) {
         w.q.get_device().create_sub_devices<info::partition_property::partition_by_affinity_domain>(
             info::partition_affinity_domain::L1_cache);
       }},
      {"selector_that_refuses_all", errc::runtime, "",
       [](world &) { sycl::queue q([](const sycl::device &) { return -1; }); }},
      {"aspects_that_exclude_each_other", errc::runtime, "",
       [](world &) {
         sycl::queue q(sycl::aspect_selector(std::vector{sycl::aspect::cpu}, std::vector{sycl::aspect::cpu}));
       }},
      {"property_that_a_queue_lacks", errc::invalid, "property",
       [](world &w) { w.q.get_property<sycl::property::queue::in_order>(); }},
      {"property_that_a_list_lacks", errc::invalid, "property",
       [](world &) { sycl::property_list().get_property<sycl::property::queue::in_order>(); }},
      {"context_of_an_exception_without_one", errc::invalid, "",
       [](world &) { sycl::exception(errc::runtime, "why").get_context(); }},
      {"native_object_of_another_back_end", errc::backend_mismatch, "",
       [](world &w) { sycl::get_native<sycl::backend::ext_oneapi_cuda>(w.q.get_device()); }},
      {"bundle_for_a_device_outside_the_context", errc::invalid, "",
       [](world &w) {
         const auto parts = w.q.get_device().create_sub_devices<info::partition_property::partition_equally>(1);
         sycl::get_kernel_bundle<sycl::bundle_state::executable>(sycl::context(parts.front()),
                                                                 std::vector{w.q.get_device()});
       }},
      {"bundle_for_no_devices", errc::invalid, "",
       [](world &w) {
         sycl::get_kernel_bundle<sycl::bundle_state::executable>(w.q.get_context(), std::vector<sycl::device>());
       }},
      {"build_for_no_devices", errc::invalid, "empty",
       [](world &w) {
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::input>(w.q.get_context());
         sycl::build(bundle, std::vector<sycl::device>());
       }},
      {"link_for_a_device_that_the_bundle_lacks", errc::invalid, "device",
       [](world &w) {
         const auto parts = w.q.get_device().create_sub_devices<info::partition_property::partition_equally>(1);
         const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::object>(w.q.get_context());
         sycl::link(bundle, parts);
       }},
      {"peer_that_cannot_be_accessed", errc::invalid, "",
       [](world &w) { w.q.get_device().ext_oneapi_enable_peer_access(w.q.get_device()); }},
      {"wait_for_a_recorded_command", errc::invalid, "graph",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         graph.begin_recording(w.q);
         const sycl::event recorded = w.q.single_task([] {});
         graph.end_recording();
         recorded.wait();
       }},
      {"wait_for_a_queue_that_records", errc::invalid, "record",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         graph.begin_recording(w.q);
         w.q.wait();
       }},
      {"graph_with_a_cycle", errc::invalid, "cycle",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         const ext::node a = graph.add(), b = graph.add({ext::property::node::depends_on(a)});
         graph.make_edge(b, a);
       }},
      {"graph_of_another_context", errc::invalid, "context",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         w.other.ext_oneapi_graph(graph.finalize());
       }},
      {"buffer_in_a_graph_without_the_property", errc::invalid, "assume_buffer_outlives_graph",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         graph.add([&](handler &h) { sycl::accessor(w.line, h); });
       }},
      {"update_of_a_graph_that_is_not_updatable", errc::invalid, "updatable",
       [](world &w) {
         ext::command_graph<> graph(w.q);
         const ext::node n = graph.add([](handler &h) { h.single_task([] {}); });
         graph.finalize().update(n);
       }},
  };
}

}  // namespace

TEST_P(wrong_programs, are_refused) {
  world w;
  const test::caught_error error = test::error_of([&] { GetParam().run(w); });
  EXPECT_EQ(error.code, GetParam().code) << error.message;
  EXPECT_TRUE(error.mentions(GetParam().says)) << error.message;
  if (w.q.ext_oneapi_get_state() == ext::queue_state::recording) w.q.ext_oneapi_get_graph().end_recording();
  w.q.single_task([p = w.p] { p[5] = 7; }).wait_and_throw();  // the queue works on
  EXPECT_EQ(w.p[5], 7);
}

constexpr auto name_of = [](const auto &info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(kernels, wrong_programs, testing::ValuesIn(kernels()), name_of);
INSTANTIATE_TEST_SUITE_P(groups, wrong_programs, testing::ValuesIn(groups()), name_of);
INSTANTIATE_TEST_SUITE_P(memory, wrong_programs, testing::ValuesIn(memory()), name_of);
INSTANTIATE_TEST_SUITE_P(objects, wrong_programs, testing::ValuesIn(objects()), name_of);
