// Kernel bundles: kernels by name, and queries about them (SYCL 2020, section 4.11).
//
// Every kernel is stored as bitcode and compiled at its first launch on a device, so the states of bundles differ only
// in type, and compile, link and build compile nothing.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/kernel_reports.hpp>
#include <dpep/program.hpp>
#include <dpep/sub_groups.hpp>

#include <sycl/detail/launch.hpp>
#include <sycl/queue.hpp>

namespace sycl {

enum class bundle_state { input, object, executable, ext_oneapi_source };
template <bundle_state State> class kernel_bundle;

namespace detail {
struct kernel_id_maker;
}

/// Identifies a kernel.
class kernel_id {
public:
  const char *get_name() const noexcept { return kernel_.name().c_str(); }
  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.kernel_.name() == b.kernel_.name(); }
  const dpep::kernel &native() const noexcept { return kernel_; }

private:
  template <class Name> friend kernel_id get_kernel_id();
  friend std::vector<kernel_id> get_kernel_ids();
  friend class kernel;
  friend detail::kernel_id_maker;
  explicit kernel_id(dpep::kernel kernel, std::shared_ptr<const dpep::kernel_properties> properties = nullptr)
      : kernel_(std::move(kernel)), properties_(std::move(properties)) {}
  dpep::kernel kernel_;
  std::shared_ptr<const dpep::kernel_properties> properties_;  // of kernels with arguments: functions
};

namespace detail {
struct kernel_id_maker {
  static kernel_id make(dpep::kernel kernel, std::shared_ptr<const dpep::kernel_properties> properties) {
    return kernel_id(std::move(kernel), std::move(properties));
  }
};

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
#elif __has_builtin(__builtin_sycl_unique_stable_name) || defined(DPEP_HAS_DEVICE_IMAGE)
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
struct attributes {
  using return_type = std::string;
};
}  // namespace info::kernel

namespace info::kernel_device_specific {
struct global_work_size {
  using return_type = range<3>;
  static return_type get(const dpep::device_info &i) {
    throw exception(errc::invalid,
                    "kernel::get_info<global_work_size>: only custom devices and built-in kernels have a "
                    "largest global size, and " +
                        i.name + " is not a custom device");
  }
};
// What attributes and properties of the kernel require; 0 without them.
struct compile_work_group_size {
  using return_type = range<3>;
  static return_type get(const dpep::required_sizes &r) { return {r.work_group[2], r.work_group[1], r.work_group[0]}; }
};
/// A lower bound, as SYCL requires: compilation for the device, at launch, determines what a kernel needs.
struct private_mem_size {
  using return_type = std::size_t;
  static return_type get(const dpep::device_info &) { return 0; }
};
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
  static return_type get(const dpep::required_sizes &) { return 0; }  // no attribute requires it
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
  static return_type get(const dpep::required_sizes &r) { return static_cast<return_type>(r.sub_group); }
};
}  // namespace info::kernel_device_specific

namespace ext::oneapi::experimental::info::kernel_queue_specific {

/// The largest number of work-groups of a launch with the property use_root_sync.
struct max_num_work_groups {
  using return_type = std::size_t;
  template <int D>
  static return_type get(const dpep::kernel &k, const queue &on, const range<D> &local, std::size_t local_bytes = 0) {
    return k.max_concurrent_groups(on.get_device(), sycl::detail::to_geometry(nd_range<D>(local, local)), local_bytes);
  }
};
/// The same by an earlier name, also for the largest work-groups.
struct max_num_work_group_sync : max_num_work_groups {
  using max_num_work_groups::get;
  static return_type get(const dpep::kernel &k, const queue &on) {
    return get(k, on, range<1>(on.get_device().get_info<sycl::info::device::max_work_group_size>()));
  }
};

}  // namespace ext::oneapi::experimental::info::kernel_queue_specific

