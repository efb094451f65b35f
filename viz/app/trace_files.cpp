// SPDX-License-Identifier: MIT
#include "app/trace_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "trace/beside.hpp"

namespace lanescope::viz {
namespace {

namespace fs = std::filesystem;

std::string size_text(std::uintmax_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

}  // namespace

std::string stamp_of(const std::string& path) {
  std::string stamp;
  for (const std::string& file : {path, trace::steps_path(path)}) {
    // A pipe in its place is none: who read it again would wait for what is written into it.
    std::error_code ec, of_time;
    const bool is_file = !file.empty() && fs::is_regular_file(file, ec);
    const std::uintmax_t bytes = is_file ? fs::file_size(file, ec) : 0;
    const auto written = is_file ? fs::last_write_time(file, of_time) : fs::file_time_type();
    const bool is_there = is_file && !ec && !of_time;
    if (!is_there && file == path) return {};
    stamp += is_there ? fmt::format("{} {};", bytes, written.time_since_epoch().count()) : "-;";
  }
  return stamp;
}

std::string stamp_of(const std::vector<std::string>& paths) {
  std::string all;
  for (const std::string& path : paths) {
    const std::string one = stamp_of(path);
    if (one.empty()) return {};
    all += one + '\n';
  }
  return all;
}

std::vector<TraceFile> list_traces(const std::string& folder) {
  struct Found {
    fs::file_time_type time;
    TraceFile file;
  };
  std::vector<Found> found;
  std::error_code ec;
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    const std::string name = at->path().filename().string();
    if (!name.ends_with(".lanes") && !name.ends_with(".lanes.zst")) continue;
    if (trace::is_beside_another(at->path().string())) continue;  // comes with that one
    std::error_code gone;  // a file may vanish between the two looks
    if (!at->is_regular_file(gone)) continue;
    const auto bytes = at->file_size(gone);
    const auto time = at->last_write_time(gone);
    if (!gone) found.push_back({time, {at->path().string(), name, size_text(bytes)}});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.time != b.time ? a.time > b.time : a.file.name < b.file.name;
  });
  std::vector<TraceFile> files;
  for (Found& f : found) files.push_back(std::move(f.file));
  return files;
}

std::vector<TraceFile> list_traces(const WindowOptions& options, const std::string& open) {
  std::vector<TraceFile> all = list_traces(options.traces_folder), recorded;
  std::error_code ec;
  for (fs::directory_iterator at(options.lessons_folder, ec), end; !ec && at != end;
       at.increment(ec)) {
    const fs::path path = at->path() / "recorded.lanes";
    std::error_code none;
    if (const auto bytes = fs::file_size(path, none); !none)
      recorded.push_back({path.string(), at->path().filename().string(),
                          fmt::format("came with the lesson, {}", size_text(bytes))});
  }
  std::sort(recorded.begin(), recorded.end(),
            [](const TraceFile& a, const TraceFile& b) { return a.name < b.name; });
  all.insert(all.end(), recorded.begin(), recorded.end());
  // Of a file that lies elsewhere the list is how to read it anew.
  const bool listed = std::any_of(all.begin(), all.end(), [&](const TraceFile& f) {
    std::error_code gone;
    return f.path == open || fs::equivalent(f.path, open, gone);
  });
  if (!open.empty() && !listed)
    all.insert(all.begin(), {open, fs::path(open).filename().string(),
                             fs::exists(open, ec) ? "open" : "open; no longer on the disk"});
  return all;
}

std::string picture_path(const std::string& trace_path, const WindowOptions& options,
                         const char* end_of_name) {
  std::error_code ignored;
  fs::path trace = trace_path;
  if (trace.empty()) trace = fs::path(options.traces_folder) / "lanescope";
  // Of a lesson's own recording the lesson's name is kept, and its folder left as it is.
  if (trace.filename() == "recorded.lanes")
    trace = fs::path(options.traces_folder) / trace.parent_path().filename();
  if (trace.has_parent_path()) fs::create_directories(trace.parent_path(), ignored);
  std::string stem = trace.string();
  for (const std::string_view end : {".zst", ".lanes"})
    if (stem.ends_with(end)) stem.resize(stem.size() - end.size());
  std::string path = stem + end_of_name;
  for (int number = 2; fs::exists(path, ignored); ++number)
    path = fmt::format("{}.{}{}", stem, number, end_of_name);
  return path;
}

}  // namespace lanescope::viz
