// sycl::get_native and its inverses, with handles of CUDA's driver where the default device has them.
#include <gtest/gtest.h>

#include "error_of.hpp"

namespace {

constexpr sycl::backend cuda = sycl::backend::ext_oneapi_cuda;

template <class F> sycl::errc code_of(F run) { return test::error_of(run).code; }

TEST(native, other_back_ends_have_no_cuda_handles) {
  const sycl::queue q{sycl::cpu_selector_v};
  EXPECT_EQ(code_of([&] { (void)sycl::get_native<cuda>(q); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(code_of([&] { (void)sycl::get_native<cuda>(q.get_device()); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(code_of([&] { (void)sycl::get_native<cuda>(q.get_context()); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(code_of([&] { (void)sycl::get_native<cuda>(sycl::event()); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(code_of([&] { (void)sycl::make_device<cuda>(1000); }), sycl::errc::invalid);
  EXPECT_EQ(code_of([&] { (void)sycl::make_queue<cuda>(nullptr, q.get_context()); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(code_of([&] { (void)sycl::make_event<cuda>(nullptr, q.get_context()); }), sycl::errc::backend_mismatch);
}

TEST(native, devices_access_peers_where_possible) {
  const sycl::device own{sycl::default_selector_v};
  EXPECT_FALSE(own.ext_oneapi_can_access_peer(own));
  EXPECT_EQ(code_of([&] { own.ext_oneapi_enable_peer_access(own); }), sycl::errc::invalid);
  for (const sycl::device &peer : sycl::device::get_devices()) {
    if (!own.ext_oneapi_can_access_peer(peer, sycl::ext::oneapi::peer_access::access_supported)) {
      EXPECT_EQ(code_of([&] { own.ext_oneapi_enable_peer_access(peer); }), sycl::errc::invalid);
      continue;
    }
    EXPECT_EQ(code_of([&] { own.ext_oneapi_disable_peer_access(peer); }), sycl::errc::invalid);
    own.ext_oneapi_enable_peer_access(peer);
    own.ext_oneapi_disable_peer_access(peer);
  }
}

TEST(native, queues_and_events_are_made_from_handles) {
  const sycl::queue q;
  if (q.get_backend() != cuda) GTEST_SKIP() << "the default device is not a CUDA device";
  int *const x = sycl::malloc_shared<int>(1, q);
  CUstream_st *const stream = sycl::get_native<cuda>(q);
  const sycl::queue same = sycl::make_queue<cuda>(stream, q.get_context());
  EXPECT_TRUE(same.is_in_order());
  EXPECT_EQ(sycl::get_native<cuda>(same), stream);
  const sycl::event first = same.single_task([=] { *x = 1; });
  const sycl::event seen = sycl::make_event<cuda>(sycl::get_native<cuda>(first), q.get_context());
  q.submit([&](sycl::handler &h) {
     h.depends_on(seen);
     h.single_task([=] { *x += 1; });
   }).wait();
  EXPECT_EQ(*x, 2);
  sycl::free(x, q);
}

TEST(native, cuda_handles_give_the_same_objects) {
  const sycl::queue q;
  if (q.get_backend() != cuda) GTEST_SKIP() << "the default device is not a CUDA device";
  const int number = sycl::get_native<cuda>(q.get_device());
  EXPECT_EQ(sycl::make_device<cuda>(number), q.get_device());
  CUctx_st *const context = sycl::get_native<cuda>(q.get_context());
  EXPECT_EQ(sycl::make_context<cuda>(context), q.get_context());
  EXPECT_NE(sycl::get_native<cuda>(q), nullptr);
  int *const x = sycl::malloc_device<int>(1, q);
  EXPECT_NE(sycl::get_native<cuda>(q.single_task([=] { *x = 1; })), nullptr);
  CUstream_st *seen = nullptr;
  q.submit([&](sycl::handler &h) {
     h.host_task([&](sycl::interop_handle i) { seen = i.get_native_queue<cuda>(); });
   }).wait();
  EXPECT_NE(seen, nullptr);
  sycl::free(x, q);
}

}  // namespace
