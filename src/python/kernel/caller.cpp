// The line of Python code that is being executed. Reading a code object's line table takes time linear in the
// function's size, so lines are cached by code object and instruction.
#include "caller.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "kernels.hpp"

namespace dpep::python {
namespace {

struct cached_line {
  nb::object code;  // a reference, so that no other code object gets this address
  int instruction = -1;
  source_line line;
};

/// A copy of a file name that is never freed: error messages may be formatted after the code object is gone, and
/// programs have few files.
const char *interned(const char *file) {
  static auto *const all = new std::unordered_set<std::string>;
  return all->emplace(file).first->c_str();
}

source_line read_line(PyFrameObject *frame, nb::handle code) {
  const char *const file = PyUnicode_AsUTF8(reinterpret_cast<PyCodeObject *>(code.ptr())->co_filename);
  if (!file) PyErr_Clear();
  const int line = file ? PyFrame_GetLineNumber(frame) : 0;
  return line > 0 ? source_line(interned(file), std::uint32_t(line)) : source_line();
}

}  // namespace

source_line calling_line() {
  PyFrameObject *const frame = PyEval_GetFrame();
  if (!frame) return {};
  static auto *const cache = new std::array<cached_line, 64>;  // never freed: Python may be finalised earlier
  nb::object code = nb::steal(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
  const int instruction = PyFrame_GetLasti(frame);
  const auto hash = (reinterpret_cast<std::uintptr_t>(code.ptr()) >> 4) + std::uintptr_t(unsigned(instruction) / 2);
  cached_line &entry = (*cache)[hash % cache->size()];
  if (entry.code.ptr() != code.ptr() || entry.instruction != instruction) [[unlikely]] {
    entry.line = read_line(frame, code);
    entry.instruction = instruction;
    entry.code = std::move(code);
  }
  return entry.line;
}

}  // namespace dpep::python
