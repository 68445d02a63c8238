// Masked accesses on processors with and without instructions for them: they access no other memory, have the right
// results, and their code stays small.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t items = 300;  // no multiple of any width
constexpr std::size_t active_end = 260;

/// Memory followed by an inaccessible page.
class guarded_memory {
public:
  explicit guarded_memory(std::size_t bytes) : whole_((bytes + page() - 1) / page() * page()) {
    all_ = ::mmap(nullptr, whole_ + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all_ == MAP_FAILED || ::mprotect(at(whole_), page(), PROT_NONE) != 0) throw std::bad_alloc();
    data_ = at(whole_ - bytes);
  }
  ~guarded_memory() { ::munmap(all_, whole_ + page()); }
  guarded_memory(const guarded_memory &) = delete;
  guarded_memory &operator=(const guarded_memory &) = delete;
  std::byte *data() const { return data_; }

private:
  static std::size_t page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
  std::byte *at(std::size_t offset) const { return static_cast<std::byte *>(all_) + offset; }
  std::size_t whole_;
  void *all_;
  std::byte *data_;
};

struct element {
  const char *name;
  std::size_t bytes;
};
constexpr element elements[] = {{"i8", 1},    {"i16", 2}, {"half", 2},  {"i32", 4},
                                {"float", 4}, {"i64", 8}, {"double", 8}};

/// Where `flag` is not zero: out[to] = in[from]. An index is the work-item's id %i, or %at, loaded for it.
struct form {
  const char *name;
  const char *from, *to;
  bool always_stores;  // zero, where the flag is zero
};
constexpr form forms[] = {{"vectors", "%i", "%i", false},
                          {"vectors, or zero", "%i", "%i", true},
                          {"gathered, or zero", "%at", "%i", true},
                          {"scattered", "%i", "%at", false},
                          {"gathered and scattered", "%at", "%at", false}};

std::string text_of(const form &how, const std::string &type) {
  const std::string store = "%to = getelementptr " + type + ", ptr %out, i64 " + how.to + "\nstore " + type;
  return R"(
    define spir_kernel void @kernel(ptr %arguments) {
    start:
      %in = load ptr, ptr %arguments
      %a1 = getelementptr ptr, ptr %arguments, i64 1
      %out = load ptr, ptr %a1
      %a2 = getelementptr ptr, ptr %arguments, i64 2
      %flags = load ptr, ptr %a2
      %a3 = getelementptr ptr, ptr %arguments, i64 3
      %indices = load ptr, ptr %a3
      %i = call i64 @__dpep_global_id(i32 0)
      %p.flag = getelementptr i8, ptr %flags, i64 %i
      %flag = load i8, ptr %p.flag
      %p.at = getelementptr i64, ptr %indices, i64 %i
      %at = load i64, ptr %p.at
      %meant = icmp ne i8 %flag, 0
      br i1 %meant, label %some, label %meet
    some:
      %from = getelementptr )" +
         type + ", ptr %in, i64 " + how.from + "\n%x = load " + type + ", ptr %from\n" +
         (how.always_stores ? "" : store + " %x, ptr %to\n") + "br label %meet\nmeet:\n" +
         (how.always_stores
              ? "%y = phi " + type + " [%x, %some], [zeroinitializer, %start]\n" + store + " %y, ptr %to\n"
              : "") +
         "ret void\n}";
}

/// Vectors with all, some and single lanes active; from `active_end` on, none.
std::vector<std::uint8_t> some_flags() {
  std::mt19937 random(5);
  std::vector<std::uint8_t> flags(items);
  for (std::size_t i = 0; i < active_end; ++i) {
    const std::size_t block = i / 64;
    flags[i] = block == 0 || (block == 1 && i % 32 == 7) || (block >= 2 && random() % 3 != 0);
  }
  return flags;
}

/// A permutation; the indices of inactive work-items are far out of bounds.
std::vector<std::int64_t> some_indices(const std::vector<std::uint8_t> &flags) {
  std::vector<std::int64_t> indices(items, std::int64_t{1} << 44);
  for (std::size_t i = 0; i < active_end; ++i)
    if (flags[i]) indices[i] = static_cast<std::int64_t>(i * 7 % active_end);
  return indices;
}

