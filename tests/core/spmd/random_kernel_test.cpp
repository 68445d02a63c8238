// Generator, printer and interpreter of random kernels, and the test that compares them with what the JIT makes.
#include "spmd/random_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr unsigned variables = 6;          // of a work-item
constexpr unsigned uniform_variables = 3;  // the same in all work-items of a group
constexpr unsigned array_size = 4;         // a private array, indexed by computed values

enum class leaf {
  constant,
  variable,
  uniform_variable,
  counter,
  local_id,
  global_id,
  group_id,
  local_size,
  in,
  table,
  array
};
enum class operation { add, sub, mul, exclusive_or, conjunction, shift, less, equal };

struct expression {
  bool is_leaf = true;
  leaf kind = leaf::constant;
  std::uint32_t number = 0;  // of the variable, or the constant
  operation how = operation::add;
  std::vector<expression> operands;
};

enum class action {
  assign,          // variable[number] = value
  assign_uniform,  // uniform_variable[number] = value
  assign_array,    // array[index] = value
  branch,          // if (value) body else other
  branch_same,     // if (same[i] & number) body else other: uniform by its data only
  loop,            // for (counter = 0; counter < trips; ++counter) { if (value) break; body }
  barrier,
  exchange,  // local[id] = value; barrier; variable[number] = local[(id + shift) % size]; barrier
  call,      // the same in a function
  leader,    // local[id] = value; barrier; if (id == 0) add them all into local[0]; barrier; read; barrier
  leave,     // if (value) return
};

}  // namespace

struct random_kernel::statement {
  action what = action::assign;
  std::uint32_t number = 0;
  expression value, trips;
  bool uniform = false;  // a loop that barriers may be in
  std::vector<statement> body, other;
};

namespace {

using statement = random_kernel::statement;

class generator {
public:
  explicit generator(std::uint32_t seed) : random_(seed) {}

  std::vector<statement> block(unsigned depth, bool together, unsigned loops) {
    std::vector<statement> made;
    for (unsigned n = 1 + below(depth > 2 ? 2 : 5); n-- > 0;) made.push_back(one(depth, together, loops));
    return made;
  }

private:
  statement one(unsigned depth, bool together, unsigned loops) {
    statement made;
    made.number = below(variables);
    const bool nested = depth < 4;
    for (;;) switch (below(14)) {
      case 0:
      case 1:
      case 2:
        made.value = any(loops, 3, false);
        return made;
      case 3:
        if (!together) continue;
        made.what = action::assign_uniform;
        made.number = below(uniform_variables);
        made.value = any(loops, 3, true);
        return made;
      case 4:
        made.what = action::assign_array;
        made.trips = any(loops, 2, false);
        made.value = any(loops, 2, false);
        return made;
      case 5:
      case 6: {
        if (!nested) continue;
        const bool uniform = together && below(2);
        made.what = action::branch;
        made.value = any(loops, 2, uniform);
        made.body = block(depth + 1, uniform, loops);
        if (below(2)) made.other = block(depth + 1, uniform, loops);
        return made;
      }
      case 7:
        if (!nested || !together) continue;
        made.what = action::branch_same;
        made.number = 1u << below(4);
        made.body = block(depth + 1, true, loops);
        if (below(2)) made.other = block(depth + 1, true, loops);
        return made;
      case 8:
      case 9: {
        if (!nested || loops == 3) continue;
        const bool uniform = together && below(3);
        made.what = action::loop;
        made.uniform = uniform;
        made.trips = any(loops, 2, uniform);
        if (below(3) == 0) {
          made.value = any(loops + 1, 2, uniform);
        } else {
          made.value = expression{};
        }
        made.body = block(depth + 1, uniform, loops + 1);
        return made;
      }
      case 10:
        if (!together) continue;
        made.what = action::barrier;
        return made;
      case 11:
      case 12:
        if (!together) continue;
        made.what = std::array{action::exchange, action::call, action::leader}[below(3)];
        made.value = any(loops, 3, false);
        made.trips = constant(1 + below(3));
        return made;
      case 13:
        if (!together || depth > 2 || below(4)) continue;
        made.what = action::leave;
        made.value = any(loops, 2, true);
        return made;
      }
  }