namespace detail {

/// Whether the device has what the kernel's attributes require.
inline bool fits(const kernel_id &id, const dpep::device &on) {
  const dpep::required_sizes required = dpep::required_sizes_of(id.native());
  const dpep::device_info &info = on.info();
  const auto &sizes = info.sub_group_sizes;
  std::size_t items = 1;
  for (const std::size_t size : required.work_group)
    if (__builtin_mul_overflow(items, size, &items) || items > info.max_work_group_size) return false;
  if (required.sub_group && std::find(sizes.begin(), sizes.end(), required.sub_group) == sizes.end()) return false;
  return std::all_of(required.aspects.begin(), required.aspects.end(),
                     [&](std::uint32_t a) { return dpep::has(info, static_cast<aspect>(a)); });
}
inline bool fits_one(const kernel_id &id, const std::vector<device> &devices) {
  return std::any_of(devices.begin(), devices.end(), [&](const device &d) { return fits(id, d); });
}

/// The devices of a bundle: a set, in the order of the user's list.
inline std::vector<device> each_once(const std::vector<device> &devices) {
  std::vector<device> set;
  for (const device &d : devices)
    if (std::find(set.begin(), set.end(), d) == set.end()) set.push_back(d);
  return set;
}

/// The state that all copies of a kernel_bundle share.
struct bundle_data {
  context in;
  std::vector<device> devices;
  std::vector<kernel_id> kernels;
  bool all;  // contains all kernels of the program that fit a device; `kernels` is empty
  specialization_values values = {};
  dpep::program program = {};  // kernels from source text or SPIR-V, by name

  std::vector<kernel_id> kernel_ids() const {
    if (!all) return kernels;
    std::vector<kernel_id> ids = get_kernel_ids();
    std::erase_if(ids, [&](const kernel_id &id) { return !fits_one(id, devices); });
    return ids;
  }
  bool has_kernel(const kernel_id &id) const {
    return all ? fits_one(id, devices) : std::find(kernels.begin(), kernels.end(), id) != kernels.end();
  }
  bool has_device(const device &on) const { return std::find(devices.begin(), devices.end(), on) != devices.end(); }
  bool has_kernel(const kernel_id &id, const device &on) const {
    return has_kernel(id) && has_device(on) && fits(id, on);
  }
};

}  // namespace detail

/// A kernel of a context, for queries and launches without a function object.
class kernel {
public:
  /// A kernel from source text or SPIR-V, whose arguments handler::set_arg sets.
  kernel(const dpep::program_kernel &k, sycl::context with, std::shared_ptr<detail::bundle_data> bundle)
      : id_(k.code), context_(std::move(with)), bundle_(std::move(bundle)), properties_(k.properties) {}
  kernel(kernel_id id, sycl::context with, std::shared_ptr<detail::bundle_data> bundle)
      : id_(std::move(id)), context_(std::move(with)), bundle_(std::move(bundle)), properties_(id_.properties_) {}
  backend get_backend() const noexcept { return context_.get_backend(); }
  context get_context() const { return context_; }
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::kernel::function_name>) {
      if (properties_) return properties_->name;
    } else if constexpr (std::is_same_v<Descriptor, info::kernel::num_args>) {
      if (properties_) return static_cast<std::uint32_t>(properties_->arguments.size());
    }
    if constexpr (std::is_same_v<Descriptor, info::kernel::attributes>)
      throw exception(errc::invalid, std::string("kernel::get_info<attributes>: ") + id_.get_name() +
                                         " is a kernel of the program; only kernels from a backend's own objects and "
                                         "built-in kernels have this information");
    else if constexpr (std::is_same_v<Descriptor, info::kernel::num_args>)
      return id_.native().reads_arguments();  // the arguments are the function object
    else
      return id_.get_name();
  }
  template <class Descriptor> typename Descriptor::return_type get_info(const device &on) const {
    if constexpr (requires(const dpep::required_sizes &r) { Descriptor::get(r); })
      return Descriptor::get(dpep::required_sizes_of(id_.native()));
    else
      return Descriptor::get(on.info());
  }
  /// What a launch on the queue can have: descriptors of ext::oneapi::experimental::info::kernel_queue_specific, with
  /// the size of the work-groups and their local memory.
  template <class Descriptor, class... A>
  typename Descriptor::return_type ext_oneapi_get_info(const queue &on, const A &...of) const {
    return Descriptor::get(id_.native(), on, of...);
  }
  const kernel_id &id() const noexcept { return id_; }
  /// The properties of a kernel from source text or SPIR-V; null for the kernels of the program.
  const std::shared_ptr<const dpep::kernel_properties> &properties() const noexcept { return properties_; }
  friend bool operator==(const kernel &a, const kernel &b) {
    return a.id_ == b.id_ && a.context_ == b.context_ && a.properties_ == b.properties_;
  }

