// Kernel density estimation: private sums of a work-item's samples, then one tree for all points.
kernel void kde(global const float *samples, global const float *points, global float *sums, long count) {
  local float tree[KDE_POINTS][KDE_GROUP];
  const size_t me = get_local_id(0), group = get_group_id(0);
  float total[KDE_POINTS];
  for (int j = 0; j < KDE_POINTS; j++) total[j] = 0;
  for (int s = 0; s < KDE_SAMPLES_PER_ITEM; s++) {
    const size_t sample = (group * KDE_SAMPLES_PER_ITEM + s) * KDE_GROUP + me;
    float x[KDE_DIMENSIONS];
    for (int k = 0; k < KDE_DIMENSIONS; k++) x[k] = samples[sample * KDE_DIMENSIONS + k];
    for (int j = 0; j < KDE_POINTS; j++) {
      float distance = 0;
      for (int k = 0; k < KDE_DIMENSIONS; k++) {
        const float difference = x[k] - points[j * KDE_DIMENSIONS + k];
        distance += difference * difference;
      }
      total[j] += exp(KDE_EXPONENT * distance);
    }
  }
  for (int j = 0; j < KDE_POINTS; j++) tree[j][me] = total[j];
  for (size_t width = KDE_GROUP / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width)
      for (int j = 0; j < KDE_POINTS; j++) tree[j][me] += tree[j][me + width];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me < KDE_POINTS) sums[group * KDE_POINTS + me] = tree[me][0];
}
