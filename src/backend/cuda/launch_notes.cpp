// Keeping the list of launches short: each kernel once for a stream, and complete ones only as long as they are few.
#include "backend/cuda/launch_notes.hpp"

#include <algorithm>
#include <iterator>

#include "backend/common/kernel_text.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t few = 8;  // most programs launch no more kernels than that in turns

}  // namespace

std::string launch_note::name() const { return kernel_text(*kernel, where); }

std::uint64_t &launch_notes::finished(stream_handle stream) {
  const auto found = std::ranges::find(progress_, stream, &progress::stream);
  return (found != progress_.end() ? *found : progress_.emplace_back(stream, 0)).finished;
}

std::vector<launch_note> launch_notes::add(const loaded_code &kernel, stream_handle stream, std::uint64_t place,
                                           std::size_t dimensions, source_line where) {
  std::vector<launch_note> useless;
  const no_fork_lock lock(mutex_);
  const auto is_this = [&](const launch_note &n) { return n.kernel.get() == &kernel && n.stream == stream; };
  if (next_ >= notes_.size()) next_ = 0;
  if (notes_.empty() || !is_this(notes_[next_])) [[unlikely]] {
    const auto found = std::ranges::find_if(notes_, is_this);
    next_ = static_cast<std::size_t>(found - notes_.begin());
    if (found == notes_.end()) {
      if (notes_.size() >= few) {
        const auto complete =
            std::ranges::partition(notes_, [&](const launch_note &n) { return n.place > finished(n.stream); });
        useless.assign(std::move_iterator(complete.begin()), std::move_iterator(complete.end()));
        notes_.erase(complete.begin(), complete.end());
        next_ = notes_.size();
      }
      notes_.push_back({ref<const code>::share(&kernel), stream, place, dimensions, where});
    }
  }
  launch_note &note = notes_[next_++];
  note.place = place;
  note.dimensions = dimensions;
  note.where = where;
  return useless;
}

void launch_notes::withdraw(stream_handle stream, std::uint64_t place) {
  const no_fork_lock lock(mutex_);
  std::erase_if(notes_, [&](const launch_note &n) { return n.stream == stream && n.place == place; });
}

void launch_notes::finish(stream_handle stream, std::uint64_t place) {
  const no_fork_lock lock(mutex_);
  std::uint64_t &so_far = finished(stream);
  if (so_far < place) so_far = place;
}

std::pair<std::string, std::size_t> launch_notes::launch_of(std::uint64_t kernel, stream_handle found_in) {
  const no_fork_lock lock(mutex_);
  const launch_note *best = nullptr;
  const auto rank = [&](const launch_note &n) { return std::pair(n.stream == found_in, n.place); };
  for (const launch_note &note : notes_)
    if (reinterpret_cast<std::uintptr_t>(static_cast<const loaded_code *>(note.kernel.get())) == kernel)
      if (!best || rank(note) > rank(*best)) best = &note;
  if (!best) return {"a kernel", 1};
  return {best->name(), best->dimensions};
}

void launch_notes::add_suspects(std::string &who, std::string_view separator) {
  const no_fork_lock lock(mutex_);
  for (const launch_note &note : notes_) {
    if (note.place <= finished(note.stream)) continue;
    const std::string name = note.name();
    if (who.find(name) != std::string::npos) continue;
    if (!who.empty()) who += separator;
    who += name;
  }
}

}  // namespace dpep::backend::cuda
