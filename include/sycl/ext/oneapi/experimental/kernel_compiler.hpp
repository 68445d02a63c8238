// Kernels in SYCL, OpenCL C and SPIR-V that are compiled when the program runs (extensions
// sycl_ext_oneapi_kernel_compiler, sycl_ext_oneapi_kernel_compiler_opencl and sycl_ext_oneapi_kernel_compiler_spirv).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpep/program.hpp>

#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/kernel_bundle.hpp>

namespace sycl::ext::oneapi::experimental {

enum class source_language : int { opencl, spirv, sycl };

/// Options for the compiler of OpenCL C, as those of clBuildProgram, or of SYCL, as clang's.
struct build_options : detail::property_key_base {
  std::vector<std::string> opts;
  build_options(const std::string &option) : opts{option} {}
  build_options(const std::vector<std::string> &options) : opts(options) {}
};
using build_options_key = build_options;

/// Files that a program in SYCL may include: names and texts.
struct include_files : detail::property_key_base {
  std::vector<std::pair<std::string, std::string>> record;
  include_files() = default;
  include_files(const std::string &name, const std::string &text) { add(name, text); }
  void add(const std::string &name, const std::string &text) { record.emplace_back(name, text); }
};
using include_files_key = include_files;

/// Expressions that name functions of a program in SYCL. They become kernels, which are found by these names.
struct registered_names : detail::property_key_base {
  std::vector<std::string> names;
  registered_names() = default;
  registered_names(const std::string &name) : names{name} {}
  registered_names(const std::vector<std::string> &all) : names(all) {}
  void add(const std::string &name) { names.push_back(name); }
};
using registered_names_key = registered_names;

/// Assigns the compiler's messages to a string.
struct save_log : detail::property_key_base {
  std::string *log;
  save_log(std::string *to) : log(to) {}
};
using save_log_key = save_log;

namespace detail {
inline const char *name_of(source_language language) {
  constexpr const char *names[] = {"opencl", "spirv", "sycl"};
  return names[static_cast<int>(language)];
}
/// Options as the text that dpep::program takes: one word an option.
inline std::string joined(const std::vector<std::string> &options) {
  std::string all;
  for (const std::string &option : options) all += option + ' ';
  return all;
}
}  // namespace detail

/// Whether create_kernel_bundle_from_source takes the language. All devices run what it makes.
inline bool is_source_kernel_bundle_supported(backend, source_language) { return true; }

namespace opencl {

/// A version of OpenCL C, of an extension, or of a feature.
struct cl_version {
  unsigned major : 10;
  unsigned minor : 10;
  unsigned patch : 12;
  friend bool operator==(const cl_version &a, const cl_version &b) {
    return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
  }
};
inline constexpr cl_version opencl_c_1_0{1, 0, 0}, opencl_c_1_1{1, 1, 0}, opencl_c_1_2{1, 2, 0}, opencl_c_2_0{2, 0, 0},
    opencl_c_3_0{3, 0, 0};

}  // namespace opencl

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

/// Source text or a SPIR-V module, which `build` compiles.
template <> class kernel_bundle<bundle_state::ext_oneapi_source> {
public:
  using source_language = ext::oneapi::experimental::source_language;

  kernel_bundle() = delete;
  kernel_bundle(context with, source_language language, std::string text,
                std::vector<dpep::sycl_source::header> headers)
      : data_(std::make_shared<const contents>(std::move(with), language, std::move(text), std::move(headers))) {}

  backend get_backend() const noexcept { return data_->in.get_backend(); }
  context get_context() const noexcept { return data_->in; }
  std::vector<device> get_devices() const { return data_->in.get_devices(); }
  bool empty() const noexcept { return false; }

  /// Compiles the source, for devices of the context. Throws errc::build with the compiler's messages.
  kernel_bundle<bundle_state::executable> built(const std::vector<device> &devices,
                                                const std::vector<std::string> &options,
                                                const std::vector<std::string> &names) const {
    detail::check_bundle_devices("build", data_->in, devices);
    if (!names.empty() && data_->language != source_language::sycl)
      throw exception(errc::invalid, "build: the property registered_names is for programs in SYCL");
    return {data_->in, devices, compiled(options, names)};
  }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) { return a.data_ == b.data_; }

private:
  friend std::hash<kernel_bundle>;
  struct contents {
    context in;
    source_language language;
    std::string text;
    std::vector<dpep::sycl_source::header> headers;
  };

  dpep::program compiled(const std::vector<std::string> &options, const std::vector<std::string> &names) const {
    if (data_->language == source_language::opencl)
      return dpep::program::from_opencl_source(data_->text, ext::oneapi::experimental::detail::joined(options));
    if (data_->language == source_language::sycl)
      return dpep::program::from_sycl_source({data_->text, data_->headers, names, options});
    return dpep::program::from_spirv({reinterpret_cast<const std::byte *>(data_->text.data()), data_->text.size()});
  }

  std::shared_ptr<const contents> data_;
};

