// dpep._kernel.External: functions of other languages that kernels call.
#include "kernels.hpp"

namespace dpep::python {
namespace {

PyTypeObject *external_type = nullptr;

struct external {
  std::shared_ptr<const pykernel::external_function> function;
};

}  // namespace

std::shared_ptr<const pykernel::external_function> external_function_of(PyObject *x) noexcept {
  if (!external_type || !PyObject_TypeCheck(x, external_type)) return nullptr;
  return nb::inst_ptr<external>(nb::handle(x))->function;
}

void bind_external_functions(nb::module_ &m) {
  nb::class_<external> type(m, "External", nb::dynamic_attr(), "A function of another language that kernels call.");
  external_type = reinterpret_cast<PyTypeObject *>(type.inc_ref().ptr());
  type.def(
      "__init__",
      [](external *self, std::string name, nb::object result, nb::sequence parameters, nb::bytes library) {
        std::vector<pykernel::type> types;
        for (nb::handle p : parameters) types.push_back(signature_type(p));
        const auto *const bytes = reinterpret_cast<const unsigned char *>(library.c_str());
        try {
          new (self) external{pykernel::declare_external(std::move(name), signature_type(result), std::move(types),
                                                         {bytes, bytes + library.size()})};
        } catch (const pykernel::compile_error &e) {
          raise(e);
        }
      },
      "name"_a, "result"_a, "parameters"_a, "library"_a,
      "Check a declaration against the bitcode, or textual LLVM IR, that defines the function.");
}

}  // namespace dpep::python
