// Packs the arguments of a program's kernel, and submits it.
#include <algorithm>
#include <array>
#include <cstring>

#include <dpep/exception.hpp>
#include <dpep/program.hpp>
#include <fmt/format.h>

namespace dpep {
namespace {

std::string wanted_for(const kernel_argument &a) {
  switch (a.kind) {
  case argument_kind::value:
    return fmt::format("{} bytes", a.bytes);
  case argument_kind::local:
    if (a.dimensions > 1) return fmt::format("a LocalAccessor of {} dimensions", a.dimensions);
    if (a.element_bytes > 1)
      return fmt::format("a LocalAccessor or WorkGroupMemory with elements of {} bytes", a.element_bytes);
    return "a LocalAccessor or WorkGroupMemory";
  case argument_kind::global:
  case argument_kind::constant:
    break;
  }
  return "USM memory";
}

constexpr std::size_t local_alignment = 128;  // that of OpenCL's largest type, double16

}  // namespace

launch_arguments::launch_arguments(const program_kernel &k)
    : kernel_(k), bytes_(k.properties->argument_bytes), set_(k.properties->arguments.size()) {}

void launch_arguments::refuse(std::size_t index, std::string_view given, std::string_view wanted) const {
  const kernel_properties &k = *kernel_.properties;
  const kernel_argument &a = k.arguments[index];
  throw exception(errc::kernel_argument, fmt::format("argument {} ('{} {}') of kernel '{}': expected {}, got {}",
                                                     index + 1, a.type, a.name, k.name, wanted, given));
}

const kernel_argument &launch_arguments::argument(std::size_t index) const {
  const kernel_properties &k = *kernel_.properties;
  if (index >= k.arguments.size())
    throw exception(errc::kernel_argument, fmt::format("kernel '{}' has {} arguments, got one more at position {}",
                                                       k.name, k.arguments.size(), index + 1));
  return k.arguments[index];
}

void launch_arguments::set_value(std::size_t index, std::span<const std::byte> bytes, const description &given) {
  const kernel_argument &a = argument(index);
  if (a.kind != argument_kind::value) refuse(index, given(), wanted_for(a));
  if (bytes.size() != a.bytes) refuse(index, fmt::format("{} with {} bytes", given(), bytes.size()), wanted_for(a));
  std::memcpy(bytes_.data() + a.offset, bytes.data(), a.bytes);
  set_[index] = true;
}

void launch_arguments::set_pointer(std::size_t index, const void *address, const description &given) {
  const kernel_argument &a = argument(index);
  if (a.kind != argument_kind::global && a.kind != argument_kind::constant) refuse(index, given(), wanted_for(a));
  std::memcpy(bytes_.data() + a.offset, &address, sizeof address);
  set_[index] = true;
}

void launch_arguments::set_local(std::size_t index, std::size_t bytes, const description &given,
                                 std::span<const std::size_t> extents) {
  const kernel_argument &a = argument(index);
  if (a.kind != argument_kind::local) refuse(index, given(), wanted_for(a));
  const std::size_t offset = (local_bytes_ + local_alignment - 1) / local_alignment * local_alignment;
  std::byte *const to = bytes_.data() + a.offset;
  std::memcpy(to, &offset, sizeof offset);
  if (a.element_bytes) {
    if (bytes % a.element_bytes) refuse(index, fmt::format("{} with {} bytes", given(), bytes), wanted_for(a));
    const std::array whole{bytes / a.element_bytes};
    if (a.dimensions < 2) extents = whole;
    if (a.dimensions > 1 && extents.size() != a.dimensions) refuse(index, given(), wanted_for(a));
    std::memcpy(to + sizeof offset, extents.data(), extents.size_bytes());
  }
  local_bytes_ = offset + bytes;
  set_[index] = true;
}

event launch_arguments::submit(const queue &q, geometry work, dependencies after, source_line where,
                               const event *replaced) {
  const kernel_properties &k = *kernel_.properties;
  if (const auto unset = std::ranges::find(set_, false); unset != set_.end()) {
    const auto index = static_cast<std::size_t>(unset - set_.begin());
    throw exception(errc::kernel_argument,
                    fmt::format("kernel '{}' has {} arguments: argument {} ('{} {}') is missing", k.name,
                                k.arguments.size(), index + 1, k.arguments[index].type, k.arguments[index].name));
  }
  if (!work.local[0]) {  // as OpenCL's implementations choose
    if (k.required_group[0])
      work.local = k.required_group;
    else if (k.uses_groups || local_bytes_)
      choose_local_size(work);
  }
  if (k.reads_dimensions) {
    const std::uint64_t dimensions = work.dimensions;
    std::memcpy(bytes_.data() + k.argument_bytes - sizeof dimensions, &dimensions, sizeof dimensions);
  }
  return launch(q, kernel_.code, work, bytes_, local_bytes_, after, where, replaced);
}

}  // namespace dpep
