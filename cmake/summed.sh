#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles (summed.sh COMPILER ARGUMENTS ...), and writes the checksum of a precompiled header beside it, where
# ccache looks with CCACHE_PCH_EXTSUM: it would read the whole header again for each file that is compiled with it.
# A checksum is never older than its header: while there is none, ccache reads the header. The one before goes first:
# g++ would take it for the file that it is made of.
set -eu
output= before=
for argument in "$@"; do
  [ "$before" != -o ] || output=$argument
  before=$argument
done
case $output in
  *.gch)
    rm -f "$output" "$output.sum"
    "$@"
    sha1sum <"$output" >"$output.sum"
    ;;
  *) exec "$@" ;;
esac
