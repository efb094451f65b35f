// SPDX-License-Identifier: MIT
// CLI11 is told of the commands and reads the words. The only file that includes it: it costs
// seconds a time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/suggest.hpp"

namespace lanescope::cli {
namespace {

CLI::Option* declare(CLI::App& app, const Option& option) {
  if (option.most == 0)
    return app.add_flag_callback(
        option.name, [&option] { option.take({}); }, option.what);
  if (option.most == 1)
    return app.add_option_function<std::string>(
        option.name, [&option](const std::string& word) { option.take({word}); }, option.what);
  CLI::Option* made =
      app.add_option_function<std::vector<std::string>>(option.name, option.take, option.what);
  return option.least == 0 ? made->expected(0, option.most) : made;
}

// Of one word of its value; a flag has none.
std::string problem(const Option& option, const std::string& word) {
  if (option.check) return option.check(word);
  const bool named = option.name.substr(0, 2) == "--";
  return named && word.empty() && option.most > 0 && !option.may_be_empty ? "'' is no value" : "";
}

void add(CLI::App& app, const Option& option) {
  CLI::Option* made = declare(app, option);
  if (!option.value.empty()) made->option_text(option.value);
  made->check(
      CLI::Validator([&option](std::string& text) { return problem(option, text); }, "", ""));
  if (option.required) made->required();
  if (option.hidden) made->group("");
  for (const std::string& other : option.excludes) made->excludes(app.get_option(other));
}

void add(CLI::App& app, const Command& command, const Command*& chosen) {
  CLI::App* made = app.add_subcommand(command.name, command.what);
  made->group(command.group);
  for (const Option& option : command.options) add(*made, option);
  made->footer(command.footer);
  made->callback([&command, &chosen] {
    const std::string missing = command.missing ? command.missing() : "";
    if (!missing.empty()) throw CLI::RequiredError(missing);
    chosen = &command;
  });
}

// Which command's help to point at: the one whose arguments were wrong.
std::string help_of(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    return "`lanescope " + command->get_name() + " --help`";
  return "`lanescope --help`";
}

std::string upper(std::string word) {
  for (char& c : word)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return word;
}

// "lanescope view [TRACE] [OTHER]": the words a command takes. `all`: those in brackets, too, that
// may be left out.
std::string usage(const Command& command, bool all) {
  std::string words = std::string("lanescope ") + command.name;
  for (const Option& option : command.options) {
    if (option.name[0] == '-') continue;
    if (option.required) words += " " + upper(option.name);
    if (all && !option.required) words += " [" + upper(option.name) + "]";
  }
  return words;
}

// "check: LESSON is missing: lanescope check LESSON", for CLI11's "lesson is required".
std::string missing_words(const Command& command, std::string name) {
  name = upper(name.substr(0, name.find(" is required")));
  const std::string words = usage(command, false);
  const bool named = words.find(' ' + name) != words.npos;
  return std::string(command.name) + ": " + name + " is missing: " + words +
         (named ? "" : " " + name);
}

// "no option --bogus", of the words that nothing takes; "": no option is among them.
std::string unknown_option(const std::vector<std::string>& surplus) {
  const auto option = std::find_if(surplus.begin(), surplus.end(),
                                   [](const std::string& w) { return w[0] == '-'; });
  return option != surplus.end() ? "no option " + *option : "";
}

// The same, or "view: 'C' is one word too many: lanescope view [TRACE] [OTHER]".
std::string surplus_words(const Command* command, const std::vector<std::string>& surplus) {
  if (std::string option = unknown_option(surplus); !option.empty()) return option;
  if (command == nullptr) return "no option " + surplus.front();
  return std::string(command->name) + ": '" + surplus.front() +
         "' is one word too many: " + usage(*command, true);
}

// "--device: DEVICE is missing, one of auto gpu cpu", for CLI11's "--device: 1 required ...".
std::string missing_value(const Command& command, const std::string& said) {
  const std::string name = said.substr(0, said.find(':'));
  for (const Option& option : command.options) {
    if (option.name != name) continue;
    if (said.find("At Most") != said.npos) return name + " is given more than once";
    return name + ": " + option.value + " is missing" +
           (option.choices.empty() ? "" : ", one of " + option.choices);
  }
  return said;
}

// "swizzle: TILE and --mode cannot be given together", for CLI11's "tile excludes --mode".
std::string not_together(const Command& command, const std::string& said) {
  constexpr const char* kExcludes = " excludes ";
  const std::size_t between = said.find(kExcludes);
  if (between == said.npos) return said;
  const auto name = [](const std::string& option) {
    return option[0] == '-' ? option : upper(option);
  };
  return std::string(command.name) + ": " + name(said.substr(0, between)) + " and " +
         name(said.substr(between + std::strlen(kExcludes))) + " cannot be given together";
}

// "; did you mean '--element'?": the option that the first unknown one may be, else where to look.
std::string advice(const std::vector<Command>& commands, const std::vector<std::string>& words,
                   const CLI::App& app) {
  std::vector<std::string> names{"--help", "--version"};
  for (const Command& command : commands) {
    if (words.empty() || command.name != words[0]) continue;
    names = {"--help"};
    for (const Option& option : command.options)
      if (!option.hidden && option.name.substr(0, 2) == "--") names.push_back(option.name);
  }
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.substr(0, 2) != "--" || name == "--") continue;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = meant(name, names);
    if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  }
  return "; see " + help_of(app);
}

// What CLI11 says, in our words.
std::string wrong(const std::vector<Command>& commands, const std::vector<std::string>& typed,
                  const CLI::ParseError& error, const CLI::App& app) {
  const Command* called = nullptr;
  for (const Command& command : commands)
    if (!typed.empty() && command.name == typed[0]) called = &command;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return surplus_words(called, app.remaining(true));
  if (std::string option = unknown_option(app.remaining(true)); !option.empty()) return option;
  if (called != nullptr && error.get_name() == "RequiredError")
    return missing_words(*called, error.what());
  if (called != nullptr && error.get_name() == "ArgumentMismatch")
    return missing_value(*called, error.what());
  if (called != nullptr && error.get_name() == "ExcludesError")
    return not_together(*called, error.what());
  return error.what();
}

}  // namespace

CommandLine parse_command_line(const std::vector<Command>& commands,
                               std::vector<std::string> words) {
  CLI::App app{"Lanescope shows which lane of the tensor cores holds which matrix element.",
               "lanescope"};
  CommandLine line;
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  for (const Command& command : commands) add(app, command, line.command);
  app.require_subcommand(0, 1);
  // Last: commands added after it would repeat it in their own help.
  app.footer(
      "Without a command: your progress and the next step.\n"
      "`lanescope COMMAND --help` says more. Exit codes: 0 fine, 1 the check or the program "
      "failed,\n"
      "2 wrong usage, or a file that cannot be read or written.");
  const std::vector<std::string> typed = words;
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    line.command = nullptr;
    if (error.get_exit_code() != 0) {
      line.problem = wrong(commands, typed, error, app);
      if (line.problem.back() != '?') line.problem += advice(commands, typed, app);
    } else {  // --help, --version
      std::ostringstream out;
      app.exit(error, out, out);
      line.printed = out.str();
    }
  }
  return line;
}

}  // namespace lanescope::cli
