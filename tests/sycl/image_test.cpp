// Images: all formats, addressing and filtering modes, pitches, write-back, against elements computed on the host.
#include <array>
#include <cmath>
#include <cstring>
#include <list>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

using sycl::addressing_mode;
using sycl::coordinate_mode;
using sycl::filtering_mode;
using sycl::image_format;
using test::error_of;

class images : public testing::Test {
protected:
  sycl::queue q;

  /// Writes colors to a 2-D image in a kernel, reads them in another, and returns what it read.
  template <class Vector> std::vector<Vector> round_trip(image_format format, const std::vector<Vector> &colors) {
    const sycl::range<2> extent(5, 3);
    sycl::unsampled_image<2> image(format, extent);
    shared_array<Vector> in(colors, q), out(15, q);
    q.submit([&](sycl::handler &h) {
      sycl::unsampled_image_accessor<Vector, 2, sycl::access_mode::write> to(image, h, sycl::write_only);
      h.parallel_for(extent,
                     [=, p = in.get()](sycl::item<2> i) { to.write(sycl::int2(i[0], i[1]), p[i[1] * 5 + i[0]]); });
    });
    q.submit([&](sycl::handler &h) {
      auto from = image.get_access<Vector>(h, sycl::read_only);
      h.parallel_for(extent,
                     [=, p = out.get()](sycl::item<2> i) { p[i[1] * 5 + i[0]] = from.read(sycl::int2(i[0], i[1])); });
    });
    q.wait();
    return out.values();
  }
};

template <class T> bool equal(const sycl::vec<T, 4> &a, const sycl::vec<T, 4> &b) {
  for (int c = 0; c < 4; c++)
    if (!(a[c] == b[c])) return false;
  return true;
}

}  // namespace

TEST_F(images, formats_keep_what_they_can_represent) {
  struct row {
    image_format format;
    float steps;  // of normalized formats; 0: floats
  };
  for (const row &r : {row{image_format::r8g8b8a8_unorm, 255}, row{image_format::r16g16b16a16_unorm, 65535},
                       row{image_format::b8g8r8a8_unorm, 255}, row{image_format::r16b16g16a16_sfloat, 0},
                       row{image_format::r32g32b32a32_sfloat, 0}}) {
    std::vector<sycl::float4> colors;
    for (int i = 0; i < 15; i++)
      colors.push_back(r.steps ? sycl::float4(float(i), float(2 * i), r.steps, 0) / r.steps
                               : sycl::float4(-0.5f * float(i), 0.25f, 1000, float(i)));
    const auto read = round_trip(r.format, colors);
    for (int i = 0; i < 15; i++) EXPECT_TRUE(equal(read[i], colors[i])) << int(r.format) << " " << i;
  }
  for (const image_format f :
       {image_format::r8g8b8a8_sint, image_format::r16g16b16a16_sint, image_format::r32b32g32a32_sint}) {
    std::vector<sycl::int4> colors;
    for (int i = 0; i < 15; i++) colors.push_back({i - 7, -128, 127, i * i});
    const auto read = round_trip(f, colors);
    for (int i = 0; i < 11; i++) EXPECT_TRUE(equal(read[i], colors[i])) << int(f) << " " << i;
  }
  for (const image_format f :
       {image_format::r8g8b8a8_uint, image_format::r16g16b16a16_uint, image_format::r32b32g32a32_uint}) {
    std::vector<sycl::uint4> colors;
    for (unsigned i = 0; i < 15; i++) colors.push_back({i, 255, 128, i * i});
    const auto read = round_trip(f, colors);
    for (int i = 0; i < 15; i++) EXPECT_TRUE(equal(read[i], colors[i])) << int(f) << " " << i;
  }
}

TEST_F(images, conversions_round_and_saturate) {
  std::vector<sycl::float4> colors(15, sycl::float4(-1, 2, 0.5f, 1.49f / 255));
  const auto read = round_trip(image_format::r8g8b8a8_unorm, colors);
  EXPECT_TRUE(equal(read[3], sycl::float4(0, 1, 128.0f / 255, 1.0f / 255)));
  const auto integers = round_trip(image_format::r8g8b8a8_sint, std::vector(15, sycl::int4(300, -300, 5, 0)));
  EXPECT_TRUE(equal(integers[0], sycl::int4(127, -128, 5, 0)));
}

