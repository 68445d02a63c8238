// A histogram of bytes for each work-group's block: atomics on local memory.
kernel void histogram(global const uchar *values, global uint *counts, long count) {
  local uint bins[HISTOGRAM_BINS];
  const size_t me = get_local_id(0), group = get_group_id(0);
  bins[me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < HISTOGRAM_PER_ITEM; k++)
    atomic_inc(&bins[values[(group * HISTOGRAM_PER_ITEM + k) * HISTOGRAM_BINS + me]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[get_global_id(0)] = bins[me];
}
