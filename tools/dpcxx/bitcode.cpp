// Reads the symbol count of a bitcode file, without LLVM.
//
// Bitcode is a stream of bits: a magic number, then blocks. clang writes a symbol table for linkers into a block of its
// own (llvm/Object/IRSymtab.h), whose header has the number of symbols.
#include "bitcode.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace dpcxx {
namespace {

using words = std::vector<std::uint32_t>;

constexpr std::uint32_t magic = 0xdec04342;  // "BC" 0xc0de
constexpr std::uint32_t symbol_table_block = 25;

words read_words(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  words result(bytes.size() / 4);
  std::memcpy(result.data(), bytes.data(), result.size() * 4);
  return result;
}

/// The content of the first top-level block with this number; empty if there is none.
words find_block(const words &file, std::uint32_t number) {
  if (file.empty() || file[0] != magic) return {};
  // A block starts at a word boundary: 2 bits "enter", 8 bits number (one group of the variable-length encoding is
  // enough for numbers up to 127), 4 bits code width, padding to the next word, the length in words.
  for (std::size_t at = 1; at + 2 <= file.size();) {
    const std::uint32_t head = file[at], length = file[at + 1];
    if ((head & 3) != 1 || at + 2 + length > file.size()) return {};
    if (((head >> 2) & 0xff) == number)
      return words(file.begin() + std::ptrdiff_t(at) + 2, file.begin() + std::ptrdiff_t(at + 2 + length));
    at += 2 + length;
  }
  return {};
}

}  // namespace

bool has_symbols(const std::filesystem::path &bitcode) {
  const words block = find_block(read_words(bitcode), symbol_table_block);
  // The block's content: the definition of an abbreviation (one word), then a record with the table as a blob: its
  // length (one word) and the header: version, producer {offset, size}, modules, comdats, symbols {offset, count}, …
  constexpr std::size_t header = 2, symbol_count = header + 1 + 2 + 2 + 2 + 1;
  return block.size() <= symbol_count || block[symbol_count] != 0;
}

}  // namespace dpcxx
