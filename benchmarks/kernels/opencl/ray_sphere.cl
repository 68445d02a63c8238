// The first sphere of a list that each ray hits: a loop that a work-item leaves when it has found one.
kernel void ray_sphere(global const float4 *spheres, global int *hits, long width, long height, long count) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  const float x = (2 * (float)column + 1) / (float)width - 1, y = (2 * (float)row + 1) / (float)height - 1, z = 1;
  int found = -1;
  for (long s = 0; s < count; s++) {
    const float4 c = spheres[s];
    const float along = x * c.x + y * c.y + z * c.z;
    const float beside = c.x * c.x + c.y * c.y + c.z * c.z - c.w * c.w;
    if (along > 0 && along * along >= (x * x + y * y + z * z) * beside) {
      found = (int)s;
      break;
    }
  }
  hits[row * width + column] = found;
}
