// The printer: statements.
#include "spmd/random_kernel/printer.hpp"

#include <algorithm>

namespace dpep::test::random_program {
namespace {

std::string variable_of(type of) { return "%v" + std::to_string(std::ranges::find(variables, of) - variables.begin()); }

}  // namespace

void printer::print(const block &body) {
  for (const statement &each : body) print(each);
}

void printer::print(const statement &s) {
  switch (s.what) {
  case action::assign:
    return store(variables[s.number], evaluate(s.value), "%v" + decimal(s.number));
  case action::assign_uniform:
    return store(uniform_variables[s.number], evaluate(s.value), "%u" + decimal(s.number));
  case action::assign_array: {
    const text value = evaluate(s.value);
    return store(arrays[s.number].of, value,
                 array_element(s.number, masked(evaluate(s.index), arrays[s.number].length)));
  }
  case action::store: {
    const text value = evaluate(s.value);
    return store(s.of, value, own_element(s.of, masked(evaluate(s.index), own_elements)));
  }
  case action::store_all: {
    const text value = evaluate(s.value);
    for (unsigned i = 0; i < own_elements; ++i) {
      const unsigned which = i ^ s.number;
      const text x =
          assign(text(is_float(s.of) ? "fadd " : "add ") + name_of(s.of) + " " + value + ", " + constant(s.of, which));
      store(s.of, x, own_element(s.of, decimal(which)));
    }
    return;
  }
  case action::store_pair: {
    const text of = text("<2 x ") + name_of(s.of) + ">", value = evaluate(s.value);
    const text first = assign("insertelement " + of + " poison, " + name_of(s.of) + " " + value + ", i32 0");
    const text both =
        assign("insertelement " + of + " " + first + ", " + name_of(s.of) + " " + constant(s.of, 1) + ", i32 1");
    return line("store " + of + " " + both + ", ptr " + own_element(s.of, decimal(2 * s.number)) + ", align " +
                decimal(bytes_of(s.of)));
  }
  case action::store_same: {
    const text value = evaluate(s.value);
    const text index = assign("add i64 " + assign("mul i64 %grp, 4") + ", " + decimal(s.number));
    return store(type::i32, value, element("i32", "%words", index));
  }
  case action::branch:
    return print_branch(condition(s.value), s);
  case action::branch_same: {
    const text same = load(type::i32, element("i32", "%same", "%g"));
    return print_branch(assign("icmp ne i32 " + assign("and i32 " + same + ", " + decimal(s.number)) + ", 0"), s);
  }
  case action::branch_ids:
    return print_branch(test_of_ids(s), s);
  case action::choose:
    return print_choice(s);
  case action::loop:
    return print_loop(s);
  case action::break_loop:
    return jump_if(s.value, loops_.back().done);
  case action::continue_loop:
    return jump_if(s.value, loops_.back().next);
  case action::return_item: {
    const text gone = name("gone"), stay = name("stay");
    line("br i1 " + condition(s.value) + ", label " + gone + ", label " + stay + "\n" + label(gone) + "\nret void");
    return line(label(stay));
  }
  case action::barrier:
    return barrier();
  case action::exchange:
    return print_exchange(s);
  case action::call:
  case action::leader:
  case action::tree:
  case action::scan:
  case action::scan_in_steps:
  case action::sort: {
    const text value = "i32 " + evaluate(s.value), location = ", i64 %l, i64 %n";
    const text made =
        assign(s.what == action::call
                   ? "call i32 @exchange(ptr %local, " + value + location + ", i64 " + decimal(s.number) + ")"
               : s.what == action::leader        ? "call i32 @sum_by_leader(ptr %local, " + value + location + ")"
               : s.what == action::tree          ? "call i32 @sum_by_tree(" + value + location + ")"
               : s.what == action::sort          ? "call i32 @sort(ptr %local, " + value + location + ")"
               : s.what == action::scan_in_steps ? "call i32 @scan_in_steps(ptr %local, " + value + location + ")"
                                                 : "call i32 @scan_by_leader(" + value + location + ")");
    return store(type::i32, made, "%v" + decimal(s.number % 3));
  }
  case action::tiles: {
    const text of = name_of(s.of), value = evaluate(s.value);
    return store(s.of,
                 assign("call " + of + " @tiles_" + of + "(ptr %local, " + of + " " + value +
                        ", i64 %l, i64 %n, i64 %local_id0, i64 %local_size0, i64 " + decimal(s.number) + ")"),
                 variable_of(s.of));
  }
  case action::shuffle:
  case action::sub_group_exchange:
    return print_sub_group(s);
  case action::count:
  case action::own_atomic:
  case action::own_compare_exchange:
  case action::count_local:
    return print_atomic(s);
  case action::histogram:
    return print_histogram(s);
  }
}

void printer::print_branch(const text &condition, const statement &s) {
  const text yes = name("yes"), no = name("no"), meet = name("meet");
  line("br i1 " + condition + ", label " + yes + ", label " + no + "\n" + label(yes));
  print(s.body);
  line("br label " + meet + "\n" + label(no));
  print(s.other);
  line("br label " + meet + "\n" + label(meet));
}

printer::text printer::test_of_ids(const statement &s) {
  const text id = s.how ? "%g" : "%l", bound = masked(evaluate(s.value), id_bound);
  const auto compare = [&](const char *how, const text &x, const text &y) {
    return assign(text("icmp ") + how + " i64 " + x + ", " + y);
  };
  switch (static_cast<id_test>(s.number)) {
  case id_test::below:
    return compare("ult", id, bound);
  case id_test::at_least:
    return compare("sge", id, bound);
  case id_test::at_most:
    return compare("uge", bound, id);
  case id_test::has_bits:
    return compare("ne", assign("and i64 " + id + ", " + bound), "0");
  case id_test::lacks_bits:
    return compare("eq", assign("and i64 " + bound + ", " + id), "0");
  case id_test::in_int:
    break;
  }
  return assign("icmp sgt i32 " + assign("trunc i64 " + id + " to i32") + ", " +
                assign("trunc i64 " + bound + " to i32"));
}

void printer::print_choice(const statement &s) {
  const text which = assign("and i32 " + evaluate(s.value) + ", 7"), meet = name("meet");
  std::vector<text> labels;
  for (std::size_t i = 0; i < s.cases.size(); ++i) labels.push_back(name("case"));
  text choice = "switch i32 " + which + ", label " + meet + " [";
  for (unsigned k = 0; k < 8; ++k)
    if (const unsigned body = k % (static_cast<unsigned>(s.cases.size()) + 1); body < s.cases.size())
      choice += " i32 " + decimal(k) + ", label " + labels[body];
  line(choice + "]");
  for (std::size_t i = 0; i < s.cases.size(); ++i) {
    line(label(labels[i]));
    print(s.cases[i]);
    line("br label " + meet);
  }
  line(label(meet));
}

void printer::print_loop(const statement &s) {
  const text head = name("head"), body = name("body"), next = name("next"), done = name("done");
  const text counter = "%c" + decimal(loops_.size());
  const text trips = assign("and i32 " + evaluate(s.index) + ", 3");
  store(type::i32, "0", counter);
  line("br label " + (s.how == 0 ? body : head));
  if (s.how != 0) {
    line(label(head));
    const text more = assign("icmp ult i32 " + load(type::i32, counter) + ", " + trips);
    if (s.how == 1) {
      line("br i1 " + more + ", label " + body + ", label " + done);
    } else {
      const text test = name("test");
      line("br i1 " + more + ", label " + test + ", label " + done + "\n" + label(test));
      line("br i1 " + condition(s.value) + ", label " + done + ", label " + body);
    }
  }
  line(label(body));
  loops_.push_back({next, done});
  print(s.body);
  loops_.pop_back();
  line("br label " + next + "\n" + label(next));
  const text count = assign("add i32 " + load(type::i32, counter) + ", 1");
  store(type::i32, count, counter);
  if (s.how == 0)
    line("br i1 " + assign("icmp ule i32 " + count + ", " + trips) + ", label " + body + ", label " + done);
  else
    line("br label " + head);
  line(label(done));
}

void printer::jump_if(const expression &when, const text &target) {
  const text stay = name("stay");
  line("br i1 " + condition(when) + ", label " + target + ", label " + stay + "\n" + label(stay));
}

std::string printer::own_element(type of, const text &index) {
  return element(name_of(of), number(of, "out"), assign("add i64 %own, " + index));
}

std::string printer::local_slot(local_index how, const statement &s, const text &own, const text &size) {
  const text c = decimal(s.number);
  switch (how) {
  case local_index::own:
    return own;
  case local_index::reversed:
    return assign("sub i64 " + assign("sub i64 " + size + ", 1") + ", " + own);
  case local_index::flipped: {
    const text other = assign("xor i64 " + own + ", " + c);
    return assign("select i1 " + assign("icmp ult i64 " + other + ", " + size) + ", i64 " + other + ", i64 " + own);
  }
  case local_index::shifted:
    return assign("urem i64 " + assign("add i64 " + own + ", " + c) + ", " + size);
  case local_index::multiple:
    return assign("urem i64 " + assign("mul i64 " + own + ", " + c) + ", " + size);
  case local_index::computed:
    return assign("urem i64 " + wide(evaluate(s.index)) + ", " + size);
  }
  return {};
}

void printer::print_exchange(const statement &s) {
  const text of = name_of(s.of), value = evaluate(s.value);
  store(s.of, value, element(of, "%local", local_slot(s.write, s, "%l", "%n")));
  barrier();
  const text taken = load(s.of, element(of, "%local", local_slot(s.read, s, "%l", "%n")));
  store(s.of, taken, variable_of(s.of));
  barrier();
}

void printer::print_sub_group(const statement &s) {
  const text of = name_of(s.of), value = evaluate(s.value);
  const text lane = wide("%lane"), size = wide("%sg.size"), from = local_slot(s.read, s, lane, size);
  if (s.what == action::sub_group_exchange) {
    const text half = element("i64", "%local", "%n"), first = assign("sub i64 %l, " + lane);
    store(s.of, value, element(of, half, "%l"));
    line("call void @__dpep_sub_group_barrier()");
    store(s.of, load(s.of, element(of, half, assign("add i64 " + first + ", " + from))), variable_of(s.of));
    return line("call void @__dpep_sub_group_barrier()");
  }
  const text number = assign("trunc i64 " + from + " to i32");
  if (s.of == type::i64) {
    const text taken = assign("call i64 @__dpep_sub_group_shuffle64(i64 " + value + ", i32 " + number + ")");
    return store(s.of, taken, variable_of(s.of));
  }
  const text given = s.of == type::f32 ? assign("bitcast float " + value + " to i32") : value;
  const text taken = assign("call i32 @__dpep_sub_group_shuffle32(i32 " + given + ", i32 " + number + ")");
  store(s.of, s.of == type::f32 ? assign("bitcast i32 " + taken + " to float") : taken, variable_of(s.of));
}

void printer::print_atomic(const statement &s) {
  const text of = name_of(s.of), value = evaluate(s.value), align = " monotonic, align " + decimal(bytes_of(s.of));
  const auto update = [&](unsigned how, const text &address) {
    return assign(text("atomicrmw ") + atomic_names[how] + " ptr " + address + ", " + of + " " + value + align);
  };
  if (s.what == action::count) {
    const text base = s.of == type::i32 ? "%counts32" : "%counts64";
    const text bin = assign("add i64 " + masked(evaluate(s.index), bins) + ", " + decimal(s.how * bins));
    update(s.how, element(of, base, bin));
  } else if (s.what == action::count_local) {
    update(histogram_how_, element(of, "%bins", masked(evaluate(s.index), bins)));
  } else if (s.what == action::own_atomic) {
    store(s.of, update(s.how, own_element(s.of, decimal(s.number))), variable_of(s.of));
  } else {
    const text address = own_element(s.of, decimal(s.number)), here = load(s.of, address);
    const text expected = assign("select i1 " + condition(s.value) + ", " + of + " " + here + ", " + of + " " + value);
    const text both =
        assign("cmpxchg ptr " + address + ", " + of + " " + expected + ", " + of + " " + value + " monotonic" + align);
    const text old = assign("extractvalue {" + of + ", i1} " + both + ", 0");
    const text done = assign("zext i1 " + assign("extractvalue {" + of + ", i1} " + both + ", 1") + " to " + of);
    store(s.of, assign("add " + of + " " + old + ", " + done), variable_of(s.of));
  }
}

void printer::print_histogram(const statement &s) {
  const text leads = name("leads"), met = name("met");
  line("br i1 " + assign("icmp eq i64 %l, 0") + ", label " + leads + ", label " + met + "\n" + label(leads));
  line("call void @llvm.memset.p0.i64(ptr align 16 %bins, i8 0, i64 64, i1 false)\nbr label " + met + "\n" +
       label(met));
  barrier();
  histogram_how_ = s.how;
  print(s.body);
  barrier();
  store(type::i32, load(type::i32, element("i32", "%bins", masked(evaluate(s.index), bins))), "%v1");
  barrier();
}

}  // namespace dpep::test::random_program
