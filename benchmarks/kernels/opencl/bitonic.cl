// Sorts the block of each work-group by Batcher's bitonic network, with a work-item for each key.
kernel void bitonic(global const int *values, global int *sorted, long count) {
  local int keys[BITONIC_SEGMENT];
  const uint me = (uint)get_local_id(0);
  int key = values[get_global_id(0)];
  for (uint run = 2; run <= BITONIC_SEGMENT; run *= 2)
    for (uint distance = run / 2; distance > 0; distance /= 2) {
      keys[me] = key;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int other = keys[me ^ distance];
      const bool lower = (me & distance) == 0, ascending = (me & run) == 0;
      key = lower == ascending ? min(key, other) : max(key, other);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  sorted[get_global_id(0)] = key;
}