TEST(masked_access, accesses_active_lanes_only) {
  const std::vector<std::uint8_t> flags = some_flags();
  const std::vector<std::int64_t> indices = some_indices(flags);
  const geometry work = range_of(items);
  for (const auto &level : x86_levels())
    for (const element &type : elements)
      for (const form &how : forms) {
        const std::size_t stored = how.always_stores ? items : active_end;
        const guarded_memory in(active_end * type.bytes), out(stored * type.bytes);
        for (std::size_t i = 0; i < active_end * type.bytes; ++i) in.data()[i] = std::byte(i * 11 % 120);
        for (const unsigned lanes : {8u, 32u}) {
          SCOPED_TRACE(std::string(level->cpu()) + ", " + type.name + ", " + how.name + ", " + std::to_string(lanes));
          const formed_kernel kernel(text_of(how, type.name), specialisation_of(work),
                                     formed_kernel::optimisation::standard, {*level, lanes});
          EXPECT_EQ(kernel.report().vector_width, lanes);
          std::memset(out.data(), 0x5a, stored * type.bytes);
          const void *arguments[] = {in.data(), out.data(), flags.data(), indices.data()};
          kernel.run(work, arguments);

          std::vector<std::byte> expected(stored * type.bytes, std::byte{0x5a});
          for (std::size_t i = 0; i < stored; ++i) {
            const auto offset_of = [&](const char *which) {
              return (which[1] == 'i' ? i : static_cast<std::size_t>(indices[i])) * type.bytes;
            };
            if (flags[i])
              std::memcpy(&expected[offset_of(how.to)], &in.data()[offset_of(how.from)], type.bytes);
            else if (how.always_stores)
              std::memset(&expected[offset_of(how.to)], 0, type.bytes);
          }
          EXPECT_EQ(std::memcmp(out.data(), expected.data(), expected.size()), 0);
        }
      }
}

TEST(masked_access, does_not_write_next_to_a_single_lane) {
  // Work-item 32 is alone in its vector, and stores an i64 as an i32 just below the element stored by work-item 31.
  const std::string text = R"(
    define spir_kernel void @kernel(ptr %arguments) {
      %in = load ptr, ptr %arguments
      %a1 = getelementptr ptr, ptr %arguments, i64 1
      %out = load ptr, ptr %a1
      %i = call i64 @__dpep_local_id(i32 0)
      %n = call i64 @__dpep_local_size(i32 0)
      %last = sub i64 %n, 1
      %back = sub i64 %last, %i
      %from = getelementptr i64, ptr %in, i64 %i
      %wide = load i64, ptr %from
      %narrow = trunc i64 %wide to i32
      %to = getelementptr i32, ptr %out, i64 %back
      store i32 %narrow, ptr %to
      call void @__dpep_group_barrier()
      ret void
    })";
  constexpr std::size_t size = 33;
  std::vector<std::int64_t> in(size);
  for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<std::int64_t>(0x7000'0000'1000 * (i + 1));
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  for (const auto &level : x86_levels())
    for (const unsigned lanes : {4u, 8u, 16u, 32u}) {
      const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {*level, lanes});
      std::vector<std::uint32_t> out(size);
      const void *arguments[] = {in.data(), out.data()};
      kernel.run(work, arguments);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_EQ(out[size - 1 - i], static_cast<std::uint32_t>(in[i])) << level->cpu() << ", " << lanes << ": " << i;
    }
}

/// The code size of a kernel with masked loads and scattered stores of several arrays.
std::size_t code_bytes(const jit::target &level, unsigned arrays) {
  std::string text = R"(
    define spir_kernel void @kernel(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %apart = mul i64 %i, 5
      %flags = load ptr, ptr %arguments
      %p.flag = getelementptr i64, ptr %flags, i64 %i
      %flag = load i64, ptr %p.flag
      br label %start.0
)";
  for (unsigned n = 0; n < arrays; ++n) {
    const std::string number = std::to_string(n), dot = "." + number;
    text += "start" + dot + ":\n%a" + dot + " = getelementptr ptr, ptr %arguments, i64 " + std::to_string(n + 1) +
            "\n%array" + dot + " = load ptr, ptr %a" + dot + "\n%bit" + dot + " = lshr i64 %flag, " + number +
            "\n%meant" + dot + " = trunc i64 %bit" + dot + " to i1\nbr i1 %meant" + dot + ", label %some" + dot +
            ", label %start." + std::to_string(n + 1) + "\nsome" + dot + ":\n%from" + dot +
            " = getelementptr i8, ptr %array" + dot + ", i64 %i\n%x" + dot + " = load i8, ptr %from" + dot + "\n%to" +
            dot + " = getelementptr i8, ptr %array" + dot + ", i64 %apart\nstore i8 %x" + dot + ", ptr %to" + dot +
            "\nbr label %start." + std::to_string(n + 1) + "\n";
  }
  text += "start." + std::to_string(arrays) + ":\nret void\n}";
  const geometry work = range_of(items);
  const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {level, 32});
  EXPECT_EQ(kernel.report().vector_width, 32u);
  return kernel.code_bytes();
}

TEST(masked_access, has_no_branch_for_each_lane) {
  // A test, a branch and a move for each of 32 lanes take 20 bytes; twice, for a load and a store.
  constexpr std::size_t branching = 2 * 32 * 20;
  for (const auto &level : x86_levels()) {
    const std::size_t few = code_bytes(*level, 10), many = code_bytes(*level, 50);
    EXPECT_LT((many - few) / 40, branching / 2) << level->cpu() << ": " << few << " and " << many << " bytes";
  }
}

}  // namespace
}  // namespace dpep::test
