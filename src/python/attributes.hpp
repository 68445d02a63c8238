// Read-only attributes of bound types, as descriptors whose getters CPython calls directly.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings.hpp"
#include "by_owner.hpp"
#include "errors.hpp"

namespace dpep::python {

/// Keeps a function with the signature of an attribute or method, which is read only when stubs are made (tools/stubs).
void keep_signature(nb::handle type, const char *attribute, nb::object function);

/// A descriptor of an attribute, of a type derived from types.GetSetDescriptorType. Null for an error.
PyObject *make_descriptor(nb::handle type, PyGetSetDef *);

/// Adds read-only attributes to a bound type, and methods without arguments. Reading one takes a third of the time of
/// reading a nanobind property, whose getter is a Python function.
template <class T, class... Extra> class attributes {
public:
  explicit attributes(nb::class_<T, Extra...> &type) : type_(type) {}

  /// `get`: a function, a member function or a function object, called with the object.
  template <class F> attributes &add(const char *name, F get, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc));
    return install(new computed<F>{{name, doc}, std::move(get)});
  }
  /// `signature`: for stubs, where the types of C++ say too little.
  template <class F> attributes &add(const char *name, F get, const nb::sig &signature, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc, signature));
    return install(new computed<F>{{name, doc}, std::move(get)});
  }

  /// An attribute whose value is immutable and depends only on the device, platform or context that `owner` returns.
  /// If that is permanent, `get` is called once, and Python reads the same object each time.
  template <class Owner, class F> attributes &constant(const char *name, Owner owner, F get, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc));
    return install(new constant_of<Owner, F>{{name, doc}, std::move(owner), std::move(get), {}});
  }
  template <class Owner, class F>
  attributes &constant(const char *name, Owner owner, F get, const nb::sig &signature, const char *doc) {
    keep_signature(type_, name, function_of(name, get, doc, signature));
    return install(new constant_of<Owner, F>{{name, doc}, std::move(owner), std::move(get), {}});
  }

  /// An attribute whose value is kept in the object from the first time that it is read. `Get` returns a Python object
  /// that is never destroyed if the device or context that `Owner` returns is permanent, or without an `Owner` always;
  /// else it is not kept.
  /// Not for types with nb::pooled, whose objects are used again with what they contain.
  template <auto Get, auto Owner = nullptr>
  attributes &kept(const char *name, const nb::sig &signature, const char *doc) {
    auto *const type = reinterpret_cast<PyTypeObject *>(type_.ptr());
    if (!PyType_IS_GC(type))  // of these nanobind may allocate less than tp_basicsize, and does not clear it
      return add(name, Get, signature, doc);
    keep_signature(type_, name, function_of(name, Get, doc, signature));
    word<Get> = std::exchange(type->tp_basicsize, type->tp_basicsize + Py_ssize_t{sizeof(PyObject *)});
    return install(new described{name, doc}, read_kept<Get, Owner>);
  }

  /// A method without arguments. Calling it takes half as long as calling a method of nanobind. With an `Owner`, the
  /// method of an attribute that is kept.
  template <auto Call, auto Owner = nullptr>
  attributes &method(const char *name, const nb::sig &signature, const char *doc) {
    keep_signature(type_, name, nb::cpp_function(Call, nb::name(name), nb::is_method(), signature, doc));
    auto *const made = new described{name, std::string(name) + "($self, /)\n--\n\n" + doc};
    auto *const definition = new PyMethodDef{made->name.c_str(), called<Call, Owner>, METH_NOARGS, made->doc.c_str()};
    return put(name, PyDescr_NewMethod(reinterpret_cast<PyTypeObject *>(type_.ptr()), definition));
  }

