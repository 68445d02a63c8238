// Prevents the destruction of static objects at exit, as another thread may still be compiling.
//
// LLVM has function-local static objects (a set of value types, tables of instructions). Their destructors are
// registered at first use. Exit handlers run in reverse order, so these destructors run before the handler that waits
// for tasks (backend/cpu/process.cpp), and a background compilation that continued after them read freed memory: it
// crashed, or allocated without limit. So libraries that contain this file register no destructors (--wrap in
// CMakeLists.txt). std::atexit, which passes no object, is not affected.
using destructor = void(void *);

extern "C" {

int __real___cxa_atexit(destructor *, void *object, void *library);

int __wrap___cxa_atexit(destructor *destroy, void *object, void *library);
int __wrap___cxa_atexit(destructor *destroy, void *object, void *library) {
  return object ? 0 : __real___cxa_atexit(destroy, object, library);
}
}
