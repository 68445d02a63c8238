// Which line of a Python program is running: reading a code object's line table takes time that grows with the
// function, so places that were asked for are remembered.
#include "caller.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "kernels.hpp"

namespace dpep::python {
namespace {

constexpr std::string_view own_launchers = "numba_dpex.core.kernel_launcher";  // its frames are not the program's

struct known_place {
  nb::object code;  // held, so that no other can take its address
  int instruction = -1;
  bool own = false;
  source_line line;
};

/// A copy that is never freed: programs have few files, and messages may be made after their code is gone.
const char *lasting(const char *file) {
  static auto *const all = new std::unordered_set<std::string>;
  return all->emplace(file).first->c_str();
}

bool is_own(PyFrameObject *frame) {
  const nb::object globals = nb::steal(PyFrame_GetGlobals(frame));
  PyObject *const name = PyDict_GetItemString(globals.ptr(), "__name__");
  return name && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, own_launchers.data()) == 0;
}

void read(known_place &place, PyFrameObject *frame, nb::object code, int instruction) {
  const char *const file = PyUnicode_AsUTF8(reinterpret_cast<PyCodeObject *>(code.ptr())->co_filename);
  if (!file) PyErr_Clear();
  const int line = file ? PyFrame_GetLineNumber(frame) : 0;
  place.line = line > 0 ? source_line(lasting(file), std::uint32_t(line)) : source_line();
  place.own = is_own(frame);
  place.instruction = instruction;
  place.code = std::move(code);
}

const known_place &place_of(PyFrameObject *frame) {
  static auto *const places = new std::array<known_place, 64>;  // not freed: Python may be gone by then
  nb::object code = nb::steal(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
  const int instruction = PyFrame_GetLasti(frame);
  const auto mixed = (reinterpret_cast<std::uintptr_t>(code.ptr()) >> 4) + std::uintptr_t(unsigned(instruction) / 2);
  known_place &place = (*places)[mixed % places->size()];
  if (place.code.ptr() != code.ptr() || place.instruction != instruction) [[unlikely]]
    read(place, frame, std::move(code), instruction);
  return place;
}

}  // namespace

source_line calling_line() {
  PyFrameObject *frame = PyEval_GetFrame();
  if (!frame) return {};
  const known_place &place = place_of(frame);
  if (!place.own) [[likely]]
    return place.line;
  nb::object outer;
  do {
    outer = nb::steal(reinterpret_cast<PyObject *>(PyFrame_GetBack(frame)));
    if (!outer.is_valid()) return {};
    frame = reinterpret_cast<PyFrameObject *>(outer.ptr());
  } while (place_of(frame).own);
  return place_of(frame).line;
}

}  // namespace dpep::python
