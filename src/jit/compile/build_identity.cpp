// Reads the build id that the linker wrote into this binary, so that every build has its own cache entries.
#include "jit/compile/build_identity.hpp"

#include <cstdio>
#include <cstring>

#include <elf.h>
#include <link.h>
#include <llvm/Config/llvm-config.h>

#include "device/library.hpp"
#include "jit/launch/hash.hpp"

// The ELF header of the binary that this file is linked into. Defined by the linker.
extern "C" [[gnu::visibility("hidden")]] const ElfW(Ehdr) __ehdr_start;

namespace dpep::jit {
namespace {

std::string linked_build_id() {
  const auto *const base = reinterpret_cast<const char *>(&__ehdr_start);
  const auto *const segments = reinterpret_cast<const ElfW(Phdr) *>(base + __ehdr_start.e_phoff);
  for (int s = 0; s < __ehdr_start.e_phnum; ++s) {
    if (segments[s].p_type != PT_NOTE) continue;
    const char *at = base + segments[s].p_vaddr, *const end = at + segments[s].p_memsz;
    if (__ehdr_start.e_type == ET_EXEC) at -= reinterpret_cast<std::size_t>(base);
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto *const note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *const name = at + sizeof *note, *const content = name + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return digest_of(std::string_view(content, note->n_descsz)).hex();
      at = content + (note->n_descsz + 3) / 4 * 4;
    }
  }
  // Linked without --build-id: both variants of the device library are the content that differs most between builds.
  using device_library::multiply_add;
  return digest_of(device_library::bitcode(multiply_add::fused)).hex() +
         digest_of(device_library::bitcode(multiply_add::separate)).hex();
}

}  // namespace

const std::string &build_identity() {
  static const auto *const identity =  // never destroyed: a thread may still be compiling at exit
      new std::string(linked_build_id() + "|" DPEP_VERSION "|" LLVM_VERSION_STRING);
  return *identity;
}

}  // namespace dpep::jit
