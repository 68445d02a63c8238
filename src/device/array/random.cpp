// Random functions for generated kernels, under the names dpep_random_<name>. Arguments and results are values, as
// those of users' functions.
#include "device/array/types.hpp"
#include "device/random/functions.hpp"

#define DPEP_RANDOM_FUNCTION(name, result, parameters, arguments, ...)                                                 \
  DPEP_EXPORT result dpep_random_##name parameters { return dpep::device::random::name arguments; }
#include <dpep/array_random_functions.def>

// The numbers of adjacent elements together, for work-items of a GPU, each of which computes some (random_lanes.hpp).
DPEP_EXPORT void dpep_random_uniform_adjacent(double *to, std::uint64_t element, std::uint64_t key) {
  dpep::device::random::adjacent_pair<dpep::device::random::uniform_pair>(to, element, key);
}
DPEP_EXPORT void dpep_random_normal_adjacent(double *to, std::uint64_t element, std::uint64_t key) {
  dpep::device::random::normal_adjacent(to, element, key);
}
DPEP_EXPORT void dpep_random_normal_float32_adjacent(float *to, std::uint64_t element, std::uint64_t key) {
  dpep::device::random::normal_float32_adjacent(to, element, key);
}

#define DPEP_SEQUENCE                                                                                                  \
  std::uint64_t index, std::uint64_t first, std::uint64_t key0, std::uint64_t key1, std::uint64_t counter0,            \
      std::uint64_t counter1, std::uint64_t counter2, std::uint64_t counter3
DPEP_EXPORT void dpep_random_words64_adjacent(std::uint64_t *to, DPEP_SEQUENCE) {
  dpep::device::random::words64_adjacent(to, index, first, key0, key1, counter0, counter1, counter2, counter3);
}
DPEP_EXPORT void dpep_random_words32_adjacent(std::uint32_t *to, DPEP_SEQUENCE, std::uint64_t pending) {
  dpep::device::random::words32_adjacent(to, index, first, key0, key1, counter0, counter1, counter2, counter3, pending);
}
DPEP_EXPORT void dpep_random_uniform_float64_adjacent(double *to, DPEP_SEQUENCE) {
  dpep::device::random::uniform_float64_adjacent(to, index, first, key0, key1, counter0, counter1, counter2, counter3);
}
DPEP_EXPORT void dpep_random_uniform_float32_adjacent(float *to, DPEP_SEQUENCE, std::uint64_t pending) {
  dpep::device::random::uniform_float32_adjacent(to, index, first, key0, key1, counter0, counter1, counter2, counter3,
                                                 pending);
}
