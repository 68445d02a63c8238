// Opens the driver's PTX assembler library and reads its code into memory.
#include "backend/cuda/assembler_preload.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <system_error>
#include <thread>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/common/fork_guard.hpp"

namespace dpep::backend::cuda {
namespace {

struct segments {
  const link_map *of;
  std::array<std::span<std::byte>, 8> list;
  std::size_t count = 0;
};

/// Callback of dl_iterate_phdr: collects the read-only segments of the library.
int collect_segments(dl_phdr_info *object, std::size_t, void *to) {
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

void preload() noexcept {
  const fork_guard guard;  // a child forked during dlopen would inherit the dynamic linker's lock
  void *const library =
      dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_LAZY | RTLD_LOCAL);  // never closed: the driver opens it again
  link_map *map = nullptr;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return;
  segments found{map, {}};
  dl_iterate_phdr(collect_segments, &found);
  for (const auto s : std::span(found.list).first(found.count))  // reads and maps the pages
    if (madvise(s.data(), s.size(), MADV_POPULATE_READ) != 0)
      madvise(s.data(), s.size(), MADV_WILLNEED);  // before Linux 5.14
}

}  // namespace

void preload_assembler() noexcept {
  try {
    std::thread(preload).detach();
  } catch (const std::system_error &) {}
}

}  // namespace dpep::backend::cuda
