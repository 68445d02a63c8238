// Codecs: AES, Huffman codes, decompression of matches, Base64, error-correcting codes.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <queue>
#include <string>
#include <string_view>

#include "data.hpp"

namespace programs {
namespace {

using byte = std::uint8_t;

constexpr byte times_two(byte x) { return static_cast<byte>(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

/// The substitution table of AES: inverses in the field of 256 elements, and an affine map.
constexpr std::array<byte, 256> substitutions = [] {
  std::array<byte, 256> table{};
  byte p = 1, q = 1;
  do {
    p = static_cast<byte>(p ^ times_two(p));  // p times 3
    q = static_cast<byte>(q ^ q << 1);        // q divided by 3
    q = static_cast<byte>(q ^ q << 2);
    q = static_cast<byte>(q ^ q << 4);
    if (q & 0x80) q ^= 0x09;
    table[p] = static_cast<byte>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63);
  } while (p != 1);
  table[0] = 0x63;
  return table;
}();

using round_keys = std::array<std::array<byte, 16>, 11>;

constexpr round_keys expand(const std::array<byte, 16> &key) {
  round_keys keys{key};
  byte constant = 1;
  for (std::size_t r = 1; r < keys.size(); r++) {
    for (std::size_t i = 0; i < 16; i++) {
      const byte last = i < 4 ? substitutions[keys[r - 1][12 + (i + 1) % 4]] : keys[r][i - 4];
      keys[r][i] = static_cast<byte>(keys[r - 1][i] ^ last ^ (i == 0 ? constant : 0));
    }
    constant = times_two(constant);
  }
  return keys;
}

/// Encrypts a block; `sbox` is any table of 256 bytes.
template <class Table>
constexpr std::array<byte, 16> encrypt(std::array<byte, 16> state, const round_keys &keys, const Table &sbox) {
  for (std::size_t i = 0; i < 16; i++) state[i] ^= keys[0][i];
  for (std::size_t r = 1; r < keys.size(); r++) {
    std::array<byte, 16> s{};
    for (std::size_t i = 0; i < 16; i++) s[i] = sbox[state[(i + i % 4 * 4) % 16]];
    for (std::size_t c = 0; c < 16; c += 4) {
      const byte all = static_cast<byte>(s[c] ^ s[c + 1] ^ s[c + 2] ^ s[c + 3]);
      for (std::size_t k = 0; k < 4; k++) {
        const byte mixed = static_cast<byte>(s[c + k] ^ all ^ times_two(s[c + k] ^ s[c + (k + 1) % 4]));
        state[c + k] = static_cast<byte>((r < 10 ? mixed : s[c + k]) ^ keys[r][c + k]);
      }
    }
  }
  return state;
}

/// Lengths of Huffman codes, by the two rarest trees.
std::array<byte, 32> code_lengths(const std::array<std::uint32_t, 32> &counts) {
  struct tree {
    std::uint32_t count;
    std::vector<int> symbols;
    bool operator>(const tree &other) const { return count > other.count; }
  };
  std::priority_queue<tree, std::vector<tree>, std::greater<>> trees;
  std::array<byte, 32> lengths{};
  for (int s = 0; s < 32; s++)
    if (counts[std::size_t(s)]) trees.push({counts[std::size_t(s)], {s}});
  while (trees.size() > 1) {
    tree a = trees.top();
    trees.pop();
    tree b = trees.top();
    trees.pop();
    a.symbols.insert(a.symbols.end(), b.symbols.begin(), b.symbols.end());
    for (const int s : a.symbols) lengths[std::size_t(s)]++;
    trees.push({a.count + b.count, a.symbols});
  }
  return lengths;
}

/// A text in pieces: a count of literals, the literals, a match's length, and the distance if that length is not 0.
std::vector<byte> compressed(const std::vector<byte> &text) {
  std::vector<byte> out, literals;
  const auto flush = [&](std::size_t match) {
    out.push_back(static_cast<byte>(literals.size()));
    out.insert(out.end(), literals.begin(), literals.end());
    out.push_back(static_cast<byte>(match));
    literals.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t best = 0, distance = 0;
    for (std::size_t d = 1; d <= std::min<std::size_t>(i, 255); d++) {
      std::size_t k = 0;
      while (k < 200 && i + k < text.size() && text[i + k] == text[i + k - d]) k++;
      if (k > best) best = k, distance = d;
    }
    if (best >= 4) {
      flush(best);
      out.push_back(static_cast<byte>(distance));
      i += best;
    } else {
      literals.push_back(text[i++]);
      if (literals.size() == 255) flush(0);
    }
  }
  flush(0);
  return out;
}

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 (RFC 4648) of a text: a work-item for three bytes.
std::string base64(sycl::queue &q, const std::string &text) {
  std::string result((text.size() + 2) / 3 * 4, '=');
  if (text.empty()) return result;
  {
    sycl::buffer<char> in(text.data(), text.size());
    sycl::buffer<char> out(result.data(), result.size());
    sycl::buffer<char> table(digits.data(), digits.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor digit(table, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      h.parallel_for(result.size() / 4, [=, n = text.size()](sycl::id<1> i) {
        sycl::uchar3 bytes(0);
        for (int k = 0; k < 3; k++)
          if (i * 3 + std::size_t(k) < n) bytes[k] = static_cast<byte>(from[i * 3 + std::size_t(k)]);
        sycl::uchar4 sixths = bytes.swizzle<0, 0, 1, 2>() >> sycl::uchar4(2, 4, 6, 0);
        sixths.swizzle<1, 2>() =
            bytes.swizzle<0, 1>() << sycl::uchar2(4, 2) | bytes.swizzle<1, 2>() >> sycl::uchar2(4, 6);
        sixths &= byte{63};
        const std::size_t there = sycl::min<std::size_t>(n - i * 3, 3) + 1;
        for (std::size_t k = 0; k < there; k++) to[i * 4 + k] = digit[sixths[int(k)]];
      });
    });
  }
  return result;
}

/// Products in the field of 256 elements with the polynomial 0x11d, as storage with two parities uses it.
constexpr byte product(byte a, byte b) {
  byte sum = 0;
  for (; b; b >>= 1) {
    if (b & 1) sum ^= a;
    a = static_cast<byte>(a << 1 ^ (a & 0x80 ? 0x1d : 0));
  }
  return sum;
}

}  // namespace

TEST(codecs, aes_in_counter_mode) {
  constexpr std::array<byte, 16> key{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                     0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  constexpr round_keys keys = expand(key);
  // FIPS 197, appendix B.
  static_assert(
      encrypt({0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34}, keys,
              substitutions) == std::array<byte, 16>{0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85,
                                                     0x97, 0x19, 0x6a, 0x0b, 0x32});
  constexpr std::size_t n = 10'007, blocks = (n + 15) / 16, local = 48;
  constexpr byte plain[] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                            0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
  constexpr byte cipher[] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                             0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};
  std::vector<byte> text(plain, plain + 16);
  for (const std::uint32_t b : integers(n - 16, 256, 61)) text.push_back(static_cast<byte>(b));
  std::vector<byte> result(n), expected(n);
  const auto counter = [](std::size_t block) {  // F.5.1 of NIST SP 800-38A begins with f0f1...ff
    std::array<byte, 16> c{};
    for (std::size_t i = 0; i < 16; i++) c[i] = static_cast<byte>(0xf0 + i);
    for (std::size_t i = 16, carry = block; i-- > 0 && carry; carry >>= 8) c[i] = static_cast<byte>(carry += c[i]);
    return c;
  };
  {
    sycl::queue q;
    sycl::buffer in(text);
    sycl::buffer out(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      sycl::local_accessor<byte> sbox(256, h);
      h.parallel_for(sycl::nd_range<1>((blocks + local - 1) / local * local, local), [=](sycl::nd_item<1> item) {
        for (std::size_t i = item.get_local_id(0); i < 256; i += item.get_local_range(0)) sbox[i] = substitutions[i];
        sycl::group_barrier(item.get_group());
        const std::size_t block = item.get_global_linear_id();
        const std::array<byte, 16> stream = encrypt(counter(block), keys, sbox);
        for (std::size_t i = 0; i < 16 && block * 16 + i < n; i++)
          to[block * 16 + i] = static_cast<byte>(from[block * 16 + i] ^ stream[i]);
      });
    });
  }
  EXPECT_TRUE(std::equal(cipher, cipher + 16, result.begin()));
  for (std::size_t i = 0; i < n; i++)
    expected[i] = static_cast<byte>(text[i] ^ encrypt(counter(i / 16), keys, substitutions)[i % 16]);
  EXPECT_EQ(result, expected);
}

TEST(codecs, huffman_codes_in_packed_bits) {
  constexpr std::size_t n = 9001, local = 128;
  std::vector<byte> symbols(n);
  for (std::size_t i = 0; const std::uint32_t b : integers(n, 1u << 31, 62))
    symbols[i++] = static_cast<byte>(std::min(31, std::countr_zero(b | 1u << 31) * 3 + int(b >> 28) % 3));
  std::array<std::uint32_t, 32> counts{};
  sycl::queue q;
  sycl::buffer symbol_buffer(symbols);
  {
    sycl::buffer<std::uint32_t> histogram(counts.data(), counts.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(symbol_buffer, h, sycl::read_only);
      sycl::accessor c(histogram, h);
      h.parallel_for(n, [=](sycl::id<1> i) {
        sycl::atomic_ref<std::uint32_t, sycl::memory_order_relaxed, sycl::memory_scope_device>(c[s[i]])++;
      });
    });
  }
  const std::array<byte, 32> lengths = code_lengths(counts);
  std::array<std::uint32_t, 32> codes{};  // canonical: by length, then by symbol; the first bit is the lowest
  std::vector<int> order(32);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int s) { return std::pair(lengths[std::size_t(s)], s); });
  std::uint32_t code = 0;
  for (int last = 0; const int s : order)
    if (const int length = lengths[std::size_t(s)]) {
      code <<= length - (last ? last : length);
      last = length;
      for (int b = 0; b < length; b++) codes[std::size_t(s)] |= (code >> (length - 1 - b) & 1) << b;
      code++;
    }
  sycl::buffer<std::uint32_t> offsets(n + 1), words(n);
  q.submit([&](sycl::handler &h) {
    sycl::accessor s(symbol_buffer, h, sycl::read_only);
    sycl::accessor o(offsets, h);
    h.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
      for (std::size_t i = item.get_local_id(0); i <= n; i += local) o[i] = i < n ? lengths[s[i]] : 0;
      sycl::group_barrier(item.get_group());
      std::uint32_t *first = o.get_multi_ptr<sycl::access::decorated::no>().get();
      sycl::joint_exclusive_scan(item.get_group(), first, first + n + 1, first, sycl::plus<std::uint32_t>());
    });
  });
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(words, h, sycl::write_only, sycl::no_init), 0u); });
  q.submit([&](sycl::handler &h) {
    sycl::accessor s(symbol_buffer, h, sycl::read_only);
    sycl::accessor o(offsets, h, sycl::read_only);
    sycl::accessor w(words, h);
    h.parallel_for(n, [=](sycl::id<1> i) {
      using word = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
      const std::uint64_t bits = std::uint64_t{codes[s[i]]} << o[i] % 32;
      word(w[o[i] / 32]) |= static_cast<std::uint32_t>(bits);
      if (bits >> 32) word(w[o[i] / 32 + 1]).fetch_or(static_cast<std::uint32_t>(bits >> 32));
    });
  });
  const sycl::host_accessor w(words, sycl::read_only);
  const sycl::host_accessor o(offsets, sycl::read_only);
  std::vector<byte> decoded;
  std::uint32_t bit = 0;
  while (decoded.size() < n && bit < o[n]) {
    std::uint32_t seen = 0;
    int length = 0, symbol = -1;
    while (symbol < 0 && length < 32) {
      seen |= (w[bit / 32] >> bit % 32 & 1) << length++;
      bit++;
      for (int s = 0; s < 32; s++)
        if (lengths[std::size_t(s)] == length && codes[std::size_t(s)] == seen) symbol = s;
    }
    decoded.push_back(static_cast<byte>(symbol));
  }
  EXPECT_EQ(decoded, symbols);
  EXPECT_EQ(bit, o[n]);
}

