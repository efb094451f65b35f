#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# packages.sh FOLDER: the sources of the libraries that the page is compiled with, out of the
# distribution's own source packages. A library that is installed is machine code for this machine;
# the page needs it for the browser's. What is there already is left alone.
set -euo pipefail
mkdir -p "$1/lists/partial" "$1/packed"
cd "$1"
folder=$PWD
if [ -d imgui ] && [ -d fmt ] && [ -d simdjson ] && [ -d zstd ] && [ -d lz4 ]; then exit 0; fi

# Where the release's packages come from, its sources come from, too.
apt-get indextargets 'Created-By: Packages' --format '$(REPO_URI) $(CODENAME) $(COMPONENT) $(SIGNED_BY)' |
  awk '$3 == "main" && $2 !~ /-/ { print "deb-src", ($4 ~ /^\// ? "[signed-by=" $4 "]" : ""), $1, $2, $3 }' |
  sort -u >sources.list
[ -s sources.list ] || {
  echo "packages.sh: apt knows of no packages here: run 'apt-get update'" >&2
  exit 2
}
apt() {
  apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root "$@"
}
# folder package
unpack() {
  [ ! -d "$1" ] || return 0
  (cd packed && apt --download-only source "$2")
  mkdir "$1.part"
  tar xf packed/"$2"_*.orig.tar.*z -C "$1.part" --strip-components=1
  mv "$1.part" "$1"
}
apt update
unpack imgui imgui
unpack fmt fmtlib
unpack simdjson simdjson
unpack zstd libzstd
unpack lz4 lz4