  expression any(unsigned loops, unsigned depth, bool uniform) {
    if (depth > 0 && below(3)) {
      expression made;
      made.is_leaf = false;
      made.how = static_cast<operation>(below(8));
      made.operands.push_back(any(loops, depth - 1, uniform));
      made.operands.push_back(made.how == operation::shift ? constant(below(8)) : any(loops, depth - 1, uniform));
      return made;
    }
    expression made;
    for (;;) {
      made.kind = static_cast<leaf>(below(11));
      switch (made.kind) {
      case leaf::constant:
        return constant(below(6));
      case leaf::counter:
        // Counters of loops that work-items run differently often aren't uniform.
        if (loops == 0 || uniform) continue;
        made.number = below(loops);
        return made;
      case leaf::uniform_variable:
        made.number = below(uniform_variables);
        return made;
      case leaf::table:
        made.operands.push_back(any(loops, 1, uniform));
        return made;
      case leaf::group_id:
      case leaf::local_size:
        return made;
      default:
        break;
      }
      if (uniform) continue;
      made.number = below(variables);
      if (made.kind == leaf::array) made.operands.push_back(any(loops, 1, false));
      return made;
    }
  }

  expression constant(std::uint32_t value) {
    expression made;
    made.number = value;
    return made;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  std::mt19937 random_;
};

/// Writes IR as a front end without any optimisation does: variables on the stack.
class printer {
public:
  std::string kernel(const std::vector<statement> &body) {
    line("define spir_kernel void @kernel(ptr %arguments) {");
    for (const char *name : {"in", "same", "table", "out"}) {
      line(std::string("%a.") + name + " = getelementptr ptr, ptr %arguments, i64 " + std::to_string(fields_++));
      line(std::string("%") + name + " = load ptr, ptr %a." + name);
    }
    line("%lid = call i64 @local_id()\n%lsz = call i64 @local_size()\n%grp = call i64 @__dpep_group_id(i32 0)");
    line("%before = mul i64 %grp, %lsz\n%gid = add i64 %before, %lid");
    line("%lid32 = trunc i64 %lid to i32\n%gid32 = trunc i64 %gid to i32\n%grp32 = trunc i64 %grp to i32");
    line("%lsz32 = trunc i64 %lsz to i32\n%local = call ptr @__dpep_local_memory()");
    for (unsigned i = 0; i < variables; ++i)
      line("%v" + std::to_string(i) + " = alloca i32\nstore i32 " + std::to_string(i) + ", ptr %v" + std::to_string(i));
    for (unsigned i = 0; i < uniform_variables; ++i)
      line("%u" + std::to_string(i) + " = alloca i32\nstore i32 " + std::to_string(i) + ", ptr %u" + std::to_string(i));
    for (unsigned i = 0; i < 3; ++i) line("%c" + std::to_string(i) + " = alloca i32");
    line("%array = alloca [4 x i32]\nstore [4 x i32] zeroinitializer, ptr %array");
    block(body, 0);
    finish();
    line("}");
    return text_ + functions;
  }

private:
  static constexpr const char *functions = R"(
define internal i64 @local_id() {
  %x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %sx = call i64 @__dpep_local_size(i32 0)
  %row = mul i64 %y, %sx
  %id = add i64 %row, %x
  ret i64 %id
}
define internal i64 @local_size() {
  %sx = call i64 @__dpep_local_size(i32 0)
  %sy = call i64 @__dpep_local_size(i32 1)
  %size = mul i64 %sx, %sy
  ret i64 %size
}
define internal i32 @exchange(ptr %local, i32 %value, i64 %shift) noinline {
  %id = call i64 @local_id()
  %size = call i64 @local_size()
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %next = add i64 %id, %shift
  %other = urem i64 %next, %size
  %theirs = getelementptr i32, ptr %local, i64 %other
  %result = load i32, ptr %theirs
  call void @__dpep_group_barrier()
  ret i32 %result
}
define internal i32 @sum_by_leader(ptr %local, i32 %value) {
  %id = call i64 @local_id()
  %size = call i64 @local_size()
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %loop, label %meet
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  %sum = phi i32 [0, %0], [%sum.next, %loop]
  %p = getelementptr i32, ptr %local, i64 %i
  %x = load i32, ptr %p
  %sum.next = add i32 %sum, %x
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %size
  br i1 %more, label %loop, label %store
store:
  store i32 %sum.next, ptr %local
  br label %meet
meet:
  call void @__dpep_group_barrier()
  %result = load i32, ptr %local
  call void @__dpep_group_barrier()
  ret i32 %result
}
)";

