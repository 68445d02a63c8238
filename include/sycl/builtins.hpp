// All built-in functions (SYCL 2020, section 4.17).
#pragma once

#include <sycl/builtins/common.hpp>
#include <sycl/builtins/geometric.hpp>
#include <sycl/builtins/integer.hpp>
#include <sycl/builtins/math.hpp>
#include <sycl/builtins/relational.hpp>
