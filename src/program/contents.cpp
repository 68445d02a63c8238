// A compiled program as bytes: numbers of 64 bits, and texts after their lengths.
#include "program/contents.hpp"

#include <cstring>

namespace dpep::program_contents {
namespace {

using program_lower::lowered_program;

class writer {
public:
  void operator()(std::uint64_t x) { append(&x, sizeof x); }
  template <class T>
    requires std::is_unsigned_v<T>
  void field(T &x) {
    (*this)(x);
  }
  void field(argument_kind &kind) { (*this)(std::uint64_t(kind)); }
  template <class Text> void text(Text &t) {
    (*this)(t.size());
    append(t.data(), t.size());
  }
  template <class T, class Each> void list(std::vector<T> &items, Each each) {
    (*this)(items.size());
    for (T &item : items) each(item);
  }
  std::vector<std::byte> bytes;

private:
  void append(const void *data, std::size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// After the end of the bytes, everything is zero and `failed`.
class reader {
public:
  explicit reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::uint64_t number() {
    std::uint64_t x = 0;
    const auto from = take(sizeof x);
    if (!from.empty()) std::memcpy(&x, from.data(), sizeof x);
    return x;
  }
  template <class T>
    requires std::is_unsigned_v<T>
  void field(T &x) {
    x = static_cast<T>(number());
  }
  void field(argument_kind &kind) { kind = static_cast<argument_kind>(number() & 3); }
  template <class Text> void text(Text &t) {
    const auto from = take(number());
    t.resize(from.size());
    if (!from.empty()) std::memcpy(t.data(), from.data(), from.size());
  }
  template <class T, class Each> void list(std::vector<T> &items, Each each) {
    for (std::uint64_t n = number(); n > 0 && !failed_; --n) each(items.emplace_back());
  }
  bool complete() const { return !failed_ && rest_.empty(); }

private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const auto part = rest_.first(size);
    rest_ = rest_.subspan(size);
    return part;
  }
  std::span<const std::byte> rest_;
  bool failed_ = false;
};

/// All fields in order, for both directions.
template <class Stream> void transfer(Stream &stream, lowered_program &program) {
  stream.list(program.kernels, [&](kernel_properties &k) {
    stream.text(k.name);
    stream.text(k.symbol);
    stream.list(k.arguments, [&](kernel_argument &a) {
      stream.text(a.name);
      stream.text(a.type);
      stream.field(a.kind);
      stream.field(a.bytes);
      stream.field(a.alignment);
      stream.field(a.offset);
    });
    stream.field(k.argument_bytes);
    for (std::size_t &size : k.required_group) stream.field(size);
    stream.field(k.required_sub_group);
    stream.field(k.uses_groups);
    stream.field(k.reads_dimensions);
    stream.field(k.private_bytes);
    stream.field(k.local_bytes);
  });
  stream.text(program.bitcode);
}

}  // namespace

std::vector<std::byte> to_bytes(const lowered_program &program) {
  writer stream;
  transfer(stream, const_cast<lowered_program &>(program));  // a writer changes nothing
  return std::move(stream.bytes);
}

std::optional<lowered_program> from_bytes(std::span<const std::byte> bytes) {
  lowered_program program;
  reader stream(bytes);
  transfer(stream, program);
  if (!stream.complete()) return std::nullopt;
  return program;
}

}  // namespace dpep::program_contents
