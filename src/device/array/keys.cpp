// Keys of elements: unsigned integers in the elements' order, for sorts and searches.
#include <type_traits>

#include "device/array/types.hpp"

namespace dpep::array::gpu {
namespace {

/// Unsigned integers in the order of the floats' numbers. Zeros are equal, and all NaNs are equal and last.
template <class Word> Word key_of_float(Word bits, Word infinity) {
  constexpr Word sign = Word(Word(1) << (8 * sizeof(Word) - 1));
  const Word magnitude = Word(bits & Word(~sign));
  if (magnitude > infinity) return Word(~Word(0));
  if (magnitude == 0) return sign;
  return bits & sign ? Word(~bits) : Word(bits | sign);
}
/// The real part is compared first. Numbers without NaN are followed by those with a NaN as imaginary part, as real
/// part, and as both, each in the order of the other part. No key of a float is as high as those of NaNs.
template <class Wide, class Word> Wide key_of_complex(Word real, Word imaginary, Word infinity) {
  const Word x = key_of_float(real, infinity), y = key_of_float(imaginary, infinity), nan = Word(~Word(0));
  Word high = x, low = y;
  if (y == nan) high = Word(nan - 2), low = x;
  if (x == nan) high = Word(nan - 1), low = y;
  if (x == nan && y == nan) high = nan;
  return Wide(high) << (8 * sizeof(Word)) | low;
}

}  // namespace
}  // namespace dpep::array::gpu

// dpep_sort_key_float32(key, element) and others: unsigned integers in the order of the elements.
#define DPEP_SORT_KEY(name, element_type, expression)                                                                  \
  DPEP_EXPORT void dpep_sort_key_##name(void *key, const void *element) {                                              \
    using namespace dpep::array::gpu;                                                                                  \
    const auto x = read<element_type>(element);                                                                        \
    write<std::remove_cv_t<decltype(expression)>>(key, expression);                                                    \
  }
DPEP_SORT_KEY(bool, std::uint8_t, std::uint8_t(x != 0))
DPEP_SORT_KEY(uint8, std::uint8_t, x)
DPEP_SORT_KEY(uint16, std::uint16_t, x)
DPEP_SORT_KEY(uint32, std::uint32_t, x)
DPEP_SORT_KEY(uint64, std::uint64_t, x)
DPEP_SORT_KEY(int8, std::uint8_t, std::uint8_t(x ^ 0x80))
DPEP_SORT_KEY(int16, std::uint16_t, std::uint16_t(x ^ 0x8000))
DPEP_SORT_KEY(int32, std::uint32_t, x ^ 0x8000'0000u)
DPEP_SORT_KEY(int64, std::uint64_t, x ^ std::uint64_t(1) << 63)
DPEP_SORT_KEY(float16, std::uint16_t, key_of_float<std::uint16_t>(x, 0x7c00))
DPEP_SORT_KEY(float32, std::uint32_t, key_of_float<std::uint32_t>(x, 0x7f80'0000))
DPEP_SORT_KEY(float64, std::uint64_t, key_of_float<std::uint64_t>(x, 0x7ff0'0000'0000'0000))
DPEP_SORT_KEY(complex64, std::uint64_t,
              (key_of_complex<std::uint64_t, std::uint32_t>(std::uint32_t(x), std::uint32_t(x >> 32), 0x7f80'0000)))
DPEP_SORT_KEY(complex128, unsigned __int128,
              (key_of_complex<unsigned __int128, std::uint64_t>(std::uint64_t(x), std::uint64_t(x >> 64),
                                                                0x7ff0'0000'0000'0000)))
