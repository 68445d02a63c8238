#!/bin/bash
# Installs the missing build dependencies of dpep: Debian packages, and Python packages in .venv.
#
# Takes well under a second if nothing is missing. PYTHON=… selects the interpreter for a new .venv.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tools/setup
# shellcheck source=tools/setup/interpreters.sh
source "$here/interpreters.sh"

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

missing_packages() {
  local wanted=("$@") installed
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
    sed -n 's/^installed //p') || true  # dpkg-query fails for unknown names; those count as missing
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "these packages are missing, and installing them needs root or sudo:" "  apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install them. clang 22 comes from Debian 12's bookworm-security suite; other systems find it" \
      "among the LLVM project's releases"
}

# For systems without dpkg: fails with instructions if a program is missing.
check_programs() {
  local program
  for program in clang++-22 ld.lld-22 cmake ninja; do
    command -v "$program" >/dev/null ||
      fail "$program was not found. On systems other than Debian and Ubuntu, install what $here/packages.txt lists."
  done
}

python_identity() {  # prints the installation's folder and version
  "$1" -c 'import sys; print(sys.base_prefix, *sys.version_info[:3])'
}

make_environment() {
  local python identity stamp site
  if [[ -x .venv/bin/python && -z ${PYTHON:-} ]]; then
    python=.venv/bin/python
  else
    # shellcheck disable=SC2086  # several names are several words
    python=$(find_python ${PYTHON:-python3 python3.11 python3.12 python3.13}) ||
      fail "set PYTHON to a path, or to a name such as python3.12:  make setup PYTHON=python3.12"
  fi
  identity=$(python_identity "$python")
  stamp=$(cat "$here/requirements.txt" "$here/setup.sh" <(echo "$identity") | sha256sum)
  [[ -f .venv/dpep-setup && $(<.venv/dpep-setup) == "$stamp" ]] && return

  if ! [[ -x .venv/bin/python && $(python_identity .venv/bin/python) == "$identity" ]]; then
    # Debian's system Python needs two more packages, for virtual environments and headers.
    if [[ $identity == "/usr "* ]] && command -v dpkg-query >/dev/null; then
      local name
      name=python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
      install_packages "$name-venv" "$name-dev"
    fi
    echo "setup: creating .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
  fi
  echo "setup: installing Python packages into .venv"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  # Programs of the environment import from the build tree, which has the layout of an installed wheel.
  site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$PWD/build/python" >"$site/dpep-build-tree.pth"
  ln -sfn ../../build/python/dpep/bin/dpcxx .venv/bin/dpcxx  # a dangling link until the first build
  echo "$stamp" >.venv/dpep-setup
}

if command -v dpkg-query >/dev/null; then
  mapfile -t packages < <(sed 's/#.*//; s/ *$//; /^$/d' "$here/packages.txt")
  [[ ${PYTHON:-} ]] || command -v python3 >/dev/null || packages+=(python3)
  install_packages "${packages[@]}"
else
  check_programs
fi
make_environment
