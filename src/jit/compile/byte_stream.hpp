// Numbers of 64 bits, and blocks of bytes after their lengths: how compiled code is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace dpep::jit {

class byte_writer {
public:
  void number(std::uint64_t x) { append(&x, sizeof x); }
  void block(const void *data, std::size_t size) {
    number(size);
    append(data, size);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

private:
  std::vector<std::byte> bytes_;

  void append(const void *data, std::size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
};

/// After the end of the bytes, all numbers are zero, all blocks are empty, and the reader has `failed`.
class byte_reader {
public:
  explicit byte_reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::uint64_t number() {
    std::uint64_t x = 0;
    const auto from = take(sizeof x);
    if (!from.empty()) std::memcpy(&x, from.data(), sizeof x);
    return x;
  }
  std::span<const std::byte> block() { return take(number()); }
  /// Whether everything was read.
  bool complete() const { return !failed_ && rest_.empty(); }
  bool failed() const { return failed_; }

private:
  std::span<const std::byte> rest_;
  bool failed_ = false;

  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const auto part = rest_.first(size);
    rest_ = rest_.subspan(size);
    return part;
  }
};

}  // namespace dpep::jit
