// A sum for each block of elements: a tree in local memory.
kernel void reduction(global const float *values, global float *sums, long count) {
  local float tree[REDUCE_GROUP];
  const size_t me = get_local_id(0), group = get_group_id(0);
  float sum = 0;
  for (int k = 0; k < REDUCE_PER_ITEM; k++) sum += values[(group * REDUCE_PER_ITEM + k) * REDUCE_GROUP + me];
  tree[me] = sum;
  for (size_t width = REDUCE_GROUP / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width) tree[me] += tree[me + width];
  }
  if (me == 0) sums[group] = tree[0];
}
