// dpep._kernel.Function: a Python function, its specialisations and their inspection.
#include "kernels.hpp"

#include <algorithm>
#include <cstdlib>

#include <dpep/kernel_reports.hpp>

namespace dpep::python {
namespace {

PyTypeObject *function_type = nullptr;

nb::tuple texts_of(const specialisation &s) {
  nb::list texts;
  for (const pykernel::type t : s.arguments) texts.append(pykernel::text_of(t));
  return nb::tuple(texts);
}

/// What the code of a kernel shows about its first parameter.
enum class first_parameter : std::uint8_t { unknown, item, other };

/// An item has methods `get_…`; arrays and numbers are indexed, and are operands.
first_parameter use_of(const std::string &name, const pykernel::expression &e) {
  using kind = pykernel::expression::kind;
  const auto is_parameter = [&](const pykernel::expression_pointer &p) {
    return p && p->what == kind::name && p->text == name;
  };
  if (!e.parts.empty() && is_parameter(e.parts[0])) {
    if (e.what == kind::attribute && e.text.starts_with("get_")) return first_parameter::item;
    if (e.what == kind::subscript || (e.what == kind::attribute && e.text == "shape")) return first_parameter::other;
  }
  if ((e.what == kind::binary || e.what == kind::compare) && std::ranges::any_of(e.parts, is_parameter))
    return first_parameter::other;
  for (const pykernel::expression_pointer &part : e.parts)
    if (const first_parameter found = part ? use_of(name, *part) : first_parameter::unknown;
        found != first_parameter::unknown)
      return found;
  return first_parameter::unknown;
}

first_parameter use_of(const std::string &name, const pykernel::block &statements) {
  for (const pykernel::statement &s : statements) {
    for (const pykernel::expression_pointer &part : s.parts)
      if (const first_parameter found = part ? use_of(name, *part) : first_parameter::unknown;
          found != first_parameter::unknown)
        return found;
    for (const pykernel::block *inner : {&s.body, &s.otherwise})
      if (const first_parameter found = use_of(name, *inner); found != first_parameter::unknown) return found;
  }
  return first_parameter::unknown;
}

/// A dictionary of the texts of all specialisations, or the text of one.
nb::object inspect(const kernel_function &f, const nb::object &signature,
                   const std::function<std::string(const specialisation &)> &text) {
  if (!f.is_kernel())
    throw type_error("inspect: device functions are inlined into the kernels that call them; inspect those");
  nb::dict all;
  for (const auto &s : f.all()) {
    const nb::tuple types = texts_of(*s);
    if (signature.is_none())
      all[types] = text(*s);
    else if (types.equal(signature))
      return nb::cast(text(*s));
  }
  if (!signature.is_none())
    throw value_error("the kernel was not compiled for " + text_of(nb::repr(signature)) +
                      ": its attribute specialisations has what it was compiled for");
  return all;
}

}  // namespace

bool checks_are_on() {
  static const bool on = [] {
    const char *const text = std::getenv("DPEP_CHECK");
    return text && *text && *text != '0' && std::string_view(text) != "memory";
  }();
  return on;
}

pykernel::type signature_type(nb::handle x) {
  if (PyUnicode_Check(x.ptr())) {
    const std::string text = text_of(x);
    // "Item(2)" or "item2".
    if (const bool grouped = text.starts_with("NdItem") || text.starts_with("nditem");
        grouped || text.starts_with("Item") || text.starts_with("item")) {
      const std::size_t digit = text.find_first_of("123");
      const int dimensions = digit == text.npos ? 1 : text[digit] - '0';
      return pykernel::simple_type(
          grouped ? pykernel::type_properties::kind::nd_item : pykernel::type_properties::kind::item, dimensions);
    }
    if (text == "none") return pykernel::none_type();
    if (const auto t = pykernel::type_from_text(text)) return *t;
    raise("argument",
          "'" + text + "' is not a type of a kernel's argument: write 'float32', 'array(float32, 1, C)' or 'Item(1)'");
  }
  const pykernel::entity e = entity_of(x);
  if (e.what == pykernel::entity::kind::data_type) return pykernel::scalar_type(e.element, e.weak);
  if (e.what == pykernel::entity::kind::number) return pykernel::scalar_type(e.element, e.weak);
  raise("argument",
        "expected a type of an argument, such as 'float32' or 'array(float32, 1, C)', got " + text_of(nb::repr(x)));
}

std::uint8_t fast_math_of(nb::handle names) {
  constexpr std::pair<std::string_view, std::uint8_t> known[] = {
      {"nnan", pykernel::nnan},       {"ninf", pykernel::ninf},         {"nsz", pykernel::nsz},
      {"arcp", pykernel::arcp},       {"contract", pykernel::contract}, {"afn", pykernel::afn},
      {"reassoc", pykernel::reassoc}, {"fast", pykernel::all_fast_math}};
  std::uint8_t flags = 0;
  for (nb::handle name : names) {
    const std::string text = text_of(nb::isinstance<nb::str>(name) ? nb::borrow(name) : nb::object(nb::repr(name)));
    const auto *const found = std::ranges::find(known, text, &std::pair<std::string_view, std::uint8_t>::first);
    if (found == std::end(known))
      throw value_error("fastmath: " + text +
                        " is not a flag: use fast, nnan, ninf, nsz, arcp, contract, afn or reassoc");
    flags |= found->second;
  }
  return flags;
}

/// The number of a function's last parameters that all have defaults.
static std::size_t last_defaults(nb::handle function) {
  const auto count = [](const nb::object &of) { return of.is_none() ? 0 : nb::len(of); };
  const std::size_t by_name = count(function.attr("__kwdefaults__"));
  if (by_name < nb::cast<std::size_t>(function.attr("__code__").attr("co_kwonlyargcount"))) return 0;
  return by_name + count(function.attr("__defaults__"));
}

kernel_function::kernel_function(nb::object function, bool is_kernel, bool debug, std::uint8_t fast_math,
                                 std::vector<std::vector<pykernel::type>> signatures)
    : function_(std::move(function)),
      is_kernel_(is_kernel),
      debug_(debug),
      fast_math_(fast_math),
      signatures_(std::move(signatures)) {
  if (!PyFunction_Check(function_.ptr()))
    throw type_error("Function: expected a Python function, got " + type_of(function_));
  const nb::object code = function_.attr("__code__");
  parameters_ = nb::cast<std::size_t>(code.attr("co_argcount")) + nb::cast<std::size_t>(code.attr("co_kwonlyargcount"));
  defaults_ = last_defaults(function_);
  const nb::object annotations = nb::getattr(function_, "__annotations__", nb::none());
  if (!parameters_ || annotations.is_none()) return;
  const nb::object first = nb::object(annotations.attr("get")(nb::object(nb::object(code.attr("co_varnames"))[0])));
  const std::string text = text_of(PyUnicode_Check(first.ptr()) ? nb::str(first) : nb::repr(first));
  item_by_annotation_ = text.find("Item") != text.npos;
}

const std::shared_ptr<const pykernel::callable> &kernel_function::source() {
  if (source_) return source_;
  try {
    auto read = read_function(function_);
    if (!is_kernel_) read->signatures = signatures_;
    read->fast_math = fast_math_;
    source_ = std::move(read);
  } catch (const pykernel::compile_error &e) {
    raise(e);
  }
  return source_;
}

bool kernel_function::takes_item(std::size_t given) {
  if (given >= parameters_) return false;
  if (given + defaults_ < parameters_) return true;
  if (item_by_annotation_) return true;
  // The missing argument is the work-item, or has a default.
  if (!item_by_use_) {
    const pykernel::function_source &read = source()->source;
    item_by_use_ = use_of(read.parameters[0].name, read.body) == first_parameter::item;
  }
  return *item_by_use_;
}

const specialisation &kernel_function::find(std::span<const std::uint64_t> key,
                                            const std::function<std::vector<pykernel::type>()> &types) {
  const auto fits = [&](const specialisation &s) { return std::ranges::equal(s.key, key); };
  if (last_ && fits(*last_)) [[likely]]
    return *last_;
  const auto found = [&]() -> const specialisation * {
    for (const auto &s : all_)
      if (fits(*s)) return last_ = s.get();
    return nullptr;
  };
  if (const specialisation *s = found()) return *s;
  if (!signatures_.empty() && !compiling_signature_) {
    const kernel_key strong = without_weak_numbers(key);
    for (const auto &s : all_)
      if (s->key == strong) return *s;
    // A read-only array matches a writable one in a signature; compiling for it reports if the kernel writes to it.
    const kernel_key writable = with_writable_arrays(strong);
    for (const auto &s : all_)
      if (s->key == writable) {
        std::vector<pykernel::type> read_only = s->arguments;
        std::size_t i = 0;
        for (const pykernel::type t : types()) {
          pykernel::type &wanted = read_only[i++];
          if (pykernel::is_array(t) && !t->writable)
            wanted = pykernel::array_type(wanted->element, wanted->dimensions, wanted->layout, wanted->space, false);
        }
        return make(strong, std::move(read_only));
      }
    std::string given;
    for (const pykernel::type t : types())
      given += (given.empty() ? "" : ", ") + (pykernel::is_scalar(t) ? display_name(t) : pykernel::text_of(t));
    raise("typing", "kernel '" + text_of(nb::object(function_.attr("__name__"))) +
                        "' is compiled for its signatures only, and none matches (" + given +
                        "): convert the arguments, or add a signature");
  }
  return make(key, types());
}

const specialisation &kernel_function::make(std::span<const std::uint64_t> key, std::vector<pykernel::type> types) {
  const launch_form form = launch_form::of(key[0]);
  auto made = std::make_unique<specialisation>();
  made->key.assign(key.begin(), key.end());
  made->arguments = std::move(types);
  const std::shared_ptr<const pykernel::callable> f = source();
  if (is_kernel_ && !form.single_task) check_first_parameter(f->source, made->arguments);
  try {
    made->ir = pykernel::translate({.function = *f,
                                    .arguments = made->arguments,
                                    .dimensions = form.dimensions,
                                    .grouped = form.grouped,
                                    .check = checks_are_on(),
                                    .single_task = form.single_task,
                                    .debug = debug_ || pykernel::debugging_enabled()});
  } catch (const pykernel::compile_error &e) {
    raise(e);
  }
  made->compiled = without_gil([&] { return pykernel::make_kernel(made->ir); });
  for (const auto &s : all_)
    if (std::ranges::equal(s->key, key)) return *(last_ = s.get());  // another thread compiled the same
  all_.push_back(std::move(made));
  return *(last_ = all_.back().get());
}

void kernel_function::check_count(std::size_t given, bool takes_item) const {
  const bool too_many = item_by_annotation_ ? given >= parameters_ : given > parameters_;
  if (!too_many && given + takes_item + defaults_ >= parameters_) return;
  refuse_count(given, takes_item || item_by_annotation_);
}

void kernel_function::check_first_parameter(const pykernel::function_source &source,
                                            const std::vector<pykernel::type> &types) const {
  if (item_by_annotation_ || types.empty() || source.parameters.empty()) return;
  const bool given_item = pykernel::is_item(types[0]);
  const first_parameter use = use_of(source.parameters[0].name, source.body);
  if (use == (given_item ? first_parameter::other : first_parameter::item))
    refuse_count(types.size() - given_item, !given_item);
}

void kernel_function::refuse_count(std::size_t given, bool has_item) const {
  const std::size_t wanted = parameters_ - has_item;
  raise("typing", "kernel '" + text_of(nb::object(function_.attr("__name__"))) + "' takes " +
                      (wanted - std::min(wanted, defaults_) < wanted ? "up to " : "") + std::to_string(wanted) +
                      (wanted == 1 ? " argument" : " arguments") +
                      (wanted < parameters_ ? " beside the work-item, which the launch adds" : "") + ", got " +
                      std::to_string(given));
}

void kernel_function::compile(const launch_form &form, const std::vector<pykernel::type> &types) {
  compiling_signature_ = true;
  try {
    find(key_of(form, types), [&] { return types; });
  } catch (...) {
    compiling_signature_ = false;
    throw;
  }
  compiling_signature_ = false;
}

kernel_function *kernel_function_of(PyObject *x) noexcept {
  if (!function_type || !PyObject_TypeCheck(x, function_type)) return nullptr;
  return nb::inst_ptr<kernel_function>(nb::handle(x));
}

void bind_kernel_function(nb::module_ &m) {
  nb::class_<kernel_function> type(m, "Function", nb::dynamic_attr(), nb::is_weak_referenceable(),
                                   "A Python function that is compiled: a kernel, or a function that kernels call.");
  function_type = reinterpret_cast<PyTypeObject *>(type.inc_ref().ptr());
  type.def(
          "__init__",
          [](kernel_function *self, nb::object function, const std::string &kind, nb::object options) {
            if (kind != "kernel" && kind != "device")
              throw value_error("Function: kind must be 'kernel' or 'device', got '" + kind + "'");
            std::vector<std::vector<pykernel::type>> signatures;
            if (!options.is_none() && nb::cast<bool>(options.attr("__contains__")("signatures")))
              for (nb::handle types : nb::object(options["signatures"])) {
                signatures.emplace_back();
                for (nb::handle t : types) signatures.back().push_back(signature_type(t));
              }
            const auto option = [&](const char *name, nb::object otherwise) {
              return options.is_none() ? otherwise : nb::object(options.attr("get")(name, otherwise));
            };
            const bool debug = nb::cast<bool>(option("debug", nb::bool_(false)));
            const std::uint8_t fast_math = fast_math_of(option("fastmath", nb::tuple()));
            new (self) kernel_function(std::move(function), kind == "kernel", debug, fast_math, std::move(signatures));
          },
          "function"_a, "kind"_a = "kernel", nb::kw_only(), "options"_a = nb::none())
      .def_prop_ro("py_func", &kernel_function::python, "The Python function.")
      .def(
          "__reduce__", [](const kernel_function &self) { return nb::object(self.python().attr("__qualname__")); },
          nb::sig("def __reduce__(self) -> str"),
          "As functions, it is pickled by its name, and copies are the same object.")
      .def_prop_ro("kind", [](const kernel_function &self) { return self.is_kernel() ? "kernel" : "device"; })
      .def_prop_ro(
          "specialisations",
          [](const kernel_function &self) {
            nb::list list;
            for (const auto &s : self.all()) list.append(texts_of(*s));
            return list;
          },
          nb::sig("def specialisations(self) -> list[tuple[str, ...]]"), "The argument types that it was compiled for.")
      .def(
          "compile",
          [](kernel_function &self, nb::sequence types, int dimensions, bool grouped) {
            launch_form form{dimensions, grouped, false};
            std::vector<pykernel::type> list;
            for (nb::handle x : types) list.push_back(signature_type(x));
            for (const pykernel::type t : list) {
              const bool nd = t->what == pykernel::type_properties::kind::nd_item;
              if (nd || t->what == pykernel::type_properties::kind::item)
                form.dimensions = t->dimensions, form.grouped = nd;
            }
            self.compile(form, list);
          },
          "argument_types"_a, "dimensions"_a = 1, "grouped"_a = false,
          "Compile for argument types: texts such as 'array(float32, 1, C)', or dtypes.")
      .def(
          "inspect_code",
          [](const kernel_function &self) {
            nb::dict all;
            for (const auto &s : self.all()) all[texts_of(*s)] = pykernel::text_of(*s->ir, true);
            return all;
          },
          "Return the compiler's intermediate form of each specialisation.")
      .def(
          "inspect_ir",
          [](const kernel_function &self, nb::object signature) {
            return inspect(self, signature, [](const specialisation &s) { return pykernel::llvm_ir_text(*s.ir); });
          },
          "signature"_a = nb::none(),
          nb::sig("def inspect_ir(self, signature: tuple[str, ...] | None = None) -> dict[tuple[str, ...], str] | str"),
          "Return the LLVM IR of each specialisation, by its argument types, before the JIT's passes. With a "
          "signature, "
          "which is one of `specialisations`, return only its IR.")
      .def(
          "inspect_asm",
          [](const kernel_function &self, nb::object signature) {
            return inspect(self, signature, [](const specialisation &s) {
              const launch_form form = launch_form::of(s.key[0]);
              return without_gil([&] { return pykernel::assembly_text(s.compiled, form.dimensions, form.grouped); });
            });
          },
          "signature"_a = nb::none(),
          nb::sig(
              "def inspect_asm(self, signature: tuple[str, ...] | None = None) -> dict[tuple[str, ...], str] | str"),
          "Return the machine code of each specialisation as assembly, for each device and size of work-groups that it "
          "was launched with, by its argument types. With a signature, return only its assembly. A specialisation that "
          "was not "
          "launched yet is compiled for the default device.")
      .def(
          "inspect_reports",
          [](const kernel_function &self) {
            nb::dict all;
            for (const auto &s : self.all()) {
              nb::list reports;
              for (const kernel_report &r : reports_of(s->compiled)) {
                nb::dict report;
                report["vector_width"] = r.vector_width;
                report["static_local_bytes"] = r.static_local_bytes;
                report["uses_barriers"] = r.uses_barriers;
                report["remarks"] = r.remarks;
                reports.append(report);
              }
              all[texts_of(*s)] = reports;
            }
            return all;
          },
          nb::sig("def inspect_reports(self) -> dict[tuple[str, ...], list[dict[str, object]]]"),
          "Return a report for each specialisation, and each device and shape of its launches: how many "
          "work-items a vector has (1: scalar code), the size of its local memory, and remarks on code that stayed "
          "scalar.");
}

}  // namespace dpep::python
