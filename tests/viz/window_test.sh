#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The real window under Xvfb: a pointer that really moves, a button that is really pressed, keys
# that are really typed. What the window says it selected (its log and its title) is checked, not
# pixels.
#
#   window_test.sh PROGRAM     PROGRAM is window_probe: it opens the window on a made-up trace and
#                              writes where things are drawn.
set -euo pipefail
program=$1
work=$(mktemp -d)
display_pid= window_pid=
finish() {
  [ -z "$window_pid" ] || kill "$window_pid" 2>/dev/null || true
  [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "window_test: $*" >&2
  [ ! -s "$work/window.err" ] || sed 's/^/  window: /' "$work/window.err" >&2
  exit 1
}

. "$(dirname "$0")/display.sh"
export MESA_SHADER_CACHE_DISABLE=true LIBGL_ALWAYS_SOFTWARE=1

open_window() {
  rm -f "$work/places"
  : >"$work/log"
  "$program" "$work/log" "$work/places" "$work/frames" 2>"$work/window.err" &
  window_pid=$!
  window=
  for _ in $(seq 300); do
    if [ -s "$work/places" ]; then
      window=$(xdotool search --onlyvisible --name '^Lanescope' 2>/dev/null | head -n 1) || true
    fi
    [ -z "$window" ] || break
    kill -0 "$window_pid" 2>/dev/null || fail "the window has ended"
    sleep 0.1
  done
  [ -n "$window" ] || fail "the window does not appear"
  sleep 0.5
}
open_window

# Waits until the last line of the log is $1.
expect() {
  for _ in $(seq 100); do
    [ "$(tail -n 1 "$work/log")" != "$1" ] || { echo "  $2: $1"; return 0; }
    sleep 0.05
  done
  fail "$2: expected '$1', the window says '$(tail -n 1 "$work/log")'"
}
# Does as xdotool is told, and waits until the window has seen it: that makes three frames. (A pointer that
# stays where it is makes none.)
frames() { stat -c %s "$work/frames"; }
seen() {
  local before
  before=$(frames)
  xdotool "$@"
  for _ in $(seq 50); do
    [ "$(frames)" -lt $((before + 3)) ] || return 0
    sleep 0.02
  done
}
# Dear ImGui 1.86 looks at buttons and keys once a frame: each is held until it has.
click() {
  local place
  place=$(grep "^$1	" "$work/places" | cut -f 2) || fail "nothing called '$1' was drawn"
  seen mousemove --window "$window" ${place/,/ }
  seen mousedown 1
  seen mouseup 1
}
key() {
  seen keydown "$1"
  seen keyup "$1"
}

expect "compare 1 of 2: A[0][0], lane 0, A.r0, bits 0..15" "two traces: their first difference"
click "b 9,5"
expect "compare 1 of 2: A[9][5], lane 6, A.r1, bits 16..31" "click a cell of the other"
click "difference 2"
expect "compare 2 of 2: A in shared memory[0][1]" "click a difference"
cp "$work/places.lanes" "$work/new"
mv "$work/new" "$work/places.other.lanes"
expect "compare: the same" "the other is written anew without its mistakes, and read again by itself"
key equal
expect "" "=: the first trace alone"
# A click while the frames are drawn in which the pointer comes: it has three of its own, or what the button did is
# not to be seen until the next move.
touch "$work/places.slow"
before=$(frames)
place=$(grep "^theme	" "$work/places" | cut -f 2)
xdotool mousemove --window "$window" ${place/,/ }
for _ in $(seq 500); do
  [ "$(frames)" -eq "$before" ] || break
  sleep 0.01
done
xdotool mousedown 1 mouseup 1
sleep 2.5
[ "$(frames)" -ge $((before + 4)) ] || fail "of a click on 'light' $(($(frames) - before)) frames are drawn, the pointer's with them"
rm "$work/places.slow"
echo "  a click while frames are drawn: what it does is shown"
click theme  # dark again
click "A 9,5"
expect "A 9,5" "click a cell"
click "lane 13"
expect "lane 13" "click a lane"
click "D 4,3"
expect "D 4,3" "click an element of D"
with_key() {
  seen keydown "$1"
  key "$2"
  seen keyup "$1"
}
with_key alt Left
expect "lane 13" "Alt+left: what was looked at before"
with_key alt Right
expect "D 4,3" "Alt+right: forward again"
click "history back"
expect "lane 13" "click: back"
click "history forward"
expect "D 4,3" "click: forward again"
with_key ctrl Tab
key Return
expect "lane 13" "Ctrl+Tab, Enter: the first button of the bar"
key Tab
key Return
expect "D 4,3" "Tab, Enter: the next"
key Escape
key Down
expect "D 5,3" "arrow down"
key Tab
expect "A 5,3" "Tab: lane 21's value 1 of A"
key Escape
expect "" "Esc"
# Pressed and let go before a frame: on a slow machine that happens. The window still sees it.
click "D 4,3"
kill -STOP "$window_pid"
xdotool key Down
kill -CONT "$window_pid"
expect "D 5,3" "a key let go while the window was busy"
key Escape
key slash
sleep 0.3
for letter in B 3 comma 4; do
  key "$letter"
  [ "$letter" != B ] || key space
done
key Return
expect "B 3,4" "search"
title=$(xdotool getwindowname "$window")
[ "$title" = "Lanescope: B 3,4" ] || fail "the title is '$title'"

chord() { with_key ctrl "$1"; }
# Waits until a picture is there, whole.
picture() {
  for _ in $(seq 100); do
    [ ! -s "$1" ] || ! tail -c 8 "$1" | grep -q IEND || { echo "  $2: ${1##*/}"; return 0; }
    sleep 0.05
  done
  fail "$2: there is no $1"
}
chord s
picture "$work/places.png" "Ctrl+S"
chord plus
chord s
picture "$work/places.2.png" "Ctrl+plus, Ctrl+S"
! cmp -s "$work/places.png" "$work/places.2.png" || fail "Ctrl+plus changed nothing"
chord 0
chord s
picture "$work/places.3.png" "Ctrl+0, Ctrl+S"
# The pointer stands where it stood, so the picture is the first one again, but for the last line,
# which speaks of the picture before: as large, and not an empty one.
[ "$(stat -c %s "$work/places.3.png")" -gt $(($(stat -c %s "$work/places.png") * 9 / 10)) ] ||
  fail "after Ctrl+0 the window is emptier than before"
expect "B 3,4" "which selected nothing else"

# Held until the display repeats it; obeyed again it would lead back, and there once more.
before=$(wc -l <"$work/log")
seen keydown a
sleep 4
seen keyup a
expect "atlas" "a, held: the atlas"
[ "$(wc -l <"$work/log")" = $((before + 1)) ] ||
  fail "a key that is held counts more than once: $(tail -n +$((before + 1)) "$work/log" | tr '\n' ';')"
key s
expect "swizzle 128B K 16 8x64" "s: a swizzled tile"
key Right
key Escape
key d
descriptor="descriptor 0x4000004000010040 128B K 16 64x64 step="
expect "${descriptor}0" "d: a descriptor"
# Its words and, in further lines, what is picked: a field takes the first line.
key Down
chord c
key bracketright
expect "${descriptor/10040/10042}1" "]: the next step along K"
key slash
sleep 0.3
chord v
key Return
expect "${descriptor}0" "Ctrl+C, Ctrl+V, Enter: the step that was copied"
key Escape
key d
expect "B 3,4" "d again: the trace as it was"

# An entry of the atlas by keys alone: found, opened, an element of it; and back, each with Esc.
key a
expect "atlas" "a: the atlas"
key slash
sleep 0.3
for letter in m 8 n 8 k 1 6; do key "$letter"; done
expect "atlas m8n8k16" "what is typed is looked for"
key Return
key Down
key Return
key Down
expect "A 1,0" "Enter: the entry; an arrow: an element of it"
key Escape
key Escape
expect "atlas m8n8k16" "Esc, Esc: the list as it was"
key Escape
expect "atlas" "Esc: all of it"
key Escape
expect "B 3,4" "Esc: the trace as it was"

click "view memory"
click "cell 9,5"
expect "A in shared memory 9,5" "click an element of a tile"
click "view steps"
expect "warp 0 step 12" "click the steps: they open at the ldmatrix"
key Up
expect "warp 0 step 11" "arrow up: the step before"
click "scrub"
expect "warp 0 step 12" "click the middle of the scrub bar"
key Down
expect "warp 0 step 13" "arrow down: the next step"
key space
expect "warp 0 step 14" "Space: the next one comes by itself"
key p
expect "pipeline copy 64" "p: the pipeline"
click "copy 256"
expect "pipeline copy 256" "click: copies take longer"
key f
expect "B 3,4" "f: the fragments as they were"
key o
key Return
expect "" "o, Enter: the trace that is open stands in the list and is read anew"
click "A 9,5"
expect "A 9,5" "click a cell of it"

drop() {
  printf '%s\n' "$@" >"$work/dropped"
  mv "$work/dropped" "$work/places.drop"
  seen mousemove_relative -- 1 0
  seen mousemove_relative -- -1 0
}
drop "$work/places.lanes" "$work/places.other.lanes"
expect "compare: the same" "two files are dropped"
drop "$work/places.lanes"
expect "" "one is dropped"
click "A 9,5"
expect "A 9,5" "click a cell of it"
grep -v '"fragment"' "$work/places.lanes" >"$work/new"
cmp -s "$work/new" "$work/places.lanes" && fail "the trace has no fragments"
mv "$work/new" "$work/places.lanes"
expect "" "written anew without its fragments, the trace is read again by itself"

# Nothing happens, nothing is drawn: a second of idling costs less than a twentieth of it.
ticks() { awk '{print $14 + $15}' "/proc/$window_pid/stat"; }
sleep 0.5
before=$(ticks)
sleep 1
used=$(($(ticks) - before))
[ "$used" -le 5 ] || fail "idle, the window used $used of 100 ticks of the processor"
echo "  idle: $used of 100 ticks"

key t
for _ in $(seq 100); do
  ! grep -qsx "light 1" "$work/places.settings" || break
  sleep 0.05
done
grep -qsx "light 1" "$work/places.settings" || fail "t: the next window would be dark"
echo "  t: $(tr '\n' ' ' <"$work/places.settings")"

kill "$window_pid"
wait "$window_pid" 2>/dev/null || true

# The next window is light from its beginning: t makes it dark.
open_window
key t
for _ in $(seq 100); do
  ! grep -qsx "light 0" "$work/places.settings" || break
  sleep 0.05
done
grep -qsx "light 0" "$work/places.settings" || fail "a window opened again is not light, as it was closed"
echo "  opened again, t: $(tr '\n' ' ' <"$work/places.settings")"

kill "$window_pid"
window_pid=

# Without a display: one line, exit code 2.
set +e
env -u DISPLAY -u WAYLAND_DISPLAY "$program" "$work/log" "$work/places" "$work/frames" 2>"$work/none.err"
code=$?
set -e
[ "$code" = 2 ] || fail "without a display the exit code is $code"
[ "$(wc -l <"$work/none.err")" = 1 ] || fail "without a display it says: $(cat "$work/none.err")"
grep -q '^lanescope: no window can be opened' "$work/none.err" || fail "$(cat "$work/none.err")"
grep -q -- '--text' "$work/none.err" || fail "no advice: $(cat "$work/none.err")"
echo "  no display: $(cat "$work/none.err")"
