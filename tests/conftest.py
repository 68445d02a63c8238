"""For all tests: Ctrl-C is not ignored, as it is in processes that a shell starts in the background, and the array
engine's checks of its own programs are enabled."""

import os
import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that tests start inherit the default again

# The array engine checks its programs as it prepares them, and fills scratch memory with NaN before use.
os.environ.setdefault("DPEP_CHECK_SCRATCH", "1")
