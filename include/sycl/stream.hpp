// sycl::stream: text output from kernels (SYCL 2020, section 4.16), printed when the command is complete.
//
// The output of one expression `out << a << b` is contiguous if it has at most about 30 parts. The order of expressions
// of different work-items is unspecified.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>

#include <dpep/memory.hpp>

#include <sycl/atomic_ref.hpp>
#include <sycl/builtins/elements.hpp>
#include <sycl/detail/stream_records.hpp>
#include <sycl/handler.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

enum class stream_manipulator {
  flush,
  endl,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  fixed,
  scientific,
  hexfloat,
  defaultfloat,
};

namespace detail {
class stream_statement;
struct precision_manipulator {
  int digits;
};
struct width_manipulator {
  int characters;
};
}  // namespace detail

// Manipulators are functions and templates like the standard library's of the same names. With `using namespace` of
// both std and sycl, both are visible, and the type of the stream selects the overload.
void flush(detail::stream_statement &);
void endl(detail::stream_statement &);
void dec(detail::stream_statement &);
void hex(detail::stream_statement &);
void oct(detail::stream_statement &);
void noshowbase(detail::stream_statement &);
void showbase(detail::stream_statement &);
void noshowpos(detail::stream_statement &);
void showpos(detail::stream_statement &);
void fixed(detail::stream_statement &);
void scientific(detail::stream_statement &);
void hexfloat(detail::stream_statement &);
void defaultfloat(detail::stream_statement &);
template <std::integral I> detail::precision_manipulator setprecision(I digits) { return {static_cast<int>(digits)}; }
template <std::integral I> detail::width_manipulator setw(I characters) { return {static_cast<int>(characters)}; }

class stream {
public:
  /// `bytes`: size of the output of the whole command; further output is lost.
  stream(std::size_t bytes, std::size_t work_item_bytes, handler &h, const property_list & = {})
      : bytes_(bytes), work_item_bytes_(work_item_bytes) {
    const dpep::queue &queue = detail::handler_access::queue(h);
    const dpep::context &context = queue.get_context();
    // the record of a number is some bytes larger than its few characters
    const std::size_t capacity = bytes * 4 + 4096;
    void *const memory = dpep::allocate(dpep::usm_kind::shared, sizeof(detail::stream_buffer) + capacity, 64, context,
                                        queue.get_device());
    const std::shared_ptr<detail::stream_buffer> owner(new (memory) detail::stream_buffer{0, capacity},
                                                       [context](void *p) { dpep::free(p, context); });
    __builtin_memset(owner->bytes(), 0, capacity);
    buffer_ = owner.get();
    detail::handler_access::add_follower(h, [owner](const dpep::queue &q, const dpep::event &kernel) {
      const auto print = [owner] {
        const std::string text = detail::take_text(*owner);
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
      };
      if (kernel) return q.host_task(print, {&kernel, 1});
      print();
      return kernel;
    });
  }

  template <class P> bool has_property() const noexcept { return false; }
  template <class P> P get_property() const { detail::throw_no_property("stream"); }
  std::size_t size() const noexcept { return bytes_; }
  std::size_t get_size() const { return bytes_; }
  std::size_t get_work_item_buffer_size() const { return work_item_bytes_; }
  std::size_t get_max_statement_size() const { return work_item_bytes_; }  // SYCL 1.2.1
  // The format with which each expression begins.
  std::size_t get_precision() const { return static_cast<std::size_t>(detail::stream_format().precision); }
  std::size_t get_width() const { return static_cast<std::size_t>(detail::stream_format().width); }
  stream_manipulator get_stream_mode() const { return stream_manipulator::dec; }
  friend bool operator==(const stream &a, const stream &b) { return a.buffer_ == b.buffer_; }
  friend std::hash<stream>;

protected:
  detail::stream_buffer *buffer_;
  std::size_t bytes_, work_item_bytes_;
};

namespace detail {

/// An expression with <<: collects records and commits them at its end. Derived from stream, so that programs' own
/// operators on const stream & apply.
class stream_statement : public stream {
public:
  template <class T> stream_statement(const stream &to, const T &first);
  stream_statement(const stream &to, void (*manipulator)(stream_statement &)) : stream(to) { manipulator(*this); }
  stream_statement(const stream_statement &) = delete;
  stream_statement &operator=(const stream_statement &) = delete;
  ~stream_statement() { hand_over(); }