TEST_F(images, bytes_in_memory_have_the_order_of_the_format) {
  std::array<std::uint8_t, 8> bytes{};
  {
    sycl::unsampled_image<1> image(bytes.data(), image_format::b8g8r8a8_unorm, sycl::range<1>(2));
    EXPECT_EQ(image.byte_size(), 8u);
    q.submit([&](sycl::handler &h) {
      auto to = image.get_access<sycl::float4>(h, sycl::write_only);
      h.single_task([=] { to.write(1, sycl::float4(1, 0.2f, 0, 0.4f)); });
    });
  }
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 8>{0, 0, 0, 0, 0, 51, 255, 102}));
}

TEST_F(images, pitches_and_slices) {
  const sycl::range<3> extent(3, 2, 2);
  std::vector<float> memory(64, -1);
  {
    sycl::unsampled_image<3> image(memory.data(), image_format::r32g32b32a32_sfloat, extent, sycl::range<2>(64, 128));
    EXPECT_EQ(image.get_pitch(), sycl::range<2>(64, 128));
    EXPECT_EQ(image.size(), 12u);
    EXPECT_EQ(image.get_range(), extent);
    q.submit([&](sycl::handler &h) {
      auto to = image.get_access<sycl::float4>(h);
      h.parallel_for(extent, [=](sycl::item<3> i) {
        to.write(sycl::int4(i[0], i[1], i[2], 0), sycl::float4(float(i[0]), float(i[1]), float(i[2]), 9));
      });
    });
    auto host = image.get_host_access<sycl::float4>(sycl::read_only);
    EXPECT_TRUE(equal(host.read(sycl::int4(2, 1, 1, 0)), sycl::float4(2, 1, 1, 9)));
  }
  EXPECT_EQ(memory[32 + 16 + 8], 2);    // x = 2 in row 1 of slice 1
  EXPECT_EQ(memory[32 + 16 + 12], -1);  // behind the row
  EXPECT_EQ(error_of([&] {
              sycl::unsampled_image<2>(image_format::r8g8b8a8_uint, sycl::range<2>(4, 4), sycl::range<1>(8));
            }).code,
            sycl::errc::invalid);
}

TEST_F(images, sampling_is_that_of_the_specification) {
  constexpr int width = 4, height = 3;
  std::vector<sycl::float4> texels;
  for (int i = 0; i < width * height; i++) texels.push_back({float(i), float(i * i), 1, -float(i)});
  // The specification's formulas in double precision.
  const auto wrapped = [](int i, int n, addressing_mode a) {
    if (a == addressing_mode::repeat) return (i % n + n) % n;
    return std::clamp(i, 0, n - 1);
  };
  const auto reference = [&](double x, double y, const sycl::image_sampler &s) {
    double at[2] = {x, y};
    const int n[2] = {width, height};
    int low[2], high[2];
    double fraction[2];
    for (int d = 0; d < 2; d++) {
      double u = s.coordinate == coordinate_mode::normalized ? at[d] * n[d] : at[d];
      if (s.addressing == addressing_mode::repeat) u = (at[d] - std::floor(at[d])) * n[d];
      if (s.addressing == addressing_mode::mirrored_repeat)
        u = std::fabs(at[d] - 2 * std::nearbyint(0.5 * at[d])) * n[d];
      if (s.filtering == filtering_mode::linear) u -= 0.5;
      low[d] = int(std::floor(u));
      high[d] = low[d] + 1;
      fraction[d] = s.filtering == filtering_mode::linear ? u - low[d] : 0;
    }
    sycl::vec<double, 4> sum(0.0);
    for (int corner = 0; corner < 4; corner++) {
      int p[2];
      double weight = 1;
      for (int d = 0; d < 2; d++) {
        const bool upper = corner >> d & 1;
        p[d] = upper ? high[d] : low[d];
        weight *= upper ? fraction[d] : 1 - fraction[d];
      }
      const bool inside = p[0] >= 0 && p[0] < width && p[1] >= 0 && p[1] < height;
      const bool has_border = s.addressing == addressing_mode::clamp || s.addressing == addressing_mode::none;
      if (has_border && !inside) continue;  // transparent black
      const auto &t =
          texels[std::size_t(wrapped(p[1], height, s.addressing) * width + wrapped(p[0], width, s.addressing))];
      for (int c = 0; c < 4; c++) sum[c] += weight * t[c];
    }
    return sum;
  };

  constexpr int count = 200;
  for (const addressing_mode a : {addressing_mode::none, addressing_mode::clamp, addressing_mode::clamp_to_edge,
                                  addressing_mode::repeat, addressing_mode::mirrored_repeat})
    for (const filtering_mode f : {filtering_mode::nearest, filtering_mode::linear})
      for (const coordinate_mode c : {coordinate_mode::normalized, coordinate_mode::unnormalized}) {
        const bool repeats = a == addressing_mode::repeat || a == addressing_mode::mirrored_repeat;
        if (repeats && c == coordinate_mode::unnormalized) continue;  // undefined
        const sycl::image_sampler how{a, c, f};
        sycl::sampled_image<2> image(texels.data(), image_format::r32g32b32a32_sfloat, how,
                                     sycl::range<2>(width, height));
        shared_array<sycl::float4> out(count, q);
        const float scale = c == coordinate_mode::normalized ? 1 : 4;
        const auto x_of = [=](int i) { return (0.0173f * float(i) - 1.21f) * scale; };
        const auto y_of = [=](int i) { return (1.61f - 0.0137f * float(i)) * scale; };
        q.submit([&](sycl::handler &h) {
           auto from = image.get_access<sycl::float4>(h);
           h.parallel_for(count, [=, p = out.get()](sycl::id<1> i) {
             p[i] = from.read(sycl::float2(x_of(int(i[0])), y_of(int(i[0]))));
           });
         }).wait();
        auto host = image.get_host_access<sycl::float4>();
        for (int i = 0; i < count; i++) {
          const auto expected = reference(x_of(i), y_of(i), how);
          const sycl::float4 on_host = host.read(sycl::float2(x_of(i), y_of(i)));
          for (int k = 0; k < 4; k++) {
            ASSERT_NEAR(out[std::size_t(i)][k], expected[k], 1e-3) << int(a) << int(f) << int(c) << " " << i;
            ASSERT_NEAR(on_host[k], expected[k], 1e-3) << int(a) << int(f) << int(c) << " " << i;
          }
        }
      }
}

