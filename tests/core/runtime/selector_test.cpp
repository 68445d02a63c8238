// Filter strings and ONEAPI_DEVICE_SELECTOR, with lists of devices of other machines.
#include <gtest/gtest.h>

#include "runtime/selector.hpp"

#include <dpep/exception.hpp>

namespace dpep::runtime {
namespace {

using enum backend_kind;
using enum device_type;

// 0, 1: CUDA GPUs; 2, 3: Level Zero GPUs; 4, 5: OpenCL CPU and GPU; 6: the native CPU
const std::vector<candidate> big{{cuda, gpu},   {cuda, gpu},   {level_zero, gpu}, {level_zero, gpu},
                                 {opencl, cpu}, {opencl, gpu}, {native_cpu, cpu}};
const std::vector<candidate> only_native{{native_cpu, cpu}};

struct filter_case {
  const char *filter;
  std::vector<std::size_t> selected;
};
class filter_string : public ::testing::TestWithParam<filter_case> {};
INSTANTIATE_TEST_SUITE_P(
    strings, filter_string,
    ::testing::Values(filter_case{"gpu", {0, 1, 2, 3, 5}}, filter_case{"cpu", {4, 6}}, filter_case{"cuda", {0, 1}},
                      filter_case{"cuda:gpu:1", {1}}, filter_case{"cuda:1", {1}}, filter_case{"level_zero:gpu:0", {2}},
                      filter_case{"gpu:3", {3}}, filter_case{"0", {0}}, filter_case{"6", {6}},
                      filter_case{"opencl:cpu", {4}}, filter_case{"opencl:0", {4}}, filter_case{"opencl:gpu:0", {5}},
                      filter_case{"native_cpu", {6}}, filter_case{"cpu,cuda:0", {4, 6, 0}}, filter_case{"0,gpu:0", {0}},
                      filter_case{"CUDA:GPU:0", {0}}, filter_case{" cuda : 1 ", {1}}, filter_case{"accelerator", {}},
                      filter_case{"cuda:gpu:2", {}}, filter_case{"hip", {}}));
TEST_P(filter_string, selects) { EXPECT_EQ(select_by_filter(GetParam().filter, big), GetParam().selected); }

class bad_filter_string : public ::testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(strings, bad_filter_string,
                         ::testing::Values("", "gpuu", "cuda:gpu:x", "gpu:cuda", "1:gpu", "cuda:gpu:0:0", "gpu,",
                                           "::", "cuda:", "-1", "0x1"));
TEST_P(bad_filter_string, is_refused_with_the_allowed_syntax) {
  try {
    select_by_filter(GetParam(), big);
    FAIL();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::runtime);
    EXPECT_NE(std::string(e.what()).find("backend:type:number"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(std::string("'") + GetParam() + "'"), std::string::npos) << e.what();
  }
}

struct environment_case {
  const char *selector;
  std::vector<choice> selected;
};
class environment_value : public ::testing::TestWithParam<environment_case> {};
INSTANTIATE_TEST_SUITE_P(
    selectors, environment_value,
    ::testing::Values(
        environment_case{"*:*", {{0, {}}, {1, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}, {6, {}}}},
        environment_case{"*:gpu", {{0, {}}, {1, {}}, {2, {}}, {3, {}}, {5, {}}}},
        environment_case{"opencl:*", {{4, {}}, {5, {}}}}, environment_case{"OpenCL:CPU", {{4, {}}}},
        environment_case{"level_zero:1", {{3, {}}}}, environment_case{"cuda:0,1", {{0, {}}, {1, {}}}},
        environment_case{"opencl:gpu,cpu", {{4, {}}, {5, {}}}},
        environment_case{"native_cpu:cpu;cuda:1", {{1, {}}, {6, {}}}}, environment_case{"!*:gpu", {{4, {}}, {6, {}}}},
        environment_case{"*:gpu;!cuda:*", {{2, {}}, {3, {}}, {5, {}}}},
        environment_case{"*:*;!opencl:cpu;!cuda:0", {{1, {}}, {2, {}}, {3, {}}, {5, {}}, {6, {}}}},
        environment_case{"level_zero:0.1", {{2, {1}}}}, environment_case{"level_zero:1.*", {{3, {std::nullopt}}}},
        environment_case{"level_zero:*.0", {{2, {0}}, {3, {0}}}}, environment_case{"level_zero:0.1.2", {{2, {1, 2}}}},
        environment_case{"opencl:cpu:0.1", {{4, {1}}}}, environment_case{"cuda:gpu:1", {{1, {}}}},
        environment_case{"hip:*", {}}, environment_case{"cuda:7", {}}));
TEST_P(environment_value, selects) { EXPECT_EQ(select_by_environment(GetParam().selector, big), GetParam().selected); }

TEST(drivers, are_started_only_if_the_selector_may_select_them) {
  constexpr candidate gpu{backend_kind::cuda, device_type::gpu};
  for (const char *may : {"*:*", "cuda:*", "*:gpu", "cuda:gpu:1", "*:3", "!*:cpu", "*:cpu;cuda:0"})
    EXPECT_TRUE(can_select(may, gpu)) << may;
  for (const char *never : {"*:cpu", "native_cpu:*", "opencl:cpu", "!cuda:*", "*:*;!*:gpu", "level_zero:*"})
    EXPECT_FALSE(can_select(never, gpu)) << never;
}

class bad_environment_value : public ::testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(selectors, bad_environment_value,
                         ::testing::Values("cuda", "gpu", "0", "*", ";", "cuda:*;", "cuda:", ":gpu", "nvidia:gpu",
                                           "cuda:tpu", "cuda:gpu:0:0", "cuda:0.0.0.0", "cuda:0.", "cuda:.1", "cuda:-1",
                                           "!cuda:0.1", "!cuda:*;opencl:*", "cuda:0,,1", "cuda:gpu:x", "!"));
TEST_P(bad_environment_value, is_refused_with_the_allowed_syntax) {
  try {
    select_by_environment(GetParam(), big);
    FAIL();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::invalid);
    EXPECT_NE(std::string(e.what()).find("[!]backend:devices"), std::string::npos) << e.what();
  }
}

TEST(native_cpu, is_selected_as_opencl_cpu_if_there_is_no_opencl_device) {
  EXPECT_EQ(select_by_filter("opencl:cpu", only_native), std::vector<std::size_t>{0});
  EXPECT_EQ(select_by_filter("opencl:cpu:0", only_native), std::vector<std::size_t>{0});
  EXPECT_EQ(select_by_filter("opencl:gpu", only_native), std::vector<std::size_t>{});
  EXPECT_EQ(select_by_environment("opencl:cpu", only_native), (std::vector<choice>{{0, {}}}));
  EXPECT_EQ(select_by_environment("opencl:*", only_native), (std::vector<choice>{{0, {}}}));
  EXPECT_EQ(select_by_environment("!opencl:*", only_native), (std::vector<choice>{{0, {}}}))
      << "exclusions use the actual back end only";
}

}  // namespace
}  // namespace dpep::runtime
