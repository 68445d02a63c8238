// Kernel bundles: kernels by name, and queries about them (SYCL 2020, section 4.11).
//
// Every kernel is stored as bitcode and compiled at its first launch on a device, so the states of bundles differ only
// in type, and compile, link and build compile nothing.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/sub_groups.hpp>

#include <sycl/detail/launch.hpp>
#include <sycl/queue.hpp>

namespace sycl {

enum class bundle_state { input, object, executable };

/// Identifies a kernel.
class kernel_id {
public:
  const char *get_name() const noexcept { return kernel_.name().c_str(); }
  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.kernel_.name() == b.kernel_.name(); }
  const dpep::kernel &native() const noexcept { return kernel_; }

private:
  template <class Name> friend kernel_id get_kernel_id();
  friend std::vector<kernel_id> get_kernel_ids();
  explicit kernel_id(dpep::kernel kernel) : kernel_(std::move(kernel)) {}
  dpep::kernel kernel_;
};

namespace detail {
/// Returns the kernel of that name, in any translation unit of the program.
inline dpep::kernel kernel_named(const char *name) {
  for (dpep::kernel &k : dpep::kernel::all())
    if (k.name() == name) return std::move(k);
  throw exception(errc::invalid, std::string("get_kernel_id: the program has no kernel of the name ") + name);
}
}  // namespace detail

/// Returns the identifier of the kernel that the program launches under the name.
template <class Name> [[gnu::visibility("hidden")]] kernel_id get_kernel_id() {
#ifdef __SYCL_DEVICE_ONLY__
  __builtin_unreachable();
#elif __has_builtin(__builtin_sycl_unique_stable_name) || defined(DPEP_DEVICE_IMAGE)
  static const dpep::kernel kernel = detail::kernel_named(__builtin_sycl_unique_stable_name(Name));
  return kernel_id(kernel);
#else
  static_assert(!sizeof(Name *), "source files that name SYCL kernels are compiled by dpcxx");
#endif
}

/// Returns the identifiers of all kernels of the program.
inline std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> ids;
  for (dpep::kernel &k : dpep::kernel::all()) {
    kernel_id id(std::move(k));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
  }
  return ids;
}

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
  static return_type get(const dpep::device_info &i) { return dpep::default_sub_group_size(i); }
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
  static return_type get(const dpep::device_info &i) {
    return static_cast<return_type>(dpep::default_sub_group_size(i));
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

/// A kernel of a context, for queries and launches without a function object.
class kernel {
public:
  kernel(kernel_id id, sycl::context with) : id_(std::move(id)), context_(std::move(with)) {}
  backend get_backend() const noexcept { return context_.get_backend(); }
  context get_context() const { return context_; }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::kernel::num_args>)
      return id_.native().reads_arguments();  // the arguments are the function object
    else
      return id_.get_name();
  }
  template <class Descriptor> typename Descriptor::return_type get_info(const device &on) const {
    return Descriptor::get(on.info());
  }
  const kernel_id &id() const noexcept { return id_; }
  friend bool operator==(const kernel &, const kernel &) = default;

private:
  kernel_id id_;
  sycl::context context_;
};

inline void handler::set_kernel(const dpep::geometry &work, const kernel &k, std::source_location where) {
  expect_no_command();
  if (!(k.get_context() == queue_.get_context()))
    throw exception(
        errc::invalid,
        "handler: the kernel belongs to another context than the queue; get it from a bundle of the queue's context");
  if (k.id().native().reads_arguments())
    throw exception(errc::feature_not_supported,
                    std::string("handler: the kernel ") + k.id().get_name() +
                        " uses values that its function object captures, and a sycl::kernel has none; give the "
                        "function object itself to single_task or parallel_for");
  owned_kernel_ = k.id().native();
  kernel_ = &owned_kernel_;
  work_ = work;
  where_ = where;
}

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
  std::vector<kernel_id> get_kernel_ids() const { return all_ ? sycl::get_kernel_ids() : kernels_; }
  kernel get_kernel(const kernel_id &id) const
    requires(State == bundle_state::executable)
  {
    if (!has_kernel(id))
      throw exception(errc::invalid,
                      std::string("kernel_bundle::get_kernel: the bundle has no kernel ") + id.get_name());
    return kernel(id, context_);
  }
  template <class Name> kernel get_kernel() const { return get_kernel(get_kernel_id<Name>()); }
  /// Sets a value for kernels of command groups that use the bundle (handler::use_kernel_bundle).
  template <auto &Id>
  void set_specialization_constant(const detail::specialization_values::type<Id> &value)
    requires(State == bundle_state::input)
  {
    values_.template set<Id>(value);
  }
  template <auto &Id> auto get_specialization_constant() const { return values_.template get<Id>(); }
  const detail::specialization_values &values() const noexcept { return values_; }
  bool contains_specialization_constants() const noexcept { return !values_.empty(); }
  bool native_specialization_constant() const noexcept { return false; }

  /// Returns a bundle of another state with the same kernels and values. All states refer to the same bitcode, so they
  /// differ only in type.
  template <bundle_state To> kernel_bundle<To> in_state(std::vector<device> devices) const {
    return {context_, std::move(devices), kernels_, all_, values_};
  }
  /// Adds another bundle's kernels and values. If both set a specialization constant, this bundle's value remains.
  void add(const kernel_bundle &other) {
    if (!(other.context_ == context_))
      throw exception(errc::invalid,
                      "join: the kernel bundles belong to different contexts; join only bundles of one context");
    all_ = all_ || other.all_;
    for (const kernel_id &id : other.kernels_)
      if (!has_kernel(id)) kernels_.push_back(id);
    values_.add(other.values_);
  }

private:
  template <bundle_state> friend class kernel_bundle;
  kernel_bundle(context with, std::vector<device> devices, std::vector<kernel_id> kernels, bool all,
                detail::specialization_values values)
      : context_(std::move(with)),
        devices_(std::move(devices)),
        kernels_(std::move(kernels)),
        all_(all),
        values_(values) {}

  context context_;
  std::vector<device> devices_;
  std::vector<kernel_id> kernels_;
  bool all_;
  detail::specialization_values values_;
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

// True if any device is given: every device compiles at run time, so bundles of any state exist for every device.
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

template <bundle_state State> kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty()) throw exception(errc::invalid, "join: the list of kernel bundles is empty");
  kernel_bundle<State> all = bundles.front();
  for (const kernel_bundle<State> &b : bundles) all.add(b);
  return all;
}

// Compilation takes place at launch, for the device of the queue. These functions change the type and the devices.
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &b,
                                                   const std::vector<device> &devices, const property_list & = {}) {
  return b.in_state<bundle_state::object>(devices);
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &b,
                                                   const property_list & = {}) {
  return compile(b, b.get_devices());
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return join(bundles).in_state<bundle_state::executable>(devices);
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const property_list & = {}) {
  const kernel_bundle<bundle_state::object> all = join(bundles);
  return all.in_state<bundle_state::executable>(all.get_devices());
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &b,
                                                    const property_list & = {}) {
  return b.in_state<bundle_state::executable>(b.get_devices());
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const std::vector<device> &devices, const property_list & = {}) {
  return b.in_state<bundle_state::executable>(devices);
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const property_list & = {}) {
  return build(b, b.get_devices());
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
