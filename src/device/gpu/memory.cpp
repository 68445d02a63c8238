// The C library's memory and string functions, which GPUs have no library for.
#include <cstddef>

extern "C" {

void *memcpy(void *to, const void *from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
  return to;
}

void *memmove(void *to, const void *from, std::size_t bytes) {
  auto *const t = static_cast<char *>(to);
  const auto *const f = static_cast<const char *>(from);
  if (t < f)
    for (std::size_t i = 0; i < bytes; ++i) t[i] = f[i];
  else
    for (std::size_t i = bytes; i-- > 0;) t[i] = f[i];
  return to;
}

void *memset(void *to, int value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) static_cast<char *>(to)[i] = static_cast<char>(value);
  return to;
}

int memcmp(const void *a, const void *b, std::size_t bytes) {
  const auto *const x = static_cast<const unsigned char *>(a), *const y = static_cast<const unsigned char *>(b);
  for (std::size_t i = 0; i < bytes; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

int bcmp(const void *a, const void *b, std::size_t bytes) { return memcmp(a, b, bytes); }

std::size_t strlen(const char *text) {
  std::size_t length = 0;
  while (text[length]) ++length;
  return length;
}
}
