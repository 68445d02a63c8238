// sycl::get_native and the functions that go the other way: handles of the driver behind SYCL objects.
//
// Of CUDA, whose types are declared here as <cuda.h> declares them, so that neither needs the other.
#pragma once

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

template <backend Of> class backend_traits;

template <> class backend_traits<backend::ext_oneapi_cuda> {
  template <class T> struct handle;

public:
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

namespace detail {

/// Handles of one back end's driver. The others have none to give.
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
                          "get_native<backend::ext_oneapi_cuda>: '" + d.info().name + "' is no device of CUDA");
  }
};

template <backend Of>
concept has_native = Of == backend::ext_oneapi_cuda;

}  // namespace detail

/// The driver's handle behind a device, context, queue or event: CUdevice, CUcontext, CUstream, CUevent. It belongs to
/// the object, and lives as long. A queue's stream runs what is put into it after everything that was submitted so far.
/// Throws errc::backend_mismatch for objects of other back ends.
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

// From handles. Templates on the object's type, which is complete when they are called.

/// The device with CUDA's ordinal. Throws errc::invalid when there is none, or ONEAPI_DEVICE_SELECTOR left it out.
template <backend Of, class Device = device>
  requires detail::has_native<Of>
Device make_device(const backend_input_t<Of, device> &number) {
  return Device(detail::native<Of>::device(number));
}

/// The default context, of whose devices this must be the primary context of one: dpep uses no other contexts.
template <backend Of, class Context = context, class Handler = int>
  requires detail::has_native<Of>
Context make_context(const backend_input_t<Of, context> &handle, const Handler & = {}) {
  for (const dpep::device &d : dpep::all_devices())
    if (d.info().backend == dpep::backend_kind::cuda &&
        reinterpret_cast<CUctx_st *>(dpep::native::context_of(d)) == handle)
      return Context(dpep::context::default_for(d));
  throw dpep::exception(dpep::errc::invalid, "make_context: the handle is no device's primary context, and dpep uses "
                                             "no other contexts of CUDA");
}

/// A queue in order on this stream of others, which must live as long as the queue and its work. What they put into the
/// stream, too, runs in the order in which all came.
template <backend Of, class Queue = queue, class Context = context>
  requires detail::has_native<Of>
Queue make_queue(const backend_input_t<Of, queue> &stream, const Context &with, const async_handler &handler = {}) {
  return Queue(detail::native<Of>::queue_on(stream, with, detail::to_dpep(handler)));
}

/// An event that is complete when what was recorded in this one of others is, which must live as long.
template <backend Of, class Event = event, class Context = context>
  requires detail::has_native<Of>
Event make_event(const backend_input_t<Of, event> &handle, const Context &with) {
  return Event(detail::native<Of>::event(handle, with));
}

}  // namespace sycl
