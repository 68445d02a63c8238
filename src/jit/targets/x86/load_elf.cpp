// Loads relocatable ELF objects for x86-64: maps their sections and applies their relocations.
#include "jit/targets/x86/load_elf.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/common/code_ranges.hpp"
#include "jit/compile/debug_registration.hpp"

namespace dpep::jit {
namespace {

struct mapping {
  std::byte *begin = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> registered_object;  // the object with load addresses, if registered with debuggers
  void *debugger_entry = nullptr;

  mapping() = default;
  mapping(const mapping &) = delete;
  mapping &operator=(const mapping &) = delete;
  ~mapping() {
    if (debugger_entry) unregister_from_debuggers(debugger_entry);
    if (!begin) return;
    backend::remove_kernel_code(begin);
    ::munmap(begin, bytes);
  }
};

class loader {
public:
  loader(std::span<const std::byte> object, std::span<const backend::symbol> symbols, const std::string &kernel)
      : object_(object), host_symbols_(symbols), kernel_(kernel) {
    header_ = at<Elf64_Ehdr>(0);
    if (std::memcmp(header_->e_ident, ELFMAG, SELFMAG) != 0 || header_->e_ident[EI_CLASS] != ELFCLASS64 ||
        header_->e_machine != EM_X86_64 || header_->e_type != ET_REL)
      fail("it is not a relocatable ELF object for x86-64");
    sections_ = {at<Elf64_Shdr>(header_->e_shoff, header_->e_shnum), header_->e_shnum};
    address_.resize(sections_.size());
    for (const Elf64_Shdr &section : sections_) {
      if (section.sh_type != SHT_SYMTAB) continue;
      symbols_ = {at<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)),
                  section.sh_size / sizeof(Elf64_Sym)};
      if (section.sh_link >= sections_.size()) fail("its symbol table has no string table");
      strings_ = contents(sections_[section.sh_link]);
    }
  }

  loaded_code load(std::string_view entry) {
    map_sections();
    for (std::size_t s = 0; s < sections_.size(); ++s)
      if (address_[s] && sections_[s].sh_type != SHT_NOBITS) {
        const auto bytes = contents(sections_[s]);
        std::memcpy(address_[s], bytes.data(), bytes.size());
      }
    for (const Elf64_Shdr &section : sections_)
      if (section.sh_type == SHT_RELA && section.sh_info < sections_.size() && address_[section.sh_info])
        relocate(section);
    if (::mprotect(memory_->begin, executable_bytes_, PROT_READ | PROT_EXEC) != 0)
      fail("the system does not allow executable memory (a security policy?)");
    backend::add_kernel_code(memory_->begin, executable_bytes_);
    for (const Elf64_Sym &symbol : symbols_)
      if (name_of(symbol) == entry && symbol.st_shndx != SHN_UNDEF) {
        std::byte *const start = address_of_defined(symbol);
        register_code(start, symbol.st_size);
        return {memory_, start};
      }
    fail(fmt::format("it does not define '{}'", entry));
  }

private:
  [[noreturn]] void fail(std::string_view what) const {
    throw exception(errc::build, fmt::format("loading kernel '{}': {}", kernel_, what));
  }

