// Group algorithms of the device library compile for GPUs: they refer to nothing that GPUs lack.
#include <string>

#include <fmt/format.h>

#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

/// A kernel that stores the result of the function for each work-item's number.
std::string calling(const std::string &function, const std::string &type, const std::string &converts,
                    const std::string &more) {
  return fmt::format(R"(
declare i64 @__dpep_global_id(i32)
declare {1} @{0}({1}{3}) convergent
define spir_kernel void @k(ptr %arguments) {{
  %x = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %number = {2}
  %result = call {1} @{0}({1} %number{4})
  %at = getelementptr {1}, ptr %x, i64 %i
  store {1} %result, ptr %at
  ret void
}}
)",
                     function, type, converts, more.empty() ? "" : ", " + more, more.empty() ? "" : ", " + more + " 1");
}

TEST(nvptx_groups, algorithms_compile) {
  const environment no_cache{"DPEP_CACHE", "off"};
  const struct {
    const char *name, *type, *converts;
  } numbers[] = {{"int32", "i32", "trunc i64 %i to i32"},
                 {"int64", "i64", "add i64 %i, 0"},
                 {"float32", "float", "uitofp i64 %i to float"},
                 {"float64", "double", "uitofp i64 %i to double"}};
  for (const char *scope : {"group", "sub_group"})
    for (const auto &[name, type, converts] : numbers) {
      for (const char *algorithm : {"reduce_add", "reduce_max", "inclusive_scan_add"}) {
        const std::string function = fmt::format("dpep_{}_{}_{}", scope, algorithm, name);
        SCOPED_TRACE(function);
        const gpu_result made = compile(calling(function, type, converts, ""), groups(128));
        EXPECT_TRUE(contains(made.ptx, ".entry dpep_kernel")) << made.ptx;
        EXPECT_EQ(assembler_errors(made.ptx), "");
      }
      const std::string function = fmt::format("dpep_{}_broadcast_{}", scope, name);
      SCOPED_TRACE(function);
      EXPECT_EQ(assembler_errors(compile(calling(function, type, converts, "i64"), groups(128)).ptx), "");
    }
}

}  // namespace
}  // namespace dpep::test