private:
  kernel_id id_;
  sycl::context context_;
  std::shared_ptr<detail::bundle_data> bundle_;
  std::shared_ptr<const dpep::kernel_properties> properties_;
};

inline void handler::set_kernel(const dpep::geometry &work, const kernel &k, std::source_location where) {
  expect_no_command();
  if (k.properties()) {
    const dpep::program_kernel target{k.id().native(), k.properties()};
    auto all = set_arguments_ ? set_arguments_->for_kernel(target) : dpep::launch_arguments(target);
    if (set_arguments_ && set_arguments_->has_dynamic()) {
      if (!dpep::graph::recorded_by(queue_))
        throw exception(errc::invalid, "handler::set_arg: a dynamic_parameter is an argument of a command that is not "
                                       "recorded by a graph");
      set_action([all = std::move(all), arguments = *set_arguments_, work,
                  where](const dpep::queue &q, dpep::dependencies after, std::size_t) mutable {
        const dpep::event recorded = all.submit(q, work, after, where);
        arguments.add_uses(recorded, all.target());
        return recorded;
      });
      return;
    }
    set_action([all = std::move(all), work, where](const dpep::queue &q, dpep::dependencies after,
                                                   std::size_t) mutable { return all.submit(q, work, after, where); });
    return;
  }
  if (set_arguments_)
    throw exception(errc::feature_not_supported,
                    std::string("handler::set_arg: the kernel ") + k.id().get_name() +
                        " is a function object of the program, which captures its values; only kernels from source "
                        "text and SPIR-V have arguments");
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

/// A part of a bundle's code: one kernel for the devices of the bundle.
template <bundle_state State> class device_image {
public:
  device_image() = delete;
  bool has_kernel(const kernel_id &id) const noexcept { return id == id_; }
  bool has_kernel(const kernel_id &id, const device &on) const noexcept {
    return has_kernel(id) && bundle_->has_device(on) && detail::fits(id, on);
  }
  friend bool operator==(const device_image &, const device_image &) = default;

private:
  template <bundle_state> friend class kernel_bundle;
  friend std::hash<device_image>;
  device_image(std::shared_ptr<detail::bundle_data> bundle, kernel_id id)
      : bundle_(std::move(bundle)), id_(std::move(id)) {}

  std::shared_ptr<detail::bundle_data> bundle_;
  kernel_id id_;
};

template <bundle_state State> class kernel_bundle {
public:
  using device_image_type = device_image<State>;
  using const_iterator = const device_image_type *;
  using device_image_iterator = const_iterator;

  kernel_bundle() = delete;
  kernel_bundle(context with, std::vector<device> devices, std::vector<kernel_id> kernels, bool all)
      : kernel_bundle(detail::bundle_data{std::move(with), std::move(devices), std::move(kernels), all}) {}
  /// The kernels of a program from source text or SPIR-V.
  kernel_bundle(context with, std::vector<device> devices, dpep::program program)
    requires(State == bundle_state::executable)
      : kernel_bundle(detail::bundle_data{std::move(with), std::move(devices), {}, false, {}, std::move(program)}) {}
  /// The program of such a bundle; empty for other bundles.
  const dpep::program &program() const noexcept { return data_->program; }

  backend get_backend() const noexcept { return data_->in.get_backend(); }
  context get_context() const noexcept { return data_->in; }
  std::vector<device> get_devices() const noexcept { return data_->devices; }
  bool empty() const noexcept { return !data_->all && data_->kernels.empty() && !data_->program; }
  bool has_kernel(const kernel_id &id) const noexcept { return data_->has_kernel(id); }
  bool has_kernel(const kernel_id &id, const device &on) const noexcept { return data_->has_kernel(id, on); }
  bool has_all_kernels() const noexcept { return data_->all; }
  bool has_kernel(const dpep::kernel &k) const {
    return data_->all || std::any_of(data_->kernels.begin(), data_->kernels.end(),
                                     [&](const kernel_id &id) { return id.native().name() == k.name(); });
  }
  template <class Name> bool has_kernel() const noexcept { return has_kernel(get_kernel_id<Name>()); }
  template <class Name> bool has_kernel(const device &on) const noexcept {
    return has_kernel(get_kernel_id<Name>(), on);
  }
  std::vector<kernel_id> get_kernel_ids() const { return data_->kernel_ids(); }
  kernel get_kernel(const kernel_id &id) const
    requires(State == bundle_state::executable)
  {
    if (!has_kernel(id))
      throw exception(errc::invalid,
                      std::string("kernel_bundle::get_kernel: the bundle has no kernel ") + id.get_name());
    return kernel(id, data_->in, data_);
  }
  template <class Name> kernel get_kernel() const { return get_kernel(get_kernel_id<Name>()); }
  // Kernels that are functions; defined in <sycl/ext/oneapi/experimental/free_function_kernels.hpp>.
  template <auto *Function>
  kernel ext_oneapi_get_kernel() const
    requires(State == bundle_state::executable);
  template <auto *Function> bool ext_oneapi_has_kernel() const noexcept;
  template <auto *Function> bool ext_oneapi_has_kernel(const device &on) const noexcept;

  // Kernels from source text and SPIR-V (extension sycl_ext_oneapi_kernel_compiler).
  bool ext_oneapi_has_kernel(const std::string &name) const
    requires(State == bundle_state::executable)
  {
    return data_->program.find(name) != nullptr;
  }
  bool ext_oneapi_has_kernel(const std::string &name, const device &on) const
    requires(State == bundle_state::executable)
  {
    return ext_oneapi_has_kernel(name) && data_->has_device(on);
  }
  /// Throws errc::invalid if the source has no kernel of that name.
  kernel ext_oneapi_get_kernel(const std::string &name) const
    requires(State == bundle_state::executable)
  {
    return kernel(program_kernel_named("ext_oneapi_get_kernel", name), data_->in, data_);
  }

  /// The name that the kernel's function has in C++'s ABI. Throws errc::invalid if the source has no such kernel.
  std::string ext_oneapi_get_raw_kernel_name(const std::string &name) const
    requires(State == bundle_state::executable)
  {
    const dpep::kernel_properties &found = *program_kernel_named("ext_oneapi_get_raw_kernel_name", name).properties;
    return found.raw_name.empty() ? found.name : found.raw_name;
  }

  // The images are valid as long as the bundle or a copy of it exists.
  const_iterator begin() const { return images().data(); }
  const_iterator end() const { return images().data() + images().size(); }

  /// Sets a value for kernels of command groups that use the bundle (handler::use_kernel_bundle).
  template <auto &Id>
  void set_specialization_constant(const detail::specialization_values::type<Id> &value)
    requires(State == bundle_state::input)
  {
    data_->values.template set<Id>(value);
  }
  template <auto &Id> auto get_specialization_constant() const { return data_->values.template get<Id>(); }
  /// Whether a kernel of the bundle reads the specialization constant.
  template <auto &Id> bool has_specialization_constant() const noexcept {
    const std::vector<std::string> &names = detail::kernels_with_values();
    const std::vector<kernel_id> kernels = data_->kernel_ids();
    return std::any_of(kernels.begin(), kernels.end(), [&](const kernel_id &id) {
      if (std::find(names.begin(), names.end(), id.get_name()) == names.end()) return false;
      const auto read = dpep::required_sizes_of(id.native()).constants;
      return std::find(read.begin(), read.end(), detail::specialization_key<Id>()) != read.end();
    });
  }
  const detail::specialization_values &values() const noexcept { return data_->values; }
  /// Whether a kernel of the bundle has a kernel_handler, by which kernels read specialization constants.
  bool contains_specialization_constants() const noexcept {
    const std::vector<std::string> &names = detail::kernels_with_values();
    if (data_->all) return !names.empty();
    return std::any_of(data_->kernels.begin(), data_->kernels.end(), [&](const kernel_id &id) {
      return std::find(names.begin(), names.end(), id.get_name()) != names.end();
    });
  }
  bool native_specialization_constant() const noexcept { return false; }

  /// Returns a bundle of another state with the same kernels and values. All states refer to the same bitcode, so they
  /// differ only in type. Throws errc::invalid for no devices, and for devices that the bundle does not have.
  template <bundle_state To> kernel_bundle<To> in_state(const std::vector<device> &devices) const {
    if (devices.empty())
      throw exception(errc::invalid, "compile, link or build of a kernel bundle: the list of devices is empty");
    for (const device &d : devices)
      if (!data_->has_device(d))
        throw exception(errc::invalid,
                        "compile, link or build of a kernel bundle: it does not have the device " + d.info().name);
    detail::bundle_data data = *data_;
    data.devices = detail::each_once(devices);
    return std::move(data);
  }
  /// Returns a bundle that also has another bundle's kernels and values. If both set a specialization constant, this
  /// bundle's value remains.
  kernel_bundle joined_with(const kernel_bundle &other) const {
    if (!(other.data_->in == data_->in))
      throw exception(errc::invalid,
                      "join: the kernel bundles belong to different contexts; join only bundles of one context");
    detail::bundle_data data = *data_;
    data.all = data.all || other.data_->all;
    for (const kernel_id &id : other.data_->kernels)
      if (!data.has_kernel(id)) data.kernels.push_back(id);
    data.values.add(other.data_->values);
    return std::move(data);
  }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) { return a.data_ == b.data_; }

private:
  template <bundle_state> friend class kernel_bundle;
  friend kernel;
  friend std::hash<kernel_bundle>;
  const dpep::program_kernel &program_kernel_named(const char *caller, const std::string &name) const {
    if (const dpep::program_kernel *const found = data_->program.find(name)) return *found;
    throw exception(errc::invalid, std::string("kernel_bundle::") + caller +
                                       ": the bundle has no kernel from source text with the name " + name);
  }
  kernel_bundle(detail::bundle_data data) : data_(std::make_shared<detail::bundle_data>(std::move(data))) {}
  explicit kernel_bundle(std::shared_ptr<detail::bundle_data> data) : data_(std::move(data)) {}

  /// Outside of the data, which the images own.
  struct image_list {
    std::once_flag listed;
    std::vector<device_image_type> images;
  };
  const std::vector<device_image_type> &images() const {
    std::call_once(images_->listed, [this] {
      for (const kernel_id &id : get_kernel_ids()) images_->images.push_back({data_, id});
    });
    return images_->images;
  }

  std::shared_ptr<detail::bundle_data> data_;
  std::shared_ptr<image_list> images_ = std::make_shared<image_list>();
};

