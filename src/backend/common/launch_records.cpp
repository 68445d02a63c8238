// Launch records. There is one record for each kernel and stream; complete ones are dropped when there are many.
#include "backend/common/launch_records.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "backend/common/failures.hpp"
#include "backend/common/kernel_description.hpp"

namespace dpep::backend {
namespace {

constexpr std::size_t kept_records = 8;  // few programs launch more kernels in a loop

}  // namespace

std::string launch_record::name() const { return describe_kernel(*kernel, where); }

std::uint64_t &launch_records::completed_index(native_stream_handle stream) {
  const auto found = std::ranges::find(progress_, stream, &progress::stream);
  return (found != progress_.end() ? *found : progress_.emplace_back(stream, 0)).completed_index;
}

std::vector<launch_record> launch_records::add(const code &kernel, native_stream_handle stream, std::uint64_t index,
                                               std::size_t dimensions, source_line where) {
  std::vector<launch_record> obsolete;
  const fork_safe_lock lock(mutex_);
  const auto is_this = [&](const launch_record &r) { return r.kernel.get() == &kernel && r.stream == stream; };
  if (next_ >= launches_.size()) next_ = 0;
  if (launches_.empty() || !is_this(launches_[next_])) [[unlikely]] {
    const auto found = std::ranges::find_if(launches_, is_this);
    next_ = static_cast<std::size_t>(found - launches_.begin());
    if (found == launches_.end()) {
      if (launches_.size() >= kept_records) {
        const auto complete = std::ranges::partition(
            launches_, [&](const launch_record &r) { return r.index > completed_index(r.stream); });
        obsolete.assign(std::move_iterator(complete.begin()), std::move_iterator(complete.end()));
        launches_.erase(complete.begin(), complete.end());
        next_ = launches_.size();
      }
      launches_.push_back({ref<const code>::share(&kernel), stream, index, dimensions, where});
    }
  }
  launch_record &launch = launches_[next_++];
  launch.index = index;
  launch.dimensions = dimensions;
  launch.where = where;
  return obsolete;
}

void launch_records::remove(native_stream_handle stream, std::uint64_t index) {
  const fork_safe_lock lock(mutex_);
  std::erase_if(launches_, [&](const launch_record &r) { return r.stream == stream && r.index == index; });
}

void launch_records::mark_complete(native_stream_handle stream, std::uint64_t index) {
  const fork_safe_lock lock(mutex_);
  std::uint64_t &completed = completed_index(stream);
  if (completed < index) completed = index;
}

/// The name and dimensions of the launch of a kernel that a failure_record names.
std::pair<std::string, std::size_t> launch_records::launch_of(std::uint64_t kernel, native_stream_handle found_in) {
  const fork_safe_lock lock(mutex_);
  const launch_record *best = nullptr;
  const auto rank = [&](const launch_record &r) { return std::pair(r.stream == found_in, r.index); };
  for (const launch_record &launch : launches_)
    if (reinterpret_cast<std::uintptr_t>(launch.kernel.get()) == kernel)
      if (!best || rank(launch) > rank(*best)) best = &launch;
  if (!best) return {"a kernel", 1};
  return {best->name(), best->dimensions};
}

std::string launch_records::describe_failure(const abi::failure_record &failure, native_stream_handle found_in) {
  const auto [name, dimensions] = launch_of(failure.kernel, found_in);
  return fmt::format("{} failed: {}", name, describe(failure, dimensions));
}

void launch_records::append_unfinished_kernels(std::string &message, std::string_view device) {
  std::string kernels;
  append_incomplete_kernels(kernels, ", ");
  if (kernels.empty()) kernels = "work";
  const std::string line = fmt::format("still running on {}, where it cannot be ended: {}", device, kernels);
  if (message.find(line) != std::string::npos) return;
  if (!message.empty()) message += '\n';
  message += line;
}

void launch_records::append_incomplete_kernels(std::string &text, std::string_view separator) {
  const fork_safe_lock lock(mutex_);
  for (const launch_record &launch : launches_) {
    if (launch.index <= completed_index(launch.stream)) continue;
    const std::string name = launch.name();
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += separator;
    text += name;
  }
}

}  // namespace dpep::backend
