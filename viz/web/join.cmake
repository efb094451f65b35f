# SPDX-License-Identifier: MIT
# Puts the program that runs PTX, and kernels to begin with, into the page, as texts that its script
# finds: cmake -D PAGE= -D RUNNER= -D KERNELS= -D OUT= -P this.
cmake_minimum_required(VERSION 3.25)
file(READ "${PAGE}" page)
file(READ "${RUNNER}" runner)
string(FIND "${runner}" "</script" closes)
if(NOT closes EQUAL -1)
  message(FATAL_ERROR "${RUNNER} would end the element of the page that it is in")
endif()
set(carried "<script type=\"text/plain\" data-runner>${runner}</script>\n")
foreach(kernel IN LISTS KERNELS)
  get_filename_component(name "${kernel}" NAME_WE)
  string(REPLACE "_" " " name "${name}")
  file(READ "${kernel}" text)
  string(APPEND carried "<script type=\"text/plain\" data-example=\"${name}\">\n${text}</script>\n")
endforeach()
string(REPLACE "<!-- runner -->" "${carried}" page "${page}")
file(WRITE "${OUT}" "${page}")
