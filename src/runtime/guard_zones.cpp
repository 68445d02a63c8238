// The pattern, and how it is written and read on all devices.
#include "runtime/guard_zones.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/native.hpp"

namespace dpep::runtime {
namespace {

constexpr auto pattern = std::byte{0xFB};  // a NaN as floats, a large negative number as integers

bool asked_for() noexcept {
  const char *const value = std::getenv("DPEP_CHECK");
  return value && std::string_view(value).find("memory") != std::string_view::npos;
}

/// Of memory that the host may not touch itself: a GPU's own, and managed memory, which a kernel may be using.
backend::native_device *copier_of(backend::device &device, usm_kind kind) noexcept {
  return kind == usm_kind::host ? nullptr : dynamic_cast<backend::native_device *>(&device);
}

struct notes {
  std::mutex mutex;
  std::vector<std::string> launches;  // the last few
  std::size_t more = 0;
  std::string damage;
};
notes &all_notes() {
  static auto *const the = new notes;
  return *the;
}
constexpr std::size_t most_notes = 8;

}  // namespace

const bool detail::memory_is_guarded = asked_for();

void fill_guard(backend::device &device, usm_kind kind, std::byte *start, std::size_t bytes) noexcept {
  bytes = std::min(bytes, most_guarded_bytes);
  backend::native_device *const copier = copier_of(device, kind);
  if (!copier) return static_cast<void>(std::memset(start, std::to_integer<int>(pattern), bytes));
  std::array<std::byte, most_guarded_bytes> zone;
  zone.fill(pattern);
  copier->copy_now(start, zone.data(), bytes);
}

guard_damage take_damage(backend::device &device, usm_kind kind, std::byte *start, std::size_t bytes) noexcept {
  bytes = std::min(bytes, most_guarded_bytes);
  std::array<std::byte, most_guarded_bytes> copied;
  const std::byte *zone = start;
  if (backend::native_device *const copier = copier_of(device, kind)) {
    if (!copier->copy_now(copied.data(), start, bytes)) return {};  // the device is lost, which waits say
    zone = copied.data();
  }
  const auto changed = [](std::byte b) { return b != pattern; };
  const std::byte *const first = std::find_if(zone, zone + bytes, changed);
  if (first == zone + bytes) return {};
  const std::byte *last = zone + bytes - 1;
  while (!changed(*last)) --last;
  const guard_damage found{static_cast<std::size_t>(first - zone), static_cast<std::size_t>(last - zone), true};
  fill_guard(device, kind, start, bytes);
  return found;
}

void keep_damage(std::string text) noexcept try {
  notes &mine = all_notes();
  const std::lock_guard lock(mine.mutex);
  mine.damage += mine.damage.empty() ? text : "; " + text;
} catch (const std::exception &) {  // no memory for the words
}

std::string kept_damage() noexcept {
  notes &mine = all_notes();
  const std::lock_guard lock(mine.mutex);
  return std::exchange(mine.damage, {});
}

void note_launch(std::string_view kernel, source_line where) noexcept try {
  notes &mine = all_notes();
  std::string text = fmt::format("'{}'", kernel);
  if (where.file) text += fmt::format(" ({}:{})", where.file, where.line);
  const std::lock_guard lock(mine.mutex);
  std::erase(mine.launches, text);
  mine.launches.push_back(std::move(text));
  if (mine.launches.size() > most_notes) mine.launches.erase(mine.launches.begin()), ++mine.more;
} catch (const std::exception &) {  // no memory for a name
}

std::string launches_since() noexcept try {
  notes &mine = all_notes();
  const std::lock_guard lock(mine.mutex);
  std::string text = mine.launches.empty()
                         ? "no kernel was launched since the last wait"
                         : fmt::format("launched since the last wait: {}{}", fmt::join(mine.launches, ", "),
                                       mine.more ? fmt::format(" and {} before", mine.more) : "");
  mine.launches.clear();
  mine.more = 0;
  return text;
} catch (const std::exception &) {
  return {};
}

}  // namespace dpep::runtime
