// Shuffles and barriers of sub-groups behind branches, for all work-items of the sub-group.
#pragma once

namespace dpep::jit::spmd {

struct work_item_function;

/// Makes all lanes come to an exchange that some skip: `if (c) { a; x = shuffle(y); b; }` becomes
/// `if (c) { a; } x = shuffle(y); if (c) { b; }`. The lanes for which c holds get the same values, as they take them
/// from each other. Branches that divide no sub-group stay, and so do exchanges in loops that lanes leave at different
/// times.
void flatten_exchanges(work_item_function &);

}  // namespace dpep::jit::spmd
