// Four random words for each counter.
kernel void philox(global uint4 *words, long count, long first_key, long second_key) {
  uint key0 = (uint)first_key, key1 = (uint)second_key;
  uint a = (uint)get_global_id(0), b = 0, c = 0, d = 0;
  for (int round = 0; round < 10; round++) {
    const ulong first = (ulong)0xD2511F53u * a, second = (ulong)0xCD9E8D57u * c;
    a = (uint)(second >> 32) ^ b ^ key0;
    b = (uint)second;
    c = (uint)(first >> 32) ^ d ^ key1;
    d = (uint)first;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  words[get_global_id(0)] = (uint4)(a, b, c, d);
}
