"""For all tests: interrupts work, also where a shell that started us in the background had them ignored."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that tests start inherit the default again
