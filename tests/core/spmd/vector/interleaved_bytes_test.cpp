// Pixels of several bytes, as vectors of whole pixels, in arrays that may overlap.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t page = 4096;

/// Memory that ends where the next page cannot be accessed.
class guarded_bytes {
public:
  explicit guarded_bytes(std::size_t size) : size_(size), pages_((size + page - 1) / page + 1) {
    start_ = static_cast<std::uint8_t *>(
        mmap(nullptr, pages_ * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start_ + (pages_ - 1) * page, page, PROT_NONE);
  }
  ~guarded_bytes() { munmap(start_, pages_ * page); }
  guarded_bytes(const guarded_bytes &) = delete;
  guarded_bytes &operator=(const guarded_bytes &) = delete;
  std::uint8_t *data() const { return start_ + (pages_ - 1) * page - size_; }

private:
  std::size_t size_, pages_;
  std::uint8_t *start_;
};

// out[4 i + c] = in[4 i + c] * in[4 i + LAST] / 2 for c < 3, one after the other; out[4 i + 3] = 9, perhaps only for
// pixels whose first byte is even.
std::string pixels(int last, bool conditional) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %first = shl nsw i64 %i, 2
  %at.last = or disjoint i64 %first, LAST
  %p.last = getelementptr i8, ptr %in, i64 %at.last
  %last = load i8, ptr %p.last
  %factor = zext i8 %last to i32
  %parity = and i32 %factor, 1
  %odd = icmp ne i32 %parity, 0
  br i1 %odd, label %done, label %some
some:
)";
  if (!conditional) text = replaced(text, "br i1 %odd, label %done, label %some", "br label %some");
  text = replaced(text, "LAST", std::to_string(last));
  for (int c = 0; c < 3; ++c)
    text += replaced(R"(
  %at.C = or disjoint i64 %first, C
  %p.C = getelementptr i8, ptr %in, i64 %at.C
  %x.C = load i8, ptr %p.C
  %x.int.C = zext i8 %x.C to i32
  %product.C = mul i32 %x.int.C, %factor
  %half.C = lshr i32 %product.C, 1
  %y.C = trunc i32 %half.C to i8
  %q.C = getelementptr i8, ptr %out, i64 %at.C
  store i8 %y.C, ptr %q.C
)",
                     "C", std::to_string(c));
  return text + R"(
  %at.3 = or disjoint i64 %first, 3
  %q.3 = getelementptr i8, ptr %out, i64 %at.3
  store i8 9, ptr %q.3
  br label %done
done:
  ret void
}
)";
}

void run_one_by_one(const std::uint8_t *in, std::uint8_t *out, std::size_t items, int last, bool conditional) {
  for (std::size_t i = 0; i < items; ++i) {
    const int factor = in[4 * i + static_cast<std::size_t>(last)];
    if (conditional && factor % 2) continue;
    for (std::size_t c = 0; c < 3; ++c) out[4 * i + c] = static_cast<std::uint8_t>(in[4 * i + c] * factor / 2);
    out[4 * i + 3] = 9;
  }
}

TEST(interleaved_bytes, of_pixels_up_to_the_end_of_memory) {
  for (const int last : {3, 2})  // with 2, the pixel's last byte is not read
    for (const bool conditional : {false, true}) {
      const formed_kernel kernel(pixels(last, conditional), specialisation_of(range_of(100)));
      if (!conditional) {
        EXPECT_GT(kernel.report().vector_width, 1U);
        EXPECT_FALSE(contains(kernel.optimised(), "masked.scatter"));
      }
      for (const std::size_t items : {1, 5, 16, 17, 31, 32, 64, 100}) {
        const std::size_t bytes = 4 * items - (last == 2);
        const guarded_bytes in(bytes), out(4 * items);
        std::vector<std::uint8_t> wanted(4 * items);
        for (std::size_t k = 0; k < bytes; ++k) in.data()[k] = static_cast<std::uint8_t>(k * 41 + 5);
        std::vector<std::uint8_t> copy(in.data(), in.data() + bytes);
        run_one_by_one(copy.data(), wanted.data(), items, last, conditional);
        const void *arguments[] = {in.data(), out.data()};
        kernel.run(range_of(items), arguments);
        EXPECT_EQ(std::vector<std::uint8_t>(out.data(), out.data() + 4 * items), wanted) << items;
      }
    }
}

TEST(interleaved_bytes, in_place) {
  const formed_kernel kernel(pixels(3, false), specialisation_of(range_of(100)));
  constexpr std::size_t items = 77;
  std::vector<std::uint8_t> bytes(4 * items), wanted;
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k * 41 + 5);
  wanted = bytes;
  run_one_by_one(wanted.data(), wanted.data(), items, 3, false);
  const void *arguments[] = {bytes.data(), bytes.data()};
  kernel.run(range_of(items), arguments);
  EXPECT_EQ(bytes, wanted);
}

// Each work-item writes 8 bytes, and reads two of its own between the writes, from another pointer.
TEST(interleaved_bytes, in_arrays_that_overlap_within_a_work_item) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %first = shl nsw i64 %i, 3
  %p = getelementptr i8, ptr %in, i64 %first
  %p.3 = getelementptr i8, ptr %p, i64 3
  %p.4 = getelementptr i8, ptr %p, i64 4
  %q = getelementptr i8, ptr %out, i64 %first
  %x = load i8, ptr %p.3
)";
  for (int c = 0; c < 8; ++c) {
    if (c == 4) text += "  %y = load i8, ptr %p.4\n";
    text += replaced("  %v.C = add i8 %V, C\n  %q.C = getelementptr i8, ptr %q, i64 C\n  store i8 %v.C, ptr %q.C\n",
                     "C", std::to_string(c));
    text = replaced(text, "%V", c < 4 ? "%x" : "%y");
  }
  const formed_kernel kernel(text + "  ret void\n}\n", specialisation_of(range_of(100)));
  constexpr std::size_t items = 70;
  for (int distance = -3; distance <= 4; ++distance) {
    std::vector<std::uint8_t> bytes(8 * items + 16), wanted;
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k * 41 + 5);
    wanted = bytes;
    const std::uint8_t *in = wanted.data() + 8;
    std::uint8_t *out = wanted.data() + 8 + distance;
    for (std::size_t i = 0; i < items; ++i) {
      const std::uint8_t x = in[8 * i + 3];
      for (std::size_t c = 0; c < 4; ++c) out[8 * i + c] = static_cast<std::uint8_t>(x + c);
      const std::uint8_t y = in[8 * i + 4];
      for (std::size_t c = 4; c < 8; ++c) out[8 * i + c] = static_cast<std::uint8_t>(y + c);
    }
    const void *arguments[] = {bytes.data() + 8, bytes.data() + 8 + distance};
    kernel.run(range_of(items), arguments);
    EXPECT_EQ(bytes, wanted) << distance;
  }
}

}  // namespace
}  // namespace dpep::test
