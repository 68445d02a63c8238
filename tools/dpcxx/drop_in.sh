#!/bin/sh
# Runs dpcxx under another compiler's name: icpx, dpcpp, acpp, ... This file is installed once for each name.
program=$(readlink -f "$0")
exec "${program%/*}/../dpcxx" "--called=${0##*/}" "$@"
