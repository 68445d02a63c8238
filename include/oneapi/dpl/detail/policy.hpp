// oneapi::dpl::execution: where an algorithm runs, on a device's queue or on the host.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <sycl/queue.hpp>

namespace oneapi::dpl {
namespace execution {

class sequenced_policy {};
class unsequenced_policy {};
class parallel_policy {};
class parallel_unsequenced_policy {};
inline constexpr sequenced_policy seq{};
inline constexpr unsequenced_policy unseq{};
inline constexpr parallel_policy par{};
inline constexpr parallel_unsequenced_policy par_unseq{};

struct DefaultKernelName;

/// A queue for algorithms. Kernel names are accepted, but not needed: kernels of algorithms have names of their own.
template <class KernelName = DefaultKernelName> class device_policy {
public:
  using kernel_name = KernelName;

  /// The default device, whose queue is made at the first use.
  device_policy() = default;
  template <class Other> explicit device_policy(const device_policy<Other> &other) : queue_(other.queue()) {}
  explicit device_policy(sycl::queue q) : queue_(std::move(q)) {}
  explicit device_policy(const sycl::device &d) : queue_(sycl::queue(d)) {}

  sycl::queue queue() const { return queue_ ? *queue_ : default_queue(); }
  operator sycl::queue() const { return queue(); }

private:
  static const sycl::queue &default_queue() {
    static const sycl::queue made;
    return made;
  }
  std::optional<sycl::queue> queue_;
};

inline const device_policy<> dpcpp_default{};

template <class KernelName = DefaultKernelName> device_policy<KernelName> make_device_policy(sycl::queue q) {
  return device_policy<KernelName>(std::move(q));
}
template <class KernelName = DefaultKernelName> device_policy<KernelName> make_device_policy(const sycl::device &d) {
  return device_policy<KernelName>(d);
}
template <class KernelName = DefaultKernelName, class Other>
device_policy<KernelName> make_device_policy(const device_policy<Other> &other = dpcpp_default) {
  return device_policy<KernelName>(other);
}
template <class KernelName = DefaultKernelName> device_policy<KernelName> make_device_policy() {
  return device_policy<KernelName>();
}

template <class T> struct is_execution_policy : std::false_type {};
template <> struct is_execution_policy<sequenced_policy> : std::true_type {};
template <> struct is_execution_policy<unsequenced_policy> : std::true_type {};
template <> struct is_execution_policy<parallel_policy> : std::true_type {};
template <> struct is_execution_policy<parallel_unsequenced_policy> : std::true_type {};
template <class Name> struct is_execution_policy<device_policy<Name>> : std::true_type {};
template <class T> inline constexpr bool is_execution_policy_v = is_execution_policy<T>::value;

}  // namespace execution

namespace detail {

template <class T> inline constexpr bool is_device_policy = false;
template <class Name> inline constexpr bool is_device_policy<execution::device_policy<Name>> = true;
template <class P>
concept device_policy = is_device_policy<std::remove_cvref_t<P>>;
template <class P>
concept host_policy = execution::is_execution_policy_v<std::remove_cvref_t<P>> && !device_policy<P>;
/// Whether the policy permits several threads.
template <class P>
concept threaded_policy = std::is_same_v<std::remove_cvref_t<P>, execution::parallel_policy> ||
                          std::is_same_v<std::remove_cvref_t<P>, execution::parallel_unsequenced_policy>;

}  // namespace detail
}  // namespace oneapi::dpl

namespace dpl = oneapi::dpl;