  void line(const std::string &text) { text_ += text + "\n"; }
  std::string name(const char *stem) { return std::string("%") + stem + "." + std::to_string(names_++); }
  static std::string label(const std::string &name) { return name.substr(1) + ":"; }
  std::string assign(const std::string &what) {
    const std::string result = name("x");
    line(result + " = " + what);
    return result;
  }
  std::string load(const std::string &place) { return assign("load i32, ptr " + place); }
  std::string element(const std::string &base, const std::string &index, std::uint32_t size) {
    const std::string cut = assign("and i32 " + index + ", " + std::to_string(size - 1));
    return assign("getelementptr i32, ptr " + base + ", i32 " + cut);
  }
  std::string condition(const expression &value) {
    const std::string x = evaluate(value);
    return assign("icmp ne i32 " + assign("and i32 " + x + ", 3") + ", 0");
  }

  std::string evaluate(const expression &e) {
    if (e.is_leaf) switch (e.kind) {
      case leaf::constant:
        return std::to_string(e.number);
      case leaf::variable:
        return load("%v" + std::to_string(e.number));
      case leaf::uniform_variable:
        return load("%u" + std::to_string(e.number));
      case leaf::counter:
        return load("%c" + std::to_string(e.number));
      case leaf::local_id:
        return "%lid32";
      case leaf::global_id:
        return "%gid32";
      case leaf::group_id:
        return "%grp32";
      case leaf::local_size:
        return "%lsz32";
      case leaf::in:
        return load(assign("getelementptr i32, ptr %in, i64 %gid"));
      case leaf::table:
        return load(element("%table", evaluate(e.operands[0]), 16));
      case leaf::array:
        return load(element("%array", evaluate(e.operands[0]), array_size));
      }
    const std::string x = evaluate(e.operands[0]), y = evaluate(e.operands[1]);
    switch (e.how) {
    case operation::add:
      return assign("add i32 " + x + ", " + y);
    case operation::sub:
      return assign("sub i32 " + x + ", " + y);
    case operation::mul:
      return assign("mul i32 " + x + ", " + y);
    case operation::exclusive_or:
      return assign("xor i32 " + x + ", " + y);
    case operation::conjunction:
      return assign("and i32 " + x + ", " + y);
    case operation::shift:
      return assign("lshr i32 " + x + ", " + y);
    case operation::less:
      return assign("zext i1 " + assign("icmp ult i32 " + x + ", " + y) + " to i32");
    case operation::equal:
      return assign("zext i1 " + assign("icmp eq i32 " + x + ", " + y) + " to i32");
    }
    return {};
  }

  void block(const std::vector<statement> &body, unsigned loops) {
    for (const statement &each : body) one(each, loops);
  }

  void branch(const std::string &condition, const statement &s, unsigned loops) {
    const std::string yes = name("yes"), no = name("no"), meet = name("meet");
    line("br i1 " + condition + ", label " + yes + ", label " + no + "\n" + label(yes));
    block(s.body, loops);
    line("br label " + meet + "\n" + label(no));
    block(s.other, loops);
    line("br label " + meet + "\n" + label(meet));
  }

