// sycl::get_native and its inverses: native driver handles of SYCL objects.
//
// Only for CUDA. Its types are declared here as in <cuda.h>, so that neither header requires the other.
#pragma once

#include <string>
#include <system_error>

#include <dpep/native.hpp>

#include <sycl/backend.hpp>
#include <sycl/exception.hpp>

struct CUctx_st;
struct CUstream_st;
struct CUevent_st;

namespace sycl {

class context;
class device;
class event;
class queue;

template <backend Of> class backend_traits {
public:
  using errc = int;
};

template <> class backend_traits<backend::ext_oneapi_cuda> {
  template <class T> struct handle;

public:
  using errc = int;  // CUresult
  template <class T> using return_type = typename handle<T>::type;
  template <class T> using input_type = typename handle<T>::type;
};
template <> struct backend_traits<backend::ext_oneapi_cuda>::handle<device> {
  using type = int;  // CUdevice
};
template <> struct backend_traits<backend::ext_oneapi_cuda>::handle<context> {
  using type = CUctx_st *;
};
template <> struct backend_traits<backend::ext_oneapi_cuda>::handle<queue> {
  using type = CUstream_st *;
};
template <> struct backend_traits<backend::ext_oneapi_cuda>::handle<event> {
  using type = CUevent_st *;
};

template <backend Of, class T> using backend_return_t = typename backend_traits<Of>::template return_type<T>;
template <backend Of, class T> using backend_input_t = typename backend_traits<Of>::template input_type<T>;
template <backend Of> using errc_for = typename backend_traits<Of>::errc;

namespace detail {
template <backend Of> struct error_category_of final : std::error_category {
  const char *name() const noexcept override { return name_of(Of); }
  std::string message(int code) const override { return std::string(name()) + " error " + std::to_string(code); }
};
}  // namespace detail

/// The category of a driver's error codes. Exceptions of this implementation have sycl_category().
template <backend Of> const std::error_category &error_category_for() noexcept {
  static const detail::error_category_of<Of> category;
  return category;
}

namespace detail {

/// Native handles of one back end. Only specialised for back ends that have any.
template <backend Of> struct native;
template <> struct native<backend::ext_oneapi_cuda> {
  static int of(const dpep::device &d) { return dpep::native::ordinal_of(checked(d)); }
  static CUctx_st *of(const dpep::context &c) {
    return reinterpret_cast<CUctx_st *>(dpep::native::context_of(checked(c.devices().front())));
  }
  static CUstream_st *of(const dpep::queue &q) {
    checked(q.get_device());
    return reinterpret_cast<CUstream_st *>(dpep::native::stream_of(q));
  }
  static CUevent_st *of(const dpep::event &e) { return reinterpret_cast<CUevent_st *>(dpep::native::event_of(e)); }

  static dpep::queue queue_on(CUstream_st *stream, const dpep::context &c, dpep::async_handler handler) {
    const dpep::device &d = checked(c.devices().front());
    return dpep::native::queue_from_stream(c, d, reinterpret_cast<std::uintptr_t>(stream), {}, std::move(handler));
  }
  static dpep::event event(CUevent_st *handle, const dpep::context &c) {
    return dpep::native::event_from_handle(checked(c.devices().front()), reinterpret_cast<std::uintptr_t>(handle));
  }
  static dpep::device device(int number) { return dpep::native::device_from_ordinal(dpep::backend_kind::cuda, number); }

private:
  static const dpep::device &checked(const dpep::device &d) {
    if (d.info().backend == dpep::backend_kind::cuda) return d;
    throw dpep::exception(dpep::errc::backend_mismatch,
                          "get_native<backend::ext_oneapi_cuda>: '" + d.info().name + "' is not a CUDA device");
  }
};

template <backend Of>
concept has_native = Of == backend::ext_oneapi_cuda;

}  // namespace detail

/// Returns the native handle of a device, context, queue or event: CUdevice, CUcontext, CUstream or CUevent. It is
/// valid as long as the object, and the caller must not destroy it. The handle of a context is the primary context of
/// its first device. Work that the caller adds to a queue's stream runs after all commands submitted before; later
/// commands wait for that work only on an in-order queue. For an event, the call blocks until its command is in a
/// stream. Throws errc::backend_mismatch for objects of other back ends.
template <backend Of, class T>
  requires detail::has_native<Of>
backend_return_t<Of, T> get_native(const T &object) {
  return detail::native<Of>::of(object);
}
template <backend Of, class T>
  requires(!detail::has_native<Of>)
auto get_native(const T &) {
  static_assert(!sizeof(T), "sycl::get_native: dpep gives out native handles of backend::ext_oneapi_cuda only; for "
                            "memory of others, pass USM pointers to the other library");
}

// SYCL objects from native handles. Templates on the object's type, which only has to be complete when they are called.

/// Returns the root device with this CUDA ordinal. Throws errc::invalid if there is none or ONEAPI_DEVICE_SELECTOR
/// excludes it.
template <backend Of, class Device = device>
  requires detail::has_native<Of>
Device make_device(const backend_input_t<Of, device> &number) {
  return Device(detail::native<Of>::device(number));
}

/// Returns the default context of the device whose primary context the handle is. Throws errc::invalid for other
/// handles: dpep uses no other CUDA contexts.
template <backend Of, class Context = context, class Handler = int>
  requires detail::has_native<Of>
Context make_context(const backend_input_t<Of, context> &handle, const Handler & = {}) {
  for (const dpep::device &d : dpep::all_devices())
    if (d.info().backend == dpep::backend_kind::cuda &&
        reinterpret_cast<CUctx_st *>(dpep::native::context_of(d)) == handle)
      return Context(dpep::context::default_for(d));
  throw dpep::exception(dpep::errc::invalid,
                        "make_context: the handle is not the primary context of a device; dpep uses "
                        "no other CUDA contexts");
}

/// Returns an in-order queue of the context's first device on a stream that the program owns. The stream must outlive
/// the queue and its work. Work that the program adds to the stream and the queue's commands run in the order of their
/// submission.
template <backend Of, class Queue = queue, class Context = context>
  requires detail::has_native<Of>
Queue make_queue(const backend_input_t<Of, queue> &stream, const Context &with, const async_handler &handler = {}) {
  return Queue(detail::native<Of>::queue_on(stream, with, detail::to_dpep(handler)));
}

/// Returns an event that completes when a CUDA event of the program does. The CUDA event must outlive it.
template <backend Of, class Event = event, class Context = context>
  requires detail::has_native<Of>
Event make_event(const backend_input_t<Of, event> &handle, const Context &with) {
  return Event(detail::native<Of>::event(handle, with));
}

}  // namespace sycl