TEST_F(images, order_the_commands_that_use_them) {
  sycl::unsampled_image<2> image(image_format::r32b32g32a32_uint, sycl::range<2>(64, 64));
  for (int round = 0; round < 20; round++)
    q.submit([&](sycl::handler &h) {
      auto both = image.get_access<sycl::uint4>(h);
      h.parallel_for(sycl::range<2>(64, 64), [=](sycl::item<2> i) {
        const sycl::int2 at(i[0], i[1]);
        both.write(at, round ? both.read(at) * 2u + 1u : sycl::uint4(0));
      });
    });
  q.submit([&](sycl::handler &h) {
    auto in = image.get_access<sycl::uint4, sycl::image_target::host_task>(h, sycl::read_only);
    h.host_task([=] { EXPECT_EQ(in.read(sycl::int2(63, 0))[2], (1u << 19) - 1); });
  });
  q.wait();
  EXPECT_TRUE(q.get_device().has(sycl::aspect::image));
  EXPECT_TRUE(q.get_device().get_info<sycl::info::device::image_support>());
}

TEST_F(images, of_the_first_version_have_channel_orders_and_samplers) {
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;
  struct row {
    order o;
    type t;
    sycl::float4 written, read;
  };
  for (const row &r :
       {row{order::rgba, type::snorm_int8, {-1, 0, 1, 0}, {-1, 0, 1, 0}},
        row{order::argb, type::unorm_int8, {0.2f, 0.4f, 0.6f, 0.8f}, {0.2f, 0.4f, 0.6f, 0.8f}},
        row{order::abgr, type::unorm_int16, {0.2f, 0.4f, 0.6f, 0.8f}, {0.2f, 0.4f, 0.6f, 0.8f}},
        row{order::r, type::fp32, {5, 6, 7, 8}, {5, 0, 0, 1}}, row{order::rg, type::fp16, {5, 6, 7, 8}, {5, 6, 0, 1}},
        row{order::a, type::fp32, {5, 6, 7, 8}, {0, 0, 0, 8}},
        row{order::intensity, type::fp32, {5, 6, 7, 8}, {5, 5, 5, 5}},
        row{order::luminance, type::fp32, {5, 6, 7, 8}, {5, 5, 5, 1}},
        row{order::rgb, type::unorm_short_565, {1, 0, 1, 0}, {1, 0, 1, 1}},
        row{order::rgb, type::unorm_int_101010, {0, 1, 0.2f, 0}, {0, 1, 0.2f, 1}}}) {
    sycl::image<1> image(r.o, r.t, sycl::range<1>(4));
    q.submit([&](sycl::handler &h) {
      auto to = image.get_access<sycl::float4, sycl::access::mode::write>(h);
      h.parallel_for(4, [=, color = r.written](sycl::id<1> i) { to.write(int(i[0]), color); });
    });
    shared_array<sycl::float4> out(1, q);
    const sycl::sampler nearest(sycl::coordinate_normalization_mode::normalized, addressing_mode::clamp,
                                filtering_mode::nearest);
    q.submit([&](sycl::handler &h) {
       auto from = image.get_access<sycl::float4, sycl::access::mode::read>(h);
       h.single_task([=, p = out.get()] { p[0] = from.read(0.6f, nearest); });
     }).wait();
    auto host = image.get_access<sycl::float4, sycl::access::mode::read>();
    for (int c = 0; c < 4; c++) {
      EXPECT_NEAR(out[0][c], r.read[c], 1e-3) << int(r.o) << " " << int(r.t) << " " << c;
      EXPECT_NEAR(host.read(2)[c], r.read[c], 1e-3) << int(r.o) << " " << int(r.t) << " " << c;
    }
  }
}

