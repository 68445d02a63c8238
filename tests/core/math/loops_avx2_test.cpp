// The loops that accuracy_test.cpp checks, for processors with AVX2 and FMA.
#define DPEP_DEVICE_FUSED 1
#define LOOP_TARGET "avx2,fma"
#include "math/define_loops.hpp"

namespace dpep::test {

loop_tables avx2_loops() { return tables_of("avx2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")); }

}  // namespace dpep::test
