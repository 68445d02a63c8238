// Hash functions and ciphers, one message or block for each work-item, against published test vectors and host code.
#include <array>
#include <cstring>
#include <string>

#include "data.hpp"

namespace programs {
namespace {

// -- SHA-256

constexpr std::uint32_t sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using digest = std::array<std::uint32_t, 8>;

/// SHA-256 of a message of up to 55 bytes: one block.
inline digest sha256(const char *text, std::size_t length) {
  std::uint32_t w[64] = {};
  const auto put = [&](std::size_t i, std::uint32_t byte) { w[i / 4] |= byte << (24 - 8 * (i % 4)); };
  for (std::size_t i = 0; i < length; i++) put(i, std::uint8_t(text[i]));
  put(length, 0x80);
  w[15] = std::uint32_t(length * 8);
  const auto rotated = [](std::uint32_t x, std::uint32_t n) { return x >> n | x << (32 - n); };
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
  digest h{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  digest s = h;
  for (int i = 0; i < 64; i++) {
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t t1 =
        s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + sha_k[i] + w[i];
    const std::uint32_t t2 =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; i++) h[i] += s[i];
  return h;
}

// -- ChaCha20

inline std::array<std::uint32_t, 16> chacha20(const std::uint32_t *key, std::uint32_t counter,
                                              const std::uint32_t *nonce) {
  std::array<std::uint32_t, 16> start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 8; i++) start[4 + i] = key[i];
  start[12] = counter;
  for (std::size_t i = 0; i < 3; i++) start[13 + i] = nonce[i];
  auto s = start;
  const auto quarter = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const auto turn = [](std::uint32_t x, std::uint32_t n) { return x << n | x >> (32 - n); };
    s[a] += s[b], s[d] = turn(s[d] ^ s[a], 16);
    s[c] += s[d], s[b] = turn(s[b] ^ s[c], 12);
    s[a] += s[b], s[d] = turn(s[d] ^ s[a], 8);
    s[c] += s[d], s[b] = turn(s[b] ^ s[c], 7);
  };
  for (int round = 0; round < 10; round++) {
    for (std::size_t i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
    for (std::size_t i = 0; i < 4; i++) quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (std::size_t i = 0; i < 16; i++) s[i] += start[i];
  return s;
}

// -- XTEA

inline sycl::uint2 xtea(sycl::uint2 v, const std::uint32_t *key, bool encrypts) {
  constexpr std::uint32_t delta = 0x9e3779b9;
  std::uint32_t a = v.x(), b = v.y(), sum = encrypts ? 0 : delta * 32;
  for (int i = 0; i < 32; i++) {
    if (encrypts) {
      a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
      sum += delta;
      b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    } else {
      b -= ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
      sum -= delta;
      a -= ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
    }
  }
  return {a, b};
}

/// Jenkins' one-at-a-time hash.
inline std::uint32_t one_at_a_time(const std::uint8_t *bytes, std::size_t count) {
  std::uint32_t h = 0;
  for (std::size_t i = 0; i < count; i++) {
    h += bytes[i];
    h += h << 10;
    h ^= h >> 6;
  }
  h += h << 3;
  h ^= h >> 11;
  return h + (h << 15);
}

}  // namespace

TEST(hashes_and_ciphers, sha256_of_many_messages) {
  constexpr std::size_t n = 3000, stride = 56;
  std::vector<char> text(n * stride);
  std::vector<std::uint8_t> length(n);
  for (std::size_t i = 0; i < n; i++) {
    const std::string message = i == 0 ? "abc" : i == 1 ? "" : "message number " + std::to_string(i * i);
    std::memcpy(&text[i * stride], message.data(), message.size());
    length[i] = std::uint8_t(message.size());
  }
  std::vector<digest> result(n);
  {
    sycl::queue q;
    sycl::buffer texts(text);
    sycl::buffer lengths(length);
    sycl::buffer results(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(texts, h, sycl::read_only);
      sycl::accessor l(lengths, h, sycl::read_only);
      sycl::accessor r(results, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { r[i] = sha256(&t[i[0] * stride], l[i]); });
    });
  }
  EXPECT_EQ(result[0],
            (digest{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad}));
  EXPECT_EQ(result[1],
            (digest{0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c, 0xa495991b, 0x7852b855}));
  for (std::size_t i = 2; i < n; i++) ASSERT_EQ(result[i], sha256(&text[i * stride], length[i])) << i;
}

TEST(hashes_and_ciphers, chacha20) {
  std::uint32_t key[8];
  for (std::uint32_t i = 0; i < 8; i++) key[i] = 0x03020100 + 0x04040404 * i;
  const std::uint32_t nonce[3] = {0x09000000, 0x4a000000, 0};
  constexpr std::size_t blocks = 500;
  std::vector<std::uint32_t> message = integers(blocks * 16, 0xffffffff, 3), encrypted(message.size());
  sycl::queue q;
  sycl::buffer<std::uint32_t> keys(key, 8), nonces(nonce, 3);
  const auto apply = [&](std::vector<std::uint32_t> &in, std::vector<std::uint32_t> &out) {
    sycl::buffer from(in);
    sycl::buffer to(out);
    q.submit([&](sycl::handler &h) {
      sycl::accessor f(from, h, sycl::read_only);
      sycl::accessor k(keys, h, sycl::read_only);
      sycl::accessor o(nonces, h, sycl::read_only);
      sycl::accessor t(to, h, sycl::write_only);
      h.parallel_for(blocks, [=](sycl::id<1> b) {
        const auto stream = chacha20(&k[0], std::uint32_t(b[0]) + 1, &o[0]);
        for (std::size_t i = 0; i < 16; i++) t[b[0] * 16 + i] = f[b[0] * 16 + i] ^ stream[i];
      });
    });
  };
  apply(message, encrypted);
  // RFC 8439, section 2.3.2
  EXPECT_EQ(message[0] ^ encrypted[0], 0xe4e7f110u);
  EXPECT_EQ(message[15] ^ encrypted[15], 0x4e3c50a2u);
  std::vector<std::uint32_t> again(message.size());
  apply(encrypted, again);
  EXPECT_EQ(again, message);
}

TEST(hashes_and_ciphers, xtea) {
  constexpr std::size_t n = 4096;
  sycl::queue q;
  auto *v = sycl::malloc_shared<sycl::uint2>(n, q);
  for (std::size_t i = 0; i < n; i++) v[i] = {0x41424344 + std::uint32_t(i), 0x45464748};
  const std::array<std::uint32_t, 4> key{0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
  const sycl::event encrypted = q.parallel_for(n, [=](sycl::id<1> i) { v[i] = xtea(v[i], key.data(), true); });
  encrypted.wait();
  EXPECT_EQ(v[0].x(), 0x497df3d0u);
  EXPECT_EQ(v[0].y(), 0x72612cb5u);
  q.parallel_for(n, [=](sycl::id<1> i) { v[i] = xtea(v[i], key.data(), false); }).wait();
  for (std::size_t i = 0; i < n; i++) ASSERT_EQ(v[i].x(), 0x41424344 + std::uint32_t(i)) << i;
  sycl::free(v, q);
}

TEST(hashes_and_ciphers, crc32_with_a_table_in_local_memory) {
  constexpr std::size_t n = 1000, length = 37;
  std::vector<std::uint8_t> text(n * length);
  std::memcpy(text.data(), "123456789", 9);
  for (std::size_t i = length; i < text.size(); i++) text[i] = std::uint8_t(i * i + i / 7);
  std::vector<std::uint32_t> result(n), expected;
  const auto entry = [](std::uint32_t i) {
    for (int k = 0; k < 8; k++) i = i & 1 ? i >> 1 ^ 0xedb88320 : i >> 1;
    return i;
  };
  const auto size_of = [](std::size_t i) { return i ? length : std::size_t(9); };
  {
    sycl::queue q;
    sycl::buffer texts(text);
    sycl::buffer results(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(texts, h, sycl::read_only);
      sycl::accessor r(results, h, sycl::write_only);
      sycl::local_accessor<std::uint32_t> table(256, h);
      h.parallel_for(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> item) {
        for (std::size_t i = item.get_local_id(0); i < 256; i += 128) table[i] = entry(std::uint32_t(i));
        sycl::group_barrier(item.get_group());
        const std::size_t m = item.get_global_id(0);
        if (m >= n) return;
        std::uint32_t crc = ~0u;
        for (std::size_t i = 0; i < size_of(m); i++) crc = table[(crc ^ t[m * length + i]) & 255] ^ crc >> 8;
        r[m] = ~crc;
      });
    });
  }
  EXPECT_EQ(result[0], 0xcbf43926u);
  for (std::size_t m = 0; m < n; m++) {
    std::uint32_t crc = ~0u;
    for (std::size_t i = 0; i < size_of(m); i++) crc = entry((crc ^ text[m * length + i]) & 255) ^ crc >> 8;
    expected.push_back(~crc);
  }
  EXPECT_EQ(result, expected);
}