private:
  // Objects of these structures live until the process ends, as the type does.

  struct described {
    std::string name, doc;
  };

  /// An attribute that is computed each time.
  template <class F> struct computed : described {
    F get;

    PyObject *read(PyObject *self, T &object) noexcept {
      return guarded([&] { return value_of(get, object, self); });
    }
  };

  /// An attribute whose values are kept by owner.
  template <class Owner, class F> struct constant_of : described {
    Owner owner;
    F get;
    by_owner<PyObject *> values;

    using result = std::decay_t<std::invoke_result_t<F, T &>>;
    static_assert(
        !requires(result r) { r.push_back(*r.begin()); } || std::is_same_v<result, std::string>,
        "a list can be changed by whoever reads it");

    PyObject *read(PyObject *self, T &object) noexcept {
      const auto &of = std::invoke(owner, std::as_const(object));
      if (PyObject *const *const known = values.find(of.get())) [[likely]]
        return Py_NewRef(*known);
      return first_read(self, object, of);
    }
    template <class Of> [[gnu::noinline]] PyObject *first_read(PyObject *self, T &object, const Of &of) noexcept {
      return guarded([&] {
        PyObject *const made = value_of(get, object, self);
        if (made && is_permanent(of)) values.add(of.get(), Py_NewRef(made));
        return made;
      });
    }
  };

  /// The offset of the value of an attribute in the object; 0 if it is not kept there. New objects have null there.
  template <auto Get> static inline Py_ssize_t word = 0;
  template <auto Get> static PyObject *&value_in(PyObject *self) noexcept {
    return *reinterpret_cast<PyObject **>(reinterpret_cast<char *>(self) + word<Get>);
  }

  /// Reads an attribute that is kept in the object, without a reference.
  template <auto Get, auto Owner> static PyObject *read_kept(PyObject *self, void *) noexcept {
    if (PyObject *const known = value_in<Get>(self)) [[likely]]
      return Py_NewRef(known);
    return first_read<Get, Owner>(self);
  }
  template <auto Get, auto Owner> [[gnu::noinline]] static PyObject *first_read(PyObject *self) noexcept {
    T *const object = const_cast<T *>(initialised<T>(self));
    if (!object) return nullptr;
    return guarded([&] {
      PyObject *const made = value_of(Get, *object, self);
      bool keep = made && word<Get> != 0;
      if constexpr (!is_null<Owner>) keep = keep && is_permanent(Owner(*object));
      if (keep) value_in<Get>(self) = made;
      return made;
    });
  }
  template <auto F> static constexpr bool is_null = std::is_null_pointer_v<decltype(F)>;

  template <class F> static PyObject *value_of(const F &get, T &object, PyObject *self) {
    using result = std::decay_t<std::invoke_result_t<F, T &>>;
    if constexpr (std::is_same_v<result, nb::object>)
      return std::invoke(get, object).release().ptr();
    else if constexpr (std::is_same_v<result, std::size_t>)
      return PyLong_FromSize_t(std::invoke(get, object));
    else
      return nb::cast(std::invoke(get, object), nb::rv_policy::reference_internal, self).release().ptr();
  }

  template <class Attribute> static PyObject *read(PyObject *self, void *attribute) noexcept {
    T *const object = const_cast<T *>(initialised<T>(self));
    return object ? static_cast<Attribute *>(attribute)->read(self, *object) : nullptr;
  }

  template <auto Call, auto Owner> static PyObject *called(PyObject *self, PyObject *) noexcept {
    if constexpr (!is_null<Owner>) {
      return word<Call> != 0 ? read_kept<Call, Owner>(self, nullptr) : first_read<Call, Owner>(self);
    } else {
      T *const object = const_cast<T *>(initialised<T>(self));
      if (!object) return nullptr;
      return guarded([&]() -> PyObject * {
        if constexpr (std::is_void_v<std::invoke_result_t<decltype(Call), T &>>) {
          std::invoke(Call, *object);
          Py_RETURN_NONE;
        } else {
          return value_of(Call, *object, self);
        }
      });
    }
  }

  template <class F, class... Description>
  static nb::object function_of(const char *name, const F &get, const Description &...description) {
    return nb::cpp_function(get, nb::name(name), nb::is_method(), nb::is_getter(), description...);
  }

  template <class Attribute> attributes &install(Attribute *made, getter get = read<Attribute>) {
    auto *const definition =
        new PyGetSetDef{made->name.c_str(), get, nullptr, made->doc.c_str(), static_cast<void *>(made)};
    return put(definition->name, make_descriptor(type_, definition));
  }

  attributes &put(const char *name, PyObject *made) {
    const nb::object descriptor = nb::steal(made);
    if (!descriptor || PyObject_SetAttrString(type_.ptr(), name, descriptor.ptr()) != 0) throw nb::python_error();
    return *this;
  }

  nb::class_<T, Extra...> &type_;
};

}  // namespace dpep::python