inline bool device::ext_oneapi_can_build(ext::oneapi::experimental::source_language) const { return true; }
inline bool device::ext_oneapi_can_compile(ext::oneapi::experimental::source_language) const { return false; }
inline bool device::ext_oneapi_supports_cl_c_version(const ext::oneapi::experimental::opencl::cl_version &v) const {
  using namespace ext::oneapi::experimental::opencl;
  constexpr cl_version all[] = {opencl_c_1_0, opencl_c_1_1, opencl_c_1_2, opencl_c_3_0};
  return std::find(std::begin(all), std::end(all), v) != std::end(all);
}
inline bool device::ext_oneapi_supports_cl_c_feature(const std::string &name) const {
  constexpr std::string_view all[] = {"__opencl_c_atomic_order_acq_rel",
                                      "__opencl_c_atomic_order_seq_cst",
                                      "__opencl_c_atomic_scope_device",
                                      "__opencl_c_fp64",
                                      "__opencl_c_generic_address_space",
                                      "__opencl_c_int64",
                                      "__opencl_c_subgroups",
                                      "__opencl_c_work_group_collective_functions"};
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}
inline bool device::ext_oneapi_supports_cl_extension(const std::string &name,
                                                     ext::oneapi::experimental::opencl::cl_version *version) const {
  constexpr std::string_view all[] = {"cl_khr_byte_addressable_store",
                                      "cl_khr_fp16",
                                      "cl_khr_fp64",
                                      "cl_khr_global_int32_base_atomics",
                                      "cl_khr_global_int32_extended_atomics",
                                      "cl_khr_int64_base_atomics",
                                      "cl_khr_int64_extended_atomics",
                                      "cl_khr_local_int32_base_atomics",
                                      "cl_khr_local_int32_extended_atomics",
                                      "cl_khr_subgroups"};
  if (std::find(std::begin(all), std::end(all), name) == std::end(all)) return false;
  if (version) *version = {1, 0, 0};
  return true;
}
inline std::string device::ext_oneapi_cl_profile() const { return "FULL_PROFILE"; }

}  // namespace sycl

template <> struct std::hash<sycl::kernel_bundle<sycl::bundle_state::ext_oneapi_source>> {
  std::size_t operator()(const sycl::kernel_bundle<sycl::bundle_state::ext_oneapi_source> &b) const noexcept {
    return std::hash<const void *>()(b.data_.get());
  }
};

namespace sycl::ext::oneapi::experimental {

/// A bundle of source text in SYCL or OpenCL C. Property, for SYCL: include_files.
template <class Properties = empty_properties_t>
  requires is_property_list_v<Properties>
kernel_bundle<bundle_state::ext_oneapi_source>
create_kernel_bundle_from_source(const context &with, source_language language, const std::string &source,
                                 [[maybe_unused]] Properties properties = {}) {
  if (language == source_language::spirv)
    throw exception(errc::invalid, "create_kernel_bundle_from_source: SPIR-V is a std::vector<std::byte>, got text");
  std::vector<dpep::sycl_source::header> headers;
  if constexpr (Properties::template has_property<include_files>()) {
    if (language != source_language::sycl)
      throw exception(errc::invalid, "create_kernel_bundle_from_source: the property include_files is for programs in "
                                     "SYCL");
    for (const auto &[name, text] : properties.template get_property<include_files>().record)
      headers.push_back({name, text});
  }
  return {with, language, source, std::move(headers)};
}
/// A bundle of a SPIR-V module.
template <class Properties = empty_properties_t>
kernel_bundle<bundle_state::ext_oneapi_source>
create_kernel_bundle_from_source(const context &with, source_language language, const std::vector<std::byte> &bytes,
                                 Properties = {}) {
  if (language != source_language::spirv)
    throw exception(errc::invalid, std::string("create_kernel_bundle_from_source: a program in the language '") +
                                       detail::name_of(language) + "' is a std::string, got bytes");
  return {with, language, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}, {}};
}

/// Compiles a bundle of source text or SPIR-V. Properties: build_options, save_log and, for SYCL, registered_names.
/// Throws errc::build with the compiler's messages.
template <class Properties = empty_properties_t>
  requires is_property_list_v<Properties>
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::ext_oneapi_source> &source,
                                              const std::vector<device> &devices, Properties properties = {}) {
  std::vector<std::string> options, names;
  if constexpr (Properties::template has_property<build_options>())
    options = properties.template get_property<build_options>().opts;
  if constexpr (Properties::template has_property<registered_names>())
    names = properties.template get_property<registered_names>().names;
  if constexpr (Properties::template has_property<save_log>()) {
    std::string *const log = properties.template get_property<save_log>().log;
    log->clear();
    try {
      return source.built(devices, options, names);
    } catch (const exception &e) {
      *log = e.what();
      throw;
    }
  } else {
    return source.built(devices, options, names);
  }
}
template <class Properties = empty_properties_t>
  requires is_property_list_v<Properties>
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::ext_oneapi_source> &source,
                                              Properties properties = {}) {
  return build(source, source.get_devices(), std::move(properties));
}

}  // namespace sycl::ext::oneapi::experimental
