// Loads modules and assembles PTX, both with the driver.
#include "backend/cuda/code.hpp"

#include <cstring>
#include <span>
#include <string_view>

#include <fmt/ranges.h>

namespace dpep::backend::cuda {
namespace {

constexpr int min_driver_for_early_launch = 12000;  // CUDA 12.0

/// Whether machine code has this symbol. A query to the driver would be reported as an error by compute-sanitizer if
/// there is no such symbol.
bool contains_symbol(std::span<const std::byte> image, std::string_view symbol) {
  const std::string_view text(reinterpret_cast<const char *>(image.data()), image.size());
  return text.find(symbol) != std::string_view::npos;
}

/// The block size with most resident work-items on a multiprocessor: smaller for kernels with many registers.
unsigned best_block_size(device_context &c, function_handle function) {
  unsigned best = abi::max_block_size;
  int most = 0;
  for (unsigned block = abi::max_block_size; block >= 2 * min_block_size; block /= 2) {
    int blocks = 0;
    c.check(c.api.active_blocks(&blocks, function, int(block), 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (const int items = blocks * int(block); items > most) most = items, best = block;
  }
  return best;
}

}  // namespace

loaded_code::loaded_code(std::shared_ptr<device_context> where, const code_object &object, const code_needs &needs,
                         std::span<const variable> variables)
    : code(object.name, needs), context_(std::move(where)) {
  const scoped_context here(*context_);
  const driver_api &api = context_->api;
  if (const result code = api.load_module(&module_, object.bytes.data()); code != results::success) {
    const std::string why = device_context::is_sticky_error(code) ? context_->mark_lost(code) : api.describe(code);
    throw exception(errc::build, fmt::format("loading kernel '{}' on '{}': {}", name, context_->name, why));
  }
  try {
    context_->check(api.get_function(&function_, module_, abi::entry_name), "cuModuleGetFunction");
    // allows as much shared memory as the device has; each launch says how much it uses
    if (needs.grouped) {
      int most = 0;
      context_->check(api.device_attribute(&most, attribute::shared_memory_per_block_optin, context_->number),
                      "cuDeviceGetAttribute");
      context_->check(api.set_function(function_, function_max_dynamic_shared_bytes, most), "cuFuncSetAttribute");
    } else {
      block_size_ = best_block_size(*context_, function_);
    }
    if (int version = 0; needs.dependent_launch && api.driver_version(&version) == results::success)
      allows_early_launch_ = version >= min_driver_for_early_launch;
    address global = 0;
    std::size_t bytes = 0;
    for (const variable &v : variables) {
      context_->check(api.get_global(&global, &bytes, module_, v.symbol.c_str()), "cuModuleGetGlobal");
      context_->write(global, &v.value, sizeof v.value);
    }
    prints_ = contains_symbol(object.bytes, abi::printing_name);
    if (contains_symbol(object.bytes, abi::failing_name)) {
      context_->check(api.get_global(&global, &bytes, module_, abi::failing_name), "cuModuleGetGlobal");
      const auto mine = reinterpret_cast<std::uint64_t>(static_cast<const backend::code *>(this));
      context_->write(global, &mine, sizeof mine);
      can_fail_ = true;
    }
  } catch (...) {
    api.unload_module(module_);
    throw;
  }
}

loaded_code::~loaded_code() {
  try {
    const scoped_context here(*context_);
    context_->api.unload_module(module_);
  } catch (...) {  // the context is gone, and the module with it
  }
}

namespace {

/// A link of one module in the driver, and the machine code that it made.
class assembly {
public:
  assembly(device_context &c, std::string ptx) : context_(c) {
    const driver_api &api = c.api;
    int options[] = {link_error_log, link_error_log_bytes};
    void *values[] = {log_.data(), reinterpret_cast<void *>(log_.size())};
    c.check(api.make_link(2, options, values, &link_), "cuLinkCreate");
    void *image = nullptr;
    std::size_t bytes = 0;
    result code = api.link_data(link_, link_input_ptx, ptx.data(), ptx.size() + 1, "kernel", 0, nullptr, nullptr);
    if (code == results::success) code = api.link_complete(link_, &image, &bytes);
    if (code != results::success) {
      api.destroy_link(link_);
      throw exception(errc::build, fmt::format("the driver's assembler: {}; {}", api.describe(code), log_.c_str()));
    }
    machine_code_ = {static_cast<const std::byte *>(image), bytes};
  }
  ~assembly() { context_.api.destroy_link(link_); }
  assembly(const assembly &) = delete;

  std::vector<std::byte> machine_code() const { return {machine_code_.begin(), machine_code_.end()}; }

  struct resources {
    int registers, private_bytes;  // of a work-item
  };
  resources used() const {
    const driver_api &api = context_.api;
    module_handle loaded = nullptr;
    context_.check(api.load_module(&loaded, machine_code_.data()), "cuModuleLoadData");
    function_handle function = nullptr;
    resources r{};
    result code = api.get_function(&function, loaded, abi::entry_name);
    if (code == results::success) code = api.function_attribute(&r.registers, function_registers, function);
    if (code == results::success) code = api.function_attribute(&r.private_bytes, function_private_bytes, function);
    api.unload_module(loaded);
    context_.check(code, "cuFuncGetAttribute");
    return r;
  }

private:
  device_context &context_;
  std::string log_ = std::string(8192, '\0');  // as long as the link: the driver writes to it
  link_handle link_ = nullptr;
  std::span<const std::byte> machine_code_;  // owned by link_
};

/// Whether work-items of a group wait for each other.
bool has_barriers(std::string_view ptx) {
  return ptx.find("bar.sync") != ptx.npos || ptx.find("barrier.sync") != ptx.npos;
}

/// The PTX with a limit for the registers of a work-item. An option of the linker has no effect on a kernel that
/// declares its block size.
std::string with_register_limit(std::string_view ptx, int registers) {
  const std::size_t body = ptx.find("\n{", ptx.find(".entry"));
  return fmt::format("{}\n.maxnreg {}{}", ptx.substr(0, body), registers, ptx.substr(body));
}

}  // namespace

std::vector<std::byte> assemble(device_context &c, std::span<const std::byte> ptx) {
  c.check_not_lost();
  const scoped_context here(c);
  const std::string text(reinterpret_cast<const char *>(ptx.data()), ptx.size());
  const assembly unlimited(c, text);
  if (has_barriers(text)) {
    // While a group waits at a barrier, other groups must be resident for the multiprocessor to be busy. The assembler
    // of a linked module doesn't know how many will be, and unrolls and schedules loops for one or two.
    constexpr int registers_for_enough_groups = 64;  // 1,024 work-items of a multiprocessor's 65,536 registers
    if (const auto most = unlimited.used(); most.registers > registers_for_enough_groups) {
      const assembly limited(c, with_register_limit(text, registers_for_enough_groups));
      if (limited.used().private_bytes <= most.private_bytes) return limited.machine_code();  // without spills
    }
  }
  return unlimited.machine_code();
}

}  // namespace dpep::backend::cuda