TEST(hashes_and_ciphers, jenkins_hash_and_a_hash_table) {
  constexpr std::size_t n = 5000, slots = 16384;
  constexpr std::uint32_t empty = ~0u;
  std::vector<std::uint32_t> keys = integers(n, 1u << 30, 17);
  std::vector<std::uint32_t> table(slots, empty), found(n);
  {
    sycl::queue q;
    sycl::buffer key(keys);
    sycl::buffer slot(table);
    sycl::buffer result(found);
    const auto place = [](std::uint32_t k) {
      std::uint8_t bytes[4];
      for (int i = 0; i < 4; i++) bytes[i] = std::uint8_t(k >> 8 * i);
      return one_at_a_time(bytes, 4) % slots;
    };
    q.submit([&](sycl::handler &h) {
      sycl::accessor k(key, h, sycl::read_only);
      sycl::accessor s(slot, h);
      h.parallel_for(n, [=](sycl::id<1> i) {
        for (std::size_t at = place(k[i]);; at = (at + 1) % slots) {
          std::uint32_t expected = empty;
          sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device> target(s[at]);
          if (target.compare_exchange_strong(expected, k[i]) || expected == k[i]) return;
        }
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor k(key, h, sycl::read_only);
      sycl::accessor s(slot, h, sycl::read_only);
      sycl::accessor r(result, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        std::size_t at = place(k[i]);
        while (s[at] != k[i] && s[at] != empty) at = (at + 1) % slots;
        r[i] = s[at];
      });
    });
  }
  EXPECT_EQ(found, keys);
  const std::uint8_t a = 'a';
  EXPECT_EQ(one_at_a_time(&a, 1), 0xca2e9442u);
}

}  // namespace programs
