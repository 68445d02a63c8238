// dpep._kernel.VectorizedFunction: a Python function of scalars, applied to the elements of arrays.
#include <algorithm>

#include <dpep/dtype_kinds.hpp>

#include "kernels.hpp"

namespace dpep::python {
namespace {

using pykernel::type;

/// The function compiled for operands of these types. Python's numbers are weak.
struct overload {
  std::vector<type> arguments;
  ref<const array::user_function> function;
};

type type_of_number(const number &n) {
  if (n.type) return pykernel::scalar_type(*n.type);
  switch (n.value.what) {
  case array::scalar::kind::boolean:
    return pykernel::weak_boolean();
  case array::scalar::kind::integer:
    return pykernel::weak_integer();
  case array::scalar::kind::real:
    return pykernel::weak_real();
  case array::scalar::kind::complex:
    break;
  }
  return pykernel::weak_complex();
}

/// The operands of a call: arrays and numbers.
struct call_operands {
  std::vector<array::operand> given;
  std::vector<type> types;
  std::vector<array::scalar> numbers;
  std::vector<ndarray> made;  // array of a number, if no operand is an array
  package whose = package::dpctl;
  bool numbers_only = true;
};

class vectorized_function : public kernel_function {
public:
  vectorized_function(nb::object function, std::uint8_t fast_math, std::vector<std::vector<type>> arguments,
                      std::vector<type> results)
      : kernel_function(std::move(function), false, false, fast_math, arguments),
        name_(text_of(nb::object(python().attr("__name__")))),
        with_signatures_(!arguments.empty()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) compile(std::move(arguments[i]), results[i]);
  }

  std::size_t inputs() { return source()->source.parameters.size(); }

  nb::object call(nb::args arguments, nb::object out, nb::object layout) {
    call_operands operands;
    read(arguments, operands);
    const ref<const array::user_function> f = find(operands.types);
    if (operands.numbers_only) {
      operands.made.push_back(array::full({}, operands.numbers[0], f->from[0], {default_queue()}));
      operands.given[0] = {.array = &operands.made[0]};
    }
    array::element_options options{.layout = order_from(layout, name_.c_str()), .type = {}};
    options.out = optional_array(out, name_.c_str(), "out");
    ndarray result = without_gil([&] { return array::apply(f, operands.given, options); });
    if (options.out) return nb::borrow(out);
    if (operands.numbers_only) return to_numpy(result)[nb::tuple()];
    return to_python(std::move(result), operands.whose);
  }

  std::vector<std::string> types() const {
    std::vector<std::string> all;
    for (const overload &o : overloads_) {
      std::string text;
      for (const type t : o.arguments) text += code_of(t->element);
      text = text + "->" + code_of(o.function->to);
      if (std::ranges::find(all, text) == all.end())
        all.push_back(text);  // overloads for Python's numbers have the same codes
    }
    return all;
  }

private:
  const std::string name_;
  const bool with_signatures_;
  std::vector<overload> overloads_;

  void read(nb::args arguments, call_operands &operands) {
    if (arguments.size() != inputs())
      throw type_error(name_ + "() takes " + std::to_string(inputs()) + " operands, got " +
                       std::to_string(arguments.size()));
    operands.numbers.resize(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      PyObject *const x = arguments[i].ptr();
      if (is_array(x)) {
        operands.given.push_back({.array = &array_of(x)});
        operands.types.push_back(pykernel::scalar_type(array_of(x).type()));
        operands.whose = std::max(operands.whose, package_of(x));
        operands.numbers_only = false;
      } else if (const std::optional<number> n = number_from(x)) {
        operands.numbers[i] = n->value;
        operands.given.push_back({.number = &operands.numbers[i]});
        operands.types.push_back(type_of_number(*n));
      } else {
        throw type_error(name_ + ": operand " + std::to_string(i + 1) + " must be an array or a number, got " +
                         type_of(x) + "; convert it with dpnp.asarray");
      }
    }
  }

  /// The overload for operands of these types. Without signatures it is compiled if it does not exist.
  ref<const array::user_function> find(const std::vector<type> &given) {
    for (const overload &o : overloads_)
      if (o.arguments == given) return o.function;
    if (!with_signatures_) return compile(given, nullptr);
    // An exact match first, then a lossless cast, then a cast within a kind.
    for (const array::casting how : {array::casting::equiv, array::casting::safe, array::casting::same_kind})
      for (const overload &o : overloads_)
        if (fits(given, o.arguments, how)) return o.function;
    std::string types, known;
    for (const type t : given) types += (types.empty() ? "" : ", ") + display_name(t);
    for (const overload &o : overloads_) {
      known += known.empty() ? "(" : ", (";
      for (const type t : o.arguments) known += (known.ends_with('(') ? "" : ", ") + display_name(t);
      known += ")";
    }
    raise("typing",
          name_ + ": operands (" + types + ") cannot be cast within their kinds to those of a signature: " + known);
  }

  static bool fits(const std::vector<type> &given, const std::vector<type> &wanted, array::casting how) {
    if (given.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const dtype from = given[i]->element, to = wanted[i]->element;
      const bool fit = given[i]->weak ? rank_of(kind_of(from)) <= rank_of(kind_of(to)) : array::can_cast(from, to, how);
      if (!fit) return false;
    }
    return true;
  }

  ref<const array::user_function> compile(std::vector<type> arguments, type result) {
    const std::shared_ptr<const pykernel::callable> f = source();
    pykernel::compile_request request{.function = *f, .arguments = arguments, .elementwise = true, .result = result};
    try {
      auto made = pykernel::make_user_function(*pykernel::translate(request), arguments);
      return overloads_.emplace_back(std::move(arguments), std::move(made)).function;
    } catch (const pykernel::compile_error &e) {
      raise(e);
    }
  }
};

type number_type(nb::handle x, const char *what) {
  const type t = signature_type(x);
  if (!pykernel::is_scalar(t))
    raise("argument",
          std::string(what) + " of an element function's signature must be a number's type, got " + display_name(t));
  return t;
}

}  // namespace

void bind_vectorized_function(nb::module_ &m) {
  nb::class_<vectorized_function, kernel_function>(
      m, "VectorizedFunction", "A Python function of scalars that is applied to the elements of arrays.")
      .def(
          "__init__",
          [](vectorized_function *self, nb::object function, nb::sequence signatures, nb::handle fastmath) {
            std::vector<std::vector<type>> arguments;
            std::vector<type> results;
            for (nb::handle signature : signatures) {
              arguments.emplace_back();
              for (nb::handle t : nb::object(signature[0])) arguments.back().push_back(number_type(t, "an argument"));
              results.push_back(signature[1].is_none() ? nullptr : number_type(signature[1], "the result"));
            }
            new (self) vectorized_function(std::move(function), fast_math_of(fastmath), std::move(arguments),
                                           std::move(results));
          },
          "function"_a, "signatures"_a, "fastmath"_a = nb::tuple())
      .def("__call__", &vectorized_function::call, "operands"_a, nb::kw_only(), "out"_a = nb::none(), "order"_a = "K",
           nb::sig("def __call__(self, *operands: object, out: object = None, order: str = 'K') -> object"),
           "Apply the function to the operands' elements.")
      .def_prop_ro("nin", &vectorized_function::inputs, "Number of operands.")
      .def_prop_ro("types", &vectorized_function::types, nb::sig("def types(self) -> list[str]"),
                   "The types that it was compiled for, as NumPy's type codes.");
}

}  // namespace dpep::python
