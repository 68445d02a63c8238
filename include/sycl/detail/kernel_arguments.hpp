// The arguments of kernels that are not function objects: handler::set_arg.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dpep/program.hpp>

#include <sycl/detail/box.hpp>
#include <sycl/exception.hpp>

namespace sycl::detail {

/// Whether T is local memory: local_accessor and work_group_memory have the constant.
template <class T>
concept local_memory_argument = requires { requires T::is_local_memory_argument; };

/// The arguments that a command group has set, by position.
class kernel_arguments {
public:
  template <class T> void set(int index, const T &value) {
    if (index < 0)
      throw exception(errc::kernel_argument,
                      "handler::set_arg: the index of an argument is at least 0, got " + std::to_string(index));
    const auto position = static_cast<std::size_t>(index);
    if constexpr (local_memory_argument<T>) {
      std::vector<std::size_t> extents;
      if constexpr (requires { value.get_range()[0]; })
        for (int d = 0; d < T::dimensions; ++d) extents.push_back(value.get_range()[d]);
      add([position, bytes = value.byte_size(), extents = std::move(extents)](dpep::launch_arguments &all) {
        all.set_local(position, bytes, [] { return std::string("local memory"); }, extents);
      });
    } else if constexpr (device_accessor<T>) {
      add_pointer(position, value.get_pointer().get(), "an accessor");
    } else if constexpr (std::is_pointer_v<T>) {
      add_pointer(position, value, "a pointer");
    } else {
      static_assert(std::is_trivially_copyable_v<T>,
                    "handler::set_arg: an argument is a pointer, an accessor, local memory or a trivially copyable "
                    "value");
      add([position, value](dpep::launch_arguments &all) {
        all.set_value(position, {reinterpret_cast<const std::byte *>(&value), sizeof value},
                      [] { return std::string("a value"); });
      });
    }
  }

  bool empty() const noexcept { return setters_.empty(); }

  /// The arguments for a launch of that kernel. Throws errc::kernel_argument for arguments that it does not have, and
  /// for those of other kinds or sizes.
  dpep::launch_arguments for_kernel(const dpep::program_kernel &k) const {
    dpep::launch_arguments all(k);
    for (const setter &set_one : setters_) set_one(all);
    return all;
  }

private:
  using setter = std::function<void(dpep::launch_arguments &)>;

  void add(setter s) { setters_.push_back(std::move(s)); }
  void add_pointer(std::size_t position, const volatile void *address, const char *what) {
    add([=](dpep::launch_arguments &all) {
      all.set_pointer(position, const_cast<const void *>(address), [what] { return std::string(what); });
    });
  }

  std::vector<setter> setters_;
};

}  // namespace sycl::detail
