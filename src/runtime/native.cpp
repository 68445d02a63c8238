// dpep::native: the driver's handles of dpep's objects, and dpep's objects from handles.
#include <dpep/native.hpp>

#include <fmt/format.h>

#include "backend/native.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::native {
namespace {

[[noreturn]] void throw_unsupported(const device_info &d, const char *what) {
  throw exception(errc::backend_mismatch, fmt::format("'{}' has no native {} for other libraries: its back end is {}",
                                                      d.name, what, name_of(d.backend)));
}

/// Null for back ends without native handles.
backend::native_device *native_device_of(const device &d) {
  return dynamic_cast<backend::native_device *>(&runtime::code_device_of(d));
}
backend::native_device &require_native_device(const device &d, const char *what) {
  if (auto *const found = native_device_of(d)) return *found;
  throw_unsupported(d.info(), what);
}

backend::native_queue &require_native_queue(const queue &q, const char *operation) {
  runtime::queue_object &mine = runtime::implementation_of(q, operation);
  mine.submit_deferred();
  if (auto *const found = dynamic_cast<backend::native_queue *>(&mine.back())) return *found;
  throw_unsupported(q.get_device().info(), "streams");
}

}  // namespace

int ordinal_of(const device &d) { return require_native_device(d, "ordinal").native_ordinal(); }

device device_from_ordinal(backend_kind kind, int ordinal) {
  for (const device &d : all_devices())
    if (d.info().backend == kind)
      if (const auto *const found = native_device_of(d); found && found->native_ordinal() == ordinal) return d;
  throw exception(errc::invalid, fmt::format("native::device_from_ordinal: there is no {} device {}, or "
                                             "ONEAPI_DEVICE_SELECTOR excludes it",
                                             name_of(kind), ordinal));
}

std::optional<pointer_attributes> attributes_of(const void *address) {
  for (const device &d : all_devices()) {
    const auto *const found = native_device_of(d);
    const usm_kind kind = found ? found->kind_of(address) : usm_kind::unknown;
    if (kind != usm_kind::unknown) return pointer_attributes{d, kind};
  }
  return std::nullopt;
}

std::uintptr_t context_of(const device &d) { return require_native_device(d, "context").native_context(); }
std::uintptr_t stream_of(const queue &q) { return require_native_queue(q, "native::stream_of").native_stream(); }
queue queue_from_stream(const context &where, const device &on, std::uintptr_t stream, queue_options options,
                        async_handler handler) {
  backend::native_device &target = require_native_device(on, "streams");
  if (!where.contains(on))
    throw exception(errc::invalid,
                    fmt::format("native::queue_from_stream: the device '{}' is not in the context", on.info().name));
  options.in_order = true;
  return queue(make_object<runtime::queue_object>(where, on, options, std::move(handler),
                                                  [&](const queue_options &actual, ref<backend::error_slot> errors) {
                                                    return target.adopt_stream(stream, actual, std::move(errors));
                                                  }));
}

void keep_alive_in_stream(const context &where, const device &on, std::uintptr_t stream, std::shared_ptr<void> owner) {
  queue_from_stream(where, on, stream).barrier().keep_alive(std::move(owner));
}

event event_from_handle(const device &d, std::uintptr_t handle) {
  return event(ref<object>(require_native_device(d, "events").adopt_event(handle)));
}

void order_before(const queue &q, std::uintptr_t stream) {
  require_native_queue(q, "native::order_before").order_before(stream);
}
void order_after(const queue &q, std::uintptr_t stream) {
  require_native_queue(q, "native::order_after").order_after(stream);
}

std::uintptr_t event_of(const event &e) {
  auto *const found = dynamic_cast<backend::native_event *>(static_cast<backend::event *>(e.get()));
  if (!found)
    throw exception(
        errc::backend_mismatch,
        fmt::format("native::event_of: events of {} have no native handle for other libraries", name_of(e.backend())));
  return found->native();
}

bool can_access_peer(const device &d, const device &other) {
  const auto *const mine = native_device_of(d), *const theirs = native_device_of(other);
  return d != other && mine && theirs && d.info().backend == other.info().backend && mine->can_access_peer(*theirs);
}

bool has_peer_atomics(const device &d, const device &other) {
  return can_access_peer(d, other) && native_device_of(d)->has_peer_atomics(*native_device_of(other));
}

void set_peer_access(const device &d, const device &other, bool allowed) {
  if (d == other)
    throw exception(errc::invalid, "set_peer_access: a device has no peer access to itself; pass another device");
  if (!can_access_peer(d, other))
    throw exception(errc::invalid, fmt::format("set_peer_access: '{}' cannot access the memory of '{}'", d.info().name,
                                               other.info().name));
  native_device_of(d)->set_peer_access(*native_device_of(other), allowed);
}

}  // namespace dpep::native
