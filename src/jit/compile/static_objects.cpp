// Keeps static objects until the process is gone: another thread may be compiling while it exits.
//
// LLVM has static objects in functions (a set of value types, tables of instructions), whose destructors are registered
// when they are first used, and so run before the handler that waits for tasks (backend/cpu/process.cpp), in the
// reverse order of registration. A compilation in the background that went on after that read freed memory: it crashed,
// or took memory without end. So destructors are not registered at all in what this is linked into (--wrap in
// CMakeLists.txt); std::atexit, which passes no object, goes on working.
using destructor = void(void *);

extern "C" {

int __real___cxa_atexit(destructor *, void *object, void *library);

int __wrap___cxa_atexit(destructor *destroy, void *object, void *library);
int __wrap___cxa_atexit(destructor *destroy, void *object, void *library) {
  return object ? 0 : __real___cxa_atexit(destroy, object, library);
}
}
