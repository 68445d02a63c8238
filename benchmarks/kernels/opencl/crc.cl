// CRC-32 of many messages, with a work-item for each message and eight bytes in each step ("slicing by 8").
kernel void crc(global const uint *messages, global const uint *table, global uint *sums, long count) {
  const size_t m = get_global_id(0);
  global const uint *message = messages + m * (CRC_MESSAGE_BYTES / 4);
  uint sum = ~0u;
  for (int w = 0; w < CRC_MESSAGE_BYTES / 4; w += 2) {
    const uint low = message[w] ^ sum, high = message[w + 1];
    sum = table[7 * 256 + (low & 255)] ^ table[6 * 256 + (low >> 8 & 255)] ^ table[5 * 256 + (low >> 16 & 255)] ^
          table[4 * 256 + (low >> 24)] ^ table[3 * 256 + (high & 255)] ^ table[2 * 256 + (high >> 8 & 255)] ^
          table[1 * 256 + (high >> 16 & 255)] ^ table[high >> 24];
  }
  sums[m] = ~sum;
}
