// The loops that accuracy_test.cpp checks, for processors with AVX-512.
#define DPEP_DEVICE_FUSED 1
#define LOOP_TARGET "avx512f,avx512dq,avx512vl,avx512bw,fma"
#include "math/define_loops.hpp"

namespace dpep::test {

loop_tables avx512_loops() { return tables_of("avx512", __builtin_cpu_supports("avx512dq") != 0); }

}  // namespace dpep::test
