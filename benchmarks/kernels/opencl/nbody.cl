// Gravity between all bodies: a work-item for each body loops over all. Roots are estimated, as in the hand-written
// code.
kernel void nbody(global const float4 *bodies, global float4 *acceleration, long n) {
  const size_t i = get_global_id(0);
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (long j = 0; j < n; j++) {
    const float4 other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = native_rsqrt(dx * dx + dy * dy + dz * dz + NBODY_SOFTENING);
    const float strength = other.w * inverse * inverse * inverse;
    ax += strength * dx;
    ay += strength * dy;
    az += strength * dz;
  }
  acceleration[i] = (float4)(ax, ay, az, 0);
}
