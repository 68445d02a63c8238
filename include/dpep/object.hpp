// Shared ownership of runtime objects: an intrusive reference count and its smart pointer.
//
// Intrusive, because queues and events are passed between C++, C, Cython and Python as one plain pointer, and because
// a std::shared_ptr would cost a second allocation for each event.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include <dpep/export.hpp>

namespace dpep {

/// The base class of objects that handles refer to.
class DPEP_API object {
public:
  object() noexcept = default;
  object(const object &) = delete;
  object &operator=(const object &) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Adds a reference, unless the last one has been released: the object is about to be destroyed then.
  bool try_retain() const noexcept {
    std::uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0)
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    return false;
  }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) const_cast<object *>(this)->dispose();
  }
  /// The current number of references. Only meaningful if no other thread can copy or release one meanwhile.
  std::uint32_t reference_count() const noexcept { return count_.load(std::memory_order_relaxed); }

protected:
  virtual ~object();
  /// Called when the last reference is released. Events override it to return to their pool.
  virtual void dispose() noexcept { delete this; }

private:
  mutable std::atomic<std::uint32_t> count_{1};  // the creator's reference
};

/// A smart pointer to a counted object. `ref<T>::adopt` takes over a reference, `ref<T>::share` adds one.
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
  /// Adds a reference, or returns null if the last one has been released.
  static ref share_if_alive(T *p) noexcept { return p && p->try_retain() ? adopt(p) : ref(); }
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
  /// Returns the pointer and passes the reference on to the caller, without releasing it.
  T *detach() noexcept { return std::exchange(pointer_, nullptr); }
  T *operator->() const noexcept { return pointer_; }
  T &operator*() const noexcept { return *pointer_; }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  friend bool operator==(const ref &a, const ref &b) noexcept { return a.pointer_ == b.pointer_; }

private:
  T *pointer_ = nullptr;
};

/// The base class of the public handles (device, context, queue, event, …): a reference to an object of the library.
/// Handles are compared and hashed by the object's identity.
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
