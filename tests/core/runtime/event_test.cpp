// dpep::event as a handle to events of any back end.
#include <gtest/gtest.h>

#include <dpep/event.hpp>

#include "backend/backend.hpp"

namespace dpep::testing {
namespace {

class foreign_event final : public backend::event {
public:
  explicit foreign_event(backend_kind kind) : kind_(kind) {}
  backend_kind kind() const noexcept override { return kind_; }
  event_status status() const noexcept override { return event_status::complete; }
  bool wait_until(deadline) noexcept override { return true; }
  void when_complete(std::function<void()> callback) override { callback(); }
  event_times times() const noexcept override { return {}; }
  bool profiled() const noexcept override { return false; }
  void keep_alive(std::shared_ptr<void> &&) override {}
  std::vector<ref<backend::event>> wait_list() const override { return {}; }

private:
  const backend_kind kind_;
};

TEST(event, has_a_back_end) {
  for (const auto kind : {backend_kind::cuda, backend_kind::native_cpu})
    EXPECT_EQ(event(ref<object>(make_object<foreign_event>(kind))).backend(), kind);
  EXPECT_EQ(event().backend(), device().info().backend);
  EXPECT_EQ(user_event().backend(), device().info().backend);
}

}  // namespace
}  // namespace dpep::testing
