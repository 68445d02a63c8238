// Bob Jenkins' hash (lookup3) of keys of different lengths, 12 bytes a round.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::jenkins_problem;
using std::uint32_t;

static uint32_t rotate(uint32_t x, int bits) { return (x << bits) | (x >> (32 - bits)); }

static uint32_t hash(const uint32_t *key, uint32_t length, uint32_t initial) {
  uint32_t a = 0xdeadbeef + length + initial, b = a, c = a;
  while (length > 12) {
    a += key[0];
    b += key[1];
    c += key[2];
    a -= c, a ^= rotate(c, 4), c += b;
    b -= a, b ^= rotate(a, 6), a += c;
    c -= b, c ^= rotate(b, 8), b += a;
    a -= c, a ^= rotate(c, 16), c += b;
    b -= a, b ^= rotate(a, 19), a += c;
    c -= b, c ^= rotate(b, 4), b += a;
    length -= 12;
    key += 3;
  }
  switch (length) {
  case 12:
    c += key[2], b += key[1], a += key[0];
    break;
  case 11:
    c += key[2] & 0xffffff, b += key[1], a += key[0];
    break;
  case 10:
    c += key[2] & 0xffff, b += key[1], a += key[0];
    break;
  case 9:
    c += key[2] & 0xff, b += key[1], a += key[0];
    break;
  case 8:
    b += key[1], a += key[0];
    break;
  case 7:
    b += key[1] & 0xffffff, a += key[0];
    break;
  case 6:
    b += key[1] & 0xffff, a += key[0];
    break;
  case 5:
    b += key[1] & 0xff, a += key[0];
    break;
  case 4:
    a += key[0];
    break;
  case 3:
    a += key[0] & 0xffffff;
    break;
  case 2:
    a += key[0] & 0xffff;
    break;
  case 1:
    a += key[0] & 0xff;
    break;
  case 0:
    return c;
  }
  c ^= b, c -= rotate(b, 14);
  a ^= c, a -= rotate(c, 11);
  b ^= a, b -= rotate(a, 25);
  c ^= b, c -= rotate(b, 16);
  a ^= c, a -= rotate(c, 4);
  b ^= a, b -= rotate(a, 14);
  c ^= b, c -= rotate(b, 24);
  return c;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const uint32_t *keys = to_device(q, p.keys), *lengths = to_device(q, p.lengths);
  uint32_t *hashes = sycl::malloc_device<uint32_t>(p.n, q);

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(p.n, problem::group_size), [=](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0);
      hashes[i] = hash(keys + i * problem::words, lengths[i], problem::initial);
    });
  };
  programs::report("jenkins", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, hashes, p.n)); });
}
