// SPDX-License-Identifier: MIT
#include "app/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "app/trace_files.hpp"
#include "panels/lesson/text_tabs.hpp"
#include "panels/panels.hpp"
#include "trace/beside.hpp"
#include "trace/reader.hpp"

namespace lanescope::viz {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestText_bytes = 1 << 20;
constexpr std::size_t kMostSources = 64;
// What is shown before any trace: the map of lesson 1.
constexpr const char* kFirstMap = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

std::optional<Document> read_document(const fs::path& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec) || fs::file_size(path, ec) > kLargestText_bytes || ec)
    return std::nullopt;
  std::ifstream in(path);
  Document document{path.filename().string(), {}};
  for (std::string line; std::getline(in, line);) {
    std::string spaces;  // the fonts have no tabulator
    for (const char c : line)
      if (c == '\t')
        spaces.append(4, ' ');
      else if (c != '\r')
        spaces += c;
    document.lines.push_back(std::move(spaces));
  }
  return document;
}

void read_lesson(Workspace& ws, const WindowOptions& options) {
  ws.lesson = {};
  ws.sources.clear();
  const fs::path folder =
      options.lessons_folder.empty() || ws.model.trace.header.program.empty()
          ? fs::path()
          : fs::path(options.lessons_folder) / fs::path(ws.model.trace.header.program).filename();
  if (!folder.empty())
    if (auto lesson = read_document(folder / "README.md")) ws.lesson = std::move(*lesson);
  std::set<std::string> asked;
  const auto read = [&](const std::string& name) {
    if (name.empty() || asked.size() >= kMostSources || !asked.insert(name).second) return;
    auto source = read_document(name);
    if (!source && !folder.empty()) source = read_document(folder / fs::path(name).filename());
    if (source) ws.sources.emplace(name, std::move(*source));
  };
  for (const Multiplication& in : ws.model.multiplications)
    for (const trace::Fragment* fragment : in.data)
      if (fragment != nullptr) read(fragment->source.file);
  const std::string* last = nullptr;  // nearly always the same as the step's before
  for (const StepWarp& warp : ws.steps.list.warps)
    for (const StepItem& item : warp.items) {
      const std::string& name = item.step->source.file;
      if (last == nullptr || *last != name) read(name);
      last = &name;
    }
}

// The panel and the product that were asked for; what is wrong with them, or "".
std::string show_asked(Workspace& ws, const WindowOptions& options) {
  for (const Shows shows : {Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline})
    if (options.panel == name_of(shows) && !show(ws, shows)) return ws.message;
  if (options.product < 1) return {};
  if (options.beside > 0 && options.panel.empty() && has(ws, Shows::memory))
    show(ws, Shows::memory);  // two beside each other are tiles, whoever asks for them
  const auto index = static_cast<std::size_t>(options.product - 1);
  const bool memory = ws.shows == Shows::memory;
  const std::size_t count = memory ? ws.memory.tiles.size() : ws.model.multiplications.size();
  const int most = std::max(options.product, options.beside);
  if (options.beside > 0 && !memory) return "--product: two beside each other are tiles of memory";
  if (static_cast<std::size_t>(most) > count)
    return fmt::format("--product {}: the trace has {} {}{}", most, count,
                       memory ? "tile" : "product", count == 1 ? "" : "s");
  if (!memory) {
    show_multiplication(ws, index);
  } else {
    ws.memory.current = index;
    show_beside(ws, options.beside - 1);
  }
  return {};
}

// A page of the atlas as its words ask for it; what is wrong with them, or "".
std::string open_page(Workspace& ws, const WindowOptions& options) {
  const std::string &page = options.page, &words = options.page_words;
  if (!options.page_beside.empty()) {
    open_atlas(ws, words);  // where Esc leads back to
    return show_maps(ws, only_entry(words), only_entry(options.page_beside));
  }
  if (page == "atlas") {
    open_atlas(ws, words);
    return {};
  }
  go_to(ws, page == "swizzle" ? Page::swizzle : Page::descriptor);
  return words.empty() || search(ws, words) ? std::string() : ws.message;
}

