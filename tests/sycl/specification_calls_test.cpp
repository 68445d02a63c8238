// Calls of SYCL 2020's constructors and functions with each of the arguments that its text declares. Nothing here runs.
#include <array>
#include <optional>
#include <variant>

#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#pragma GCC diagnostic ignored "-Wunused"

namespace specification_calls {

using namespace sycl;

template <class A, class B> inline constexpr bool same = std::is_same_v<A, B>;

// Queue constructors
int rate(const device &) { return 1; }
static_assert(std::is_constructible_v<queue, property_list> && std::is_constructible_v<queue, async_handler> &&
              std::is_constructible_v<queue, async_handler, property_list>);
static_assert(std::is_constructible_v<queue, decltype(&rate)> &&
              std::is_constructible_v<queue, decltype(&rate), property_list> &&
              std::is_constructible_v<queue, decltype(&rate), async_handler> &&
              std::is_constructible_v<queue, decltype(&rate), async_handler, property_list>);
static_assert(std::is_constructible_v<queue, device> && std::is_constructible_v<queue, device, async_handler> &&
              std::is_constructible_v<queue, device, async_handler, property_list>);
static_assert(std::is_constructible_v<queue, context, decltype(&rate)> &&
              std::is_constructible_v<queue, context, decltype(&rate), async_handler> &&
              std::is_constructible_v<queue, context, decltype(&rate), async_handler, property_list>);
static_assert(std::is_constructible_v<queue, context, device> &&
              std::is_constructible_v<queue, context, device, async_handler> &&
              std::is_constructible_v<queue, context, device, async_handler, property_list>);
static_assert(!std::is_convertible_v<device, queue>);
static_assert(noexcept(std::declval<queue>().get_backend()));
void copies_and_fills(queue q, event e, std::vector<event> es, accessor<int, 1, access_mode::read> r,
                      accessor<int, 1, access_mode::write> w, int *ptr, const int *cp) {
  std::shared_ptr<int> sp;
  q.copy(r, sp);
  q.copy(sp, w);
  q.copy(r, ptr);
  q.copy(cp, w);
  q.copy(r, w);
  q.update_host(r);
  q.fill(w, 1);
  q.copy(cp, ptr, 1);
  q.copy(cp, ptr, 1, e);
  q.copy(cp, ptr, 1, es);
  q.memcpy(ptr, cp, 4);
  q.memcpy(ptr, cp, 4, e);
  q.memcpy(ptr, cp, 4, es);
  q.memset(ptr, 0, 4);
  q.memset(ptr, 0, 4, e);
  q.memset(ptr, 0, 4, es);
  q.fill(ptr, 1, 1);
  q.fill(ptr, 1, 1, e);
  q.fill(ptr, 1, 1, es);
  q.prefetch(ptr, 4);
  q.prefetch(ptr, 4, e);
  q.prefetch(ptr, 4, es);
  q.mem_advise(ptr, 4, 0);
  q.mem_advise(ptr, 4, 0, e);
  q.mem_advise(ptr, 4, 0, es);
  q.submit([&](handler &h) {
    std::shared_ptr<int> sp;
    h.copy(r, sp);
    h.require(r);
    h.copy(sp, w);
    h.copy(r, ptr);
    h.copy(cp, w);
    h.copy(r, w);
    h.update_host(r);
    h.fill(w, 1);
    h.copy(cp, ptr, 1);
  });
  q.submit([&](handler &) {}, q);
  (void)q.has_property<property::queue::in_order>();
  (void)q.get_property<property::queue::in_order>();
  (void)q.get_info<info::queue::context>();
  (void)q.get_info<info::queue::device>();
}
// Device
static_assert(same<decltype(std::declval<device>().get_backend()), backend>);
static_assert(same<decltype(std::declval<device>().create_sub_devices<info::partition_property::partition_equally>(1)),
                   std::vector<device>>);
static_assert(same<decltype(std::declval<device>().create_sub_devices<info::partition_property::partition_by_counts>(
                       std::vector<size_t>{1})),
                   std::vector<device>>);
static_assert(same<decltype(device::get_devices()), std::vector<device>>);
static_assert(same<decltype(platform::get_platforms()), std::vector<platform>>);
static_assert(std::is_constructible_v<platform, decltype(&rate)> && std::is_default_constructible_v<platform>);
// Context
static_assert(std::is_constructible_v<context, property_list> && std::is_constructible_v<context, async_handler> &&
              std::is_constructible_v<context, async_handler, property_list>);
static_assert(std::is_constructible_v<context, device> && std::is_constructible_v<context, device, property_list> &&
              std::is_constructible_v<context, device, async_handler> &&
              std::is_constructible_v<context, device, async_handler, property_list>);
static_assert(std::is_constructible_v<context, std::vector<device>> &&
              std::is_constructible_v<context, std::vector<device>, async_handler, property_list> &&
              std::is_constructible_v<context, std::vector<device>, property_list>);
static_assert(!std::is_convertible_v<device, context> && !std::is_convertible_v<std::vector<device>, context>);
// Info return types
#define R(D, T) static_assert(same<D::return_type, T>)
R(info::platform::profile, std::string);
R(info::platform::version, std::string);
R(info::platform::name, std::string);
R(info::platform::vendor, std::string);
R(info::platform::extensions, std::vector<std::string>);
R(info::context::platform, platform);
R(info::context::devices, std::vector<device>);
R(info::context::atomic_memory_order_capabilities, std::vector<memory_order>);
R(info::context::atomic_fence_order_capabilities, std::vector<memory_order>);
R(info::context::atomic_memory_scope_capabilities, std::vector<memory_scope>);
R(info::context::atomic_fence_scope_capabilities, std::vector<memory_scope>);
namespace d = info::device;
R(d::device_type, info::device_type);
R(d::vendor_id, uint32_t);
R(d::max_compute_units, uint32_t);
R(d::max_work_item_dimensions, uint32_t);
R(d::max_work_item_sizes<1>, range<1>);
R(d::max_work_item_sizes<>, range<3>);
R(d::max_work_group_size, size_t);
R(d::max_num_sub_groups, uint32_t);
R(d::sub_group_independent_forward_progress, bool);
R(d::sub_group_sizes, std::vector<size_t>);
R(d::preferred_vector_width_char, uint32_t);
R(d::native_vector_width_half, uint32_t);
R(d::max_clock_frequency, uint32_t);
R(d::address_bits, uint32_t);
R(d::max_mem_alloc_size, uint64_t);
R(d::image_support, bool);
R(d::max_read_image_args, uint32_t);
R(d::max_write_image_args, uint32_t);
R(d::image2d_max_width, size_t);
R(d::image3d_max_depth, size_t);
R(d::image_max_buffer_size, size_t);
R(d::max_samplers, uint32_t);
R(d::max_parameter_size, size_t);
R(d::mem_base_addr_align, uint32_t);
R(d::half_fp_config, std::vector<info::fp_config>);
R(d::global_mem_cache_type, info::global_mem_cache_type);
R(d::global_mem_cache_line_size, uint32_t);
R(d::global_mem_cache_size, uint64_t);
R(d::global_mem_size, uint64_t);
R(d::max_constant_buffer_size, uint64_t);
R(d::max_constant_args, uint32_t);
R(d::local_mem_type, info::local_mem_type);
R(d::local_mem_size, uint64_t);
R(d::error_correction_support, bool);
R(d::host_unified_memory, bool);
R(d::profiling_timer_resolution, size_t);
R(d::is_endian_little, bool);
R(d::is_available, bool);
R(d::is_compiler_available, bool);
R(d::is_linker_available, bool);
R(d::execution_capabilities, std::vector<info::execution_capability>);
R(d::queue_profiling, bool);
R(d::built_in_kernel_ids, std::vector<kernel_id>);
R(d::built_in_kernels, std::vector<std::string>);
R(d::platform, platform);
R(d::name, std::string);
R(d::backend_version, std::string);
R(d::aspects, std::vector<aspect>);
R(d::extensions, std::vector<std::string>);
R(d::printf_buffer_size, size_t);
R(d::preferred_interop_user_sync, bool);
R(d::parent_device, device);
R(d::partition_max_sub_devices, uint32_t);
R(d::partition_properties, std::vector<info::partition_property>);
R(d::partition_affinity_domains, std::vector<info::partition_affinity_domain>);
R(d::partition_type_property, info::partition_property);
R(d::partition_type_affinity_domain, info::partition_affinity_domain);
R(info::queue::context, context);
R(info::queue::device, device);
R(info::event::command_execution_status, info::event_command_status);
R(info::event_profiling::command_submit, uint64_t);
R(info::kernel::num_args, uint32_t);
R(info::kernel::attributes, std::string);
R(info::kernel_device_specific::global_work_size, range<3>);
R(info::kernel_device_specific::work_group_size, size_t);
R(info::kernel_device_specific::compile_work_group_size, range<3>);
R(info::kernel_device_specific::preferred_work_group_size_multiple, size_t);
R(info::kernel_device_specific::private_mem_size, size_t);
R(info::kernel_device_specific::max_num_sub_groups, uint32_t);
R(info::kernel_device_specific::compile_num_sub_groups, uint32_t);
R(info::kernel_device_specific::max_sub_group_size, uint32_t);
R(info::kernel_device_specific::compile_sub_group_size, uint32_t);
// Kernel bundle
using exe = kernel_bundle<bundle_state::executable>;
using inp = kernel_bundle<bundle_state::input>;
using obj = kernel_bundle<bundle_state::object>;
class K;
void bundles(context c, std::vector<device> ds, std::vector<kernel_id> ids, inp in, obj o, std::vector<obj> os,
             device dv, exe e) {
  (void)get_kernel_bundle<bundle_state::executable>(c);
  (void)get_kernel_bundle<bundle_state::executable>(c, ids);
  (void)get_kernel_bundle<K, bundle_state::executable>(c);
  (void)get_kernel_bundle<bundle_state::executable>(c, ds);
  (void)get_kernel_bundle<bundle_state::executable>(c, ds, ids);
  (void)get_kernel_bundle<K, bundle_state::executable>(c, ds);
  (void)get_kernel_bundle<bundle_state::input>(c, [](const device_image<bundle_state::input> &) { return true; });
  (void)get_kernel_bundle<bundle_state::input>(c, ds, [](const device_image<bundle_state::input> &) { return true; });
  (void)has_kernel_bundle<bundle_state::input>(c);
  (void)has_kernel_bundle<bundle_state::input>(c, ids);
  (void)has_kernel_bundle<K, bundle_state::input>(c);
  (void)has_kernel_bundle<bundle_state::input>(c, ds);
  (void)has_kernel_bundle<bundle_state::input>(c, ds, ids);
  (void)has_kernel_bundle<K, bundle_state::input>(c, ds);
  (void)is_compatible(ids, dv);
  (void)is_compatible<K>(dv);
  (void)join(os);
  (void)compile(in);
  (void)compile(in, ds);
  (void)compile(in, property_list{});
  (void)compile(in, ds, {});
  (void)link(o);
  (void)link(os);
  (void)link(o, ds);
  (void)link(os, ds);
  (void)build(in);
  (void)build(in, ds);
  (void)e.has_kernel(ids[0]);
  (void)e.has_kernel(ids[0], dv);
  (void)e.has_kernel<K>();
  (void)e.has_kernel<K>(dv);
  (void)e.get_kernel(ids[0]);
  (void)e.get_kernel<K>();
  for (const device_image<bundle_state::executable> &i : e) {
    (void)i.has_kernel(ids[0]);
    (void)i.has_kernel(ids[0], dv);
  }
  static_assert(noexcept(e.empty()) && noexcept(e.get_backend()) && noexcept(e.get_context()) &&
                noexcept(e.get_devices()) && noexcept(e.has_kernel(ids[0])) &&
                noexcept(e.contains_specialization_constants()));
  kernel k = e.get_kernel(ids[0]);
  (void)k.get_kernel_bundle();
  (void)k.get_context();
  (void)k.get_info<info::kernel_device_specific::work_group_size>(dv);
  (void)k.get_info<info::kernel::attributes>();
}
static_assert(!std::is_default_constructible_v<exe> && !std::is_default_constructible_v<kernel> &&
              !std::is_default_constructible_v<device_image<bundle_state::input>> &&
              !std::is_default_constructible_v<kernel_id>);
static_assert(!std::is_default_constructible_v<nd_item<1>> && !std::is_default_constructible_v<item<1>>);
static_assert(group<2>::dimensions == 2 && group<1>::fence_scope == memory_scope::work_group &&
              sub_group::fence_scope == memory_scope::sub_group && sub_group::dimensions == 1);
// Back ends
static_assert(noexcept(std::declval<device>().get_backend()));

template <class T, int N, class R> void vector_operators(vec<T, N> a, const vec<T, N> b, T s) {
  static_assert(
      same<decltype(a + b), vec<T, N>> && same<decltype(a + s), vec<T, N>> && same<decltype(s + a), vec<T, N>> &&
      same<decltype(a == b), vec<R, N>> && same<decltype(a < s), vec<R, N>> && same<decltype(s >= a), vec<R, N>> &&
      same<decltype(a && b), vec<R, N>> && same<decltype(s || b), vec<R, N>> && same<decltype(!a), vec<R, N>>);
  a += b;
  a -= s;
  a *= b;
  a /= s;
  a = b;
  a = s;
  (void)(-a);
  (void)(+a);
  if constexpr (!same<T, bool>) {
    a++;
    ++a;
    a--;
    --a;
  }
  if constexpr (std::is_integral_v<T>) {
    (void)(a % b, a & b, a | s, s ^ b, a << s, s >> a, ~a);
    a %= b;
    a &= s;
    a |= b;
    a ^= s;
    a <<= b;
    a >>= s;
  }
  (void)a.template convert<float>();
  (void)a.template convert<T, rounding_mode::rte>();
  (void)a.template as<vec<T, N>>();
  (void)a[0];
  static_assert(a.size() == N && a.byte_size() == sizeof(a));
  (void)a.get_size();
  (void)a.get_count();
  multi_ptr<const T, access::address_space::private_space, access::decorated::no> mp;
  multi_ptr<T, access::address_space::private_space, access::decorated::yes> mw;
  if (false) {
    a.load(0, mp);
    a.store(0, mw);
  }
  if constexpr (N > 1) {
    (void)a.lo();
    (void)a.hi();
    (void)a.odd();
    (void)a.even();
    vec<T, (N == 3 ? 2 : N / 2)> lo{a.lo()};
    (void)lo;
  }
  (void)a.s0();
  vec<T, 1> one{a.template swizzle<0>()};
  (void)one;
}
template <class R, class... T> void all_sizes() {
  ((void)&vector_operators<T, 1, R>, ...);
  ((void)&vector_operators<T, 2, R>, ...);
  ((void)&vector_operators<T, 3, R>, ...);
  ((void)&vector_operators<T, 4, R>, ...);
  ((void)&vector_operators<T, 16, R>, ...);
}
template void all_sizes<int8_t, char, signed char, unsigned char, bool>();
template void all_sizes<int16_t, short, unsigned short, half>();
template void all_sizes<int32_t, int, unsigned, float>();
template void all_sizes<int64_t, long, unsigned long, long long, unsigned long long, double>();
static_assert(std::is_trivially_copyable_v<vec<float, 3>> && sizeof(vec<float, 3>) == 16 &&
              alignof(vec<double, 4>) == 32);
static_assert(same<decltype(vec(1, 2, 3, 4)), vec<int, 4>> && same<float4::element_type, float> &&
              same<float4::value_type, float>);
constexpr vec<int, 4> cv(1, 2, 3, 4);
constexpr vec<int, 4> cv2 = cv;
constexpr marray<int, 4> cm(1, 2, 3, 4);
static_assert(cm[2] == 3);
void swizzles(float4 v) {
  v.xyzw();
  v.xy() = float2(1, 2);
  v.swizzle<0, 1>() += float2(1);
  float4 w = v.swizzle<3, 2, 1, 0>();
  (void)w;
  v.x() = 3;
  v.rgba();
  v.bgr();
  auto s = v.swizzle<0, 1>();
  (void)s.lo();
  (void)s.x();
  (void)(s + s);
  (void)(s * 2.0f);
  (void)(2.0f * s);
  (void)(s == s);
  (void)(s + float2(1));
  (void)(float2(1) + s);
  (void)-s;
  (void)!s;
  (void)s.convert<int>();
  (void)s.as<int2>();
  s = 1.0f;
  s++;
  (void)sqrt(s);
  (void)(s < 1.0f);
  s[0] = 2;
}
template <class T, size_t N> void array_operators(marray<T, N> a, const marray<T, N> b, T s) {
  using B = marray<bool, N>;
  static_assert(same<decltype(a == b), B> && same<decltype(a < s), B> && same<decltype(s && b), B> &&
                same<decltype(!a), B>);
  (void)(a + b, a - s, s * a, a / b);
  a += b;
  a -= s;
  a = s;
  (void)(-a);
  (void)(+a);
  for (T &x : a) x = 1;
  (void)a.size();
  (void)a.begin();
  (void)b.end();
  if constexpr (!same<T, bool>) {
    ++a;
    a++;
    --a;
    a--;
  }
  if constexpr (std::is_integral_v<T>) {
    (void)(a % b, a & s, s | b, a ^ b, a << s, s >> a, ~a);
    a %= b;
    a &= s;
    a |= b;
    a ^= s;
    a <<= b;
    a >>= s;
  }
}
template void array_operators(marray<int, 5>, const marray<int, 5>, int);
template void array_operators(marray<float, 1>, const marray<float, 1>, float);
template void array_operators(marray<bool, 3>, const marray<bool, 3>, bool);
template void array_operators(marray<half, 17>, const marray<half, 17>, half);
template void array_operators(marray<long, 2>, const marray<long, 2>, long);
static_assert(same<mint2, marray<int, 2>> && same<mfloat16, marray<float, 16>> &&
              same<muchar3, marray<unsigned char, 3>> && same<mbool4, marray<bool, 4>> &&
              same<mhalf4, marray<half, 4>> && same<mdouble3, marray<double, 3>>);
static_assert(same<char4, vec<int8_t, 4>> && same<uchar4, vec<uint8_t, 4>> && same<long3, vec<int64_t, 3>> &&
              same<half8, vec<half, 8>>);
static_assert(same<decltype(marray(1, 2, 3)), marray<int, 3>>);
static_assert(marray<int, 3>().size() == 3 && is_device_copyable_v<marray<float, 3>> &&
              is_device_copyable_v<vec<float, 3>>);
static_assert(is_device_copyable_v<std::pair<int, float>> && is_device_copyable_v<std::tuple<int, float>> &&
              is_device_copyable_v<std::array<int, 3>> && is_device_copyable_v<std::optional<int>> &&
              is_device_copyable_v<std::variant<int, float>> && is_device_copyable_v<std::basic_string_view<char>> &&
              is_device_copyable_v<span<int>> && is_device_copyable_v<int[4]> && is_device_copyable_v<const int> &&
              !is_device_copyable_v<std::vector<int>> && !is_device_copyable_v<std::string>);
// Reductions
void reductions(handler &h, buffer<int> b, int *p, span<int, 4> sp) {
  auto r1 = reduction(b, h, plus<>());
  auto r2 = reduction(p, plus<int>());
  auto r3 = reduction(sp, plus<>());
  auto r4 = reduction(b, h, 0, plus<>());
  auto r5 = reduction(p, 0, [](int a, int b) { return a + b; });
  auto r6 = reduction(sp, 0, plus<>());
  auto r7 = reduction(p, plus<>(), property_list{property::reduction::initialize_to_identity()});
  h.parallel_for(range<1>(4), r1, r2, r3, r4, r5, r6, r7,
                 [=](id<1>, auto &a, auto &b, auto &c, auto &d, auto &e, auto &f, auto &g) {
                   a += 1;
                   a.combine(1).combine(2);
                   ++b;
                   c[0] += 1;
                   c[1].combine(1);
                   d.combine(3);
                   e.combine(4);
                   f[2] += 1;
                   g += 2;
                   (void)a.identity();
                   using r = std::remove_reference_t<decltype(a)>;
                   static_assert(same<typename r::value_type, int> && r::dimensions == 0 &&
                                 same<typename r::binary_operation, plus<>>);
                   static_assert(!std::is_copy_constructible_v<r> && !std::is_copy_assignable_v<r>);
                   using r3t = std::remove_reference_t<decltype(c)>;
                   static_assert(r3t::dimensions == 1);
                 });
}
// Function objects & identities
static_assert(same<decltype(plus<>()(1, 2)), int> && plus<int>()(1, 2) == 3 && minimum<>()(1, 2) == 1 &&
              logical_and<>()(true, false) == false && bit_xor<int>()(1, 3) == 2);
static_assert(has_known_identity_v<plus<>, int> && has_known_identity<maximum<float>, float>::value &&
              known_identity_v<plus<>, int> == 0 && known_identity<multiplies<>, int>::value == 1 &&
              has_known_identity_v<logical_and<>, bool> && !has_known_identity_v<plus<>, std::string>);
// Usm
void usm_memory(queue q, device d, context c, property_list p) {
  (void)malloc_device(4, q);
  (void)malloc_device(4, q, p);
  (void)malloc_device(4, d, c);
  (void)malloc_device(4, d, c, p);
  (void)malloc_device<int>(4, q);
  (void)malloc_device<int>(4, d, c, p);
  (void)aligned_alloc_device(4, 4, q);
  (void)aligned_alloc_device(4, 4, d, c, p);
  (void)aligned_alloc_device<int>(4, 4, q, p);
  (void)aligned_alloc_device<int>(4, 4, d, c);
  (void)malloc_host(4, q);
  (void)malloc_host(4, c);
  (void)malloc_host(4, c, p);
  (void)malloc_host<int>(4, q, p);
  (void)malloc_host<int>(4, c);
  (void)aligned_alloc_host(4, 4, q);
  (void)aligned_alloc_host(4, 4, c, p);
  (void)aligned_alloc_host<int>(4, 4, q);
  (void)aligned_alloc_host<int>(4, 4, c, p);
  (void)malloc_shared(4, q);
  (void)malloc_shared(4, d, c);
  (void)malloc_shared<int>(4, q, p);
  (void)malloc_shared<int>(4, d, c, p);
  (void)aligned_alloc_shared(4, 4, q, p);
  (void)aligned_alloc_shared(4, 4, d, c);
  (void)aligned_alloc_shared<int>(4, 4, q);
  (void)aligned_alloc_shared<int>(4, 4, d, c, p);
  (void)sycl::malloc(4, q, usm::alloc::host);
  (void)sycl::malloc(4, d, c, usm::alloc::host, p);
  (void)sycl::malloc<int>(4, q, usm::alloc::host, p);
  (void)sycl::malloc<int>(4, d, c, usm::alloc::host);
  (void)sycl::aligned_alloc(4, 4, q, usm::alloc::host);
  (void)sycl::aligned_alloc(4, 4, d, c, usm::alloc::host, p);
  (void)sycl::aligned_alloc<int>(4, 4, q, usm::alloc::host);
  (void)sycl::aligned_alloc<int>(4, 4, d, c, usm::alloc::host, p);
  sycl::free(nullptr, q);
  sycl::free(nullptr, c);
  (void)get_pointer_type(nullptr, c);
  (void)get_pointer_device(nullptr, c);
  usm_allocator<int, usm::alloc::shared> a1(q), a2(c, d), a3(q, p), a4(c, d, p);
  usm_allocator<int, usm::alloc::host, 64> a5(q);
  (void)(a1 == a2);
  (void)(a1 != a3);
  usm_allocator<float, usm::alloc::shared> a6(a1);
  (void)a4;
  (void)a5;
  (void)a6;
  static_assert(!std::is_default_constructible_v<usm_allocator<int, usm::alloc::shared>>);
}
// Kernel args, specialization
constexpr specialization_id<int> si(3);
constexpr specialization_id<float4> sf(1.0f, 2.0f, 3.0f, 4.0f);
void specialization_constants(handler &h) {
  h.set_specialization_constant<si>(4);
  int x = h.get_specialization_constant<si>();
  (void)x;
  h.single_task([](kernel_handler k) { (void)k.get_specialization_constant<si>(); });
}
// Nd stuff
static_assert(nd_range<2>::dimensions == 2 && std::is_constructible_v<nd_range<1>, range<1>, range<1>, id<1>>);
template <int D> void work_items(nd_item<D> i) {
  (void)i.get_global_id();
  (void)i.get_global_id(0);
  (void)i.get_global_linear_id();
  (void)i.get_local_id();
  (void)i.get_local_id(0);
  (void)i.get_local_linear_id();
  group<D> g = i.get_group();
  sub_group s = i.get_sub_group();
  (void)i.get_group(0);
  (void)i.get_group_linear_id();
  (void)i.get_group_range();
  (void)i.get_group_range(0);
  (void)i.get_global_range(0);
  (void)i.get_local_range(0);
  (void)i.get_offset();
  (void)i.get_nd_range();
  (void)g.get_group_id(0);
  (void)g[0];
  (void)g.get_local_range(0);
  (void)g.get_group_range(0);
  (void)g.get_max_local_range();
  (void)g.leader();
  (void)s.leader();
  (void)s.get_group_linear_range();
  (void)g.get_local_id(0);
  static_assert(same<decltype(s.get_group_linear_id()), uint32_t> && same<decltype(g.get_group_linear_id()), size_t>);
}
template void work_items(nd_item<1>);
template void work_items(nd_item<3>);
static_assert(is_group_v<group<2>> && is_group_v<sub_group> && !is_group_v<int>);

}  // namespace specification_calls
