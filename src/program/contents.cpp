// A compiled program as bytes: numbers of 64 bits, and texts after their lengths.
#include "program/contents.hpp"

#include <cstring>

#include "jit/compile/byte_stream.hpp"

namespace dpep::program_contents {
namespace {

class writer {
public:
  template <class T>
    requires std::is_unsigned_v<T>
  void field(T &x) {
    bytes_.number(x);
  }
  void field(argument_kind &kind) { bytes_.number(std::uint64_t(kind)); }
  template <class Text> void text(Text &t) { bytes_.block(t.data(), t.size()); }
  template <class T, class Each> void list(std::vector<T> &items, Each each) {
    bytes_.number(items.size());
    for (T &item : items) each(item);
  }
  std::vector<std::byte> take() { return bytes_.take(); }

private:
  jit::byte_writer bytes_;
};

class reader {
public:
  explicit reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
    requires std::is_unsigned_v<T>
  void field(T &x) {
    x = static_cast<T>(bytes_.number());
  }
  void field(argument_kind &kind) { kind = static_cast<argument_kind>(bytes_.number() & 3); }
  template <class Text> void text(Text &t) {
    const auto from = bytes_.block();
    t.resize(from.size());
    if (!from.empty()) std::memcpy(t.data(), from.data(), from.size());
  }
  template <class T, class Each> void list(std::vector<T> &items, Each each) {
    for (std::uint64_t n = bytes_.number(); n > 0 && !bytes_.failed(); --n) each(items.emplace_back());
  }
  bool complete() const { return bytes_.complete(); }

private:
  jit::byte_reader bytes_;
};

/// All fields in order, for both directions.
template <class Stream> void transfer(Stream &stream, contents &all) {
  stream.list(all.program.kernels, [&](kernel_properties &k) {
    stream.text(k.name);
    stream.text(k.symbol);
    stream.list(k.arguments, [&](kernel_argument &a) {
      stream.text(a.name);
      stream.text(a.type);
      stream.field(a.kind);
      stream.field(a.bytes);
      stream.field(a.alignment);
      stream.field(a.offset);
      stream.field(a.element_bytes);
      stream.field(a.dimensions);
    });
    stream.field(k.argument_bytes);
    for (std::size_t &size : k.required_group) stream.field(size);
    stream.field(k.required_sub_group);
    stream.field(k.uses_groups);
    stream.field(k.reads_dimensions);
    stream.field(k.private_bytes);
    stream.field(k.local_bytes);
    stream.list(k.registered_names, [&](std::string &name) { stream.text(name); });
    stream.text(k.raw_name);
  });
  stream.text(all.program.bitcode);
  stream.list(all.files, [&](program_source::included_file &f) {
    stream.text(f.path);
    stream.text(f.digest);
  });
}

}  // namespace

std::vector<std::byte> to_bytes(const contents &all) {
  writer stream;
  transfer(stream, const_cast<contents &>(all));  // a writer changes nothing
  return stream.take();
}

std::optional<contents> from_bytes(std::span<const std::byte> bytes) {
  contents all;
  reader stream(bytes);
  transfer(stream, all);
  if (!stream.complete()) return std::nullopt;
  return all;
}

}  // namespace dpep::program_contents
