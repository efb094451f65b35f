// SPDX-License-Identifier: MIT
// `lanescope view ... --html FILE`: what the window would show, as a page for any browser.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "cli/commands.hpp"
#include "cli/page_file.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "guide/file.hpp"
#include "panels/look/shell_word.hpp"
#include "trace/beside.hpp"
#include "trace/file.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSources = 64, kLargestSource_bytes = 1 << 20;  // as the window reads

std::string read_whole(const fs::path& path) { return guide::contents_of(path).value_or(""); }

// As few bytes as can be: the page's reader tells by the first ones whether they are compressed.
std::string packed(const fs::path& path) {
  std::string bytes = read_whole(path);
  return trace::is_zstd(bytes) ? bytes : trace::compress(bytes);
}

void carry_sources(const trace::Trace& trace, std::vector<CarriedFile>& files) {
  std::set<std::string> names;
  for (const trace::Event& event : trace.events) {
    if (const auto* fragment = std::get_if<trace::Fragment>(&event))
      names.insert(fragment->source.file);
    if (const auto* step = std::get_if<trace::Step>(&event)) names.insert(step->source.file);
  }
  std::size_t carried = 0;
  for (const std::string& name : names) {
    std::error_code none;
    if (carried == kMostSources || !fs::is_regular_file(name, none) ||
        fs::file_size(name, none) > kLargestSource_bytes)
      continue;
    files.push_back({name, read_whole(name)});
    ++carried;
  }
}

// Puts a trace into the page, with what lies beside it; its name there, or why not.
std::string carry(const std::string& path, std::vector<CarriedFile>& files, std::string& name) {
  trace::ReadResult read = trace::read_file(path);
  if (!read.ok()) return read.error->message(path);
  const std::string beside = trace::steps_path(path);
  trace::add_steps_beside(read.trace, path);
  const std::string folder = files.empty() ? "traces/" : "traces/other/";
  name = folder + fs::path(path).filename().string();
  std::error_code none;
  const bool with_steps = !beside.empty() && fs::is_regular_file(beside, none);
  files.push_back({name, packed(path)});
  if (with_steps) files.push_back({trace::steps_path(name), packed(beside)});
  carry_sources(read.trace, files);
  return {};
}

std::string words_of(const ViewOptions& o, const std::vector<std::string>& targets) {
  std::string words;
  const auto add = [&](std::string_view word) {
    words += (words.empty() ? "" : " ") + viz::shell_word(word);
  };
  for (const std::string& target : targets) add(target);
  if (!o.page.empty()) {
    add("--" + o.page);
    for (const std::string& word : o.words) add(word);
  }
  if (!o.beside.empty()) {
    add("--beside");
    for (const std::string& word : o.beside) add(word);
  }
  for (const auto& [option, value] : {std::pair{"--panel", &o.panel},
                                      {"--product", &o.product},
                                      {"--select", &o.selection},
                                      {"--tab", &o.tab}}) {
    if (value->empty()) continue;
    add(option);
    add(*value);
  }
  if (o.light) add("--light");
  return words;
}

}  // namespace

int view_page(const std::vector<std::string>& traces, const ViewOptions& options) {
  const std::string empty = empty_page();
  if (empty.empty())
    return refuse("--html: the page is not built yet; `./learn web` in the checkout builds it");
  std::vector<CarriedFile> files;
  std::vector<std::string> names;
  for (const std::string& trace : traces) {
    std::string name;
    if (const std::string why = carry(trace, files, name); !why.empty()) return refuse(why);
    names.push_back(name);
  }
  const std::string page = page_with(read_whole(empty), files, words_of(options, names));
  if (page.empty()) return refuse(fmt::format("{}: no page of Lanescope's; build it anew", empty));
  if (const auto problem = trace::replace_file(options.html, page)) return refuse(*problem);
  print("{}, {:.1f} MB: open it in any browser; it needs nothing else\n", options.html,
        static_cast<double>(page.size()) / 1e6);
  return 0;
}

}  // namespace lanescope::cli
