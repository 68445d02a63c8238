#!python
"""Runs dpep's compiler driver from the installed package. Does not import the package, so that it starts quickly."""

import importlib.util
import os
import sys

package = importlib.util.find_spec("dpep")
if package is None:
    sys.exit("dpcxx: the Python package dpep, which contains dpcxx, is not installed for " + sys.executable)
program = os.path.join(package.submodule_search_locations[0], "bin", "dpcxx")
os.execv(program, ["dpcxx", *sys.argv[1:]])