  void one(const statement &s, unsigned loops) {
    const std::string number = std::to_string(s.number);
    switch (s.what) {
    case action::assign:
      return line("store i32 " + evaluate(s.value) + ", ptr %v" + number);
    case action::assign_uniform:
      return line("store i32 " + evaluate(s.value) + ", ptr %u" + number);
    case action::assign_array: {
      const std::string value = evaluate(s.value);
      return line("store i32 " + value + ", ptr " + element("%array", evaluate(s.trips), array_size));
    }
    case action::branch:
      return branch(condition(s.value), s, loops);
    case action::branch_same: {
      const std::string same = load(assign("getelementptr i32, ptr %same, i64 %gid"));
      return branch(assign("icmp ne i32 " + assign("and i32 " + same + ", " + number) + ", 0"), s, loops);
    }
    case action::loop: {
      const std::string head = name("head"), test = name("test"), body = name("body"), done = name("done");
      const std::string counter = "%c" + std::to_string(loops);
      const std::string trips = assign("and i32 " + evaluate(s.trips) + ", 3");
      line("store i32 0, ptr " + counter + "\nbr label " + head + "\n" + label(head));
      const std::string more = assign("icmp ult i32 " + load(counter) + ", " + trips);
      line("br i1 " + more + ", label " + test + ", label " + done + "\n" + label(test));
      line("br i1 " + condition(s.value) + ", label " + done + ", label " + body + "\n" + label(body));
      block(s.body, loops + 1);
      line("store i32 " + assign("add i32 " + load(counter) + ", 1") + ", ptr " + counter);
      return line("br label " + head + "\n" + label(done));
    }
    case action::barrier:
      return line("call void @__dpep_group_barrier()");
    case action::exchange: {
      line("store i32 " + evaluate(s.value) + ", ptr " + assign("getelementptr i32, ptr %local, i64 %lid"));
      line("call void @__dpep_group_barrier()");
      const std::string other =
          assign("urem i64 " + assign("add i64 %lid, " + std::to_string(s.trips.number)) + ", %lsz");
      line("store i32 " + load(assign("getelementptr i32, ptr %local, i64 " + other)) + ", ptr %v" + number);
      return line("call void @__dpep_group_barrier()");
    }
    case action::call: {
      const std::string value = evaluate(s.value);
      return line(
          "store i32 " +
          assign("call i32 @exchange(ptr %local, i32 " + value + ", i64 " + std::to_string(s.trips.number) + ")") +
          ", ptr %v" + number);
    }
    case action::leader: {
      const std::string value = evaluate(s.value);
      return line("store i32 " + assign("call i32 @sum_by_leader(ptr %local, i32 " + value + ")") + ", ptr %v" +
                  number);
    }
    case action::leave: {
      const std::string yes = name("leave"), no = name("stay");
      line("br i1 " + condition(s.value) + ", label " + yes + ", label " + no + "\n" + label(yes));
      finish();
      return line(label(no));
    }
    }
  }