  void put(const char *text) {
    std::size_t length = 0;
    while (text[length]) length++;
    put(text, length);
  }
  void put(record_kind kind, std::uint64_t value) {
    stream_record record{kind, 0, format_};
    if (kind == record_kind::address) record.format.base = stream_format::hexadecimal;
    format_.width = 0;
    char *const to = make_room(sizeof record + sizeof value);
    __builtin_memcpy(to, &record, sizeof record);
    __builtin_memcpy(to + sizeof record, &value, sizeof value);
  }
  void put(char c) { put(&c, 1); }
  void set(stream_manipulator m) {
    using enum stream_manipulator;
    switch (m) {
    case flush:
      break;
    case endl:
      put("\n", 1);
      break;
    case dec:
      format_.base = stream_format::decimal;
      break;
    case hex:
      format_.base = stream_format::hexadecimal;
      break;
    case oct:
      format_.base = stream_format::octal;
      break;
    case noshowbase:
      format_.show_base = false;
      break;
    case showbase:
      format_.show_base = true;
      break;
    case noshowpos:
      format_.show_positive = false;
      break;
    case showpos:
      format_.show_positive = true;
      break;
    case fixed:
      format_.floats = stream_format::fixed;
      break;
    case scientific:
      format_.floats = stream_format::scientific;
      break;
    case hexfloat:
      format_.floats = stream_format::hexfloat;
      break;
    case defaultfloat:
      format_.floats = stream_format::shortest;
      break;
    }
  }
  void set(precision_manipulator m) { format_.precision = static_cast<std::int16_t>(m.digits); }
  void set(width_manipulator m) { format_.width = static_cast<std::int16_t>(m.characters); }

private:
  static constexpr std::size_t room = 512, longest = 200;

  void put(const char *text, std::size_t length) {
    format_.width = 0;
    while (length) {
      const std::size_t part = length < longest ? length : longest;
      char *const to = make_room(text_record_bytes(part));
      to[0] = static_cast<char>(record_kind::text);
      to[1] = static_cast<char>(part);
      for (std::size_t i = 0; i < part; i++) to[text_begin + i] = text[i];
      text += part;
      length -= part;
    }
  }
  /// Reserves `bytes` for the next record.
  char *make_room(std::size_t bytes) {
    if (used_ + bytes > room) hand_over();
    char *const to = records_ + used_;
    used_ += bytes;
    return to;
  }
  void hand_over() {
    if (!used_) return;
    const atomic_ref<std::uint64_t, memory_order::relaxed, memory_scope::device> used(buffer_->used);
    const std::uint64_t at = used.fetch_add(used_);
    if (at + used_ <= buffer_->capacity) __builtin_memcpy(buffer_->bytes() + at, records_, used_);
    used_ = 0;
  }

