// The Mandelbrot set: a divergent loop, which work-items leave at different times.
kernel void mandelbrot(global int *counts, long width, long height) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  const float cr = 3.0f * (float)x / (float)width - 2.25f;
  const float ci = 2.5f * (float)y / (float)height - 1.25f;
  float zr = 0, zi = 0;
  int n = 0;
  for (; n < MANDELBROT_LIMIT; n++) {
    const float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2 * zr * zi + ci;
    zr = rr - ii + cr;
  }
  counts[y * width + x] = n;
}
