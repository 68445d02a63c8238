"""`python -m dpctl`: paths of dpctl's headers, libraries and CMake files, and lists of platforms and devices."""

import argparse
import os.path
import sys
import warnings

import dpep

import dpctl


def main(arguments: list[str] | None = None) -> int:
    """Print the information selected by flags, and return the exit status."""
    include = dpctl.get_include()
    prefix = os.path.dirname(dpep.__file__)
    library = os.path.dirname(dpctl.__file__)
    core = os.path.join(prefix, "lib")
    paths = {
        "includes": ("-I " + include, "Compiler flags for dpctl's headers."),
        "include-dir": (include, "Folder of dpctl's headers."),
        "tensor-includes": ("-I " + include, "Compiler flags for the headers of dpctl.tensor."),
        "tensor-include-dir": (include, "Folder of the headers of dpctl.tensor."),
        "cmakedir": (os.path.join(prefix, "cmake"), "Folder of the CMake packages, for CMAKE_PREFIX_PATH."),
        "library": (f"-L {library} -lDPCTLSyclInterface -L {core} -ldpep", "Linker flags for dpctl's libraries."),
        "library-dir": (library, "Folder of dpctl's library of C functions."),
    }
    parser = argparse.ArgumentParser(prog="python -m dpctl", description=__doc__)
    for flag, (_, text) in paths.items():
        parser.add_argument("--" + flag, action="store_true", help=text)
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument("-f", "--full-list", dest="verbosity", action="store_const", const=2, help="List all devices.")
    listing.add_argument(
        "-l", "--long-list", dest="verbosity", action="store_const", const=1, help="Describe platforms."
    )
    listing.add_argument("-s", "--summary", dest="verbosity", action="store_const", const=0, help="List platforms.")
    parser.add_argument("--version", action="version", version=dpctl.__version__)
    if arguments is None:
        arguments = sys.argv[1:]
    chosen = parser.parse_args(arguments)
    flags = [flag for flag in paths if getattr(chosen, flag.replace("-", "_"))]
    if chosen.verbosity is not None:
        if flags:
            verb = "is" if len(flags) == 1 else "are"
            warnings.warn(f"{', '.join('--' + f for f in flags)} {verb} being ignored.", UserWarning, stacklevel=1)
        dpctl.lsplatform(chosen.verbosity)
    for flag in flags if chosen.verbosity is None else []:
        print(paths[flag][0])
    if not arguments:
        parser.print_help()
    return 0


if __name__ == "__main__":
    sys.exit(main())
