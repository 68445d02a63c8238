// Tests kernel names in messages.
#include "jit/launch/names.hpp"

#include <gtest/gtest.h>

namespace dpep::jit {
namespace {

TEST(kernel_names, are_readable) {
  const std::pair<const char *, const char *> names[] = {
      {"_ZTSN4sycl6detail9kernel_ofIZ4mainEUlNS_2idILi1EEEE_NS0_10range_formILi1EEEEE",
       "main::{lambda(sycl::id<1>)#1}"},
      {"_ZTS8add_name", "add_name"},
      {"_ZTSN5users4nameIfLi3EEE", "users::name<float, 3>"},
      {"plain", "plain"},
      {"", ""},
      {"_ZTS", "_ZTS"},
      {"name with spaces", "name with spaces"},
  };
  for (const auto &[symbol, readable] : names) EXPECT_EQ(readable_name(symbol), readable);
}

}  // namespace
}  // namespace dpep::jit
