// sycl::atomic_ref: atomic operations on an object (SYCL 2020, section 4.15.3), on clang's atomic builtins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <sycl/detail/device_functions.hpp>
#include <sycl/memory_model.hpp>

namespace sycl {

namespace detail {

constexpr memory_order load_order(memory_order order) {
  return order == memory_order::acq_rel ? memory_order::acquire : order;
}
constexpr memory_order store_order(memory_order order) {
  return order == memory_order::acq_rel ? memory_order::release : order;
}
/// The memory order of a failed compare-exchange, which stores nothing.
constexpr memory_order failure_order(memory_order order) {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// The memory_order as clang's builtins take it. The order is nearly always a constant, so clang's switch over it
/// folds.
constexpr int clang_order(memory_order order) { return static_cast<int>(order); }

/// The address for an operation of the given scope.
template <class T> [[gnu::always_inline]] T *in_scope(T *p, [[maybe_unused]] memory_scope scope) noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return static_cast<T *>(__dpep_in_scope(p, static_cast<int>(scope)));
#else
  return p;
#endif
}

// Functions that take orders and scopes are always inlined: both are parts of instructions, which requires constants.

/// The operations of every atomic_ref: loads, stores and exchanges of the value's bits.
template <class T, memory_order DefaultOrder, memory_scope DefaultScope> class atomic_base {
  static_assert(std::is_trivially_copyable_v<T>, "atomic_ref: the type must be trivially copyable");
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "atomic_ref's default order is relaxed, acq_rel or seq_cst");

public:
  using value_type = T;
  static constexpr std::size_t required_alignment = sizeof(T) > alignof(T) && sizeof(T) <= 8 ? sizeof(T) : alignof(T);
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  static constexpr memory_order default_read_order = load_order(DefaultOrder);
  static constexpr memory_order default_write_order = store_order(DefaultOrder);
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  bool is_lock_free() const noexcept { return is_always_lock_free; }

