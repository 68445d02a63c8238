// Views: which elements they show, in which order, against index arithmetic on the host.
#include <gtest/gtest.h>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

std::vector<std::int64_t> seen(const ndarray &x) { return values_of<std::int64_t>(x); }
constexpr index whole{index::kind::ellipsis};
constexpr index fresh{index::kind::new_axis};
index at(std::int64_t i) { return {index::kind::integer, i}; }
index slice(std::int64_t start, std::int64_t count, std::int64_t step = 1) {
  return {index::kind::slice, start, count, step};
}
ndarray look(const ndarray &x, std::initializer_list<index> parts) { return view(x, {parts.begin(), parts.size()}); }

TEST(views, indices_choose_elements_of_the_same_memory) {
  const ndarray x = counting<std::int64_t>({3, 4});
  EXPECT_EQ(seen(look(x, {at(1)})), (std::vector<std::int64_t>{4, 5, 6, 7}));
  EXPECT_EQ(seen(look(x, {whole, at(-1)})), (std::vector<std::int64_t>{3, 7, 11}));
  EXPECT_EQ(seen(look(x, {slice(0, 2, 2), slice(3, 2, -2)})), (std::vector<std::int64_t>{3, 1, 11, 9}));
  EXPECT_EQ(shape_of(look(x, {fresh, at(0), fresh})), (shape_t{1, 1, 4}));
  EXPECT_EQ(look(x, {slice(2, 0)}).size(), 0);
  EXPECT_EQ(look(x, {at(2), at(3)}).dimensions(), 0);
  assign(look(x, {at(0)}), scalar::of(std::int64_t{9}));
  EXPECT_EQ(seen(look(x, {slice(0, 2), at(1)})), (std::vector<std::int64_t>{9, 5}));
}

TEST(views, indices_out_of_range_are_refused) {
  const ndarray x = counting<std::int64_t>({3, 4});
  EXPECT_EQ(refused(refusal::index, [&] { look(x, {at(0), at(4)}); }),
            "index 4 is out of bounds for axis 1 with size 4");
  refused(refusal::index, [&] { look(x, {at(-4)}); });
  refused(refusal::index, [&] { look(x, {at(0), at(0), at(0)}); });
  refused(refusal::index, [&] { look(x, {whole, whole}); });
  refused(refusal::index, [&] { look(x, {slice(1, 3)}); });
}

