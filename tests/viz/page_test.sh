#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page in a real browser under Xvfb: a pointer that really moves, keys that are really typed.
# What the page says it selected, its title, is checked, not pixels.
#
#   page_test.sh PAGE LANESCOPE     PAGE is build-web/lanescope.html; LANESCOPE the command, which puts a
#                                   trace into it. Needs Chromium, Xvfb and xdotool.
set -euo pipefail
page=$(realpath "$1") lanescope=$(realpath "$2") lessons=$(realpath "$(dirname "$0")/../../lessons")
work=$(mktemp -d)
display_pid= browser_pid=
finish() {
  [ -z "$browser_pid" ] || kill "$browser_pid" 2>/dev/null || true
  [ -z "$browser_pid" ] || wait "$browser_pid" 2>/dev/null || true
  [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "page_test: $*" >&2
  exit 1
}

. "$(dirname "$0")/display.sh"

window=
# open ADDRESS: the page alone in a window, without a browser's bars.
open() {
  [ -z "$browser_pid" ] || kill "$browser_pid"
  [ -z "$browser_pid" ] || wait "$browser_pid" 2>/dev/null || true
  chromium --no-sandbox --no-first-run --use-angle=swiftshader --enable-unsafe-swiftshader \
    --user-data-dir="$work/profile" --window-position=0,0 --window-size=1440,920 \
    --app="$1" >"$work/browser.log" 2>&1 &
  browser_pid=$!
  window=
  for _ in $(seq 300); do
    window=$(xdotool search --onlyvisible --name '^Lanescope' 2>/dev/null | head -n 1) || true
    [ -z "$window" ] || break
    sleep 0.1
  done
  [ -n "$window" ] || fail "the page does not appear: $(tail -n 3 "$work/browser.log")"
}
# Waits until the title is "Lanescope: " and what the pattern $1 says.
expect() {
  local title=
  for _ in $(seq 600); do # half a minute or more: a browser without a GPU, beside other work
    title=$(xdotool getwindowname "$window" 2>/dev/null) || true
    [[ "$title" != "Lanescope: "$1 ]] || { echo "  $2: ${title#Lanescope: }"; return 0; }
    sleep 0.05
  done
  fail "$2: expected '$1', the page's title is '$title'"
}

address() { echo "file://${1// /%20}"; }
file=$(address "$page")
open "$file#1"
expect "A 9,5" "a lesson by its number, as its trace wants to be looked at"
# A cell of A's column 10: how high it stands depends on what of the window is the browser's.
xdotool mousemove --window "$window" 320 560 sleep 0.3 click 1
expect "A [0-7],10" "a click"
xdotool key --window "$window" Right
expect "A [0-7],11" "an arrow"
xdotool type --window "$window" --delay 120 "/D 8,1"
xdotool key --window "$window" Return
expect "D 8,1" "words that are typed"
# The strip at the left opens the bench, whose text has the keys then: its first example has one mma.
xdotool mousemove --window "$window" 13 450 sleep 0.3 click 1 sleep 0.5 key --window "$window" ctrl+Return
expect "warp 0 step 20" "a kernel that the emulator ran in the browser"
# An exercise: what is not filled yet is launched and looked at, and then what is typed into its gap, where the cursor is.
open "$file#exercise%201"
expect "A 9,5" "an exercise's page"
sleep 1 # until its text has the keys
xdotool key --window "$window" ctrl+Return
expect "warp 0 step 19" "an exercise that is not solved yet"
sed -n '/your code begins/,/your code ends/{//!{s, *//.*,,;p}}' "$lessons/01_fragment_layout/solution.ptx" >"$work/answer"
[ "$(wc -l <"$work/answer")" = 9 ] || fail "exercise 1 has another gap than this test knows"
xdotool type --window "$window" --delay 15 --file "$work/answer"
xdotool key --window "$window" ctrl+Return
expect "warp 0 step 28" "what was typed into its gap"
open "$file#12%20--panel%20pipeline"
expect "pipeline copy 64" "a panel by the address"
open "$file#--atlas%20mma.m16n8k16.f32.f16%20--select%20'B%203,2'"
expect "B 3,2" "the atlas by the address"

mkdir -p "$work/project/lessons" "$work/project/build-web"
cp "$page" "$work/project/build-web/"
cp "$lessons/05_cp_async/recorded.lanes" "$work/it's mine.lanes"
LANESCOPE_PROJECT="$work/project" "$lanescope" view "$work/it's mine.lanes" --select "B 2,3" \
  --html "$work/one page.html" >/dev/null
open "$(address "$work/one page.html")"
expect "B 2,3" "a trace that was put into the page"
echo "the page answers"