  [[gnu::always_inline]] void store(T x, memory_order order = default_write_order,
                                    memory_scope scope = DefaultScope) const noexcept {
    __atomic_store(detail::in_scope(p_, scope), &x, clang_order(order));
  }
  [[gnu::always_inline]] T load(memory_order order = default_read_order,
                                memory_scope scope = DefaultScope) const noexcept {
    T x;
    __atomic_load(detail::in_scope(p_, scope), &x, clang_order(order));
    return x;
  }
  [[gnu::always_inline]] T exchange(T x, memory_order order = DefaultOrder,
                                    memory_scope scope = DefaultScope) const noexcept {
    T old;
    __atomic_exchange(detail::in_scope(p_, scope), &x, &old, clang_order(order));
    return old;
  }
  [[gnu::always_inline]] bool compare_exchange_weak(T &expected, T desired, memory_order success, memory_order failure,
                                                    memory_scope scope = DefaultScope) const noexcept {
    return compare_exchange(expected, desired, success, failure, true, scope);
  }
  [[gnu::always_inline]] bool compare_exchange_weak(T &expected, T desired, memory_order order = DefaultOrder,
                                                    memory_scope scope = DefaultScope) const noexcept {
    return compare_exchange(expected, desired, order, failure_order(order), true, scope);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(T &expected, T desired, memory_order success,
                                                      memory_order failure,
                                                      memory_scope scope = DefaultScope) const noexcept {
    return compare_exchange(expected, desired, success, failure, false, scope);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(T &expected, T desired, memory_order order = DefaultOrder,
                                                      memory_scope scope = DefaultScope) const noexcept {
    return compare_exchange(expected, desired, order, failure_order(order), false, scope);
  }
  operator T() const noexcept { return load(); }

protected:
  explicit atomic_base(T &object) noexcept : p_(&object) {}
  atomic_base(const atomic_base &) = default;

  [[gnu::always_inline]] bool compare_exchange(T &expected, T desired, memory_order success, memory_order failure,
                                               bool weak, memory_scope scope) const noexcept {
    return __atomic_compare_exchange(detail::in_scope(p_, scope), &expected, &desired, weak, clang_order(success),
                                     clang_order(failure));
  }

  T *p_;
};

}  // namespace detail

template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref : public detail::atomic_base<T, DefaultOrder, DefaultScope> {
  using base = detail::atomic_base<T, DefaultOrder, DefaultScope>;
  using base::p_;

public:
  using difference_type = T;
  explicit atomic_ref(T &object) noexcept : base(object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  T operator=(T x) const noexcept {
    this->store(x);
    return x;
  }

#define DPEP_FETCH(NAME, CONDITION)                                                                                    \
  [[gnu::always_inline]] T fetch_##NAME(T x, memory_order order = DefaultOrder, memory_scope scope = DefaultScope)     \
      const noexcept                                                                                                   \
    requires(CONDITION)                                                                                                \
  {                                                                                                                    \
    return __atomic_fetch_##NAME(detail::in_scope(p_, scope), x, detail::clang_order(order));                          \
  }
  DPEP_FETCH(add, std::is_arithmetic_v<T>)
  DPEP_FETCH(sub, std::is_arithmetic_v<T>)
  DPEP_FETCH(and, std::is_integral_v<T>)
  DPEP_FETCH(or, std::is_integral_v<T>)
  DPEP_FETCH(xor, std::is_integral_v<T>)
#undef DPEP_FETCH

  // Most calls find a value that is already less (greater) than `x`; these skip the store.
  [[gnu::always_inline]] T fetch_min(T x, memory_order order = DefaultOrder,
                                     memory_scope scope = DefaultScope) const noexcept
    requires std::is_arithmetic_v<T>
  {
#ifdef __SYCL_DEVICE_ONLY__
    if constexpr (has_instructions)
      if (is_local || __dpep_has_atomic_minimum())
        return __atomic_fetch_min(detail::in_scope(p_, scope), x, detail::clang_order(order));
#endif
    return this->update_if(order, scope, x, [](T a, T b) { return b < a; });
  }
  [[gnu::always_inline]] T fetch_max(T x, memory_order order = DefaultOrder,
                                     memory_scope scope = DefaultScope) const noexcept
    requires std::is_arithmetic_v<T>
  {
#ifdef __SYCL_DEVICE_ONLY__
    if constexpr (has_instructions)
      if (is_local || __dpep_has_atomic_minimum())
        return __atomic_fetch_max(detail::in_scope(p_, scope), x, detail::clang_order(order));
#endif
    return this->update_if(order, scope, x, [](T a, T b) { return a < b; });
  }

  T operator++(int) const noexcept
    requires std::is_integral_v<T>
  {
    return fetch_add(1);
  }
  T operator--(int) const noexcept
    requires std::is_integral_v<T>
  {
    return fetch_sub(1);
  }
  T operator++() const noexcept
    requires std::is_integral_v<T>
  {
    return static_cast<T>(fetch_add(1) + 1);
  }
  T operator--() const noexcept
    requires std::is_integral_v<T>
  {
    return static_cast<T>(fetch_sub(1) - 1);
  }
  T operator+=(T x) const noexcept
    requires std::is_arithmetic_v<T>
  {
    return static_cast<T>(fetch_add(x) + x);
  }
  T operator-=(T x) const noexcept
    requires std::is_arithmetic_v<T>
  {
    return static_cast<T>(fetch_sub(x) - x);
  }
  T operator&=(T x) const noexcept
    requires std::is_integral_v<T>
  {
    return fetch_and(x) & x;
  }
  T operator|=(T x) const noexcept
    requires std::is_integral_v<T>
  {
    return fetch_or(x) | x;
  }
  T operator^=(T x) const noexcept
    requires std::is_integral_v<T>
  {
    return fetch_xor(x) ^ x;
  }

private:
  static constexpr bool has_instructions = std::is_integral_v<T> && sizeof(T) >= 4;  // perhaps
  // A thread of a CPU runs a whole work-group, so that operations on local memory need no loop.
  static constexpr bool is_local = Space == access::address_space::local_space;

  /// Stores `x` where `better(value, x)`. Has the requested memory order even if nothing is stored.
  template <class Better>
  [[gnu::always_inline]] T update_if(memory_order order, memory_scope scope, T x, Better better) const noexcept {
    T old = this->load(detail::failure_order(order), scope);
    while (better(old, x) && !this->compare_exchange(old, x, order, detail::failure_order(order), true, scope)) {}
    return old;
  }
};

template <class T, memory_order DefaultOrder, memory_scope DefaultScope, access::address_space Space>
class atomic_ref<T *, DefaultOrder, DefaultScope, Space> : public detail::atomic_base<T *, DefaultOrder, DefaultScope> {
  using base = detail::atomic_base<T *, DefaultOrder, DefaultScope>;

public:
  using difference_type = std::ptrdiff_t;
  explicit atomic_ref(T *&object) noexcept : base(object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  T *operator=(T *x) const noexcept {
    this->store(x);
    return x;
  }

  [[gnu::always_inline]] T *fetch_add(difference_type n, memory_order order = DefaultOrder,
                                      memory_scope scope = DefaultScope) const noexcept {
    const difference_type bytes = n * static_cast<difference_type>(sizeof(T));  // clang's builtin counts bytes
    return __atomic_fetch_add(detail::in_scope(this->p_, scope), bytes, detail::clang_order(order));
  }
  [[gnu::always_inline]] T *fetch_sub(difference_type n, memory_order order = DefaultOrder,
                                      memory_scope scope = DefaultScope) const noexcept {
    return fetch_add(-n, order, scope);
  }
  T *operator++(int) const noexcept { return fetch_add(1); }
  T *operator--(int) const noexcept { return fetch_sub(1); }
  T *operator++() const noexcept { return fetch_add(1) + 1; }
  T *operator--() const noexcept { return fetch_sub(1) - 1; }
  T *operator+=(difference_type n) const noexcept { return fetch_add(n) + n; }
  T *operator-=(difference_type n) const noexcept { return fetch_sub(n) - n; }
};

}  // namespace sycl
