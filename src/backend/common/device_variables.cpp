// The registry of device variables and of their storage.
#include "backend/common/device_variables.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "backend/common/symbol_names.hpp"
#include "backend/native.hpp"

namespace dpep::backend {
namespace {

struct variable {
  std::uint64_t key;
  const void *initial;
  std::size_t bytes, alignment;
  std::map<device *, std::unique_ptr<void *>> cells;
  std::optional<std::uint64_t> key_by_name = {};  // key_of_specialisation
};

/// The bit of keys whose column is replaced by a hash of the name.
constexpr std::uint64_t hashed_name = 0x800;
static_assert((hashed_name & ~variable_column_mask) == 0);

struct registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<variable>> variables;
};
registry &all_variables() {
  static auto *const instance = new registry;  // never destroyed: variables of other libraries may outlive this one
  return *instance;
}

/// The only variable with the key, or the only one that differs in the column; null if there is none, or several.
variable *find(const registry &all, std::uint64_t key) {
  std::vector<variable *> of_line;
  for (const auto &v : all.variables)
    if ((v->key | variable_column_mask) == (key | variable_column_mask)) of_line.push_back(v.get());
  if (of_line.size() == 1) return of_line.front();
  const auto only = [&](const auto &has_key) {
    const auto found = std::ranges::find_if(of_line, has_key);
    const bool is_only = found != of_line.end() && std::find_if(found + 1, of_line.end(), has_key) == of_line.end();
    return is_only ? *found : nullptr;
  };
  if (variable *const exact = only([&](const variable *v) { return v->key == key; })) return exact;
  if (!(key & hashed_name)) return nullptr;
  return only([&](variable *v) {
    if (!v->key_by_name) v->key_by_name = key_of_specialisation(v->key, object_name_at(v->initial));
    return *v->key_by_name == key;
  });
}

void *make_storage(device &on, const variable &v, std::string_view user) {
  const std::size_t bytes = std::max<std::size_t>(v.bytes, 1);
  void *const storage =
      on.allocate(usm_kind::device, bytes, std::max<std::size_t>(v.alignment, 64), backend::block_use::sparse);
  if (!storage)
    throw exception(errc::memory_allocation, fmt::format("{}: '{}' has no memory for a device_global of {} bytes", user,
                                                         on.info().name, v.bytes));
  if (on.capabilities().host_accessible) {
    std::memcpy(storage, v.initial, v.bytes);
    return storage;
  }
  auto *const copier = dynamic_cast<native_device *>(&on);
  if (!copier || !copier->copy_blocking(storage, v.initial, v.bytes)) {
    on.free(usm_kind::device, storage, bytes);
    throw exception(errc::runtime, fmt::format("{}: the initial value of a device_global could not be copied to '{}'",
                                               user, on.info().name));
  }
  return storage;
}

}  // namespace

std::uint64_t key_of_specialisation(std::uint64_t key, std::string_view mangled_name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : mangled_name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (key & ~variable_column_mask) | hashed_name | (hash >> 32 & (hashed_name - 1));
}

std::string variable_symbol(std::uint64_t key) { return fmt::format("{}{:016x}", variable_symbol_prefix, key); }

void add_device_variable(std::uint64_t key, const void *initial, std::size_t bytes, std::size_t alignment) {
  auto &[mutex, variables] = all_variables();
  const std::lock_guard lock(mutex);
  variables.push_back(std::make_unique<variable>(key, initial, bytes, alignment));
}

void remove_device_variable(const void *initial) noexcept {
  auto &[mutex, variables] = all_variables();
  const std::lock_guard lock(mutex);
  const auto at = std::ranges::find_if(variables, [&](const auto &v) { return v->initial == initial; });
  if (at == variables.end()) return;
  if (!(*at)->cells.empty()) static_cast<void>(at->release());
  variables.erase(at);
}

namespace {

void **cell_of(device &on, variable &v, std::string_view user) {
  std::unique_ptr<void *> &cell = v.cells[&on];
  if (!cell) cell = std::make_unique<void *>(nullptr);
  if (!*cell) *cell = make_storage(on, v, user);
  return cell.get();
}

}  // namespace

void **device_variable_cell(device &on, std::uint64_t key, std::string_view user) {
  registry &all = all_variables();
  const std::lock_guard lock(all.mutex);
  variable *const v = find(all, key);
  if (!v)
    throw exception(errc::build,
                    fmt::format("{}: a device_global that it uses is not unique in the program: there is none, because "
                                "it is constructed later, or there are several of one type that are declared at one "
                                "place, as static in a header, or by a template in a program that was stripped of its "
                                "symbols; declare each on a line of its own, as inline in headers",
                                user));
  return cell_of(on, *v, user);
}

void **device_variable_cell(device &on, const void *initial, std::string_view user) {
  registry &all = all_variables();
  const std::lock_guard lock(all.mutex);
  const auto found = std::ranges::find_if(all.variables, [&](const auto &v) { return v->initial == initial; });
  if (found == all.variables.end())
    throw exception(errc::build, fmt::format("{}: the device_global does not exist any more", user));
  return cell_of(on, **found, user);
}

}  // namespace dpep::backend
