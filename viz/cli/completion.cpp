// SPDX-License-Identifier: MIT
// Words that go on: taken from the commands' own description, nothing is written down twice.
#include "cli/completion.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/project.hpp"
#include "guide/course.hpp"
#include "launcher/command.hpp"
#include "launcher/kernel_text.hpp"
#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "panels/look/shell_word.hpp"

namespace lanescope::cli {
namespace {

using Words = std::vector<std::string>;

bool begins(const std::string& word, const std::string& with) {
  return word.compare(0, with.size(), with) == 0;
}

/// The option whose value the last word is, or nullptr: it is one by its place.
const Option* option_before(const Command& command, const Words& words) {
  for (std::size_t at = words.size() - 1; at-- > 1;) {
    if (!begins(words[at], "--")) continue;
    const auto behind = static_cast<long>(words.size() - 1 - at);
    for (const Option& option : command.options)
      if (option.name == words[at] && behind <= option.most) return &option;
    return nullptr;
  }
  return nullptr;
}

/// Names go on to their next dot, as paths do to their next slash: there are hundreds.
void add_instructions(const std::string& so_far, Words& found) {
  const auto add = [&](const std::string& name) {
    if (!begins(name, so_far)) return;
    const std::size_t dot = name.find('.', so_far.size());
    found.push_back(name.substr(0, dot == name.npos ? dot : dot + 1));
  };
  for (const layout::Instruction& i : layout::instructions()) add(i.mnemonic);
  for (const layout::Mover& m : layout::movers()) add(std::string(m.mnemonic));
}

bool names_instruction(const Command& command, const Option& option) {
  const std::string name = command.name;
  const bool asks = name == "layout" || name == "output";
  return (asks && option.value == "WORDS") || option.name == "--atlas" ||
         option.name == "--becomes" || option.name == "--beside";
}

void add_values(const Command& command, const Option& option, const std::string& so_far,
                Words& found) {
  std::istringstream choices(option.choices);
  for (std::string word; choices >> word;) found.push_back(word);
  if (option.value == "LESSON" || option.value == "TRACE" || option.value == "OTHER")
    for (const guide::Lesson& lesson : guide::course(project_folder() + "/lessons"))
      found.push_back(lesson.name);
  if (names_instruction(command, option)) add_instructions(so_far, found);
}

/// Where `run` has its program, before the last word; 0: nowhere yet.
std::size_t find_program(const Command& command, const Words& words) {
  for (std::size_t at = 1; at + 1 < words.size(); ++at) {
    if (words[at] == "--") return at + 2 < words.size() ? at + 1 : 0;
    if (!begins(words[at], "-")) return at;
    for (const Option& option : command.options)
      if (option.name == words[at] && option.most > 0) ++at;
  }
  return 0;
}

/// Behind a program all words are its own; behind a PTX file they are the launcher's.
void add_of_program(const std::string& program, const Words& words, Words& found) {
  if (!program.ends_with(".ptx")) return;
  if (begins(words.back(), "-")) {
    found.insert(found.end(), launcher::kOptions.begin(), launcher::kOptions.end());
  } else if (words[words.size() - 2] == "--kernel") {
    std::ifstream in(program, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const launcher::KernelText& kernel : launcher::read_ptx(text).kernels)
      found.push_back(kernel.name);
  }
}

void add_of(const Command& command, const Words& words, Words& found) {
  const std::string& so_far = words.back();
  if (command.name == std::string("run"))
    if (const std::size_t program = find_program(command, words); program != 0)
      return add_of_program(words[program], words, found);
  if (begins(so_far, "-")) {
    for (const Option& option : command.options)
      if (!option.hidden && begins(option.name, "--")) found.push_back(option.name);
    found.emplace_back("--help");
  } else if (const Option* option = option_before(command, words); option != nullptr) {
    add_values(command, *option, so_far, found);
  } else {
    for (const Option& place : command.options)
      if (!begins(place.name, "--")) add_values(command, place, so_far, found);
  }
}

}  // namespace

Words completions(const std::vector<Command>& commands, const Words& words) {
  Words found;
  if (words.empty()) return found;
  const std::string& so_far = words.back();
  for (const Command& command : commands) {
    if (words.size() == 1) found.emplace_back(command.name);
    if (words.size() > 1 && words[0] == command.name) add_of(command, words, found);
  }
  if (words.size() == 1) found.emplace_back("help");
  if (words.size() == 2 && words[0] == "help")
    for (const Command& command : commands) found.emplace_back(command.name);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const std::string& word) { return !begins(word, so_far); }),
              found.end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// bash takes ':' for the end of a word: what stands before the last one is there already.
std::string completion_script(const std::string& program) {
  return "_lanescope() {\n"
         "  local line=${COMP_LINE:0:COMP_POINT} last\n"
         "  mapfile -t COMPREPLY < <(" +
         viz::shell_word(program) +
         " completion --line \"$line\" 2>/dev/null)\n"
         "  last=${line##*[[:space:]]}\n"
         "  [[ $last == *:* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"${last%\"${last##*:}\"}\"}\")\n"
         "  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *. ]] && compopt -o nospace\n"
         "} 2>/dev/null\n"
         "complete -o default -F _lanescope lanescope ./learn\n";
}

}  // namespace lanescope::cli
