// Kernel bundles: kernels by name, and what is known of them (SYCL 2020, section 4.11).
//
// dpep keeps every kernel as bitcode and compiles it when it is launched, so every bundle is as good as executable.
// What would need a list of all kernels of the program is refused.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <dpep/kernel.hpp>

#include <sycl/detail/launch.hpp>
#include <sycl/queue.hpp>

namespace sycl {

enum class bundle_state { input, object, executable };

/// A kernel's identity.
class kernel_id {
public:
  const char *get_name() const noexcept { return kernel_.name().c_str(); }
  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.kernel_.name() == b.kernel_.name(); }
  const dpep::kernel &native() const noexcept { return kernel_; }

private:
  template <class Name> friend kernel_id get_kernel_id();
  explicit kernel_id(dpep::kernel kernel) : kernel_(std::move(kernel)) {}
  dpep::kernel kernel_;
};

#if defined(__SYCL_DEVICE_ONLY__) || defined(DPEP_DEVICE_IMAGE)
/// Of a kernel that this translation unit launches under the name.
template <class Name> [[gnu::visibility("hidden")]] kernel_id get_kernel_id() {
#ifdef __SYCL_DEVICE_ONLY__
  __builtin_unreachable();
#else
  static const dpep::kernel kernel(detail::this_image, __builtin_sycl_unique_stable_name(Name));
  return kernel_id(kernel);
#endif
}
#endif

namespace info::kernel {
struct function_name {
  using return_type = std::string;
};
struct num_args {
  using return_type = std::uint32_t;
};
}  // namespace info::kernel

namespace info::kernel_device_specific {
struct work_group_size {
  using return_type = std::size_t;
  static return_type get(const dpep::device_info &i) { return i.max_work_group_size; }
};
struct preferred_work_group_size_multiple {
  using return_type = std::size_t;
  static return_type get(const dpep::device_info &i) {
    return *std::max_element(i.sub_group_sizes.begin(), i.sub_group_sizes.end());
  }
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
  static return_type get(const dpep::device_info &i) {
    return static_cast<return_type>(*std::max_element(i.sub_group_sizes.begin(), i.sub_group_sizes.end()));
  }
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
  static return_type get(const dpep::device_info &i) { return i.max_num_sub_groups; }
};
struct compile_num_sub_groups {
  using return_type = std::uint32_t;
  static return_type get(const dpep::device_info &) { return 0; }
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
  static return_type get(const dpep::device_info &) { return 0; }
};
}  // namespace info::kernel_device_specific

/// A kernel that can be asked about.
class kernel {
public:
  kernel(kernel_id id, sycl::context with) : id_(std::move(id)), context_(std::move(with)) {}
  backend get_backend() const noexcept { return context_.get_backend(); }
  context get_context() const { return context_; }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::kernel::num_args>)
      return 1;  // the function object
    else
      return id_.get_name();
  }
  template <class Descriptor> typename Descriptor::return_type get_info(const device &on) const {
    return Descriptor::get(on.info());
  }
  friend bool operator==(const kernel &, const kernel &) = default;

private:
  kernel_id id_;
  sycl::context context_;
};

template <bundle_state State> class kernel_bundle {
public:
  kernel_bundle(context with, std::vector<device> devices, std::vector<kernel_id> kernels, bool all)
      : context_(std::move(with)), devices_(std::move(devices)), kernels_(std::move(kernels)), all_(all) {}

  backend get_backend() const noexcept { return context_.get_backend(); }
  context get_context() const noexcept { return context_; }
  std::vector<device> get_devices() const { return devices_; }
  bool empty() const noexcept { return !all_ && kernels_.empty(); }
  bool has_kernel(const kernel_id &id) const noexcept {
    return all_ || std::find(kernels_.begin(), kernels_.end(), id) != kernels_.end();
  }
  bool has_kernel(const kernel_id &id, const device &on) const noexcept {
    return has_kernel(id) && std::find(devices_.begin(), devices_.end(), on) != devices_.end();
  }
  std::vector<kernel_id> get_kernel_ids() const {
    if (all_)
      throw exception(errc::feature_not_supported, "kernel_bundle::get_kernel_ids: dpep keeps no list of all kernels; "
                                                   "make the bundle with the kernel_ids that you want");
    return kernels_;
  }
  kernel get_kernel(const kernel_id &id) const
    requires(State == bundle_state::executable)
  {
    if (!has_kernel(id))
      throw exception(errc::invalid,
                      std::string("kernel_bundle::get_kernel: the bundle has no kernel ") + id.get_name());
    return kernel(id, context_);
  }
  template <class Name> kernel get_kernel() const { return get_kernel(get_kernel_id<Name>()); }
  bool contains_specialization_constants() const noexcept { return false; }
  bool native_specialization_constant() const noexcept { return false; }

private:
  context context_;
  std::vector<device> devices_;
  std::vector<kernel_id> kernels_;
  bool all_;
};

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const std::vector<device> &devices) {
  return {with, devices, {}, true};
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &with) {
  return get_kernel_bundle<State>(with, with.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &kernels) {
  return {with, devices, kernels, false};
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const std::vector<kernel_id> &kernels) {
  return {with, with.get_devices(), kernels, false};
}
template <class Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const std::vector<device> &devices) {
  return {with, devices, {get_kernel_id<Name>()}, false};
}
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &with) {
  return get_kernel_bundle<Name, State>(with, with.get_devices());
}

// Every device compiles at run time, so there is a bundle in any state for any of a context's devices.
template <bundle_state> bool has_kernel_bundle(const context &, const std::vector<device> &devices) {
  return !devices.empty();
}
template <bundle_state State> bool has_kernel_bundle(const context &with) {
  return has_kernel_bundle<State>(with, with.get_devices());
}
template <class, bundle_state State> bool has_kernel_bundle(const context &with, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(with, devices);
}
template <class, bundle_state State> bool has_kernel_bundle(const context &with) {
  return has_kernel_bundle<State>(with);
}
inline bool is_compatible(const std::vector<kernel_id> &, const device &) { return true; }
template <class> bool is_compatible(const device &) { return true; }

inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const property_list & = {}) {
  return {b.get_context(), b.get_devices(), {}, true};
}

namespace info::device {
inline std::vector<kernel_id> built_in_kernel_ids::get(const dpep::device &) { return {}; }
}  // namespace info::device

}  // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const noexcept {
    return std::hash<std::string>()(id.native().name());
  }
};
