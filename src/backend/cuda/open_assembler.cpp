// Opens the library that the driver assembles PTX with.
#include "backend/cuda/open_assembler.hpp"

#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace dpep::backend::cuda {
namespace {

void open_assembler() noexcept {
  void *const library = dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_LAZY | RTLD_LOCAL);  // the driver's from here on
  link_map *map = nullptr;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return;
  const int file = open(map->l_name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED);  // its pages come before they are asked for one by one
  close(file);
}

}  // namespace

opening_assembler::opening_assembler() noexcept {
  try {
    thread_ = std::jthread(open_assembler);
  } catch (const std::system_error &) {
  }
}

}  // namespace dpep::backend::cuda
