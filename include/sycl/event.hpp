// sycl::event: the state and timestamps of a submitted command.
#pragma once

#include <span>
#include <vector>

#include <dpep/event.hpp>

#include <sycl/backend.hpp>
#include <sycl/info.hpp>

namespace sycl {

class event : public dpep::event {
public:
  event() noexcept { identify(); }  // represents a completed command
  event(dpep::event native) noexcept : dpep::event(std::move(native)) { identify(); }

  void wait() const { dpep::event::wait(); }
  static void wait(const std::vector<event> &events) {
    for (const event &e : events) e.wait();
  }
  void wait_and_throw() const { dpep::event::wait_and_throw(); }
  static void wait_and_throw(const std::vector<event> &events) {
    wait(events);
    for (const event &e : events) e.wait_and_throw();
  }
  std::vector<event> get_wait_list() const {
    const std::vector<dpep::event> list = wait_list();
    return {list.begin(), list.end()};
  }
  sycl::backend get_backend() const noexcept { return detail::to_sycl(dpep::event::backend()); }

  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::event::command_execution_status>)
      return static_cast<info::event_command_status>(status());
    else
      return get() ? get()->reference_count() : 1;  // an empty event has no object to count references of
  }
  /// Returns a timestamp in nanoseconds. Waits until the command has reached that state. Throws errc::invalid if the
  /// queue was made without property::queue::enable_profiling.
  template <class Descriptor> std::uint64_t get_profiling_info() const {
    if constexpr (!std::is_same_v<Descriptor, info::event_profiling::command_submit>) dpep::event::wait();
    return Descriptor::get(times());
  }
};

namespace detail {

inline dpep::dependencies to_dpep(const std::vector<event> &events) {
  static_assert(sizeof(event) == sizeof(dpep::event));  // so that arrays of one can be used as arrays of the other
  return {static_cast<const dpep::event *>(events.data()), events.size()};
}
inline dpep::dependencies to_dpep(const event &only) { return {static_cast<const dpep::event *>(&only), 1}; }

}  // namespace detail

}  // namespace sycl

template <> struct std::hash<sycl::event> : std::hash<dpep::event> {};
