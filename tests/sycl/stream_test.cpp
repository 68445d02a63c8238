// sycl::stream: the output of kernels appears on standard output when the command is complete.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

/// The kernel's output, once its event is complete.
template <class Kernel> std::string output_of(std::size_t work_items, std::size_t bytes, Kernel kernel) {
  sycl::queue q;
  testing::internal::CaptureStdout();
  q.submit([&](sycl::handler &h) {
     const sycl::stream out(bytes, 256, h);
     h.parallel_for(sycl::range<1>(work_items), [=](sycl::id<1> i) { kernel(out, i); });
   }).wait();
  return testing::internal::GetCapturedStdout();
}

TEST(stream, writes_numbers_and_text_as_ostreams_do) {
  const auto write = [](auto &out, auto flush_line) {
    out << "text " << 1 << ' ' << -2L << ' ' << 3u << ' ' << 1.5f << ' ' << 0.1 << ' ' << 1e20 << ' ' << true
        << flush_line;
  };
  std::ostringstream wanted;
  write(wanted, "\n");
  EXPECT_EQ(output_of(1, 1024, [=](const sycl::stream &out, sycl::id<1>) { write(out, sycl::endl); }), wanted.str());
}

TEST(stream, manipulators) {
  const std::string text = output_of(1, 1024, [](const sycl::stream &out, sycl::id<1>) {
    out << sycl::hex << 255 << ' ' << sycl::showbase << 255 << ' ' << sycl::oct << 8 << ' ' << sycl::dec << 8 << ' ';
    out << sycl::showpos << 5 << ' ' << sycl::noshowpos << 5 << ' ' << sycl::setw(4) << 7 << 8 << ' ';
    out << sycl::fixed << sycl::setprecision(2) << 3.14159 << ' ' << sycl::scientific << 3.14159 << ' '
        << sycl::defaultfloat << 3.14159 << sycl::endl;
  });
  EXPECT_EQ(text, "ff 0xff 010 8 +5 5    78 3.14 3.14e+00 3.1\n");
}

TEST(stream, vecs_and_indices) {
  const std::string text = output_of(1, 1024, [](const sycl::stream &out, sycl::id<1>) {
    out << sycl::int4(1, 2, 3, 4) << " " << sycl::id<2>(5, 6) << " " << sycl::range<3>(7, 8, 9);
  });
  EXPECT_EQ(text, "1, 2, 3, 4 {5, 6} {7, 8, 9}");
}

TEST(stream, keeps_expressions_of_work_items_in_one_piece) {
  constexpr int n = 500;
  std::istringstream text(output_of(n, n * 128, [=](const sycl::stream &out, sycl::id<1> i) {
    out << "work-item " << i[0] << " of " << n << ' ' << sycl::id<3>(1, 2, 3) << ' ' << sycl::float4(4, 5, 6, 7)
        << sycl::hex << ' ' << 255 << ' ' << -1.5 << ' ' << true << ' ' << 'c' << sycl::endl;
  }));
  std::vector<std::string> got, wanted;
  for (std::string line; std::getline(text, line);) got.push_back(line);
  for (int i = 0; i < n; i++)
    wanted.push_back("work-item " + std::to_string(i) + " of 500 {1, 2, 3} 4, 5, 6, 7 ff -1.5 1 c");
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(got, wanted);
}

TEST(stream, loses_only_output_that_does_not_fit) {
  const std::string text = output_of(10000, 64, [](const sycl::stream &out, sycl::id<1>) { out << "0123456789\n"; });
  EXPECT_GE(text.size(), 64u);
  EXPECT_LT(text.size(), 110000u);
  EXPECT_EQ(text.substr(0, 11), "0123456789\n");
  EXPECT_EQ(text.size() % 11, 0u);
}

}  // namespace