  void finish() {
    std::string sum = "0";
    for (unsigned i = 0; i < variables; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " + load("%v" + std::to_string(i)));
    for (unsigned i = 0; i < uniform_variables; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " + load("%u" + std::to_string(i)));
    for (unsigned i = 0; i < array_size; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " +
                   load(element("%array", std::to_string(i), array_size)));
    line("store i32 " + sum + ", ptr " + assign("getelementptr i32, ptr %out, i64 %gid") + "\nret void");
  }

  std::string text_;
  unsigned names_ = 0, fields_ = 0;
};

struct work_item {
  std::array<std::uint32_t, variables> v{};
  std::array<std::uint32_t, uniform_variables> u{};
  std::array<std::uint32_t, 3> counter{};
  std::array<std::uint32_t, array_size> array{};
  std::uint32_t local_id = 0, global_id = 0;
};

/// Runs a work-group. Statements that work-items may run apart have no barriers inside, so each work-item runs those
/// alone; all others are run for all work-items before the next.
class interpreter {
public:
  interpreter(random_kernel_data &data, std::uint32_t group, std::uint32_t size)
      : data_(data), group_(group), items_(size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      work_item &item = items_[i];
      for (unsigned v = 0; v < variables; ++v) item.v[v] = v;
      for (unsigned u = 0; u < uniform_variables; ++u) item.u[u] = u;
      item.local_id = i;
      item.global_id = group * size + i;
    }
  }

  void run(const std::vector<statement> &body) {
    std::vector<work_item *> all;
    for (work_item &item : items_) all.push_back(&item);
    block(body, 0, all);
    for (work_item &item : items_) {
      std::uint32_t sum = 0;
      for (std::uint32_t x : item.v) sum = sum * 31 + x;
      for (std::uint32_t x : item.u) sum = sum * 31 + x;
      for (std::uint32_t x : item.array) sum = sum * 31 + x;
      data_.out[item.global_id] = sum;
    }
  }

private:
  using active = std::vector<work_item *>;

  std::uint32_t evaluate(const expression &e, const work_item &item) const {
    if (e.is_leaf) switch (e.kind) {
      case leaf::constant:
        return e.number;
      case leaf::variable:
        return item.v[e.number];
      case leaf::uniform_variable:
        return item.u[e.number];
      case leaf::counter:
        return item.counter[e.number];
      case leaf::local_id:
        return item.local_id;
      case leaf::global_id:
        return item.global_id;
      case leaf::group_id:
        return group_;
      case leaf::local_size:
        return static_cast<std::uint32_t>(items_.size());
      case leaf::in:
        return data_.in[item.global_id];
      case leaf::table:
        return data_.table[evaluate(e.operands[0], item) % 16];
      case leaf::array:
        return item.array[evaluate(e.operands[0], item) % array_size];
      }
    const std::uint32_t x = evaluate(e.operands[0], item), y = evaluate(e.operands[1], item);
    switch (e.how) {
    case operation::add:
      return x + y;
    case operation::sub:
      return x - y;
    case operation::mul:
      return x * y;
    case operation::exclusive_or:
      return x ^ y;
    case operation::conjunction:
      return x & y;
    case operation::shift:
      return x >> y;
    case operation::less:
      return x < y;
    case operation::equal:
      return x == y;
    }
    return 0;
  }
  bool holds(const expression &e, const work_item &item) const { return evaluate(e, item) % 4 != 0; }

  /// False when the group has returned.
  bool block(const std::vector<statement> &body, unsigned loops, const active &items) {
    for (const statement &each : body)
      if (!one(each, loops, items)) return false;
    return true;
  }

  template <class F> bool split(F yes, const statement &s, unsigned loops, const active &items) {
    active first, second;
    for (work_item *item : items) (yes(*item) ? first : second).push_back(item);
    if (!first.empty() && !block(s.body, loops, first)) return false;
    return second.empty() || block(s.other, loops, second);
  }

  bool one(const statement &s, unsigned loops, const active &items) {
    switch (s.what) {
    case action::assign:
      for (work_item *item : items) item->v[s.number] = evaluate(s.value, *item);
      return true;
    case action::assign_uniform:
      for (work_item *item : items) item->u[s.number] = evaluate(s.value, *item);
      return true;
    case action::assign_array:
      for (work_item *item : items) {
        const std::uint32_t value = evaluate(s.value, *item);
        item->array[evaluate(s.trips, *item) % array_size] = value;
      }
      return true;
    case action::branch:
      return split([&](work_item &item) { return holds(s.value, item); }, s, loops, items);
    case action::branch_same:
      return split([&](work_item &item) { return (data_.same[item.global_id] & s.number) != 0; }, s, loops, items);
    case action::loop: {
      std::vector<std::uint32_t> trips;
      for (work_item *item : items) {
        trips.push_back(evaluate(s.trips, *item) % 4);
        item->counter[loops] = 0;
      }
      active running = items;
      while (!running.empty()) {
        active still;
        std::vector<std::uint32_t> still_trips;
        for (std::size_t i = 0; i < running.size(); ++i)
          if (running[i]->counter[loops] < trips[i] && !holds(s.value, *running[i])) {
            still.push_back(running[i]);
            still_trips.push_back(trips[i]);
          }
        running = still;
        trips = still_trips;
        if (running.empty()) break;
        if (!block(s.body, loops + 1, running)) return false;
        for (work_item *item : running) ++item->counter[loops];
      }
      return true;
    }
    case action::barrier:
      return true;
    case action::exchange:
    case action::call: {
      std::vector<std::uint32_t> local;
      for (work_item *item : items) local.push_back(evaluate(s.value, *item));
      for (work_item *item : items) item->v[s.number] = local.at((item->local_id + s.trips.number) % items_.size());
      return true;
    }
    case action::leader: {
      std::uint32_t sum = 0;
      for (work_item *item : items) sum += evaluate(s.value, *item);
      for (work_item *item : items) item->v[s.number] = sum;
      return true;
    }
    case action::leave:
      return !holds(s.value, *items.front());
    }
    return true;
  }

  random_kernel_data &data_;
  std::uint32_t group_;
  std::vector<work_item> items_;
};

}  // namespace

random_kernel::random_kernel(std::uint32_t seed) {
  generator make(seed);
  while (body_.size() < 3)
    for (statement &each : make.block(0, true, 0)) body_.push_back(std::move(each));
}
random_kernel::~random_kernel() = default;

std::string random_kernel::text() const { return printer().kernel(body_); }

void random_kernel::run(random_kernel_data &data, std::size_t groups, std::size_t group_size) const {
  for (std::size_t group = 0; group < groups; ++group)
    interpreter(data, static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group_size)).run(body_);
}