inline kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  if (!bundle_)
    throw exception(errc::feature_not_supported, "kernel::get_kernel_bundle: the kernel came from Python without its "
                                                 "bundle; pass the SyclProgram instead");
  return kernel_bundle<bundle_state::executable>(bundle_);
}

namespace detail {

/// Refuses an empty list of devices and devices outside the context.
inline void check_bundle_devices(const char *function, const context &with, const std::vector<device> &devices) {
  if (devices.empty()) throw exception(errc::invalid, std::string(function) + ": the list of devices is empty");
  for (const device &d : devices)
    if (!with.contains(d))
      throw exception(errc::invalid,
                      std::string(function) + ": the context does not contain the device " + d.info().name);
}

/// The lists of get_kernel_bundle and has_kernel_bundle, which braces may give.
using devices_list = std::vector<device>;
using kernels_list = std::vector<kernel_id>;

template <class F, bundle_state State>
concept image_selector = std::is_invocable_r_v<bool, F &, const device_image<State> &>;

}  // namespace detail

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const detail::devices_list &devices) {
  detail::check_bundle_devices("get_kernel_bundle", with, devices);
  return {with, detail::each_once(devices), {}, true};
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const detail::devices_list &devices,
                                       const detail::kernels_list &kernels) {
  detail::check_bundle_devices("get_kernel_bundle", with, devices);
  for (const kernel_id &id : kernels)
    if (!detail::fits_one(id, devices))
      throw exception(errc::invalid,
                      std::string("get_kernel_bundle: no device has what the attributes of the kernel ") +
                          id.get_name() + " require");
  return {with, detail::each_once(devices), kernels, false};
}
/// The kernels whose device image the selector returns true for.
template <bundle_state State, detail::image_selector<State> Selector>
kernel_bundle<State> get_kernel_bundle(const context &with, const detail::devices_list &devices, Selector selector) {
  std::vector<kernel_id> chosen;
  const kernel_bundle<State> all = get_kernel_bundle<State>(with, devices);
  std::vector<kernel_id> ids = all.get_kernel_ids();
  auto id = ids.begin();
  for (const device_image<State> &image : all) {
    if (selector(image)) chosen.push_back(*id);
    ++id;
  }
  return {with, detail::each_once(devices), std::move(chosen), false};
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &with) {
  return get_kernel_bundle<State>(with, with.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const detail::kernels_list &kernels) {
  return get_kernel_bundle<State>(with, with.get_devices(), kernels);
}
template <bundle_state State, detail::image_selector<State> Selector>
kernel_bundle<State> get_kernel_bundle(const context &with, Selector selector) {
  return get_kernel_bundle<State>(with, with.get_devices(), selector);
}
template <class Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const detail::devices_list &devices) {
  return get_kernel_bundle<State>(with, devices, {get_kernel_id<Name>()});
}
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &with) {
  return get_kernel_bundle<Name, State>(with, with.get_devices());
}

