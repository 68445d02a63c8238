// Guard zones: writes and checks their pattern on all devices, and keeps records for error messages.
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

constexpr auto pattern = std::byte{0xFB};  // as a float a NaN, as an integer a large negative number

bool check_requested() noexcept {
  const char *const value = std::getenv("DPEP_CHECK");
  return value && std::string_view(value).find("memory") != std::string_view::npos;
}

/// The device that copies memory which the host must not access: a GPU's device memory, and managed memory, which a
/// kernel may be using. Null for other memory.
backend::native_device *copier_of(backend::device &device, usm_kind kind) noexcept {
  return kind == usm_kind::host ? nullptr : dynamic_cast<backend::native_device *>(&device);
}

/// The records for error messages.
struct check_records {
  std::mutex mutex;
  std::vector<std::string> launches;  // the last max_launches different ones
  std::size_t dropped_launches = 0;
  std::string damage;
};
check_records &records() {
  static auto *const instance = new check_records;
  return *instance;
}
constexpr std::size_t max_launches = 8;

}  // namespace

const bool detail::memory_is_guarded = check_requested();

void fill_guard(backend::device &device, usm_kind kind, std::byte *start, std::size_t bytes) noexcept {
  bytes = std::min(bytes, max_checked_bytes);
  backend::native_device *const copier = copier_of(device, kind);
  if (!copier) return static_cast<void>(std::memset(start, std::to_integer<int>(pattern), bytes));
  std::array<std::byte, max_checked_bytes> zone;
  zone.fill(pattern);
  copier->copy_blocking(start, zone.data(), bytes);
}

guard_damage check_guard(backend::device &device, usm_kind kind, std::byte *start, std::size_t bytes) noexcept {
  bytes = std::min(bytes, max_checked_bytes);
  std::array<std::byte, max_checked_bytes> copied;
  const std::byte *zone = start;
  if (backend::native_device *const copier = copier_of(device, kind)) {
    if (!copier->copy_blocking(copied.data(), start, bytes)) return {};  // the device is lost; waits report that
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

void record_damage(std::string text) noexcept try {
  check_records &mine = records();
  const std::lock_guard lock(mine.mutex);
  mine.damage += mine.damage.empty() ? text : "; " + text;
} catch (const std::exception &) {  // no memory for the text
}

std::string take_recorded_damage() noexcept {
  check_records &mine = records();
  const std::lock_guard lock(mine.mutex);
  return std::exchange(mine.damage, {});
}

void record_launch(std::string_view kernel, source_line where) noexcept try {
  check_records &mine = records();
  std::string text = fmt::format("'{}'", kernel);
  if (where.file) text += fmt::format(" ({}:{})", where.file, where.line);
  const std::lock_guard lock(mine.mutex);
  std::erase(mine.launches, text);
  mine.launches.push_back(std::move(text));
  if (mine.launches.size() > max_launches) mine.launches.erase(mine.launches.begin()), ++mine.dropped_launches;
} catch (const std::exception &) {  // no memory for the text
}

std::string take_recorded_launches() noexcept try {
  check_records &mine = records();
  const std::lock_guard lock(mine.mutex);
  std::string text =
      mine.launches.empty()
          ? "no kernel was launched since the last wait"
          : fmt::format("launched since the last wait: {}{}", fmt::join(mine.launches, ", "),
                        mine.dropped_launches ? fmt::format(" and {} earlier", mine.dropped_launches) : "");
  mine.launches.clear();
  mine.dropped_launches = 0;
  return text;
} catch (const std::exception &) {
  return {};
}

}  // namespace dpep::runtime
