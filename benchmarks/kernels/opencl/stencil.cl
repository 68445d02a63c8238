// A 5 x 5 filter over a padded image: a work-group's tile and its halo in local memory.
kernel void stencil(global const float *image, global const float *weights, global float *result, long width,
                    long height) {
  enum { halo = 2 * STENCIL_RADIUS, diameter = halo + 1 };
  enum { tile_width = STENCIL_WIDTH + halo, tile_height = STENCIL_HEIGHT + halo };
  local float tile[tile_height][tile_width];
  const size_t x = get_local_id(0), y = get_local_id(1);
  const long padded = width + halo;
  global const float *corner =
      image + get_group_id(1) * STENCIL_HEIGHT * padded + get_group_id(0) * STENCIL_WIDTH;
  for (size_t row = y; row < tile_height; row += STENCIL_HEIGHT)
    for (size_t column = x; column < tile_width; column += STENCIL_WIDTH)
      tile[row][column] = corner[row * padded + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int dy = 0; dy < diameter; dy++)
    for (int dx = 0; dx < diameter; dx++) sum += weights[dy * diameter + dx] * tile[y + dy][x + dx];
  result[get_global_id(1) * width + get_global_id(0)] = sum;
}
