// Specialisation constants: values that a kernel reads and that a command group may set (SYCL 2020, section 4.9.5).
//
// They are passed with the kernel's arguments, so they are not constants to the compiler; programs that use them work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <sycl/detail/device_functions.hpp>
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

/// Identifies a specialisation constant by the hash of its name: addresses differ between host and device.
template <auto &Id> constexpr std::uint64_t specialization_key() {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char *c = __PRETTY_FUNCTION__; *c; c++) hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
  return hash;
}

/// The specialisation constants that a command group sets.
class specialization_values {
public:
  template <auto &Id> using type = typename std::remove_cvref_t<decltype(Id)>::value_type;

  template <auto &Id> void set(const type<Id> &value) {
    static_assert(std::is_trivially_copyable_v<type<Id>> && sizeof(type<Id>) <= sizeof(entry::bytes),
                  "specialization constants are trivially copyable and at most 64 bytes large");
    constexpr std::uint64_t key = specialization_key<Id>();
    entry *place = find(key);
    if (!place) place = &insert(key);
    std::memcpy(place->bytes, &value, sizeof value);
  }

  template <auto &Id> type<Id> get() const {
    constexpr std::uint64_t key = specialization_key<Id>();
    if (const entry *place = const_cast<specialization_values *>(this)->find(key))
      return *reinterpret_cast<const type<Id> *>(place->bytes);
    return Id.initial();
  }

  bool empty() const noexcept { return count_ == 0; }
  /// Adds the other's values of constants that are not set here.
  void add(const specialization_values &other) {
    for (std::uint32_t i = 0; i < other.count_; i++)
      if (!find(other.entries_[i].key)) insert(other.entries_[i].key) = other.entries_[i];
  }

private:
  struct entry {
    std::uint64_t key;
    alignas(16) unsigned char bytes[64];
  };
  static constexpr std::uint32_t capacity = 16;

  entry *find(std::uint64_t key) {
    for (std::uint32_t i = 0; i < count_; i++)
      if (entries_[i].key == key) return &entries_[i];
    return nullptr;
  }

  entry &insert(std::uint64_t key) {
    if (count_ == capacity)
      throw exception(errc::invalid,
                      "set_specialization_constant: a command group can set 16 specialization constants; "
                      "capture further values in the kernel's function");
    entries_[count_].key = key;
    return entries_[count_++];
  }

  std::uint32_t count_ = 0;
  entry entries_[capacity];
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
