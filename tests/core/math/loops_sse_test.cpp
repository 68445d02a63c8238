// The loops that accuracy_test.cpp checks, for processors with SSE4.1 only.
#define DPEP_DEVICE_FUSED 0
#define LOOP_TARGET "sse4.1"
#include "math/define_loops.hpp"

namespace dpep::test {

loop_tables sse_loops() { return tables_of("sse", __builtin_cpu_supports("sse4.1") != 0); }

}  // namespace dpep::test
