// All random functions of include/dpep/array_random_functions.def.
#pragma once

#include "device/random/continuous.hpp"
#include "device/random/counts.hpp"
#include "device/random/integers.hpp"
#include "device/random/normals.hpp"
#include "device/random/sequence.hpp"
