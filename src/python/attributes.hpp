// Read-only attributes of bound types, as descriptors whose getters CPython calls directly.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings.hpp"
#include "errors.hpp"

namespace dpep::python {

/// Keeps a function with the signature of an attribute, which is read only when stubs are made (tools/stubs).
void keep_signature(nb::handle type, const char *attribute, nb::object function);

/// Adds read-only attributes to a bound type. Reading one takes a third of the time of reading a nanobind property,
/// whose getter is a Python function.
template <class T, class... Extra> class attributes {
public:
  explicit attributes(nb::class_<T, Extra...> &type) : type_(type) {}

  /// `get`: a function, a member function or a function object, called with the object.
  template <class F> attributes &add(const char *name, F get, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc));
    return install(name, std::move(get), doc);
  }
  /// `signature`: for stubs, where the types of C++ say too little.
  template <class F> attributes &add(const char *name, F get, const nb::sig &signature, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc, signature));
    return install(name, std::move(get), doc);
  }

private:
  template <class F> struct attribute {
    std::string name, doc;
    F get;
    PyGetSetDef definition{name.c_str(), read, nullptr, doc.c_str(), this};

    static PyObject *read(PyObject *self, void *closure) noexcept {
      T *const object = const_cast<T *>(initialised<T>(self));
      if (!object) return nullptr;
      return guarded([&]() -> PyObject * {
        if constexpr (std::is_same_v<std::invoke_result_t<F, T &>, nb::object>)
          return std::invoke(static_cast<attribute *>(closure)->get, *object).release().ptr();
        return nb::cast(std::invoke(static_cast<attribute *>(closure)->get, *object), nb::rv_policy::reference_internal,
                        self)
            .release()
            .ptr();
      });
    }
  };

  template <class F, class... Description>
  static nb::object function_of(const char *name, const F &get, const Description &...description) {
    return nb::cpp_function(get, nb::name(name), nb::is_method(), nb::is_getter(), description...);
  }

  template <class F> attributes &install(const char *name, F get, const char *doc) {
    auto *const made = new attribute<F>{name, doc, std::move(get)};  // lives until the process ends, as the type does
    const auto type = reinterpret_cast<PyTypeObject *>(type_.ptr());
    const nb::object descriptor = nb::steal(PyDescr_NewGetSet(type, &made->definition));
    if (!descriptor || PyObject_SetAttrString(type_.ptr(), name, descriptor.ptr()) != 0) throw nb::python_error();
    return *this;
  }

  nb::class_<T, Extra...> &type_;
};

}  // namespace dpep::python