namespace {

random_kernel_data data_for(std::uint32_t seed, std::size_t groups, std::size_t group_size) {
  std::mt19937 random(seed);
  random_kernel_data data;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::uint32_t same = random();
    for (std::size_t i = 0; i < group_size; ++i) {
      data.in.push_back(random());
      data.same.push_back(same);
    }
  }
  for (int i = 0; i < 16; ++i) data.table.push_back(random());
  data.out.resize(data.in.size());
  return data;
}

TEST(RandomKernels, GiveWhatLockStepGives) {
  const char *wanted = std::getenv("DPEP_TEST_PROGRAMS");
  const char *first = std::getenv("DPEP_TEST_FIRST_SEED");
  const std::uint32_t programs = wanted ? std::strtoul(wanted, nullptr, 10) : 200;
  const std::uint32_t from = first ? std::strtoul(first, nullptr, 10) : 0;
  constexpr std::size_t groups = 3;
  unsigned with_barriers = 0;
  for (std::uint32_t seed = from; seed < from + programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const random_kernel program(seed);
    const auto [x, y] =
        std::array<std::pair<std::size_t, std::size_t>, 4>{{{5, 1}, {16, 1}, {2, 1}, {3, 4}}}[seed / 4 % 4];
    const std::size_t group_size = x * y;
    const geometry work = groups_of({groups * x, y, 1}, {x, y, 1}, y > 1 ? 2 : 1);
    random_kernel_data expected = data_for(seed, groups, group_size), got = expected;
    program.run(expected, groups, group_size);
    const formed_kernel kernel(program.text(), specialisation_of(work),
                               seed % 4 == 1 ? formed_kernel::optimisation::standard
                                             : formed_kernel::optimisation::none);
    with_barriers += kernel.report().uses_barriers;
    void *arguments[] = {got.in.data(), got.same.data(), got.table.data(), got.out.data()};
    kernel.run(work, arguments, group_size * sizeof(std::uint32_t));
    ASSERT_EQ(got.out, expected.out) << program.text();
  }
  EXPECT_GT(with_barriers, programs / 3);
}

}  // namespace
}  // namespace dpep::test
