// The arguments of kernels that are not function objects: handler::set_arg.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dpep/graph.hpp>
#include <dpep/program.hpp>

#include <sycl/detail/box.hpp>
#include <sycl/exception.hpp>

namespace sycl::detail {

/// Whether T is local memory: local_accessor and work_group_memory have the constant.
template <class T>
concept local_memory_argument = requires { requires T::is_local_memory_argument; };

/// A value that kernels of graphs have as an argument, and the arguments that have it.
class dynamic_argument {
public:
  explicit dynamic_argument(std::span<const std::byte> value) : value_(value.begin(), value.end()) {}

  std::vector<std::byte> value() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  /// Replaces the value, also in all nodes that have it.
  void update(std::span<const std::byte> value) {
    const std::lock_guard lock(mutex_);
    std::copy(value.begin(), value.end(), value_.begin());
    for (const auto &[node, offset] : uses_) node.set_argument_bytes(offset, value_);
  }
  void add_use(const dpep::graph_node &node, std::size_t offset) {
    const std::lock_guard lock(mutex_);
    uses_.emplace_back(node, offset);
    node.set_argument_bytes(offset, value_);
  }

private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::byte> value_;
  std::vector<std::pair<dpep::graph_node, std::size_t>> uses_;
};

/// The arguments that a command group has set, by position.
class kernel_arguments {
public:
  /// A pointer or a value that later changes.
  void set_dynamic(int index, const std::shared_ptr<dynamic_argument> &argument, bool is_pointer) {
    if (is_pointer) {
      const void *address = nullptr;
      std::memcpy(&address, argument->value().data(), sizeof address);
      set(index, address);
    } else {
      check_index(index);
      add([position = std::size_t(index), argument](dpep::launch_arguments &all) {
        all.set_value(position, argument->value(), [] { return std::string("a dynamic_parameter"); });
      });
    }
    dynamic_.emplace_back(std::size_t(index), argument);
  }
  /// Called with the event of a launch with these arguments. Throws errc::invalid if it was not recorded by a graph,
  /// and there are arguments that can change.
  void add_uses(const dpep::event &recorded, const dpep::program_kernel &target) const {
    for (const auto &[position, argument] : dynamic_)
      argument->add_use(dpep::graph_node::of_event(recorded), target.properties->arguments[position].offset);
  }
  bool has_dynamic() const noexcept { return !dynamic_.empty(); }

  template <class T> void set(int index, const T &value) {
    check_index(index);
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

  static void check_index(int index) {
    if (index < 0)
      throw exception(errc::kernel_argument,
                      "handler::set_arg: the index of an argument is at least 0, got " + std::to_string(index));
  }
  void add(setter s) { setters_.push_back(std::move(s)); }
  void add_pointer(std::size_t position, const volatile void *address, const char *what) {
    add([=](dpep::launch_arguments &all) {
      all.set_pointer(position, const_cast<const void *>(address), [what] { return std::string(what); });
    });
  }

  std::vector<setter> setters_;
  std::vector<std::pair<std::size_t, std::shared_ptr<dynamic_argument>>> dynamic_;
};

}  // namespace sycl::detail
