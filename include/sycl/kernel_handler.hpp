// Specialisation constants: values that a kernel reads and that a command group may set (SYCL 2020, section 4.9.5).
//
// They are passed with the kernel's arguments, so they are not constants to the compiler; programs that use them work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <sycl/detail/device_functions.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/exception.hpp>

namespace sycl {

template <class T> class specialization_id {
public:
  using value_type = T;
  template <class... Arguments>
    requires std::is_constructible_v<T, Arguments...>
  explicit constexpr specialization_id(Arguments &&...arguments) : initial_(std::forward<Arguments>(arguments)...) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id &operator=(const specialization_id &) = delete;

  constexpr const T &initial() const { return initial_; }

private:
  T initial_;
};

namespace detail {

template <auto &Id> struct specialization_name;

/// Identifies a specialisation constant by the hash of its name: addresses differ between host and device. It is the
/// mangled name: __PRETTY_FUNCTION__ has no arguments of variable templates.
template <auto &Id> constexpr std::uint64_t specialization_key() {
  constexpr std::uint64_t key = [] {
#if defined(__SYCL_DEVICE_ONLY__) || __has_builtin(__builtin_sycl_unique_stable_name)
    const char *const name = __builtin_sycl_unique_stable_name(specialization_name<Id>);
#else
    const char *const name = __PRETTY_FUNCTION__;
#endif
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char *c = name; *c; c++) hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
    return hash;
  }();
  return key;
}

/// The specialisation constants that a command group sets. They are part of the kernel's arguments, of which GPUs take
/// 4000 bytes, so that their number and size are limited.
class specialization_values {
public:
  template <auto &Id> using type = typename std::remove_cvref_t<decltype(Id)>::value_type;

  template <auto &Id> void set(const type<Id> &value) {
    static_assert(is_device_copyable_v<type<Id>> && sizeof(type<Id>) <= max_bytes,
                  "specialization constants are device copyable and at most 2048 bytes large");
    constexpr std::uint64_t key = specialization_key<Id>();
    const entry *place = find(key);
    if (!place) place = &insert(key, sizeof value);
    std::memcpy(bytes_ + place->first, static_cast<const void *>(&value), sizeof value);
  }

  /// Returns a copy: the values have the alignment 16, which is less than that of some vectors. GPUs load bytes one by
  /// one where the alignment is unknown.
  template <auto &Id> type<Id> get() const {
    using value_type = type<Id>;
    const entry *const place = find(specialization_key<Id>());
    if (!place) return Id.initial();
    alignas(value_type) unsigned char copy[sizeof(value_type)];
    std::memcpy(copy, __builtin_assume_aligned(bytes_ + place->first, 16), sizeof copy);
    return *std::launder(reinterpret_cast<const value_type *>(copy));
  }

  bool empty() const noexcept { return count_ == 0; }
  /// Adds the other's values of constants that are not set here.
  void add(const specialization_values &other) {
    for (std::uint32_t i = 0; i < other.count_; i++) {
      const entry &from = other.entries_[i];
      if (find(from.key)) continue;
      const entry &place = insert(from.key, from.size);
      std::memcpy(bytes_ + place.first, other.bytes_ + from.first, from.size);
    }
  }

private:
  struct entry {
    std::uint64_t key;
    std::uint32_t first, size;  // of its value, in bytes
  };
  static constexpr std::uint32_t max_count = 16, max_bytes = 2048;

  const entry *find(std::uint64_t key) const {
    for (std::uint32_t i = 0; i < count_; i++)
      if (entries_[i].key == key) return &entries_[i];
    return nullptr;
  }

  const entry &insert(std::uint64_t key, std::size_t size) {
    const auto rounded = static_cast<std::uint32_t>((size + 15) / 16 * 16);
    if (count_ == max_count || rounded > max_bytes - used_)
      throw exception(errc::invalid, "set_specialization_constant: a command group can set 16 specialization constants "
                                     "of together 2048 bytes; capture further values in the kernel's function");
    entries_[count_] = {key, used_, static_cast<std::uint32_t>(size)};
    used_ += rounded;
    return entries_[count_++];
  }

  std::uint32_t count_ = 0, used_ = 0;
  entry entries_[max_count];
  alignas(16) unsigned char bytes_[max_bytes];
};

}  // namespace detail

/// The optional last argument of a kernel's function, from which it reads specialisation constants.
class kernel_handler {
public:
  explicit kernel_handler(const detail::specialization_values &values) : values_(&values) {}

  template <auto &Id> auto get_specialization_constant() const {
#ifdef __SYCL_DEVICE_ONLY__
    __dpep_reads_constant(detail::specialization_key<Id>());
#endif
    return values_->get<Id>();
  }

private:
  const detail::specialization_values *values_;
};

}  // namespace sycl
