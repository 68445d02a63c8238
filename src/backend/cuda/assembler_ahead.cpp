// Brings the library that the driver assembles PTX with into memory.
#include "backend/cuda/assembler_ahead.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <system_error>
#include <thread>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/common/forks.hpp"

namespace dpep::backend::cuda {
namespace {

struct segments {
  const link_map *of;
  std::array<std::span<std::byte>, 8> list;
  std::size_t count = 0;
};

/// The library's code and constants.
int find_segments(dl_phdr_info *object, std::size_t, void *to) {
  auto &found = *static_cast<segments *>(to);
  if (object->dlpi_addr != found.of->l_addr) return 0;
  const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  for (const ElfW(Phdr) &p : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (p.p_type != PT_LOAD || (p.p_flags & PF_W) || found.count == found.list.size()) continue;
    const ElfW(Addr) first = (object->dlpi_addr + p.p_vaddr) & ~(page - 1);
    const ElfW(Addr) end = object->dlpi_addr + p.p_vaddr + p.p_filesz;
    found.list[found.count++] = {reinterpret_cast<std::byte *>(first), end - first};
  }
  return 1;
}

void bring() noexcept {
  const no_fork_meanwhile whole;  // a child could not open any library: the lock would never be let go
  void *const library = dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_LAZY | RTLD_LOCAL);  // the driver's from here on
  link_map *map = nullptr;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return;
  segments found{map, {}};
  dl_iterate_phdr(find_segments, &found);
  for (const auto s : std::span(found.list).first(found.count))  // reads what is not in memory, and maps it
    if (madvise(s.data(), s.size(), MADV_POPULATE_READ) != 0) madvise(s.data(), s.size(), MADV_WILLNEED);  // old Linux
}

}  // namespace

void bring_assembler_ahead() noexcept {
  try {
    std::thread(bring).detach();
  } catch (const std::system_error &) {}
}

}  // namespace dpep::backend::cuda
