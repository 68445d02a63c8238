// Matrix product: tiles of both operands in local memory, a work-item computes several elements of a column.
kernel void matmul(global const float *a, global const float *b, global float *c, long n) {
  local float a_tile[MATMUL_TILE * MATMUL_ROWS_PER_ITEM][MATMUL_TILE], b_tile[MATMUL_TILE][MATMUL_TILE];
  const size_t x = get_local_id(0), y = get_local_id(1), column = get_global_id(0);
  const size_t first = get_group_id(1) * MATMUL_TILE * MATMUL_ROWS_PER_ITEM;
  float sum[MATMUL_ROWS_PER_ITEM];
  for (int r = 0; r < MATMUL_ROWS_PER_ITEM; r++) sum[r] = 0;
  for (long k = 0; k < n; k += MATMUL_TILE) {
    for (int r = 0; r < MATMUL_ROWS_PER_ITEM; r++)
      a_tile[r * MATMUL_TILE + y][x] = a[(first + r * MATMUL_TILE + y) * n + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < MATMUL_TILE; i++)
      for (int r = 0; r < MATMUL_ROWS_PER_ITEM; r++) sum[r] += a_tile[r * MATMUL_TILE + y][i] * b_tile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < MATMUL_ROWS_PER_ITEM; r++) c[(first + r * MATMUL_TILE + y) * n + column] = sum[r];
}