  template <class T> const T *at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (offset > object_.size() || count > (object_.size() - offset) / sizeof(T)) fail("its object is truncated");
    return reinterpret_cast<const T *>(object_.data() + offset);
  }
  std::span<const std::byte> contents(const Elf64_Shdr &section) const {
    return {at<std::byte>(section.sh_offset, section.sh_size), section.sh_size};
  }
  std::string_view name_of(const Elf64_Sym &symbol) const {
    if (symbol.st_name >= strings_.size()) fail("a symbol has no name");
    const auto *name = reinterpret_cast<const char *>(strings_.data() + symbol.st_name);
    return {name, ::strnlen(name, strings_.size() - symbol.st_name)};
  }

  // Creates one mapping: code and constant data first (data near the code that reads it), then writable data on
  // separate pages. Calls of functions outside the object use stubs after the code, as those may be anywhere in the
  // address space.
  void map_sections() {
    static const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto rounded = [](std::size_t n, std::size_t to) { return (n + to - 1) / to * to; };
    std::vector<std::size_t> offset(sections_.size());
    std::size_t size = 16;  // UBSan reads a few bytes before a function that is called by pointer
    const auto allocate = [&](bool writable) {
      for (std::size_t s = 0; s < sections_.size(); ++s) {
        const Elf64_Shdr &section = sections_[s];
        if (!(section.sh_flags & SHF_ALLOC) || section.sh_size == 0 || bool(section.sh_flags & SHF_WRITE) != writable)
          continue;
        if (section.sh_type == SHT_X86_64_UNWIND) continue;  // kernels don't throw
        size = rounded(size, std::max<std::size_t>(section.sh_addralign, 1));
        offset[s] = size + 1;
        size += section.sh_size;
      }
    };
    allocate(false);
    const std::size_t stubs = rounded(size, stub_bytes);
    size = rounded(stubs + symbols_.size() * stub_bytes, page);  // at most one per symbol
    executable_bytes_ = size;
    allocate(true);
    memory_->bytes = rounded(size, page);
    void *memory = ::mmap(nullptr, memory_->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail(fmt::format("out of memory: cannot map {} bytes of code", memory_->bytes));
    memory_->begin = static_cast<std::byte *>(memory);
    next_stub_ = memory_->begin + stubs;
    for (std::size_t s = 0; s < sections_.size(); ++s)
      if (offset[s]) address_[s] = memory_->begin + offset[s] - 1;
    stub_.resize(symbols_.size());
  }

  std::byte *address_of_defined(const Elf64_Sym &symbol) const {
    if (symbol.st_shndx >= sections_.size() || !address_[symbol.st_shndx])
      fail(fmt::format("the section of the symbol '{}' was not loaded", name_of(symbol)));
    return address_[symbol.st_shndx] + symbol.st_value;
  }
  std::byte *address_of(const Elf64_Sym &symbol) const {
    if (symbol.st_shndx != SHN_UNDEF) return address_of_defined(symbol);
    const std::string_view name = name_of(symbol);
    for (const backend::symbol &host : host_symbols_)
      if (host.name == name) return static_cast<std::byte *>(host.address);
    if (ELF64_ST_BIND(symbol.st_info) == STB_WEAK) return nullptr;
    fail(fmt::format("'{}' is not defined in the kernel's image, another image, the device library or the device",
                     name));
  }

  // A stub, `jmp *8(%rip)`. The address in its second half also serves as the symbol's entry of a global offset table.
  static constexpr std::size_t stub_bytes = 16;
  std::byte *stub_of(std::size_t symbol) {
    std::byte *&stub = stub_[symbol];
    if (!stub) {
      stub = std::exchange(next_stub_, next_stub_ + stub_bytes);
      constexpr unsigned char jump[8] = {0xff, 0x25, 2, 0, 0, 0, 0xcc, 0xcc};
      std::memcpy(stub, jump, sizeof jump);
      const std::byte *const target = address_of(symbols_[symbol]);
      std::memcpy(stub + 8, &target, sizeof target);
    }
    return stub;
  }

  void relocate(const Elf64_Shdr &section) {
    const std::size_t count = section.sh_size / sizeof(Elf64_Rela);
    const std::span relocations(at<Elf64_Rela>(section.sh_offset, count), count);
    const Elf64_Shdr &target = sections_[section.sh_info];
    for (const Elf64_Rela &r : relocations) {
      const std::size_t index = ELF64_R_SYM(r.r_info);
      const auto type = ELF64_R_TYPE(r.r_info);
      const std::size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
      if (index >= symbols_.size() || r.r_offset > target.sh_size || target.sh_size - r.r_offset < width)
        fail("a relocation points outside its section");
      const Elf64_Sym &symbol = symbols_[index];
      const bool outside = symbol.st_shndx == SHN_UNDEF;
      std::byte *const field = address_[section.sh_info] + r.r_offset;
      const auto address = [](const std::byte *p) { return reinterpret_cast<std::int64_t>(p); };
      switch (type) {
      case R_X86_64_64:
        write<8>(field, address(address_of(symbol)) + r.r_addend);
        break;
      case R_X86_64_PC64:
        write<8>(field, address(address_of(symbol)) + r.r_addend - address(field));
        break;
      case R_X86_64_PC32:
      case R_X86_64_PLT32:
        write<4>(field, address(outside ? stub_of(index) : address_of(symbol)) + r.r_addend - address(field));
        break;
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        write<4>(field, address(stub_of(index) + 8) + r.r_addend - address(field));
        break;
      default:
        fail(fmt::format("relocation type {} is not supported", type));
      }
    }
  }
  template <std::size_t Width> void write(std::byte *field, std::int64_t value) const {
    if (Width == 4 && value != static_cast<std::int32_t>(value)) fail("a relative address exceeds 2 GiB");
    std::memcpy(field, &value, Width);
  }

  /// Whether the object has debug information, as objects for debuggers or with checks do.
  bool has_debug_information() const {
    if (header_->e_shstrndx >= sections_.size()) return false;
    const auto names = contents(sections_[header_->e_shstrndx]);
    constexpr std::string_view name = ".debug_info";
    return std::ranges::any_of(sections_, [&](const Elf64_Shdr &s) {
      return s.sh_name < names.size() && names.size() - s.sh_name > name.size() &&
             std::memcmp(names.data() + s.sh_name, name.data(), name.size() + 1) == 0;
    });
  }

  /// Registers the code with debuggers and profilers, if enabled.
  void register_code(std::byte *start, std::size_t size) {
    if (profiling_enabled()) add_to_perf_map(kernel_, start, size);
    if (!debugging_enabled() && !has_debug_information()) return;
    memory_->registered_object.assign(object_.begin(), object_.end());
    auto *headers = reinterpret_cast<Elf64_Shdr *>(memory_->registered_object.data() + header_->e_shoff);
    for (std::size_t s = 0; s < sections_.size(); ++s)
      headers[s].sh_addr = reinterpret_cast<std::uint64_t>(address_[s]);
    memory_->debugger_entry = register_with_debuggers(memory_->registered_object);
  }

  std::span<const std::byte> object_;
  std::span<const backend::symbol> host_symbols_;
  const std::string &kernel_;
  const Elf64_Ehdr *header_;
  std::span<const Elf64_Shdr> sections_;
  std::span<const Elf64_Sym> symbols_;
  std::span<const std::byte> strings_;
  std::shared_ptr<mapping> memory_ = std::make_shared<mapping>();
  std::size_t executable_bytes_ = 0;
  std::vector<std::byte *> address_;  // per section; null: not loaded
  std::vector<std::byte *> stub_;     // the stub per symbol; null: not created yet
  std::byte *next_stub_ = nullptr;
};

}  // namespace

loaded_code load_elf(std::span<const std::byte> object, std::string_view entry,
                     std::span<const backend::symbol> symbols, const std::string &kernel_name) {
  return loader(object, symbols, kernel_name).load(entry);
}

}  // namespace dpep::jit
