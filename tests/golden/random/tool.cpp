// SPDX-License-Identifier: MIT
// Random programs by hand (README.md).
//
//     random write FORMS FOLDER SEEDS             PTX: FOLDER/N.ptx of 32 programs each, N.list
//     random run FORMS SEEDS [check|orders]       on the emulator: HASH NAME
//     random show FORMS SEED[-NUMBER...]          the PTX, without some statements
//     random count FORMS SEED                     how many statements it has
//     random text FORMS SEEDS                     a hash of all their PTX
//     random dump FORMS SEEDS                     on the emulator: all words, NAME THREAD WORD...
//
// FORMS: the lines of the scalar recording and of instructions.txt. SEEDS: FROM..END, or a file of
// lines `SEED[-NUMBER]...`, statements to be left out behind the seed.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "replay.hpp"
#include "tests/golden/scalar/operands.hpp"

using namespace lanescope::golden::random;

static std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// "12-3-17": seed 12 without statements 3 and 17.
struct Wanted {
  std::uint64_t seed = 0;
  std::set<int> without;
  std::string name;
};

static Wanted wanted(const std::string& text) {
  Wanted made;
  std::istringstream stream(text);
  std::string word;
  std::getline(stream, word, '-');
  made.seed = std::strtoull(word.c_str(), nullptr, 10);
  while (std::getline(stream, word, '-')) made.without.insert(std::atoi(word.c_str()));
  made.name = text;
  return made;
}

static std::vector<Wanted> seeds_of(const std::string& text) {
  std::vector<Wanted> list;
  const std::size_t dots = text.find("..");
  if (std::ifstream(text)) {
    for (const std::string& line : lines_of(text)) list.push_back(wanted(line));
  } else if (dots != std::string::npos) {
    const std::uint64_t end = std::strtoull(text.c_str() + dots + 2, nullptr, 10);
    for (std::uint64_t seed = std::strtoull(text.c_str(), nullptr, 10); seed < end; ++seed)
      list.push_back(wanted(std::to_string(seed)));
  } else {
    list.push_back(wanted(text));
  }
  return list;
}

// The text with another name for the program: two of one seed may stand in a module.
static std::string renamed(const std::string& text, const std::string& name,
                           const std::string& to) {
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins =
        at == 0 || (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '%');
    if (begins && text.compare(at, name.size(), name) == 0) {
      changed += to;
      at += name.size();
    } else {
      changed += text[at++];
    }
  }
  return changed;
}

static void write_modules(const Forms& forms, const std::string& folder,
                          const std::vector<Wanted>& list) {
  constexpr std::size_t kOfModule = 16;
  for (std::size_t from = 0; from < list.size(); from += kOfModule) {
    const std::string path = folder + "/" + std::to_string(from / kOfModule);
    std::ofstream ptx(path + ".ptx"), names(path + ".list");
    ptx << module_head();
    for (std::size_t n = from; n < list.size() && n < from + kOfModule; ++n) {
      const Program p = make_program(forms, list[n].seed);
      const std::string own = "q" + std::to_string(n) + "_" + p.name;
      ptx << renamed(print(p, list[n].without), p.name, own);
      names << own << ' ' << p.threads << ' ' << p.blocks << ' ' << list[n].name << '\n';
    }
  }
  std::ofstream in(folder + "/input.bin", std::ios::binary);
  const std::vector<std::uint64_t> words = input_words();
  in.write(reinterpret_cast<const char*>(words.data()),
           static_cast<std::streamsize>(words.size() * 8));
}

static void dump(const Program& program, const std::string& name, const Replay& replay) {
  for (int thread = 0; thread < program.threads * program.blocks; ++thread) {
    std::printf("%s %d", name.c_str(), thread);
    for (int word = 0; word < kWordsOut; ++word)
      std::printf(" %llx",
                  static_cast<unsigned long long>(replay.words()[thread * kWordsOut + word]));
    std::printf("\n");
  }
}

// `mode`: "check", "orders" or nothing.
static void run(const Forms& forms, const std::vector<Wanted>& list, bool dumps,
                const std::string& mode) {
  Replay replay;
  std::uint64_t instructions = 0;
  int problems = 0;
  for (const Wanted& one : list) {
    const Program program = make_program(forms, one.seed);
    const Outcome outcome = replay.run(program, one.without, mode == "check");
    instructions += outcome.warp_instructions;
    if (dumps) {
      dump(program, one.name, replay);
      continue;
    }
    std::printf("%016llx %s %s\n", static_cast<unsigned long long>(outcome.hash), one.name.c_str(),
                outcome.problem.c_str());
    problems += !outcome.problem.empty();
    for (const std::string& text : outcome.findings) std::printf("  ! %s\n", text.c_str());
    if (mode == "orders")
      for (std::uint64_t seed = 1; seed < 4; ++seed)
        if (replay.run(program, one.without, false, seed).hash != outcome.hash)
          std::printf("  ~ order %d\n", static_cast<int>(seed));
  }
  std::fprintf(stderr, "%llu warp instructions, %d problems\n",
               static_cast<unsigned long long>(instructions), problems);
}

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: random write|run|show|dump FORMS ...\n"), 2;
  const std::string command = argv[1];
  const Forms forms = sort_forms(lines_of(argv[2]));
  for (const Family* family : {&forms.plain, &forms.memory, &forms.collective, &forms.open})
    if (family->opcodes.empty() || forms.matrix.empty() || forms.group.empty())
      return std::fprintf(
                 stderr, "random: %s has not every kind of form: tests/golden/README.md makes it\n",
                 argv[2]),
             2;
  if (command == "show") {
    const Wanted one = wanted(argv[3]);
    std::cout << module_head() << print(make_program(forms, one.seed), one.without);
  } else if (command == "count") {
    std::cout << make_program(forms, wanted(argv[3]).seed).statements << '\n';
  } else if (command == "text") {
    lanescope::golden::scalar::Hash hash;
    for (const Wanted& one : seeds_of(argv[3]))
      for (const char letter : print(make_program(forms, one.seed)))
        hash.add(static_cast<unsigned char>(letter));
    std::printf("%016llx\n", static_cast<unsigned long long>(hash.value));
  } else if (command == "write") {
    write_modules(forms, argv[3], seeds_of(argv[4]));
  } else {
    run(forms, seeds_of(argv[3]), command == "dump", argc > 4 ? argv[4] : "");
  }
}