TEST_F(images, of_the_first_version_have_all_constructors) {
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;
  using allocator = sycl::image_allocator;
  const sycl::range<2> extent(2, 3);
  const sycl::range<1> pitch(48);
  const std::shared_ptr<float[]> memory(new float[36]{});
  for (int i = 0; i < 36; ++i) memory[i] = float(i);
  const std::shared_ptr<void> shared(memory, memory.get());
  const void *const constant = memory.get();
  sycl::image<2> all[] = {{order::rgba, type::fp32, extent, allocator()},
                          {order::rgba, type::fp32, extent, pitch, allocator()},
                          {memory.get(), order::rgba, type::fp32, extent, pitch, allocator()},
                          {constant, order::rgba, type::fp32, extent, allocator()},
                          {shared, order::rgba, type::fp32, extent, pitch},
                          {shared, order::rgba, type::fp32, extent, pitch, allocator()}};
  for (sycl::image<2> &image : all) EXPECT_EQ(image.get_range(), extent);
  for (std::size_t i = 0; i < std::size(all); ++i) {
    const bool padded = i != 0 && i != 3;
    EXPECT_EQ(all[i].get_pitch()[0], padded ? 48u : 32u) << i;
    if (i < 2) continue;
    const auto read = all[i].get_access<sycl::float4, sycl::access::mode::read>();
    EXPECT_EQ(read.read(sycl::int2(1, 2))[3], padded ? 31.0f : 23.0f) << i;
  }
}

TEST_F(images, of_the_first_version_are_arrays_of_images) {
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;
  const sycl::range<3> extent(4, 3, 2);
  sycl::image<3> image(order::rgba, type::fp32, extent);
  q.submit([&](sycl::handler &h) {
    sycl::accessor<sycl::float4, 2, sycl::access::mode::write, sycl::target::image_array> to(image, h);
    EXPECT_EQ(to.get_range(), extent);
    h.parallel_for(extent, [=](sycl::id<3> i) {
      to[i[2]].write(sycl::int2(int(i[0]), int(i[1])), sycl::float4(float(100 * i[2] + 10 * i[1] + i[0])));
    });
  });
  {
    const auto read = image.get_access<sycl::float4, sycl::access::mode::read>();
    EXPECT_EQ(read.read(sycl::int4(3, 2, 1, 0))[0], 123.0f);
  }
  shared_array<float> out(2, q);
  const sycl::sampler linear(sycl::coordinate_normalization_mode::unnormalized, addressing_mode::clamp_to_edge,
                             filtering_mode::linear);
  q.submit([&](sycl::handler &h) {
     sycl::accessor<sycl::float4, 2, sycl::access::mode::read, sycl::target::image_array> from(image, h);
     EXPECT_EQ(std::hash<decltype(from)>()(from), std::hash<decltype(from)>()(decltype(from)(from)));
     h.single_task([=, p = out.get()] {
       p[0] = from[0].read(sycl::int2(2, 1))[0];
       p[1] = from[1].read(sycl::float2(2, 1.5f), linear)[0];  // between two elements of one image
     });
   }).wait();
  EXPECT_EQ(out[0], 12.0f);
  EXPECT_EQ(out[1], 111.5f);
}

TEST_F(images, have_samplers_and_accessors_that_are_hashed) {
  using sampler = sycl::sampler;
  const sampler a(sycl::coordinate_normalization_mode::normalized, addressing_mode::repeat, filtering_mode::linear, {});
  EXPECT_EQ(std::hash<sampler>()(a), std::hash<sampler>()(sampler(a)));
  static_assert(std::is_same_v<std::underlying_type_t<addressing_mode>, unsigned int>);
  static_assert(std::is_same_v<std::underlying_type_t<filtering_mode>, unsigned int>);
  sycl::unsampled_image<1> image(image_format::r32g32b32a32_sfloat, sycl::range<1>(4));
  const sycl::host_unsampled_image_accessor<sycl::float4, 1> host(image), copy(host);
  EXPECT_EQ(std::hash<std::remove_const_t<decltype(host)>>()(host),
            std::hash<std::remove_const_t<decltype(host)>>()(copy));
}

