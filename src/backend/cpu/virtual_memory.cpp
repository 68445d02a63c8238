// Virtual memory of the CPU: reserved pages without access, and anonymous files that are mapped over them.
#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/cpu/device.hpp"

namespace dpep::backend::cpu {
namespace {

int protection_of(memory_access access) {
  switch (access) {
  case memory_access::none:
    return PROT_NONE;
  case memory_access::read:
    return PROT_READ;
  case memory_access::read_write:
    return PROT_READ | PROT_WRITE;
  }
  return PROT_NONE;
}

void require(bool succeeded, const char *call) {
  if (succeeded) return;
  const int error = errno;
  throw exception(errc::runtime, fmt::format("{}: {}", call, std::generic_category().message(error)));
}

void *pointer_to(std::uintptr_t address) { return reinterpret_cast<void *>(address); }

constexpr int reservation = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

std::size_t cpu_device::granularity(bool) const { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

std::uintptr_t cpu_device::reserve(std::uintptr_t start, std::size_t bytes) {
  void *const made = ::mmap(pointer_to(start), bytes, PROT_NONE, reservation, -1, 0);
  return made == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(made);
}
void cpu_device::release(std::uintptr_t start, std::size_t bytes) noexcept { ::munmap(pointer_to(start), bytes); }

std::optional<virtual_memory::physical> cpu_device::create(std::size_t bytes) {
  if (bytes > free_memory()) return std::nullopt;
  const int file = ::memfd_create("dpep memory", MFD_CLOEXEC);
  if (file < 0) return std::nullopt;
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    ::close(file);
    return std::nullopt;
  }
  return physical(file);
}
void cpu_device::destroy(physical file) noexcept { ::close(static_cast<int>(file)); }

void cpu_device::map(std::uintptr_t at, std::size_t bytes, physical file, std::size_t offset, memory_access access) {
  require(::mmap(pointer_to(at), bytes, protection_of(access), MAP_SHARED | MAP_FIXED, static_cast<int>(file),
                 static_cast<off_t>(offset)) != MAP_FAILED,
          "mmap");
}
void cpu_device::set_access(std::uintptr_t at, std::size_t bytes, memory_access access) {
  require(::mprotect(pointer_to(at), bytes, protection_of(access)) == 0, "mprotect");
}
void cpu_device::unmap(std::uintptr_t at, std::size_t bytes, physical) {
  require(::mmap(pointer_to(at), bytes, PROT_NONE, reservation | MAP_FIXED, -1, 0) != MAP_FAILED, "mmap");
}

}  // namespace dpep::backend::cpu