TEST(views, axes_are_permuted_inserted_and_dropped) {
  const ndarray x = counting<std::int64_t>({2, 3, 1});
  EXPECT_EQ(seen(permute(x, std::vector{1, 2, 0})), (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(shape_of(permute(x, std::vector{-1, 0, 1})), (shape_t{1, 2, 3}));
  EXPECT_EQ(shape_of(expand_dims(x, std::vector{0, -1})), (shape_t{1, 2, 3, 1, 1}));
  EXPECT_EQ(shape_of(squeeze(x, std::vector{2})), (shape_t{2, 3}));
  EXPECT_EQ(seen(flip(x, std::vector{0})), (std::vector<std::int64_t>{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(seen(flip(x, std::vector{0, 1})), (std::vector<std::int64_t>{5, 4, 3, 2, 1, 0}));
  refused(refusal::value, [&] { permute(x, std::vector{0, 1}); });
  refused(refusal::value, [&] { permute(x, std::vector{0, 1, 1}); });
  refused(refusal::axis, [&] { flip(x, std::vector{3}); });
  refused(refusal::axis, [&] { expand_dims(x, std::vector{5}); });
  refused(refusal::value, [&] { squeeze(x, std::vector{0}); });
  EXPECT_EQ(shape_of(squeeze(x)), (shape_t{2, 3}));
  EXPECT_EQ(seen(flip(x)), (std::vector<std::int64_t>{5, 4, 3, 2, 1, 0}));
  const ndarray matrix = squeeze(x);
  EXPECT_EQ(squeeze(matrix), matrix);
}

TEST(views, broadcasting_repeats_without_memory) {
  const ndarray x = counting<std::int64_t>({3, 1});
  const ndarray wide = broadcast_to(x, shape_t{2, 3, 2});
  EXPECT_EQ(strides_of(wide), (shape_t{0, 1, 0}));
  EXPECT_EQ(seen(wide), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(refused(refusal::value, [&] { broadcast_to(x, shape_t{4, 2}); }),
            "broadcast_to: shape (3, 1) cannot be broadcast to (4, 2)");
  refused(refusal::value, [&] { broadcast_to(x, shape_t{3}); });
}

TEST(views, shapes_broadcast_to_a_common_one) {
  const shape_t a{5, 1, 3}, b{4, 1}, c{}, d{2, 3};
  const extents all[] = {a, b, c};
  EXPECT_EQ(broadcast_shapes(all), (shape_t{5, 4, 3}));
  const extents wrong[] = {b, d};
  EXPECT_NE(refused(refusal::value, [&] { broadcast_shapes(wrong); }).find("(4, 1), (2, 3)"), std::string::npos);
  const shape_t none{0, 3}, one{1, 3};
  const extents empty[] = {none, one};
  EXPECT_EQ(broadcast_shapes(empty), (shape_t{0, 3}));
}

TEST(views, parts_of_complex_numbers_share_memory) {
  const ndarray z = array_of<std::complex<double>>({{1, 2}, {3, 4}, {5, 6}});
  const ndarray re = real_part(z), im = imaginary_part(z);
  EXPECT_EQ(values_of<double>(re), (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(values_of<double>(im), (std::vector<double>{2, 4, 6}));
  assign(im, scalar::of(7.0));
  EXPECT_EQ(values_of<std::complex<double>>(z)[1], std::complex<double>(3, 7));
  const ndarray x = array_of<double>({1, 2});
  EXPECT_EQ(real_part(x), x);
  EXPECT_EQ(values_of<double>(imaginary_part(x)), (std::vector<double>{0, 0}));
}

TEST(views, of_foreign_memory_stay_inside_it) {
  std::vector<double> memory(12);
  for (std::size_t i = 0; i < 12; ++i) memory[i] = double(i);
  const auto look_at = [&](std::int64_t offset, shape_t shape, shape_t strides) {
    return view_of_memory(memory.data(), 96, offset, shape, strides, dtype::float64, here(usm_kind::host), nullptr);
  };
  EXPECT_EQ(values_of<double>(look_at(11, {2, 3}, {-6, -1})), (std::vector<double>{11, 10, 9, 5, 4, 3}));
  EXPECT_EQ(look_at(12, {0}, {1}).size(), 0);
  refused(refusal::value, [&] { look_at(1, {12}, {1}); });
  refused(refusal::value, [&] { look_at(0, {2}, {-1}); });
  refused(refusal::value, [&] { look_at(0, {3, 3}, {1LL << 62, 1LL << 62}); });
  refused(refusal::value, [&] { look_at(0, {2}, {1, 1}); });
  refused(refusal::value, [&] {
    view_of_memory(reinterpret_cast<char *>(memory.data()) + 4, 88, 0, shape_t{2}, {}, dtype::float64,
                   here(usm_kind::host), nullptr);
  });
  assign(look_at(0, {3}, {4}), scalar::of(-1.0));
  test_queue().wait();
  EXPECT_EQ(memory[8], -1.0);
  EXPECT_EQ(memory[9], 9.0);
}

struct reshaping {
  shape_t shape, to;
};

TEST(reshape, moves_no_element_in_either_order) {
  for (const order o : {order::row_major, order::column_major})
    for (const reshaping &c : {reshaping{{2, 3, 4}, {4, 6}},
                               {{2, 3, 4}, {24}},
                               {{24}, {2, 1, 12, 1}},
                               {{1}, {}},
                               {{}, {1, 1}},
                               {{0, 3}, {5, 0}},
                               {{6, 4}, {2, 3, 2, 2}}}) {
      const ndarray x = counting<std::int64_t>(c.shape);
      // the same elements in row-major order of both shapes, or in column-major order of both
      const auto in_order = [&](const ndarray &a) {
        std::vector<int> backwards;
        for (int i = a.dimensions(); i-- > 0;) backwards.push_back(i);
        return seen(o == order::row_major ? a : permute(a, backwards));
      };
      const ndarray y = reshape(x, c.to, o);
      EXPECT_EQ(shape_of(y), c.to);
      EXPECT_EQ(in_order(y), in_order(x));
      std::vector<int> all;
      for (int i = 0; i < x.dimensions(); ++i) all.push_back(i);
      const ndarray turned = flip(x, all);
      EXPECT_EQ(in_order(reshape(turned, c.to, o)), in_order(turned));
      EXPECT_EQ(in_order(reshape(x, c.to, o, true)), in_order(x));
    }
}

TEST(reshape, is_a_view_where_strides_allow) {
  const ndarray x = counting<std::int64_t>({4, 6});
  const auto strides = [&](const ndarray &a, shape_t to) { return reshaped_strides(a, to, order::row_major); };
  EXPECT_EQ(strides(x, {2, 2, 6}), (shape_t{12, 6, 1}));
  const ndarray every_other = look(x, {whole, slice(0, 3, 2)});
  EXPECT_EQ(strides(every_other, {2, 2, 3}), (shape_t{12, 6, 2}));
  EXPECT_EQ(strides(every_other, {12}), (shape_t{2}));  // rows of 6, every second element: still even steps
  EXPECT_EQ(strides(look(x, {whole, slice(0, 2, 2)}), {8}), std::nullopt);
  EXPECT_EQ(strides(permute(x, std::vector{1, 0}), {6, 2, 2}), (shape_t{1, 12, 6}));
  EXPECT_EQ(strides(permute(x, std::vector{1, 0}), {24}), std::nullopt);
  EXPECT_EQ(strides(flip(x, std::vector{0, 1}), {24}), (shape_t{-1}));
  refused(refusal::value, [&] { reshape(permute(x, std::vector{1, 0}), shape_t{24}, order::row_major, false); });
  EXPECT_EQ(refused(refusal::value, [&] { reshape(x, shape_t{5, 2}); }),
            "reshape: shape (4, 6) has 24 elements, but shape (5, 2) has 10");
  assign(reshape(x, shape_t{24}), scalar::of(std::int64_t{1}));
  EXPECT_EQ(seen(x), std::vector<std::int64_t>(24, 1));
  EXPECT_NE(reshape(x, shape_t{4, 6}, order::row_major, true), x);
  EXPECT_EQ(shape_of(reshape(x, shape_t{3, -1, 2})), (shape_t{3, 4, 2}));
  for (const shape_t &wrong : {shape_t{-1, -1}, shape_t{-2, 12}, shape_t{5, -1}, shape_t{0, -1}})
    refused(refusal::value, [&] { reshape(x, wrong); });
}

}  // namespace
}  // namespace dpep::array
