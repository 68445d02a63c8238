// dpep::program in C++: compilation, launches and errors. Python's tests compare what kernels compute.
#include <gtest/gtest.h>

#include <numeric>

#include <dpep/exception.hpp>
#include <dpep/memory.hpp>
#include <dpep/program.hpp>

namespace dpep {
namespace {

std::string message_of(const std::function<void()> &call, errc code) {
  try {
    call();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), code);
    return e.what();
  }
  ADD_FAILURE() << "no exception";
  return "";
}

constexpr char source[] = R"(
kernel void scaled(global int *x, int factor, local int *scratch) {
  scratch[get_local_id(0)] = factor * x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = scratch[get_local_size(0) - 1 - get_local_id(0)];
})";

std::string given() { return "something"; }

TEST(programs, kernels_run_with_all_kinds_of_arguments) {
  const queue q{device("cpu")};
  const program p = program::from_opencl_source(source);
  ASSERT_EQ(p.kernels().size(), 1u);
  const program_kernel *const k = p.find("scaled");
  ASSERT_TRUE(k);
  EXPECT_FALSE(p.find("other"));
  EXPECT_TRUE(k->properties->uses_groups);
  EXPECT_EQ(k->properties->arguments[1].type, "int");
  EXPECT_EQ(k->properties->arguments[2].kind, argument_kind::local);

  auto *const x = static_cast<int *>(allocate(usm_kind::shared, 32 * sizeof(int), 64, q.get_context(), q.get_device()));
  std::iota(x, x + 32, 0);
  launch_arguments arguments(*k);
  const int factor = 3;
  arguments.set_pointer(0, x, given);
  arguments.set_value(1, std::as_bytes(std::span(&factor, 1)), given);
  arguments.set_local(2, 8 * sizeof(int), given);
  geometry work;
  work.global = {32, 1, 1};
  work.local = {8, 1, 1};
  arguments.submit(q, work).wait();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(x[i], 3 * (i / 8 * 8 + 7 - i % 8));
  free(x, q.get_context());
}

TEST(programs, arguments_that_do_not_fit_are_named) {
  const program p = program::from_opencl_source(source);
  launch_arguments arguments(*p.find("scaled"));
  const auto refused = [&](auto set) { return message_of([&] { set(); }, errc::kernel_argument); };
  EXPECT_EQ(refused([&] { arguments.set_pointer(1, nullptr, given); }),
            "argument 2 ('int factor') of kernel 'scaled': expected 4 bytes, got something");
  EXPECT_EQ(refused([&] { arguments.set_local(0, 1, given); }),
            "argument 1 ('int* x') of kernel 'scaled': expected USM memory, got something");
  EXPECT_EQ(refused([&] { arguments.set_local(3, 1, given); }),
            "kernel 'scaled' has 3 arguments, got one more at position 4");
  EXPECT_EQ(refused([&] { arguments.submit(queue(), {}); }),
            "kernel 'scaled' has 3 arguments: argument 1 ('int* x') is missing");
}

TEST(programs, sources_and_modules_that_are_wrong_are_build_errors) {
  const auto text = [](auto make) { return message_of([&] { make(); }, errc::build); };
  EXPECT_NE(text([] { program::from_opencl_source("kernel void f("); }).find("program.cl:1:15: error"),
            std::string::npos);
  EXPECT_NE(text([] { program::from_opencl_source("", "-fplugin=x"); }).find("'-fplugin=x' is not an option"),
            std::string::npos);
  const std::vector<std::byte> nothing(64);
  EXPECT_NE(text([&] { program::from_spirv(nothing); }).find("not SPIR-V"), std::string::npos);
}

}  // namespace
}  // namespace dpep