TEST(codecs, decompression_of_matches_in_groups) {
  constexpr std::size_t blocks = 23, block = 1500;
  random_numbers r(63);
  std::vector<byte> text, packed, result;
  std::vector<std::size_t> first{0};
  for (std::size_t b = 0; b < blocks; b++) {
    const std::size_t begin = text.size();
    while (text.size() < begin + block)
      if (const std::size_t back = 1 + r.below(b < 3 ? 3 : 200);
          r.below(2 + 5 * std::uint32_t(b)) && text.size() >= begin + back)
        for (std::uint32_t k = r.below(60); k > 0 && text.size() < begin + block; k--)
          text.push_back(text[text.size() - back]);
      else
        for (std::uint32_t k = r.below(b == 7 ? 600 : 9); k > 0 && text.size() < begin + block; k--)
          text.push_back(static_cast<byte>(r.below(256)));
    const std::vector<byte> piece = compressed({text.begin() + std::ptrdiff_t(begin), text.end()});
    packed.insert(packed.end(), piece.begin(), piece.end());
    first.push_back(packed.size());
  }
  EXPECT_LT(packed.size(), text.size());
  {
    sycl::queue q;
    sycl::buffer<byte> in{packed}, out{sycl::range<1>{blocks * block}};
    sycl::buffer<std::size_t> starts{first};
    result.resize(blocks * block);
    out.set_final_data(result.data());
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor start(starts, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      sycl::local_accessor<byte> window(block, h);
      h.parallel_for_work_group(sycl::range<1>(blocks), sycl::range<1>(32), [=](sycl::group<1> group) {
        std::size_t at = start[group[0]], filled = 0;
        const std::size_t end = start[group[0] + 1];
        while (at < end) {
          const std::size_t literals = from[at++];
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            for (std::size_t k = item.get_local_id(0); k < literals; k += 32) window[filled + k] = from[at + k];
          });
          at += literals;
          filled += literals;
          const std::size_t match = from[at++];
          if (match == 0) continue;
          const std::size_t distance = from[at++];
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            for (std::size_t k = item.get_local_id(0); k < match; k += 32)
              window[filled + k] = window[filled - distance + k % distance];
          });
          filled += match;
        }
        group.parallel_for_work_item([&](sycl::h_item<1> item) {
          for (std::size_t k = item.get_local_id(0); k < block; k += item.get_local_range(0))
            to[group[0] * block + k] = window[k];
        });
      });
    });
  }
  EXPECT_EQ(result, text);
}

