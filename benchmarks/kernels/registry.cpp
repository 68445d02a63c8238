// The registry of a library's C++ kernels, by name.
#include <map>
#include <stdexcept>
#include <string>

#include "library.hpp"

namespace {

std::map<std::string, bench::body> &kernels() {
  static std::map<std::string, bench::body> table;
  return table;
}

}  // namespace

bench::kernel::kernel(const char *name, body run) { kernels().emplace(name, run); }

std::function<void()> bench::prepare(const char *name, const arguments &a) {
  const auto found = kernels().find(name);
  if (found == kernels().end()) throw std::invalid_argument(std::string("unknown kernel ") + name);
  return [run = found->second, &a] { run(a); };
}

void bench::make_visible(const arguments &) {}
