// A kernel with an attribute, in a header.
#pragma once

#include <sycl/sycl.hpp>

struct in_groups_of_32 {
  int *p;
  [[sycl::reqd_work_group_size(32)]] void operator()(sycl::nd_item<1> i) const { p[i.get_global_id(0)] = 3; }
};
