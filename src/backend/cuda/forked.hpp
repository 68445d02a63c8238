// Forked children of a process that uses a GPU: they have its objects, and a driver that does nothing for them.
#pragma once

namespace dpep::backend::cuda {

inline constexpr char why_not_in_forked_children[] =
    "this process was forked from one that used the GPU's driver, which does not go on in a child. Begin processes "
    "anew "
    "(in Python: multiprocessing's \"spawn\"), or fork before the first use of a device";

/// Once the driver is started: children will let go of what they have without a word, and be refused what they ask for.
void prepare_for_forks();

bool in_forked_child() noexcept;

}  // namespace dpep::backend::cuda