// Every device compiles at run time, so bundles of any state exist for every kernel that a device can run.
template <bundle_state> bool has_kernel_bundle(const context &with, const detail::devices_list &devices) {
  detail::check_bundle_devices("has_kernel_bundle", with, devices);
  return true;
}
template <bundle_state State>
bool has_kernel_bundle(const context &with, const detail::devices_list &devices, const detail::kernels_list &kernels) {
  detail::check_bundle_devices("has_kernel_bundle", with, devices);
  return std::all_of(kernels.begin(), kernels.end(),
                     [&](const kernel_id &id) { return detail::fits_one(id, devices); });
}
template <bundle_state> bool has_kernel_bundle(const context &) { return true; }
template <bundle_state State> bool has_kernel_bundle(const context &with, const detail::kernels_list &kernels) {
  return has_kernel_bundle<State>(with, with.get_devices(), kernels);
}
template <class Name, bundle_state State>
bool has_kernel_bundle(const context &with, const detail::devices_list &devices) {
  return has_kernel_bundle<State>(with, devices, {get_kernel_id<Name>()});
}
template <class Name, bundle_state State> bool has_kernel_bundle(const context &with) {
  return has_kernel_bundle<Name, State>(with, with.get_devices());
}
inline bool is_compatible(const std::vector<kernel_id> &kernels, const device &on) {
  return std::all_of(kernels.begin(), kernels.end(), [&](const kernel_id &id) { return detail::fits(id, on); });
}
template <class Name> bool is_compatible(const device &on) { return is_compatible({get_kernel_id<Name>()}, on); }

template <bundle_state State> kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty()) return {context(), {}, {}, false};
  kernel_bundle<State> all = bundles.front();
  for (const kernel_bundle<State> &b : bundles) all = all.joined_with(b);
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
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &b,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return b.in_state<bundle_state::executable>(devices);
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

template <> struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &k) const noexcept {
    return std::hash<sycl::kernel_id>()(k.id()) ^ std::hash<sycl::context>()(k.get_context());
  }
};

template <sycl::bundle_state State> struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &b) const noexcept {
    return std::hash<const void *>()(b.data_.get());
  }
};

template <sycl::bundle_state State> struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State> &i) const noexcept {
    return std::hash<const void *>()(i.bundle_.get()) ^ std::hash<sycl::kernel_id>()(i.id_);
  }
};