// The line of status has no room for folders.
std::string in_one_line(const trace::ReadError& error, const std::string& path) {
  return error.message(fs::path(path).filename().string());
}

// Reads a trace with its lesson and sources; `show` is given its model. On failure the reader's
// message is shown, and what was shown before stays.
template <class Show>
std::string read_trace(Workspace& ws, const WindowOptions& options, const std::string& path,
                       Show show) {
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) {
    show_error(ws, in_one_line(*result.error, path));
    return result.error->message(path);
  }
  const std::string problem = trace::add_steps_beside(result.trace, path);
  show(make_model(std::move(result.trace)));
  read_lesson(ws, options);
  if (!problem.empty()) show_error(ws, problem);  // the trace itself is fine
  ws.steps_problem = problem;
  return {};
}

// The same of two that are compared.
template <class Show>
std::string read_comparison(Workspace& ws, const std::string& a_path, const std::string& b_path,
                            Show show) {
  std::array<trace::Trace, 2> traces;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string& path = side == 0 ? a_path : b_path;
    trace::ReadResult result = trace::read_file(path);
    if (!result.ok()) {
      show_error(ws, in_one_line(*result.error, path));
      return result.error->message(path);
    }
    traces[side] = std::move(result.trace);
  }
  show(compare(std::move(traces[0]), std::move(traces[1]), a_path, b_path));
  return {};
}

}  // namespace

Followed followed(const Workspace& ws) {
  const CompareState& c = ws.compare;
  if (ws.page == Page::compare && c.there && !c.made.of_maps())
    return {{c.made.paths.begin(), c.made.paths.end()}, c.stamp};
  if (!ws.has_trace()) return {};
  return {{ws.trace_path}, ws.trace_stamp};
}

std::string open_trace(Workspace& ws, const WindowOptions& options, const std::string& path) {
  const std::string stamp = stamp_of(std::vector{path});
  std::string problem = read_trace(ws, options, path, [&](Model model) {
    show_model(ws, std::move(model), path);
    ws.trace_stamp = stamp;
  });
  if (!problem.empty()) {  // what was wanted of this file is wanted of no later one
    ws.open_event = -1;
    ws.open_words.clear();
  }
  return problem;
}

namespace {

// What was shown stays; where the file comes back, it is another, and is read.
std::string say_gone(Workspace& ws, const std::vector<std::string>& paths) {
  const auto gone = std::find_if(paths.begin(), paths.end(),
                                 [](const std::string& path) { return stamp_of(path).empty(); });
  const std::string name =
      fs::path(gone == paths.end() ? paths.front() : *gone).filename().string();
  show_error(ws,
             name + " is no longer on the disk: this is what was in it, until there is another");
  return ws.message;
}

}  // namespace

std::string reread(Workspace& ws, const WindowOptions& options) {
  const Followed files = followed(ws);
  const bool two = files.paths.size() == 2;
  // Also where they cannot be read: once is enough.
  const std::string stamp = stamp_of(files.paths);
  (two ? ws.compare.stamp : ws.trace_stamp) = stamp;
  if (stamp.empty()) return say_gone(ws, files.paths);
  std::string problem =
      two ? read_comparison(ws, files.paths[0], files.paths[1],
                            [&](Comparison made) { show_comparison_again(ws, std::move(made)); })
          : read_trace(ws, options, files.paths.front(),
                       [&](Model model) { show_model_again(ws, std::move(model)); });
  if (!problem.empty() || (!two && !ws.steps_problem.empty())) return problem;
  const std::string name = fs::path(files.paths.front()).filename().string();
  ws.message = two ? "one of the two was written anew: both are read again"
                   : fmt::format("{} was written anew, and is read again", name);
  return {};
}

bool can_reread(const Workspace& ws) {
  const bool of_files = ws.page == Page::compare && !ws.compare.made.of_maps();
  const bool looked_at = ws.page == Page::trace || of_files;
  return looked_at && !followed(ws).paths.empty() && !ws.searching && !ws.quiz.open &&
         !ws.show_traces && !ws.play.on;
}