namespace {
template <class Accessor> void expect_different(const Accessor &a, const Accessor &b) {
  const Accessor copy = a;
  EXPECT_TRUE(a == copy && !(a != copy));
  EXPECT_TRUE(a != b && b != a && !(a == b));
  const std::hash<Accessor> hash;
  EXPECT_EQ(hash(a), hash(copy));
  EXPECT_NE(hash(a), hash(b));
}
}  // namespace

// CPUs use the program's memory, so that images over the same memory have accessors with the same address.
TEST_F(images, over_the_same_memory_have_accessors_that_differ) {
  const image_format format = image_format::r32b32g32a32_sint;
  const sycl::image_sampler how{addressing_mode::mirrored_repeat, coordinate_mode::normalized, filtering_mode::nearest};
  std::vector<sycl::int4> colors(4);
  sycl::sampled_image<1> a(colors.data(), format, how, sycl::range<1>(4)),
      b(colors.data(), format, how, sycl::range<1>(4));
  expect_different(sycl::host_sampled_image_accessor<sycl::int4, 1>(a),
                   sycl::host_sampled_image_accessor<sycl::int4, 1>(b));
  q.submit([&](sycl::handler &h) {
     const sycl::sampled_image_accessor<sycl::int4, 1, sycl::image_target::host_task> from(a, h), other(b, h);
     const sycl::sampled_image_accessor<sycl::int4, 1> in_kernels(a, h), other_in_kernels(b, h);
     expect_different(in_kernels, other_in_kernels);
     h.host_task([=] { expect_different(from, other); });
   }).wait();

  std::vector<sycl::int4> more(4);
  sycl::unsampled_image<2> c(more.data(), format, sycl::range<2>(2, 2)), d(more.data(), format, sycl::range<2>(2, 2)),
      copy_of_c = c;
  using reader = sycl::host_unsampled_image_accessor<sycl::int4, 2, sycl::access_mode::read>;
  expect_different(reader(c), reader(d));
  EXPECT_TRUE(reader(c) == reader(copy_of_c));
  EXPECT_TRUE(reader() == reader() && reader() != reader(c));
}

TEST_F(images, have_samplers_with_either_name_of_the_coordinate_mode) {
  const sycl::image_sampler how{addressing_mode::repeat, sycl::coordinate_normalization_mode::unnormalized,
                                filtering_mode::linear};
  EXPECT_EQ(how.coordinate, coordinate_mode::unnormalized);
  const sycl::sampler first_version(coordinate_mode::unnormalized, addressing_mode::repeat, filtering_mode::linear);
  EXPECT_TRUE(static_cast<sycl::image_sampler>(first_version) == how);
}

TEST_F(images, write_final_data_to_iterators_of_any_plain_elements) {
  const auto write = [&](auto destination) {
    sycl::unsampled_image<1> image(image_format::r32g32b32a32_sfloat, sycl::range<1>(2));
    image.get_host_access<sycl::float4>(sycl::write_only).write(0, sycl::float4(1, 2, 3, 4));
    image.get_host_access<sycl::float4>(sycl::write_only).write(1, sycl::float4(5, 6, 7, 8));
    image.set_final_data(destination);
  };
  const std::vector<float> expected{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> floats(8), appended;
  std::list<float> list(8);
  std::vector<sycl::float4> colors(2);
  std::vector<std::byte> bytes(32);
  const std::shared_ptr<float[]> shared(new float[8]);
  write(floats.begin());
  write(std::back_inserter(appended));
  write(list.begin());
  write(colors.begin());
  write(bytes.begin());
  write(std::weak_ptr<float[]>(shared));
  EXPECT_EQ(floats, expected);
  EXPECT_EQ(appended, expected);
  EXPECT_EQ(std::vector<float>(list.begin(), list.end()), expected);
  EXPECT_EQ(colors[1].z(), 7);
  EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), 32), 0);
  EXPECT_EQ(shared[7], 8);
  std::vector<sycl::float4> from_first_version(2);
  {
    sycl::image<1> image(sycl::image_channel_order::rgba, sycl::image_channel_type::fp32, sycl::range<1>(2));
    image.get_access<sycl::float4, sycl::access_mode::write>().write(1, sycl::float4(9));
    image.set_final_data(from_first_version.begin());
  }
  EXPECT_EQ(from_first_version[1].w(), 9);
}
