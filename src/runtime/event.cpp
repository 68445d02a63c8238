// dpep::event over the back ends' events, and the event that a program completes itself.
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include <dpep/event.hpp>

#include "backend/backend.hpp"

namespace dpep {
namespace {

backend::event *implementation_of(const event &e) noexcept { return static_cast<backend::event *>(e.get()); }

class user_event_object final : public backend::event {
public:
  event_status status() const noexcept override {
    std::lock_guard lock(mutex_);
    return complete_ ? event_status::complete : event_status::submitted;
  }
  void wait() noexcept override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return complete_; });
  }
  void when_complete(std::function<void()> callback) override {
    {
      std::lock_guard lock(mutex_);
      if (!complete_) {
        callbacks_.push_back(std::move(callback));
        return;
      }
    }
    callback();
  }
  event_times times() const noexcept override { return {}; }
  bool profiled() const noexcept override { return false; }
  void keep_alive(std::shared_ptr<void> owner) override {
    std::lock_guard lock(mutex_);
    if (!complete_) kept_.push_back(std::move(owner));
  }
  std::vector<ref<backend::event>> wait_list() const override { return {}; }

  void complete() noexcept {
    std::vector<std::function<void()>> callbacks;
    std::vector<std::shared_ptr<void>> kept;
    {
      std::lock_guard lock(mutex_);
      complete_ = true;
      callbacks.swap(callbacks_);
      kept.swap(kept_);
    }
    changed_.notify_all();
    for (const auto &call : callbacks) call();
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool complete_ = false;
  std::vector<std::function<void()>> callbacks_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace

event_status event::status() const {
  const auto *e = implementation_of(*this);
  return e ? e->status() : event_status::complete;
}

void event::wait() const {
  if (auto *e = implementation_of(*this)) e->wait();
}

bool event::wait_while(const std::function<bool()> &go_on) const {
  auto *e = implementation_of(*this);
  if (!e || e->status() == event_status::complete) return true;
  struct flag {
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;
  };
  const auto complete = std::make_shared<flag>();  // the callback may come when nobody waits any more
  e->when_complete([complete] {
    const std::lock_guard lock(complete->mutex);
    complete->set = true;
    complete->changed.notify_all();
  });
  std::unique_lock lock(complete->mutex);
  while (!complete->changed.wait_for(lock, std::chrono::milliseconds(20), [&] { return complete->set; })) {
    lock.unlock();  // go_on may take long, or wait for what completes the event
    if (!go_on()) return e->status() == event_status::complete;
    lock.lock();
  }
  return true;
}

void event::wait(std::span<const event> events) {
  for (const event &e : events) e.wait();
}

void event::wait_and_throw() const {
  auto *e = implementation_of(*this);
  if (!e) return;
  e->wait();
  if (auto *errors = e->errors()) errors->deliver(true);
}

event_times event::times() const {
  const auto *e = implementation_of(*this);
  if (!e || !e->profiled()) {
    throw exception(errc::invalid, "event::times: no times were taken; make the queue with profiling enabled "
                                   "(queue_options::profiling, SYCL: property::queue::enable_profiling)");
  }
  return e->times();
}

std::vector<event> event::wait_list() const {
  std::vector<event> events;
  if (const auto *e = implementation_of(*this))
    for (auto &pending : e->wait_list()) events.emplace_back(ref<object>(std::move(pending)));
  return events;
}

void event::keep_alive(std::shared_ptr<void> owner) const {
  if (auto *e = implementation_of(*this)) e->keep_alive(std::move(owner));
}

user_event::user_event() : event(ref<object>(make_object<user_event_object>())) {}

void user_event::complete() const noexcept {
  if (auto *e = static_cast<user_event_object *>(get())) e->complete();
}

}  // namespace dpep
