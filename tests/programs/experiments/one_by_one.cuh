// SPDX-License-Identifier: MIT
// Questions of which some end everything: a card that refuses an instruction answers no more calls
// of its process. Each question is asked in a child, and the next child goes on behind one that was
// refused.
#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "../program.cuh"

/// ask(k), for each k from `first` to below `end`, prints the answer and says whether the process
/// can go on. No CUDA call before.
template <class Ask>
int ask_one_by_one(int first, int end, Ask ask) {
  auto* next = static_cast<volatile int*>(
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *next = first;
  while (*next < end) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      bool goes_on = true;
      while (goes_on && *next < end) {
        alarm(20);
        const int k = *next;
        *next = k + 1;
        goes_on = ask(k);
        std::fflush(stdout);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      std::printf("question %d ended its process\n", *next - 1);
      return 1;
    }
  }
  return 0;
}

/// All `count` of them; PROGRAM FIRST END only those, as several processes share the work.
template <class Ask>
int ask_one_by_one(int argc, char** argv, int count, Ask ask) {
  const int first = argc == 3 ? std::atoi(argv[1]) : 0;
  const int end = argc == 3 ? std::min(std::atoi(argv[2]), count) : count;
  return ask_one_by_one(first, end, ask);
}
