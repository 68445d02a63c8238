// dpep::native: the way from objects to the handles of their driver.
#include <dpep/native.hpp>

#include <fmt/format.h>

#include "backend/native.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::native {
namespace {

[[noreturn]] void refuse(const device_info &d, const char *what) {
  throw exception(errc::backend_mismatch,
                  fmt::format("'{}' has no {} that other libraries could use: its back end is {}", d.name, what,
                              name_of(d.backend)));
}

backend::native_device *behind(const device &d) {
  return dynamic_cast<backend::native_device *>(&runtime::code_device_of(d));
}
backend::native_device &device_behind(const device &d, const char *what) {
  if (auto *const found = behind(d)) return *found;
  refuse(d.info(), what);
}

backend::native_queue &streams_behind(const queue &q, const char *operation) {
  runtime::queue_object &mine = runtime::implementation_of(q, operation);
  mine.submit_deferred();
  if (auto *const found = dynamic_cast<backend::native_queue *>(&mine.back())) return *found;
  refuse(q.get_device().info(), "streams");
}

}  // namespace

int ordinal_of(const device &d) { return device_behind(d, "number").native_ordinal(); }

device device_from_ordinal(backend_kind kind, int number) {
  for (const device &d : all_devices())
    if (d.info().backend == kind)
      if (const auto *const found = behind(d); found && found->native_ordinal() == number) return d;
  throw exception(errc::invalid, fmt::format("device {} of {}: there is none, or ONEAPI_DEVICE_SELECTOR leaves it out",
                                             number, name_of(kind)));
}

std::optional<pointer_attributes> attributes_of(const void *address) {
  for (const device &d : all_devices()) {
    const auto *const found = behind(d);
    const usm_kind kind = found ? found->kind_of(address) : usm_kind::unknown;
    if (kind != usm_kind::unknown) return pointer_attributes{d, kind};
  }
  return std::nullopt;
}

std::uintptr_t context_of(const device &d) { return device_behind(d, "context").native_context(); }
std::uintptr_t stream_of(const queue &q) { return streams_behind(q, "native::stream_of").native_stream(); }
queue queue_from_stream(const context &where, const device &on, std::uintptr_t stream, queue_options options,
               async_handler handler) {
  backend::native_device &target = device_behind(on, "streams");
  if (!where.contains(on))
    throw exception(errc::invalid, fmt::format("native::queue_from_stream: the device '{}' is not in the context", on.info().name));
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
  return event(ref<object>(device_behind(d, "events").adopt_event(handle)));
}

void order_before(const queue &q, std::uintptr_t stream) {
  streams_behind(q, "native::order_before").order_before(stream);
}
void order_after(const queue &q, std::uintptr_t stream) { streams_behind(q, "native::order_after").order_after(stream); }

std::uintptr_t event_of(const event &e) {
  auto *const found = dynamic_cast<backend::native_event *>(static_cast<backend::event *>(e.get()));
  if (!found)
    throw exception(errc::backend_mismatch,
                    fmt::format("an event of {} has no handle that other libraries could use", name_of(e.backend())));
  return found->native();
}

bool can_access_peer(const device &d, const device &other) {
  const auto *const mine = behind(d), *const theirs = behind(other);
  return d != other && mine && theirs && d.info().backend == other.info().backend && mine->can_access_peer(*theirs);
}

void set_peer_access(const device &d, const device &other, bool allowed) {
  if (d == other) throw exception(errc::invalid, "a device has no peer access to itself");
  if (!can_access_peer(d, other))
    throw exception(errc::invalid, fmt::format("{} has no peer access to {}", d.info().name, other.info().name));
  behind(d)->set_peer_access(*behind(other), allowed);
}

}  // namespace dpep::native
