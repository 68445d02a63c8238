// The C library's memory and string functions, and its functions with a quotient and a remainder. GPUs have no library
// for them.
#include <cstddef>
#include <cstdlib>

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

std::size_t strnlen(const char *text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length]) ++length;
  return length;
}

void *memchr(const void *bytes, int value, std::size_t count) {
  const auto *const from = static_cast<const unsigned char *>(bytes);
  for (std::size_t i = 0; i < count; ++i)
    if (from[i] == static_cast<unsigned char>(value)) return const_cast<unsigned char *>(from + i);
  return nullptr;
}

int strncmp(const char *a, const char *b, std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    const auto x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
    if (x != y) return x < y ? -1 : 1;
    if (!x) break;
  }
  return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, static_cast<std::size_t>(-1)); }

char *strchr(const char *text, int value) {
  for (;; ++text) {
    if (*text == static_cast<char>(value)) return const_cast<char *>(text);
    if (!*text) return nullptr;
  }
}

char *strrchr(const char *text, int value) {
  const char *last = nullptr;
  for (;; ++text) {
    if (*text == static_cast<char>(value)) last = text;
    if (!*text) return const_cast<char *>(last);
  }
}

char *strstr(const char *text, const char *part) {
  const std::size_t length = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, length) == 0) return const_cast<char *>(text);
    if (!*text) return nullptr;
  }
}

char *strcpy(char *to, const char *from) {
  std::size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}

char *strncpy(char *to, const char *from, std::size_t bytes) {
  const std::size_t length = strnlen(from, bytes);
  for (std::size_t i = 0; i < bytes; ++i) to[i] = i < length ? from[i] : '\0';
  return to;
}

std::div_t div(int a, int b) { return {a / b, a % b}; }
std::ldiv_t ldiv(long a, long b) { return {a / b, a % b}; }
std::lldiv_t lldiv(long long a, long long b) { return {a / b, a % b}; }
}
