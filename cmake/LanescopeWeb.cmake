# SPDX-License-Identifier: MIT
# The packages that the page is compiled with, from the distribution's sources (viz/web/packages.sh),
# under the names that the rooms know them by; and how Emscripten compiles.
set(LANESCOPE_WEB_PACKAGES "${PROJECT_BINARY_DIR}/packages")
execute_process(COMMAND "${PROJECT_SOURCE_DIR}/viz/web/packages.sh" "${LANESCOPE_WEB_PACKAGES}"
                COMMAND_ERROR_IS_FATAL ANY)

# Exceptions are WebAssembly's own; a program is one file, with its own files in it.
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions -sSINGLE_FILE=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=5MB
                 -sFORCE_FILESYSTEM=1)
# Emscripten's linker is JavaScript that wants Debian's modules; a nodejs not of Debian's looks elsewhere.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "env NODE_PATH=/usr/share/nodejs")

function(lanescope_web_package name include)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC "${include}")
  target_compile_options(${name} PRIVATE -w -O2)
endfunction()

set(fmt "${LANESCOPE_WEB_PACKAGES}/fmt")
lanescope_web_package(web_fmt "${fmt}/include" "${fmt}/src/format.cc")
add_library(fmt::fmt ALIAS web_fmt)

set(simdjson "${LANESCOPE_WEB_PACKAGES}/simdjson/singleheader")
lanescope_web_package(web_simdjson "${simdjson}" "${simdjson}/simdjson.cpp")
add_library(simdjson::simdjson ALIAS web_simdjson)

enable_language(C)
set(zstd "${LANESCOPE_WEB_PACKAGES}/zstd/lib")
file(GLOB zstd_files "${zstd}/common/*.c" "${zstd}/compress/*.c" "${zstd}/decompress/*.c")
lanescope_web_package(web_zstd "${zstd}" ${zstd_files})
target_compile_definitions(web_zstd PRIVATE ZSTD_DISABLE_ASM)
add_library(zstd::libzstd_shared ALIAS web_zstd)

add_library(PkgConfig::ZSTD ALIAS web_zstd)
set(lz4 "${LANESCOPE_WEB_PACKAGES}/lz4/lib")
lanescope_web_package(web_lz4 "${lz4}" "${lz4}/lz4.c")
add_library(PkgConfig::LZ4 ALIAS web_lz4)
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # everything runs in one

# 32-bit indices: WebGL has no base vertex, and a matrix has more than 65,536 corners.
set(imgui "${LANESCOPE_WEB_PACKAGES}/imgui")
lanescope_web_package(web_imgui "${imgui}" "${imgui}/imgui.cpp" "${imgui}/imgui_draw.cpp"
                      "${imgui}/imgui_tables.cpp" "${imgui}/imgui_widgets.cpp"
                      "${imgui}/backends/imgui_impl_opengl3.cpp")
target_include_directories(web_imgui SYSTEM PUBLIC "${imgui}/backends")
target_compile_definitions(web_imgui PUBLIC "ImDrawIdx=unsigned int" IMGUI_IMPL_OPENGL_ES3)
add_library(PkgConfig::imgui ALIAS web_imgui)
