#!python
"""Runs dpep's compiler driver, wherever the package is installed. Imports nothing of it: starting is quick."""

import importlib.util
import os
import sys

package = importlib.util.find_spec("dpep")
if package is None:
    sys.exit("dpcxx: the Python package dpep, which it is a part of, is not installed for " + sys.executable)
program = os.path.join(package.submodule_search_locations[0], "bin", "dpcxx")
os.execv(program, ["dpcxx", *sys.argv[1:]])
