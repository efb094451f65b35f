# SPDX-License-Identifier: MIT
# lanescope_viz_bench: the first frame and the frames after it, on whatever OpenGL EGL finds.
if(TARGET lanescope_window)
  add_executable(lanescope_viz_bench EXCLUDE_FROM_ALL viz_bench.cpp)
  target_include_directories(lanescope_viz_bench PRIVATE "${LANESCOPE_ROOT}")
  target_link_libraries(lanescope_viz_bench PRIVATE lanescope_window benchmark::benchmark)
endif()
