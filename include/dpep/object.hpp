// Shared ownership of runtime objects: an intrusive count and the pointer that keeps it.
//
// Intrusive, because a queue or an event must travel between C++, C, Cython and Python as one plain
// pointer, and because a std::shared_ptr would cost a second allocation for each event.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include <dpep/export.hpp>

namespace dpep {

/// Base of everything that a handle can refer to.
class DPEP_API object {
public:
  object() noexcept = default;
  object(const object &) = delete;
  object &operator=(const object &) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) const_cast<object *>(this)->dispose();
  }
  /// How many references there are now: for who knows that nobody can get one meanwhile, but from those.
  std::uint32_t references() const noexcept { return count_.load(std::memory_order_relaxed); }

protected:
  virtual ~object();
  /// Called when the last reference is gone. Events override it to return to their pool.
  virtual void dispose() noexcept { delete this; }
  void revive() noexcept { count_.store(1, std::memory_order_relaxed); }

private:
  mutable std::atomic<std::uint32_t> count_{1};  // a new object belongs to its creator
};

/// A counted pointer. `ref<T>::adopt` takes over a reference, `ref<T>::share` adds one.
template <class T> class ref {
public:
  constexpr ref() noexcept = default;
  constexpr ref(std::nullptr_t) noexcept {}
  static ref adopt(T *p) noexcept {
    ref r;
    r.pointer_ = p;
    return r;
  }
  static ref share(T *p) noexcept {
    if (p) p->retain();
    return adopt(p);
  }
  ref(const ref &other) noexcept : pointer_(other.pointer_) {
    if (pointer_) pointer_->retain();
  }
  ref(ref &&other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U *, T *>
  ref(const ref<U> &other) noexcept : pointer_(other.get()) {
    if (pointer_) pointer_->retain();
  }
  template <class U>
    requires std::is_convertible_v<U *, T *>
  ref(ref<U> &&other) noexcept : pointer_(other.detach()) {}
  ref &operator=(ref other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~ref() {
    if (pointer_) pointer_->release();
  }

  T *get() const noexcept { return pointer_; }
  /// Gives up the reference without releasing it.
  T *detach() noexcept { return std::exchange(pointer_, nullptr); }
  T *operator->() const noexcept { return pointer_; }
  T &operator*() const noexcept { return *pointer_; }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  friend bool operator==(const ref &a, const ref &b) noexcept { return a.pointer_ == b.pointer_; }

private:
  T *pointer_ = nullptr;
};

/// What the public handles (device, context, queue, event, …) have in common: one reference to an
/// object of the library, compared and hashed by identity.
class handle {
public:
  handle() noexcept = default;
  explicit handle(ref<object> implementation) noexcept : implementation_(std::move(implementation)) {}

  object *get() const noexcept { return implementation_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(implementation_); }
  friend bool operator==(const handle &a, const handle &b) noexcept { return a.get() == b.get(); }

protected:
  ref<object> implementation_;
};

template <class T, class... A> ref<T> make_object(A &&...arguments) {
  return ref<T>::adopt(new T(std::forward<A>(arguments)...));
}

}  // namespace dpep

#define DPEP_HASH_BY_IDENTITY(type)                                                                                    \
  template <> struct std::hash<type> {                                                                                 \
    std::size_t operator()(const type &x) const noexcept { return std::hash<const void *>()(x.get()); }                \
  }
