// The types of SYCL 2020's members, constants and conversions, as its text declares them. Nothing here runs.
#include <array>
#include <optional>
#include <variant>

#include <sycl/sycl.hpp>

#pragma GCC diagnostic ignored "-Wunused"

namespace specification_types {

using namespace sycl;

template <class A, class B> inline constexpr bool same = std::is_same_v<A, B>;

// Access
static_assert(access::decorated::no != access::decorated::yes);
static_assert(same<remove_decoration_t<int *>, int *> && same<remove_decoration<int &>::type, int &>);
static_assert(same<access::target, target>);
static_assert(target::global_buffer == target::device);
// Accessor
using acc = accessor<int, 2, access_mode::read_write>;
static_assert(acc::dimensions == 2 && acc::access_mode == access_mode::read_write &&
              acc::access_target == target::device);
static_assert(same<acc::value_type, int> && same<accessor<int, 1, access_mode::read>::value_type, const int>);
static_assert(same<accessor<int, 1, access_mode::read>::reference, const int &>);
static_assert(same<accessor<const int, 1>::const_reference, const int &>);
static_assert(same<acc::size_type, size_t>);
static_assert(accessor<const int, 1>::access_mode == access_mode::read);
static_assert(noexcept(std::declval<acc>().byte_size()) && noexcept(std::declval<acc>().size()) &&
              noexcept(std::declval<acc>().empty()));
static_assert(std::random_access_iterator<acc::iterator>);
using hacc = accessor<int, 1, access_mode::read_write, target::host_task>;
static_assert(same<decltype(std::declval<hacc>().get_pointer()), int *>);
static_assert(same<decltype(std::declval<acc>().get_pointer()), global_ptr<int>>);
static_assert(same<decltype(std::declval<acc>().get_multi_ptr<access::decorated::yes>()),
                   acc::accessor_ptr<access::decorated::yes>>);
using racc = accessor<int, 1, access_mode::read>;
static_assert(same<decltype(std::declval<racc>().get_multi_ptr<access::decorated::yes>()),
                   multi_ptr<const int, access::address_space::global_space, access::decorated::yes>>);
static_assert(same<decltype(std::declval<racc>()[0]), const int &>);
static_assert(same<decltype(std::declval<racc>().get_offset()), id<1>>);
static_assert(std::is_convertible_v<accessor<int>, racc> && std::is_convertible_v<accessor<int>, accessor<const int>>);
static_assert(std::is_convertible_v<accessor<const int, 1, access_mode::read>, accessor<int, 1, access_mode::read>>);
static_assert(std::is_convertible_v<accessor<int, 1, access_mode::read>, accessor<const int, 1, access_mode::read>>);
static_assert(!std::is_convertible_v<accessor<int, 1, access_mode::read>, accessor<int>>);
static_assert(std::is_default_constructible_v<acc>);
static_assert(std::is_copy_constructible_v<acc> && std::is_move_assignable_v<acc>);
// Local_accessor
using lacc = local_accessor<int, 2>;
static_assert(lacc::dimensions == 2 && same<lacc::value_type, int> &&
              same<local_accessor<const int>::value_type, const int>);
static_assert(std::is_default_constructible_v<lacc>);
static_assert(std::is_convertible_v<local_accessor<int>, local_accessor<const int>>);
static_assert(same<decltype(std::declval<lacc>().get_pointer()), local_ptr<int>>);
static_assert(same<decltype(std::declval<lacc>().get_multi_ptr<access::decorated::no>()),
                   multi_ptr<int, access::address_space::local_space, access::decorated::no>>);
static_assert(same<local_accessor<int, 0>::reference, int &>);
// Host_accessor
using ha = host_accessor<int, 1>;
static_assert(ha::dimensions == 1 && ha::access_mode == access_mode::read_write);
static_assert(same<decltype(std::declval<ha>().get_pointer()), std::add_pointer_t<int>>);
static_assert(same<host_accessor<int, 1, access_mode::read>::value_type, const int>);
static_assert(host_accessor<const int>::access_mode == access_mode::read);
static_assert(std::is_default_constructible_v<ha>);
static_assert(std::is_convertible_v<host_accessor<int>, host_accessor<const int>>);
// Multi_ptr
using mp = multi_ptr<int, access::address_space::global_space, access::decorated::yes>;
using mpn = multi_ptr<int, access::address_space::global_space, access::decorated::no>;
using mpg = multi_ptr<int, access::address_space::generic_space, access::decorated::no>;
static_assert(mp::is_decorated && !mpn::is_decorated && mp::address_space == access::address_space::global_space);
static_assert(same<mp::iterator_category, std::random_access_iterator_tag> &&
              same<mp::difference_type, std::ptrdiff_t>);
static_assert(same<remove_decoration_t<mp::pointer>, int *> && same<remove_decoration_t<mp::reference>, int &>);
static_assert(std::is_convertible_v<std::nullptr_t, mp>);
static_assert(std::is_convertible_v<mp, mpn> && std::is_convertible_v<mpn, mp>);
static_assert(
    std::is_convertible_v<mpn, multi_ptr<const int, access::address_space::global_space, access::decorated::no>>);
static_assert(
    std::is_convertible_v<mpn, multi_ptr<const int, access::address_space::global_space, access::decorated::yes>>);
static_assert(std::is_convertible_v<mpn, multi_ptr<void, access::address_space::global_space, access::decorated::yes>>);
static_assert(
    std::is_convertible_v<multi_ptr<const int, access::address_space::global_space, access::decorated::no>,
                          multi_ptr<const void, access::address_space::global_space, access::decorated::yes>>);
static_assert(std::is_assignable_v<mpg &, mp> && std::is_assignable_v<mpg &, const mpn &> &&
              std::is_assignable_v<mpg &, std::nullptr_t>);
static_assert(
    std::is_constructible_v<mpn, mpg> &&
    std::is_constructible_v<multi_ptr<const int, access::address_space::local_space, access::decorated::yes>, mpg>);
static_assert(
    std::is_constructible_v<mpn, multi_ptr<void, access::address_space::global_space, access::decorated::no>>);
static_assert(std::is_convertible_v<multi_ptr<void, access::address_space::global_space, access::decorated::no>,
                                    multi_ptr<const void, access::address_space::global_space, access::decorated::no>>);
static_assert(std::is_constructible_v<mpn, accessor<int, 2>> &&
              !std::is_constructible_v<mpn, accessor<int, 1, access_mode::read>>);
static_assert(std::is_constructible_v<multi_ptr<const int, access::address_space::global_space, access::decorated::no>,
                                      accessor<int, 1, access_mode::read>>);
static_assert(std::is_constructible_v<multi_ptr<void, access::address_space::global_space, access::decorated::no>,
                                      accessor<int, 1>>);
static_assert(std::is_constructible_v<multi_ptr<int, access::address_space::local_space, access::decorated::no>,
                                      local_accessor<int, 1>>);
static_assert(
    std::is_constructible_v<multi_ptr<const void, access::address_space::generic_space, access::decorated::no>,
                            local_accessor<int, 1>>);
template <class T> bool relations(T a, T b) {
  return a == b || a != b || a < b || a > b || a <= b || a >= b || a == nullptr || a != nullptr || a < nullptr ||
         a > nullptr || a <= nullptr || a >= nullptr || nullptr == a || nullptr != a || nullptr < a || nullptr > a ||
         nullptr <= a || nullptr >= a;
}
bool compare(mp a, mpn b, mpg c, multi_ptr<void, access::address_space::global_space, access::decorated::no> d) {
  return relations(a, a) || relations(b, b) || relations(c, c) || relations(d, d);
}
void pointer_arithmetic(mpn a) {
  ++a;
  a++;
  --a;
  a--;
  a += 1;
  a -= 1;
  mpn b = a + 1;
  b = b - 1;
  *b = 1;
  b[0] = 2;
  (void)b.get();
  (void)b.get_raw();
  (void)b.get_decorated();
  int *p = b.get();
  (void)p;
  a.prefetch(4);
}
void guides(accessor<int, 1, access_mode::read> r, accessor<int, 1, access_mode::write> w, accessor<int> rw,
            local_accessor<int, 1> l) {
  static_assert(
      same<decltype(multi_ptr(r)), multi_ptr<const int, access::address_space::global_space, access::decorated::no>>);
  static_assert(same<decltype(multi_ptr(w)), mpn>);
  static_assert(same<decltype(multi_ptr(rw)), mpn>);
  static_assert(
      same<decltype(multi_ptr(l)), multi_ptr<int, access::address_space::local_space, access::decorated::no>>);
}
static_assert(
    same<decltype(address_space_cast<access::address_space::global_space, access::decorated::yes>((int *)nullptr)),
         mp>);
static_assert(
    same<decltype(make_ptr<int, access::address_space::global_space, access::decorated::no>((int *)nullptr)), mpn>);
// Pointer aliases with one argument
static_assert(same<raw_global_ptr<int>, mpn> && same<decorated_global_ptr<int>, mp> &&
              same<generic_ptr<int, access::decorated::yes>,
                   multi_ptr<int, access::address_space::generic_space, access::decorated::yes>>);
static_assert(same<local_ptr<int>, multi_ptr<int, access::address_space::local_space, access::decorated::legacy>>);
// Exception
static_assert(same<async_handler, std::function<void(exception_list)>>);
static_assert(std::is_base_of_v<std::exception, exception>);
static_assert(std::is_constructible_v<exception, std::error_code, std::string> &&
              std::is_constructible_v<exception, std::error_code, const char *> &&
              std::is_constructible_v<exception, std::error_code>);
static_assert(std::is_constructible_v<exception, int, const std::error_category &, std::string> &&
              std::is_constructible_v<exception, int, const std::error_category &>);
static_assert(std::is_constructible_v<exception, context, std::error_code, std::string> &&
              std::is_constructible_v<exception, context, std::error_code> &&
              std::is_constructible_v<exception, context, int, const std::error_category &, const char *>);
static_assert(std::is_constructible_v<exception, context, int, const std::error_category &>);
static_assert(std::is_error_code_enum_v<errc>);
static_assert(same<decltype(std::declval<const exception>().code()), const std::error_code &>);
static_assert(std::is_nothrow_copy_constructible_v<exception>);
static_assert(noexcept(make_error_code(errc::success)) && noexcept(sycl_category()));
static_assert(same<exception_list::value_type, std::exception_ptr> && same<exception_list::size_type, size_t>);
static_assert(same<decltype(std::declval<const exception_list>().begin()), exception_list::iterator>);

template <class T> using ar = atomic_ref<T, memory_order::acq_rel, memory_scope::device>;
static_assert(same<ar<int>::difference_type, int> && same<ar<float>::difference_type, float> &&
              same<ar<int *>::difference_type, std::ptrdiff_t>);
static_assert(ar<int>::default_read_order == memory_order::acquire &&
              ar<int>::default_write_order == memory_order::release &&
              ar<int>::default_read_modify_write_order == memory_order::acq_rel &&
              ar<int>::default_scope == memory_scope::device);
static_assert(!std::is_copy_assignable_v<ar<int>> && std::is_nothrow_copy_constructible_v<ar<int>> &&
              !std::is_convertible_v<int &, ar<int>>);
void atomics(ar<int> i, ar<float> f, ar<int *> p, int e, float fe, int *pe, ar<unsigned long long> u, ar<double> d,
             ar<long> l) {
  i++;
  ++i;
  i--;
  --i;
  i += 1;
  i -= 1;
  i &= 1;
  i |= 1;
  i ^= 1;
  i = 3;
  int x = i;
  (void)x;
  i.fetch_min(1, memory_order::relaxed, memory_scope::system);
  i.fetch_max(1);
  i.fetch_xor(1);
  f += 1;
  f -= 1;
  f.fetch_add(1);
  f.fetch_sub(1);
  f.fetch_min(1);
  f.fetch_max(1);
  f = 1;
  float y = f;
  (void)y;
  p++;
  ++p;
  p--;
  --p;
  p += 1;
  p -= 1;
  p.fetch_add(1);
  p.fetch_sub(1, memory_order::relaxed);
  p = pe;
  int *z = p;
  (void)z;
  i.compare_exchange_weak(e, 1);
  i.compare_exchange_weak(e, 1, memory_order::relaxed, memory_order::relaxed);
  i.compare_exchange_strong(e, 1, memory_order::relaxed, memory_scope::device);
  f.compare_exchange_strong(fe, 1, memory_order::relaxed, memory_order::relaxed, memory_scope::device);
  p.compare_exchange_strong(pe, pe);
  (void)i.is_lock_free();
  i.store(1, memory_order::relaxed);
  (void)i.load(memory_order::relaxed, memory_scope::work_group);
  (void)i.exchange(3);
  u++;
  d += 1;
  l ^= 1;
  static_assert(ar<int>::required_alignment >= 4 && ar<int>::is_always_lock_free);
}
// Groups: the queries that a stored group can answer on the host, too
template <class Group>
concept queries_are_noexcept = requires(const Group &g) {
  { g.get_group_id() } noexcept;
  { g.get_local_range() } noexcept;
  { g.get_group_range() } noexcept;
  { g.get_max_local_range() } noexcept;
  { g.get_group_linear_id() } noexcept;
  { g.get_group_linear_range() } noexcept;
  { g.get_local_linear_range() } noexcept;
};
static_assert(queries_are_noexcept<group<1>> && queries_are_noexcept<group<3>> && queries_are_noexcept<sub_group>);
static_assert(noexcept(std::declval<const group<2>>()[0]) && noexcept(std::declval<const group<2>>().get_group_id(0)) &&
              noexcept(std::declval<const group<2>>().get_local_range(1)));
static_assert(noexcept(std::declval<const sub_group>().get_local_id()) &&
              noexcept(std::declval<const sub_group>().get_local_linear_id()) &&
              noexcept(std::declval<const sub_group>().leader()));
// Properties
static_assert(is_property_v<property::buffer::use_host_ptr> && is_property<property::no_init>::value &&
              is_property_of_v<property::buffer::use_mutex, buffer<int>> &&
              is_property_of<property::queue::in_order, queue>::value);
static_assert(is_property_of_v<property::image::use_host_ptr, unsampled_image<2>> &&
              is_property_of_v<property::image::use_mutex, sampled_image<2>> &&
              is_property_of_v<property::no_init, accessor<int>> &&
              is_property_of_v<property::no_init, host_accessor<int>> &&
              is_property_of_v<property::no_init, unsampled_image_accessor<float4, 2, access_mode::write>>);
static_assert(!is_property_of_v<property::queue::in_order, buffer<int>> && !is_property_v<int>);
static_assert(std::is_default_constructible_v<property_list>);
template <class T>
concept has_props = requires(const T &t) {
  { t.template has_property<property::no_init>() } noexcept;
  t.template get_property<property::no_init>();
};
static_assert(has_props<buffer<int>>);
static_assert(has_props<accessor<int>>);
static_assert(has_props<host_accessor<int>>);
static_assert(has_props<local_accessor<int>>);
static_assert(has_props<queue>);
static_assert(has_props<context>);
static_assert(has_props<stream>);
static_assert(has_props<unsampled_image<2>>);
static_assert(has_props<sampled_image<2>>);
static_assert(has_props<unsampled_image_accessor<float4, 2, access_mode::write>>);
static_assert(has_props<host_unsampled_image_accessor<float4, 2, access_mode::read>>);
static_assert(has_props<sampled_image_accessor<float4, 2>>);
static_assert(has_props<host_sampled_image_accessor<float4, 2>>);
static_assert(has_props<usm_allocator<int, usm::alloc::shared>>);
// Buffer
using b2 = buffer<int, 2>;
static_assert(same<b2::allocator_type, buffer_allocator<int>> && same<b2::reference, int &> &&
              same<b2::const_reference, const int &>);
void buffers(handler &h, b2 b, std::vector<int> v, const std::vector<int> cv, int *p, const int *cp,
             std::shared_ptr<int> sp, std::shared_ptr<int[]> spa, std::allocator<int> al, property_list pl,
             std::mutex m, context c) {
  static_assert(same<decltype(b.get_access(h)), accessor<int, 2>>);
  static_assert(same<decltype(b.get_access<access_mode::read>(h)), accessor<int, 2, access_mode::read>>);
  static_assert(same<decltype(b.get_access<access_mode::read, target::host_task>(h, range<2>(1, 1))),
                     accessor<int, 2, access_mode::read, target::host_task>>);
  static_assert(
      same<decltype(b.get_access<access_mode::read>(h, range<2>(1, 1), id<2>())), accessor<int, 2, access_mode::read>>);
  static_assert(
      same<decltype(b.get_access<access_mode::read>()), accessor<int, 2, access_mode::read, target::host_buffer>>);
  static_assert(same<decltype(b.get_host_access(read_only)), host_accessor<int, 2, access_mode::read>>);
  static_assert(same<decltype(b.get_access(h, read_only)), accessor<int, 2, access_mode::read>>);
  static_assert(same<decltype(b.get_access()), accessor<int, 2>>);
  static_assert(
      same<decltype(b.get_access(h, read_only_host_task)), accessor<int, 2, access_mode::read, target::host_task>>);
  static_assert(same<decltype(b.reinterpret<float, 1>(range<1>(4))), buffer<float, 1, std::allocator<float>>>);
  static_assert(same<decltype(b.reinterpret<float>()), buffer<float, 2>>);
  static_assert(same<decltype(b.reinterpret<float, 2>()), buffer<float, 2>>);
  static_assert(noexcept(b.byte_size()) && noexcept(b.size()));
  buffer<int> x1(v);
  buffer<int> x2(v, al);
  buffer<int> x3(v, al, pl);
  buffer<int> x4(v, pl);
  buffer<int> x5(p, range<1>(1));
  buffer<int> x6(cp, range<1>(1), al);
  buffer<int> x7(sp, range<1>(1));
  buffer<int> x8(spa, range<1>(1), al);
  buffer<int> x9(v.begin(), v.end());
  buffer<int> x10(v.begin(), v.end(), al);
  buffer<int> x11(cv.begin(), cv.end(), pl);
  buffer<int> x12(range<1>(1), al);
  buffer<const int> x13(cv);
  buffer<const int> x14(cp, range<1>(2));
  buffer y1(v);
  buffer y2(v, al);
  buffer y3(v.begin(), v.end());
  buffer y4(v.begin(), v.end(), al);
  buffer y5(cp, range<2>(1, 1));
  buffer y6(p, range<1>(1), al);
  buffer y7(cv);
  std::array<float, 4> arr;
  buffer y8(arr);
  static_assert(same<decltype(y1), buffer<int, 1, buffer_allocator<int>>> &&
                same<decltype(y4), buffer<int, 1, std::allocator<int>>> && same<decltype(y5), buffer<int, 2>> &&
                same<decltype(y7), buffer<int, 1>> && same<decltype(y8), buffer<float>>);
  property::buffer::use_mutex um(m);
  (void)um.get_mutex_ptr();
  property::buffer::context_bound cbd(c);
  (void)cbd.get_context();
  (void)b.get_allocator();
  b.set_final_data();
  b.set_write_back();
  (void)(b == b);
  (void)std::hash<b2>()(b);
}
// Images
void images(handler &h, unsampled_image<2> u, sampled_image<2> s, std::shared_ptr<void> sp,
            std::shared_ptr<const void> scp, void *vp, image_allocator al) {
  static_assert(same<decltype(u.get_access<float4, access_mode::read>(h)),
                     unsampled_image_accessor<float4, 2, access_mode::read>>);
  static_assert(
      same<decltype(u.get_access<const float4>(h)), unsampled_image_accessor<const float4, 2, access_mode::read>>);
  static_assert(same<decltype(u.get_access<float4, access_mode::write, image_target::host_task>(h)),
                     unsampled_image_accessor<float4, 2, access_mode::write, image_target::host_task>>);
  static_assert(same<decltype(u.get_host_access<float4, access_mode::read>()),
                     host_unsampled_image_accessor<float4, 2, access_mode::read>>);
  static_assert(
      same<decltype(u.get_host_access<float4>()), host_unsampled_image_accessor<float4, 2, access_mode::read_write>>);
  static_assert(
      same<decltype(u.get_access<float4>(h, read_only)), unsampled_image_accessor<float4, 2, access_mode::read>>);
  static_assert(same<decltype(s.get_access<float4>(h)), sampled_image_accessor<float4, 2, image_target::device>>);
  static_assert(same<decltype(s.get_host_access<float4>()), host_sampled_image_accessor<float4, 2>>);
  unsampled_image_accessor<float4, 2, access_mode::read> a1(u, h);
  unsampled_image_accessor<float4, 2, access_mode::write> a2(u, h, property_list{});
  unsampled_image_accessor<float4, 2, access_mode::read> a3(u, h, read_only);
  static_assert(decltype(a1)::dimensions == 2 && decltype(a1)::access_mode == access_mode::read &&
                decltype(a1)::access_target == image_target::device);
  static_assert(same<decltype(a1)::value_type, const float4> && same<decltype(a2)::value_type, float4> &&
                same<decltype(a1)::reference, const float4 &>);
  host_unsampled_image_accessor<float4, 2> b1(u);
  host_unsampled_image_accessor<const float4, 2> b2(u);
  (void)b1.read(int2(0, 0));
  b1.write(int2(0, 0), float4(1));
  (void)b2;
  static_assert(decltype(b1)::access_mode == access_mode::read_write);
  sampled_image_accessor<float4, 2> c1(s, h);
  (void)c1;
  host_sampled_image_accessor<float4, 2> d1(s);
  (void)d1.read(float2(0, 0));
  unsampled_image<2> i1(image_format::r8g8b8a8_unorm, range<2>(1, 1)),
      i2(image_format::r8g8b8a8_unorm, range<2>(1, 1), al),
      i3(image_format::r8g8b8a8_unorm, range<2>(1, 1), range<1>(4)),
      i4(image_format::r8g8b8a8_unorm, range<2>(1, 1), range<1>(4), al),
      i5(vp, image_format::r8g8b8a8_unorm, range<2>(1, 1), range<1>(4), al),
      i6(sp, image_format::r8g8b8a8_unorm, range<2>(1, 1), range<1>(4));
  image_sampler smp{addressing_mode::clamp, coordinate_mode::normalized, filtering_mode::linear};
  (void)smp;
  static_assert(std::is_aggregate_v<image_sampler>);
  sampled_image<2> s1(vp, image_format::r8g8b8a8_unorm, smp, range<2>(1, 1)),
      s2(scp, image_format::r8g8b8a8_unorm, smp, range<2>(1, 1), range<1>(4));
  static_assert(same<decltype(u.get_pitch()), range<1>> && noexcept(u.byte_size()) && noexcept(u.size()));
}
// Ranges
template <class T> void index_operators(T a, const T b) {
  (void)(a + b, a - b, a * b, a / b, a % b, a << b, a >> b, a & b, a | b, a ^ b, a && b, a || b, a<b, a> b, a <= b,
         a >= b);
  (void)(a + 1, a - 1, a * 1, a / 1, a % 1, a << 1, a >> 1, a & 1, a | 1, a ^ 1, a && 1, a || 1, a < 1, a > 1, a <= 1,
         a >= 1);
  (void)(size_t(1) + a, size_t(1) - a, size_t(1) * a, size_t(1) / a, size_t(1) % a, size_t(1) << a, size_t(1) >> a,
         size_t(1) & a, size_t(1) | a, size_t(1) ^ a, size_t(1) && a, size_t(1) || a, size_t(1) < a, size_t(1) > a,
         size_t(1) <= a, size_t(1) >= a);
  a += b;
  a -= b;
  a *= b;
  a /= b;
  a %= b;
  a <<= b;
  a >>= b;
  a &= b;
  a |= b;
  a ^= b;
  a += 1;
  a -= 1;
  a *= 1;
  a /= 1;
  a %= 1;
  a <<= 1;
  a >>= 1;
  a &= 1;
  a |= 1;
  a ^= 1;
  (void)(+a);
  (void)(-a);
  ++a;
  --a;
  a++;
  a--;
  (void)(a == b);
  (void)(a != b);
  (void)a.get(0);
  (void)a[0];
  a[0] = 3;
  (void)std::hash<T>()(a);
  static_assert(T::dimensions > 0);
  static_assert(std::is_trivially_copyable_v<T>);
}
template void index_operators(range<2>, const range<2>);
template void index_operators(range<3>, const range<3>);
template void index_operators(id<2>, const id<2>);
template void index_operators(id<3>, const id<3>);
template void index_operators(range<1>, const range<1>);
static_assert(std::is_default_constructible_v<range<3>> && std::is_constructible_v<id<2>, range<2>> &&
              std::is_constructible_v<id<2>, item<2>> && std::is_convertible_v<id<1>, size_t>);
static_assert(!std::is_constructible_v<range<2>, size_t>);

}  // namespace specification_types