std::string open_comparison(Workspace& ws, const std::string& a_path, const std::string& b_path) {
  const std::string stamp = stamp_of({a_path, b_path});
  return read_comparison(ws, a_path, b_path, [&](Comparison made) {
    show_comparison(ws, std::move(made));
    ws.compare.stamp = stamp;
  });
}

std::string open_dropped(Workspace& ws, const WindowOptions& options,
                         const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  if (paths.size() > 2) {
    show_error(ws, fmt::format("{} files were dropped: drop one to open it, two to see them side "
                               "by side",
                               paths.size()));
    return ws.message;
  }
  std::string problem = open_trace(ws, options, paths.front());
  if (problem.empty() && paths.size() == 2) problem = open_comparison(ws, paths[0], paths[1]);
  ws.traces = list_traces(options, ws.trace_path);
  return problem;
}

void list_anew(Workspace& ws, const WindowOptions& options) {
  ws.traces = list_traces(options, ws.trace_path);
  for (std::size_t at = 0; at < ws.traces.size(); ++at)
    if (ws.traces[at].path == ws.trace_path) ws.trace_row = static_cast<int>(at);
  ws.reveal_trace = true;
}

bool obey_requests(Workspace& ws, const WindowOptions& options,
                   const std::vector<std::string>& dropped) {
  const std::string compared = std::exchange(ws.compare_request, {});
  if (!dropped.empty()) open_dropped(ws, options, dropped);
  if (!compared.empty()) open_comparison(ws, ws.trace_path, compared);
  const std::string path = std::exchange(ws.open_request, {});
  if (!path.empty()) {
    open_trace(ws, options, path);
    ws.traces = list_traces(options, ws.trace_path);
  }
  return !dropped.empty() || !compared.empty() || !path.empty();
}

namespace {

// A trace of steps opens on these; "A 9,5" is then meant of the products in them.
std::string select_asked(Workspace& ws, const WindowOptions& options) {
  if (search(ws, options.selection)) return {};
  const std::string why = ws.message;
  const bool products = options.panel.empty() && ws.shows == Shows::steps;
  if (products && has(ws, Shows::fragments) && show(ws, Shows::fragments) &&
      search(ws, options.selection))
    return {};
  return why;
}

// The page has the words that were asked for beside it, or that is said.
std::string tab_asked(const Workspace& ws, const WindowOptions& options) {
  if (options.tab != "source" || ws.page != Page::trace) return {};
  if (source_of(ws, ws.shows == Shows::fragments ? ws.shown() : nullptr) != nullptr) return {};
  return "--tab source: no source is known of what this page shows; steps have theirs (--panel "
         "steps), and so have fragments whose file is on the disk";
}

}  // namespace

std::string begin_session(Workspace& ws, const WindowOptions& options) {
  ws.dark = !options.light;
  if (!options.tab.empty()) ws.registers_shown = false;
  if (options.tab == "source") ws.tab = TextTab::source;
  if (options.tab == "trace") ws.tab = TextTab::trace;
  if (const layout::Instruction* first = layout::find(kFirstMap))
    ws.fallback.push_back(bare(*first));
  ws.traces = list_traces(options, options.trace);
  if (!options.page.empty()) {
    if (std::string problem = open_page(ws, options); !problem.empty()) return problem;
  } else if (options.trace.empty()) {
    ws.show_traces = true;
  } else if (std::string problem = open_trace(ws, options, options.trace); !problem.empty()) {
    return problem;
  }
  if (std::string problem = show_asked(ws, options); !problem.empty()) return problem;
  if (!options.other.empty())
    if (std::string problem = open_comparison(ws, options.trace, options.other); !problem.empty())
      return problem;
  if (!options.selection.empty())
    if (std::string problem = select_asked(ws, options); !problem.empty()) return problem;
  return tab_asked(ws, options);
}

}  // namespace lanescope::viz
