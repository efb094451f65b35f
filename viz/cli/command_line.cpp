// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace lanescope::cli {
namespace {

// So long that no number of an option is: what is longer is out of every range.
constexpr std::size_t kMostDigits = 18;

Option with(const char* name, const char* what, const char* value, Check check,
            std::function<void(const std::string&)> take) {
  Option made{name, what, value, std::move(check)};
  made.take = [take = std::move(take)](const std::vector<std::string>& words) {
    take(words.front());
  };
  return made;
}

}  // namespace

Check whole_number(const std::string& what, int low, int high) {
  return [=](const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    const long long number = digits && text.size() <= kMostDigits ? std::stoll(text) : -1;
    if (number >= low && number <= high) return std::string();
    return fmt::format("'{}' is not {}, {} to {}", text, what, low, high);
  };
}

Check number_from(double low, double high) {
  return [=](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool whole = !text.empty() && *end == '\0';
    if (whole && number >= low && number <= high) return std::string();
    return fmt::format("'{}' is not a number from {} to {}", text, low, high);
  };
}

Option option(const char* name, std::string& into, const char* what, const char* value,
              Check check) {
  return with(name, what, value, std::move(check),
              [&into](const std::string& text) { into = text; });
}

Option option(const char* name, int& into, const char* what, const char* value, Check check) {
  return with(name, what, value, std::move(check),
              [&into](const std::string& text) { into = std::stoi(text); });
}

Option option(const char* name, float& into, const char* what, const char* value, Check check) {
  return with(name, what, value, std::move(check),
              [&into](const std::string& text) { into = std::stof(text); });
}

Option option(const char* name, std::optional<int>& into, const char* what, const char* value,
              Check check) {
  return with(name, what, value, std::move(check),
              [&into](const std::string& text) { into = std::stoi(text); });
}

Option option(const char* name, std::vector<std::string>& into, const char* what,
              const char* value) {
  Option made{name, what, value};
  made.take = [&into](const std::vector<std::string>& words) { into = words; };
  made.most = 1 << 20;
  return made;
}

Option choice(const char* name, std::string& into, const char* what, const char* value,
              const std::string& choices) {
  Option made = option(name, into, what, value, [choices](const std::string& text) {
    const bool known = !text.empty() && text.find(' ') == text.npos &&
                       (" " + choices + " ").find(" " + text + " ") != choices.npos;
    return known ? std::string() : fmt::format("'{}' is not one of {}", text, choices);
  });
  made.choices = choices;
  return made;
}

Option flag(const char* name, bool& into, const char* what) {
  Option made{name, what, ""};
  made.take = [&into](const std::vector<std::string>&) { into = true; };
  made.least = made.most = 0;
  return made;
}

Option required(Option option) {
  option.required = true;
  return option;
}

std::vector<std::string> cut_program(const std::vector<Command>& commands,
                                     std::vector<std::string>& words) {
  if (words.empty() || words[0] != "run") return {};
  const auto takes_value = [&commands](const std::string& word) {
    for (const Command& command : commands)
      for (const Option& option : command.options)
        if (command.name == std::string("run") && option.name == word) return option.most > 0;
    return false;
  };
  std::size_t end = 1;
  for (; end < words.size() && words[end] != "--" && words[end][0] == '-'; ++end)
    if (takes_value(words[end])) ++end;
  end = std::min(end, words.size());
  const std::size_t start = end < words.size() && words[end] == "--" ? end + 1 : end;
  std::vector<std::string> program(words.begin() + static_cast<long>(start), words.end());
  words.resize(end);
  return program;
}

}  // namespace lanescope::cli
