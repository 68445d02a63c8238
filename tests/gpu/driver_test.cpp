// The CUDA back end on the pretended driver: what crosses streams, devices and the host, and what is refused.
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

#include "jit/kernels.hpp"

namespace dpep::test {
namespace {

// Before anybody asks for devices.
const bool chosen = [] {
  ::setenv("DPEP_CUDA_DRIVER", DPEP_PRETENDED_CUDA, 1);
  ::setenv("ONEAPI_DEVICE_SELECTOR", "*:*", 1);
  ::setenv("DPEP_CACHE", "off", 1);
  return true;
}();

struct PretendedGpu : ::testing::Test {
  const device gpu{"cuda:gpu:0"};
  const queue q{gpu};
  template <class T> T *allocate(usm_kind kind, std::size_t count) {
    void *const place = dpep::allocate(kind, count * sizeof(T), 64, q.get_context(), gpu);
    allocated_.push_back(place);
    return static_cast<T *>(place);
  }
  ~PretendedGpu() override {
    for (void *const place : allocated_) dpep::free(place, q.get_context());
  }

private:
  std::vector<void *> allocated_;
};

TEST_F(PretendedGpu, CopiesAndFillsComeInTheOrderThatIsAskedFor) {
  constexpr std::size_t n = 1000;
  auto *const a = allocate<int>(usm_kind::device, n), *const b = allocate<int>(usm_kind::device, n);
  std::vector<int> back(n);
  for (int round = 0; round < 20; ++round) {
    event last = q.fill(a, &round, sizeof round, n);
    last = q.copy(b, a, n * sizeof(int), {&last, 1});
    last = q.copy(back.data(), b, n * sizeof(int), {&last, 1});
    last.wait();
    ASSERT_EQ(back, std::vector<int>(n, round));
  }
}

}  // namespace
}  // namespace dpep::test
