// Forked children of a process that uses a GPU, where its driver does not work: the mark of such a process.
#pragma once

namespace dpep::backend {

inline constexpr char forked_child_error[] =
    "this process was forked from one that had started the driver of a GPU, which does not work in a child. Start a "
    "new "
    "process (in Python: multiprocessing's \"spawn\"), or fork before the first use of a device";

bool in_forked_child() noexcept;
/// Called by the fork handlers of such drivers.
void mark_forked_child() noexcept;

}  // namespace dpep::backend
