// Partitions of rows on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::partition.
void partition(array_object &from, array_object *values, array_object *positions, std::span<const std::int64_t> ranks,
               bool descending);

}  // namespace dpep::array::cpu
