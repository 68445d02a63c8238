# Finds a Python interpreter by name or path. Sourced by setup.sh and wheel.sh.
#
# A name such as python3.12 on PATH may be a program that only fails, as pyenv's shims for versions that are installed
# but not selected. So all usual installation folders are searched, and if none has the requested interpreter, the
# message lists those that work.
# shellcheck shell=bash

# Whether a program runs and is a Python that dpep supports.
is_supported_python() {
  "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

# Prints the programs with this name, in the order in which they are tried: on PATH, then in the folders of the system,
# pyenv and uv.
programs_named() {
  type -ap "$1" || true
  local pattern
  for pattern in "/usr/bin/$1" "/usr/local/bin/$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/*/bin/$1" \
    "${UV_PYTHON_INSTALL_DIR:-$HOME/.local/share/uv/python}/*/bin/$1"; do
    compgen -G "$pattern" | sort -rV || true
  done
}

# Prints the version and path of each supported interpreter, one on each line, each installation once.
supported_pythons() {
  local name program
  for name in python3 python3.11 python3.12 python3.13; do programs_named "$name"; done | while read -r program; do
    is_supported_python "$program" || continue
    "$program" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3], sys.prefix, sys.argv[1])' "$program"
  done | awk '!seen[$1, $2]++ { print $1, $3 }'
}

# Prints the absolute path of a supported interpreter for the first of these names and paths that has one. Otherwise
# fails, with a list of the supported interpreters that were found.
find_python() {
  local wanted program
  for wanted in "$@"; do
    if [[ $wanted == */* ]]; then
      is_supported_python "$wanted" && realpath -s "$wanted" && return  # does not resolve links of virtual environments
      continue
    fi
    while read -r program; do
      if is_supported_python "$program"; then
        [[ $program == "$(type -P "$wanted")" ]] ||
          echo "$(type -P "$wanted" || echo "$wanted") does not run or is another version: using $program" >&2
        echo "$program"
        return
      fi
    done < <(programs_named "$wanted")
  done
  local found
  found=$(supported_pythons | sed 's/^\([^ ]*\) \(.*\)$/  Python \1: PYTHON=\2/')
  {
    echo "$* is not Python 3.11, 3.12 or 3.13, or does not run."
    if [[ $found ]]; then
      printf 'Found instead:\n%s\n' "$found"
    else
      echo "No other interpreter of these versions was found on PATH, in /usr, or among pyenv's and uv's."
    fi
  } >&2
  return 1
}
