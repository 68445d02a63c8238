"""For all tests: interrupts work, also where a shell that started us in the background had them ignored; and the array
engine checks itself."""

import os
import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that tests start inherit the default again

# The array engine checks its programs as it prepares them, and fills scratch memory with NaN before use.
os.environ.setdefault("DPEP_CHECK_SCRATCH", "1")