  stream_format format_;
  std::size_t used_ = 0;
  alignas(stream_word) char records_[room];
};

template <class T>
concept stream_setting = std::is_same_v<T, stream_manipulator> || std::is_same_v<T, precision_manipulator> ||
                         std::is_same_v<T, width_manipulator>;
template <class T>
concept index_like = requires(const T &i) {
  T::dimensions;
  i.get(0);
};
// The identifiers of work-items and of their groups, and nd_ranges.
template <class T>
concept item_like = requires(const T &i) {
  i.get_linear_id();
  i.get_range();
};
template <class T>
concept nd_item_like = requires(const T &i) {
  i.get_global_id();
  i.get_local_id();
};
template <class T>
concept group_like = requires(const T &g) {
  g.get_group_id();
  g.leader();
};
template <class T>
concept nd_range_like = requires(const T &r) {
  r.get_local_range();
  r.get_offset();
};
template <class T>
concept index_space_like = item_like<T> || nd_item_like<T> || group_like<T> || nd_range_like<T>;
template <class T>
concept streamable =
    scalar<T> || many<T> || stream_setting<T> || index_like<T> || index_space_like<T> || is_multi_ptr<T> ||
    std::is_null_pointer_v<T> || (std::is_pointer_v<std::decay_t<T>> && !std::is_function_v<T>);

template <class T> void write(stream_statement &to, const T &x) {
  using decayed = std::decay_t<T>;
  const auto list = [&](std::size_t count, const char *open, const char *close, auto element) {
    to.put(open);
    // Unrolled, a kernel that prints many vectors takes minutes to compile.
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < count; i++) {
      if (i) to.put(", ");
      write(to, element(i));
    }
    to.put(close);
  };
  if constexpr (stream_setting<T>)
    to.set(x);
  else if constexpr (many<T>)
    list(shape<T>::count, "", "", [&](std::size_t i) { return x[i]; });
  else if constexpr (index_like<T>)
    list(T::dimensions, "{", "}", [&](std::size_t i) { return x.get(static_cast<int>(i)); });
  else if constexpr (index_space_like<T>) {
    const auto field = [&](const char *name, const auto &value) {
      to.put(name);
      write(to, value);
    };
    if constexpr (item_like<T>) {
      field("item(id: ", x.get_id());
      field(", range: ", x.get_range());
    } else if constexpr (nd_item_like<T>) {
      field("nd_item(global_id: ", x.get_global_id());
      field(", local_id: ", x.get_local_id());
    } else if constexpr (group_like<T>) {
      field("group(id: ", x.get_group_id());
      field(", local_range: ", x.get_local_range());
    } else {
      field("nd_range(global_range: ", x.get_global_range());
      field(", local_range: ", x.get_local_range());
      field(", offset: ", x.get_offset());
    }
    to.put(")");
  } else if constexpr (std::is_same_v<decayed, char *> || std::is_same_v<decayed, const char *>)
    to.put(x);
  else if constexpr (std::is_null_pointer_v<T>)
    write(to, static_cast<const void *>(x));
  else if constexpr (is_multi_ptr<T>)
    write(to, static_cast<const void *>(x.get_raw()));
  else if constexpr (std::is_pointer_v<decayed>) {
    to.put("0x");
    to.put(record_kind::address, reinterpret_cast<std::uintptr_t>(x));
  } else if constexpr (std::is_same_v<T, char>)
    to.put(x);
  else if constexpr (is_floating<T>)
    to.put(record_kind::floating, __builtin_bit_cast(std::uint64_t, static_cast<double>(x)));
  else if constexpr (std::is_signed_v<T>)
    to.put(record_kind::integer, static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
  else
    to.put(record_kind::natural, static_cast<std::uint64_t>(x));
}

template <class T> stream_statement::stream_statement(const stream &to, const T &first) : stream(to) {
  write(*this, first);
}

}  // namespace detail

template <detail::streamable T> detail::stream_statement operator<<(const stream &out, const T &x) {
  return detail::stream_statement(out, x);
}
template <detail::streamable T> detail::stream_statement &&operator<<(detail::stream_statement &&out, const T &x) {
  detail::write(out, x);
  return static_cast<detail::stream_statement &&>(out);
}

inline detail::stream_statement operator<<(const stream &out, void (*manipulator)(detail::stream_statement &)) {
  return detail::stream_statement(out, manipulator);
}
inline detail::stream_statement &&operator<<(detail::stream_statement &&out,
                                             void (*manipulator)(detail::stream_statement &)) {
  manipulator(out);
  return static_cast<detail::stream_statement &&>(out);
}

#define DPEP_MANIPULATOR(name)                                                                                         \
  inline void name(detail::stream_statement &out) { out.set(stream_manipulator::name); }
DPEP_MANIPULATOR(flush)
DPEP_MANIPULATOR(endl)
DPEP_MANIPULATOR(dec)
DPEP_MANIPULATOR(hex)
DPEP_MANIPULATOR(oct)
DPEP_MANIPULATOR(noshowbase)
DPEP_MANIPULATOR(showbase)
DPEP_MANIPULATOR(noshowpos)
DPEP_MANIPULATOR(showpos)
DPEP_MANIPULATOR(fixed)
DPEP_MANIPULATOR(scientific)
DPEP_MANIPULATOR(hexfloat)
DPEP_MANIPULATOR(defaultfloat)
#undef DPEP_MANIPULATOR

}  // namespace sycl

template <> struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &s) const noexcept { return std::hash<const void *>()(s.buffer_); }
};
