// Inclusive prefix sums within work-groups by Hillis and Steele's algorithm, double-buffered in local memory.
kernel void scan(global const int *values, global int *sums, long count) {
  local int partial[2][SCAN_GROUP];
  const size_t me = get_local_id(0), i = get_global_id(0);
  int sum = values[i], now = 0;
  for (size_t distance = 1; distance < SCAN_GROUP; distance *= 2) {
    partial[now][me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me >= distance) sum += partial[now][me - distance];
    now = 1 - now;
  }
  sums[i] = sum;
}
