// Searches ELF files for the names of objects.
#include "backend/common/symbol_names.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dpep::backend {
namespace {

/// The file that an address was loaded from.
struct loaded_file {
  std::uintptr_t address;
  std::string path;       // empty: none
  std::uintptr_t base{};  // what was added to the addresses in the file
};

int find_file(dl_phdr_info *info, std::size_t, void *data) {
  auto &wanted = *static_cast<loaded_file *>(data);
  for (const ElfW(Phdr) &segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (segment.p_type != PT_LOAD || wanted.address - info->dlpi_addr - segment.p_vaddr >= segment.p_memsz) continue;
    wanted.path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    wanted.base = info->dlpi_addr;
    return 1;
  }
  return 0;
}

/// A file in memory; empty if it cannot be read.
class mapped_file {
public:
  explicit mapped_file(const std::string &path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat facts{};
    if (fstat(file, &facts) == 0 && facts.st_size > 0) {
      const auto size = static_cast<std::size_t>(facts.st_size);
      void *const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) bytes_ = {static_cast<const std::byte *>(memory), size};
    }
    close(file);
  }
  mapped_file(const mapped_file &) = delete;
  ~mapped_file() {
    if (!bytes_.empty()) munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
  }

  /// `count` objects at an offset; none if they pass the end of the file.
  template <class T> std::span<const T> at(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T) || offset % alignof(T)) return {};
    return {reinterpret_cast<const T *>(bytes_.data() + offset), static_cast<std::size_t>(count)};
  }

private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::string object_name_at(const void *address) {
  loaded_file found{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(find_file, &found);
  if (found.path.empty()) return {};
  const mapped_file file(found.path);
  const auto header = file.at<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = file.at<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  for (const Elf64_Shdr &table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    const auto text = file.at<char>(sections[table.sh_link].sh_offset, sections[table.sh_link].sh_size);
    for (const Elf64_Sym &symbol : file.at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_name >= text.size()) continue;
      if (found.address - found.base - symbol.st_value >= symbol.st_size) continue;
      const char *const name = text.data() + symbol.st_name;
      return {name, strnlen(name, text.size() - symbol.st_name)};
    }
  }
  return {};
}

}  // namespace dpep::backend
