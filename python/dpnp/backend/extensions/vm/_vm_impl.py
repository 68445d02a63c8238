"""Where dpnp 0.18 is asked whether it computes with oneMKL's vector math. It does not: kernels have their own."""


def _is_available() -> bool:
    return False
