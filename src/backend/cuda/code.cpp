// Loading modules, and having the driver assemble PTX.
#include "backend/cuda/code.hpp"

#include <cstring>
#include <span>
#include <string_view>

#include <fmt/ranges.h>

namespace dpep::backend::cuda {
namespace {

constexpr int first_with_early_launches = 12000;  // a version of the driver
constexpr char entry_name[] = "dpep_kernel";
constexpr char printing_name[] = "dpep_prints";         // is in modules that print
constexpr char failing_name[] = "dpep_failing_kernel";  // in modules with assertions: how the host knows the module

/// Whether machine code has such a symbol. Asking the driver for one that is not there would be an error to tools that
/// watch it (compute-sanitizer).
bool names(std::span<const std::byte> image, std::string_view symbol) {
  const std::string_view text(reinterpret_cast<const char *>(image.data()), image.size());
  return text.find(symbol) != std::string_view::npos;
}

/// Kernels of many registers fill a multiprocessor better by small blocks.
unsigned best_block(card &c, function_handle function) {
  unsigned best = largest_block;
  int most = 0;
  for (unsigned block = largest_block; block >= 2 * smallest_block; block /= 2) {
    int blocks = 0;
    c.check(c.api.active_blocks(&blocks, function, int(block), 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (const int items = blocks * int(block); items > most) most = items, best = block;
  }
  return best;
}

}  // namespace

loaded_code::loaded_code(std::shared_ptr<card> where, const code_object &object, const code_needs &needs)
    : code(object.name, needs), card_(std::move(where)) {
  const scoped_context here(*card_);
  const driver_api &api = card_->api;
  if (const result code = api.load_module(&module_, object.bytes.data()); code != results::success) {
    const std::string why = card::takes_context(code) ? card_->lose(code) : api.describe(code);
    throw exception(errc::build, fmt::format("loading kernel '{}' on '{}': {}", name, card_->name, why));
  }
  try {
    card_->check(api.get_function(&function_, module_, entry_name), "cuModuleGetFunction");
    // leave to use what the device has: how much is used is told at each launch
    if (needs.grouped) {
      int most = 0;
      card_->check(api.device_attribute(&most, attribute::shared_memory_per_block_optin, card_->number),
                   "cuDeviceGetAttribute");
      card_->check(api.set_function(function_, function_max_dynamic_shared_bytes, most), "cuFuncSetAttribute");
    } else {
      block_ = best_block(*card_, function_);
    }
    if (int version = 0; needs.waits_for_earlier && api.driver_version(&version) == results::success)
      may_come_early_ = version >= first_with_early_launches;
    address global = 0;
    std::size_t bytes = 0;
    prints_ = names(object.bytes, printing_name);
    if (names(object.bytes, failing_name)) {
      card_->check(api.get_global(&global, &bytes, module_, failing_name), "cuModuleGetGlobal");
      const auto mine = reinterpret_cast<std::uint64_t>(this);
      card_->set(global, &mine, sizeof mine);
      can_fail_ = true;
    }
  } catch (...) {
    api.unload_module(module_);
    throw;
  }
}

loaded_code::~loaded_code() {
  try {
    const scoped_context here(*card_);
    card_->api.unload_module(module_);
  } catch (...) {  // the context is gone, and the module with it
  }
}

std::vector<std::byte> assemble(card &c, std::span<const std::byte> ptx) {
  c.check_not_lost();
  const scoped_context here(c);
  const driver_api &api = c.api;
  std::string log(8192, '\0');
  int options[] = {link_error_log, link_error_log_bytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  link_handle link = nullptr;
  c.check(api.make_link(2, options, values, &link), "cuLinkCreate");
  // the text ends with a zero, which counts
  std::vector<char> text(ptx.size() + 1);
  std::memcpy(text.data(), ptx.data(), ptx.size());
  void *image = nullptr;
  std::size_t bytes = 0;
  result code = api.link_data(link, link_input_ptx, text.data(), text.size(), "kernel", 0, nullptr, nullptr);
  if (code == results::success) code = api.link_complete(link, &image, &bytes);
  std::vector<std::byte> machine_code;
  if (code == results::success) {
    const auto *const begin = static_cast<const std::byte *>(image);
    machine_code.assign(begin, begin + bytes);
  }
  api.destroy_link(link);
  if (code != results::success)
    throw exception(errc::build, fmt::format("the driver's assembler: {}; {}", api.describe(code), log.c_str()));
  return machine_code;
}

}  // namespace dpep::backend::cuda
