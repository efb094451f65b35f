# SPDX-License-Identifier: MIT
# A display of the test's own, for scripts that source this: DISPLAY, display_pid. They have a folder
# $work, a function `fail`, and end display_pid themselves.

# A free display number is found by Xvfb itself. -ardelay: a key that a busy machine holds for longer than
# usual is typed once (and see window_probe.cpp).
Xvfb -displayfd 3 -screen 0 1500x1000x24 -ardelay 3000 -nolisten tcp 3>"$work/display" 2>"$work/xvfb.err" &
display_pid=$!
for _ in $(seq 100); do
  [ ! -s "$work/display" ] || break
  sleep 0.1
done
[ -s "$work/display" ] || fail "Xvfb does not start: $(tail -n 1 "$work/xvfb.err")"
export DISPLAY=":$(cat "$work/display")"
unset WAYLAND_DISPLAY