TEST(codecs, base64_with_swizzles) {
  sycl::queue q;
  const std::pair<const char *, const char *> known[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto &[text, code] : known) EXPECT_EQ(base64(q, text), code) << text;
  std::string text;
  for (const std::uint32_t b : integers(10'000, 256, 64)) text.push_back(static_cast<char>(b));
  std::string decoded;
  std::uint32_t bits = 0;
  for (int count = 0; const char c : base64(q, text)) {
    if (c == '=') break;
    bits = bits << 6 | std::uint32_t(digits.find(c));
    if (++count % 4 != 1) decoded.push_back(static_cast<char>(bits >> (6 - 2 * ((count + 3) % 4)) & 255));
  }
  EXPECT_EQ(decoded, text);
}

TEST(codecs, two_lost_disks_from_two_parities) {
  constexpr std::size_t disks = 8, n = 1001;
  std::vector<byte> data;
  for (const std::uint32_t b : integers(disks * n, 256, 65)) data.push_back(static_cast<byte>(b));
  std::vector<byte> restored = data;
  sycl::queue q;
  sycl::buffer<byte, 2> stripes(restored.data(), {n, disks});
  sycl::buffer<sycl::uchar2> parities(n);
  // Eight work-items for each stripe, several stripes in a group.
  const auto parity = [&](std::size_t lost, std::size_t other) {
    sycl::buffer<sycl::uchar2> sums(n);
    q.submit([&](sycl::handler &h) {
      sycl::accessor d(stripes, h, sycl::read_only);
      sycl::accessor s(sums, h, sycl::write_only);
      sycl::local_accessor<sycl::uchar2, 1> part(64, h);
      h.parallel_for(sycl::nd_range<1>((n + 7) / 8 * 64, 64), [=](sycl::nd_item<1> item) {
        const std::size_t stripe = item.get_global_id(0) / disks, disk = item.get_global_id(0) % disks;
        const std::size_t l = item.get_local_id(0);
        byte value = 0, weight = 1;
        if (stripe < n && disk != lost && disk != other) value = d[stripe][disk];
        for (std::size_t k = 0; k < disk; k++) weight = product(weight, 2);
        part[l] = {value, product(value, weight)};
        for (std::size_t step = disks / 2; step > 0; step /= 2) {
          sycl::group_barrier(item.get_group());
          if (disk < step) part[l] ^= part[l + step];
        }
        if (disk == 0 && stripe < n) s[stripe] = part[l];
      });
    });
    return sums;
  };
  parities = parity(disks, disks);
  const std::size_t a = 2, b = 5;
  {
    sycl::host_accessor d(stripes);
    for (std::size_t i = 0; i < n; i++) d[i][a] = d[i][b] = 0xee;
  }
  sycl::buffer<sycl::uchar2> rest = parity(a, b);
  q.submit([&](sycl::handler &h) {
    sycl::accessor d(stripes, h);
    sycl::accessor p(parities, h, sycl::read_only), s(rest, h, sycl::read_only);
    h.parallel_for(n, [=](sycl::id<1> i) {
      // x + y = sum.x, 2^a x + 2^b y = sum.y
      const sycl::uchar2 sum = p[i] ^ s[i];
      const auto power = [](std::size_t k) { return static_cast<byte>(1u << k); };
      const auto divisor = static_cast<byte>(power(a) ^ power(b));
      byte inverse = 1;
      for (int k = 0; k < 254; k++) inverse = product(inverse, divisor);
      const byte x = product(inverse, static_cast<byte>(product(power(b), sum.x()) ^ sum.y()));
      d[i][a] = x;
      d[i][b] = static_cast<byte>(x ^ sum.x());
    });
  });
  const sycl::host_accessor d(stripes, sycl::read_only);
  for (std::size_t i = 0; i < n * disks; i++) ASSERT_EQ(d[i / disks][i % disks], data[i]) << i;
}

}  // namespace programs
