// Functions with barriers that random kernels call in convergent code, like typical code with local memory.
#pragma once

#include <string>

namespace dpep::test::random_program {

/// For i32.
constexpr const char *int_functions = R"(
@histogram = internal constant i8 0
define internal i32 @exchange(ptr %local, i32 %value, i64 %id, i64 %size, i64 %shift) convergent noinline {
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
define internal i32 @sum_by_leader(ptr %local, i32 %value, i64 %id, i64 %size) convergent {
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
define internal i32 @sum_by_tree(i32 %value, i64 %id, i64 %size) convergent {
  %scratch = call ptr @__dpep_group_scratch(i64 4)
  %mine = getelementptr i32, ptr %scratch, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %start = lshr i64 %size, 1
  %any = icmp ne i64 %start, 0
  br i1 %any, label %loop, label %read
loop:
  %half = phi i64 [%start, %0], [%half.next, %meet]
  %adds = icmp ult i64 %id, %half
  br i1 %adds, label %add, label %meet
add:
  %other = add i64 %id, %half
  %theirs = getelementptr i32, ptr %scratch, i64 %other
  %x = load i32, ptr %theirs
  %y = load i32, ptr %mine
  %sum = add i32 %x, %y
  store i32 %sum, ptr %mine
  br label %meet
meet:
  call void @__dpep_group_barrier()
  %half.next = lshr i64 %half, 1
  %more = icmp ne i64 %half.next, 0
  br i1 %more, label %loop, label %read
read:
  %result = load i32, ptr %scratch
  call void @__dpep_group_barrier()
  ret i32 %result
}
define internal i32 @scan_by_leader(i32 %value, i64 %id, i64 %size) convergent {
  %scratch = call ptr @__dpep_group_scratch(i64 4)
  %mine = getelementptr i32, ptr %scratch, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %loop, label %meet
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  %sum = phi i32 [0, %0], [%sum.next, %loop]
  %p = getelementptr i32, ptr %scratch, i64 %i
  %x = load i32, ptr %p
  store i32 %sum, ptr %p
  %sum.next = add i32 %sum, %x
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %size
  br i1 %more, label %loop, label %meet
meet:
  call void @__dpep_group_barrier()
  %result = load i32, ptr %mine
  call void @__dpep_group_barrier()
  ret i32 %result
}

define internal i32 @sort(ptr %local, i32 %value, i64 %id, i64 %size) convergent {
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %any = icmp ugt i64 %size, 1
  br i1 %any, label %phase, label %read
phase:
  %run = phi i64 [2, %0], [%run.next, %phase.end]
  %start = lshr i64 %run, 1
  br label %step
step:
  %distance = phi i64 [%start, %phase], [%distance.next, %met]
  %other = xor i64 %id, %distance
  %there = icmp ult i64 %other, %size
  %x = load i32, ptr %mine
  br i1 %there, label %exchange, label %alone
exchange:
  %theirs = getelementptr i32, ptr %local, i64 %other
  %y = load i32, ptr %theirs
  %run.bit = and i64 %id, %run
  %up = icmp eq i64 %run.bit, 0
  %distance.bit = and i64 %id, %distance
  %first = icmp eq i64 %distance.bit, 0
  %least = icmp eq i1 %up, %first
  %below = icmp slt i32 %y, %x
  %takes = icmp eq i1 %below, %least
  %kept = select i1 %takes, i32 %y, i32 %x
  br label %alone
alone:
  %next = phi i32 [%x, %step], [%kept, %exchange]
  call void @__dpep_group_barrier()
  store i32 %next, ptr %mine
  call void @__dpep_group_barrier()
  br label %met
met:
  %distance.next = lshr i64 %distance, 1
  %more = icmp ne i64 %distance.next, 0
  br i1 %more, label %step, label %phase.end
phase.end:
  %run.next = shl i64 %run, 1
  %again = icmp ule i64 %run.next, %size
  br i1 %again, label %phase, label %read
read:
  %result = load i32, ptr %mine
  call void @__dpep_group_barrier()
  ret i32 %result
}
define internal i32 @scan_in_steps(ptr %local, i32 %value, i64 %id, i64 %size) convergent {
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %any = icmp ugt i64 %size, 1
  br i1 %any, label %step, label %read
step:
  %distance = phi i64 [1, %0], [%distance.next, %met]
  %from = phi i64 [0, %0], [%to, %met]
  %to = sub i64 %size, %from
  %old = getelementptr i32, ptr %local, i64 %from
  %own = getelementptr i32, ptr %old, i64 %id
  %x = load i32, ptr %own
  %adds = icmp uge i64 %id, %distance
  br i1 %adds, label %add, label %met
add:
  %before = sub i64 %id, %distance
  %theirs = getelementptr i32, ptr %old, i64 %before
  %y = load i32, ptr %theirs
  %sum = add i32 %x, %y
  br label %met
met:
  %z = phi i32 [%x, %step], [%sum, %add]
  %new = getelementptr i32, ptr %local, i64 %to
  %place = getelementptr i32, ptr %new, i64 %id
  store i32 %z, ptr %place
  call void @__dpep_group_barrier()
  %distance.next = shl i64 %distance, 1
  %more = icmp ult i64 %distance.next, %size
  br i1 %more, label %step, label %read
read:
  %last = phi i64 [0, %0], [%to, %met]
  %all = getelementptr i32, ptr %local, i64 %last
  %at = getelementptr i32, ptr %all, i64 %id
  %result = load i32, ptr %at
  call void @__dpep_group_barrier()
  ret i32 %result
}
)";

/// For TYPE, i32 or float: a product of tiles, each computed from the previous one, in two alternating buffers.
constexpr const char *tile_function = R"(
define internal TYPE @tiles_TYPE(ptr %local, TYPE %value, i64 %id, i64 %size, i64 %column, i64 %width, i64 %count)
    convergent {
  %row = sub i64 %id, %column
  %height = udiv i64 %size, %width
  br label %tile
tile:
  %t = phi i64 [0, %0], [%t.next, %tile.end]
  %x = phi TYPE [%value, %0], [%x.next, %tile.end]
  %so.far = phi TYPE [ZERO, %0], [%sum.next, %tile.end]
  %odd = and i64 %t, 1
  %start = mul i64 %odd, %size
  %buffer = getelementptr TYPE, ptr %local, i64 %start
  %mine = getelementptr TYPE, ptr %buffer, i64 %id
  store TYPE %x, ptr %mine
  call void @__dpep_group_barrier()
  br label %product
product:
  %k = phi i64 [0, %tile], [%k.next, %product]
  %sum = phi TYPE [%so.far, %tile], [%sum.next, %product]
  %left = add i64 %row, %k
  %a.place = getelementptr TYPE, ptr %buffer, i64 %left
  %a = load TYPE, ptr %a.place
  %line = urem i64 %k, %height
  %line.start = mul i64 %line, %width
  %right = add i64 %line.start, %column
  %b.place = getelementptr TYPE, ptr %buffer, i64 %right
  %b = load TYPE, ptr %b.place
  %both = MUL TYPE %a, %b
  %sum.next = ADD TYPE %sum, %both
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %width
  br i1 %more, label %product, label %tile.end
tile.end:
  %x.next = ADD TYPE %x, ONE
  %t.next = add i64 %t, 1
  %again = icmp ult i64 %t.next, %count
  br i1 %again, label %tile, label %done
done:
  call void @__dpep_group_barrier()
  ret TYPE %sum.next
}
)";

/// Returns all functions as textual IR.
std::string group_functions();

}  // namespace dpep::test::random_program
