// SPDX-License-Identifier: MIT
// See events.hpp.
#include "trace/events.hpp"

#include <fmt/format.h>

#include <limits>

#include "layout/element_type.hpp"
#include "layout/swizzle.hpp"
#include "trace/hex.hpp"
#include "trace/reader.hpp"
#include "trace/stored.hpp"

namespace lanescope::trace {
namespace {

using simdjson::dom::element;

constexpr std::int64_t kIntMax = std::numeric_limits<int>::max();
constexpr std::int64_t kLongMax = std::numeric_limits<std::int64_t>::max();
constexpr int kWarpLanes = 32;

Place place_of(Fields& fields) {
  Place place;
  place.launch = fields.natural("launch", kIntMax);
  place.block = fields.triple("block", 0, kIntMax);
  place.warp = fields.natural("warp", 31);  // 1024 threads are 32 warps
  return place;
}

SourceLine source_of(Fields& fields) {
  SourceLine source;
  source.file = fields.string("file", Need::optional);
  source.line = fields.natural("line", kIntMax, Need::optional);
  return source;
}

void words_of(Fields& fields, std::string_view what, std::string_view text, int bits,
              std::vector<std::uint64_t>& words) {
  const std::string wrong = parse_words(text, (bits + 3) / 4, words);
  if (!wrong.empty()) return fields.fail(fmt::format("{}: {}", what, wrong));
  if (bits >= 4) return;
  for (const std::uint64_t word : words)
    if (word >> bits != 0) fields.fail(fmt::format("{}: a word has more than {} bits", what, bits));
}

void read(Fields& fields, Allocation& allocation) {
  allocation.address = fields.address("address");
  allocation.bytes = static_cast<std::uint64_t>(fields.integer("bytes", 0, kLongMax));
}

void read(Fields& fields, Write& written) {
  written.name = fields.string("name");
  written.watch = fields.string("watch", Need::optional);
  written.bits = fields.natural("bits", 64);
  const int bits = written.bits;
  if (fields.good() && bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    fields.fail(fmt::format("\"bits\" is {}, not 1, 8, 16, 32 or 64", bits));
  const std::string_view lanes = fields.text("lanes");
  if (!fields.good()) return;
  words_of(fields, "\"lanes\"", lanes, bits, written.lanes);
  if (fields.good() && written.lanes.size() != kWarpLanes)
    fields.fail(fmt::format("\"lanes\" has {} words, not 32", written.lanes.size()));
}

void read(Fields& fields, OtherAccess& other) {
  if (fields.has("warp")) {
    other.block = fields.triple("block", 0, kIntMax);
    other.warp = fields.natural("warp", 31);
  }
  if (fields.has("lane")) other.lane = fields.natural("lane", kWarpLanes - 1);
  other.ptx = fields.string("ptx");
  other.ptx_line = fields.natural("ptx_line", kIntMax, Need::optional);
  other.source = source_of(fields);
}

/// A list of objects, which may be left out. `what`: one of them, in words.
template <class Entry>
void read_list(Fields& fields, std::string_view key, std::string_view what, int most,
               std::vector<Entry>& list) {
  std::string problem;
  for (const element& entry : fields.elements(key, most, Need::optional)) {
    Fields inner(problem);
    inner.take(entry, what);
    read(inner, list.emplace_back());
  }
  if (!problem.empty()) fields.fail(std::move(problem));
}

void read(Fields& fields, View& view) {
  view.title = fields.string("title");
  view.panels = fields.texts("panels", Limits::kListed, Need::optional);
  view.selection = fields.string("selection", Need::optional);
  view.caption = fields.string("caption", Need::optional);
}

void read(Fields& fields, Launch& launch) {
  launch.launch = fields.natural("launch", kIntMax);
  launch.kernel = fields.string("kernel");
  launch.grid = fields.triple("grid", 1, kIntMax);
  launch.block = fields.triple("block", 1, 1024);
  launch.shared_bytes = fields.integer("shared_bytes", 0, kIntMax);
  read_list(fields, "allocations", "an entry of \"allocations\"", Limits::kListed,
            launch.allocations);
  launch.parameters = fields.texts("parameters", Limits::kListed, Need::optional);
}

void read(Fields& fields, Fragment& fragment) {
  fragment.place = place_of(fields);
  fragment.name = fields.string("name");
  fragment.instruction = fields.string("instruction");
  fragment.operand = fields.string("operand");
  fragment.register_bits = fields.natural("register_bits", 64);
  if (fields.good() && fragment.register_bits != 32 && fragment.register_bits != 64)
    fields.fail(fmt::format("\"register_bits\" is {}, not 32 or 64", fragment.register_bits));
  const std::vector<std::string> registers = fields.texts("registers", Limits::kRegisters);
  if (fields.good() && registers.empty()) fields.fail("\"registers\" is empty");
  for (std::size_t i = 0; fields.good() && i < registers.size(); ++i) {
    words_of(fields, fmt::format("register {}", i), registers[i], fragment.register_bits,
             fragment.registers.emplace_back());
    if (fields.good() && fragment.registers[i].size() != fragment.registers[0].size())
      fields.fail(fmt::format("register {} has {} lanes, register 0 has {}", i,
                              fragment.registers[i].size(), fragment.registers[0].size()));
  }
  if (fields.good() && fragment.registers[0].size() > kWarpLanes && fragment.place.warp % 4 != 0)
    fields.fail(
        fmt::format("\"warp\" is {}, a warpgroup starts at a multiple of 4", fragment.place.warp));
  fragment.source = source_of(fields);
}

bool row_fits(std::string_view type, int cols, std::size_t row_bytes) {
  if (!layout::element_type(type)) return row_bytes > 0;  // a type of tomorrow
  return stored_bits(type, cols, row_bytes) > 0;
}

void read(Fields& fields, Memory& memory) {
  memory.place = place_of(fields);
  memory.name = fields.string("name");
  memory.space = fields.string("space");
  if (fields.good() && memory.space != "shared" && memory.space != "global")
    fields.fail("\"space\" is neither shared nor global");
  memory.type = fields.string("type");
  memory.rows = static_cast<int>(fields.integer("rows", 1, Limits::kRows));
  memory.cols = static_cast<int>(fields.integer("cols", 1, Limits::kCols));
  memory.address = fields.address("address");
  memory.row_stride_bytes = fields.integer("row_stride_bytes", -kLongMax, kLongMax);
  const std::vector<std::string> rows = fields.texts("bytes", Limits::kRows);
  if (fields.good() && rows.size() != static_cast<std::size_t>(memory.rows))
    fields.fail(fmt::format("\"bytes\" has {} rows, \"rows\" says {}", rows.size(), memory.rows));
  for (std::size_t row = 0; fields.good() && row < rows.size(); ++row) {
    if (!parse_bytes(rows[row], memory.bytes))
      fields.fail(fmt::format("row {}: not two lower-case hexadecimal digits a byte", row));
    else if (rows[row].size() != rows[0].size() ||
             !row_fits(memory.type, memory.cols, rows[row].size() / 2))
      fields.fail(fmt::format("row {} has {} bytes, {} of type {} do not", row,
                              rows[row].size() / 2, memory.cols, memory.type));
  }
  memory.source = source_of(fields);
}

void read(Fields& fields, Step& step) {
  step.place = place_of(fields);
  step.step = fields.integer("step", 0, kLongMax);
  step.ptx = fields.string("ptx");
  step.ptx_line = fields.natural("ptx_line", kIntMax, Need::optional);
  step.source = source_of(fields);
  step.active = fields.lanes("active");
  read_list(fields, "writes", "an entry of \"writes\"", Limits::kWrites, step.writes);
}

void read(Fields& fields, Access& access) {
  access.place = place_of(fields);
  access.step = fields.integer("step", 0, kLongMax);
  access.instruction = fields.string("instruction");
  access.bytes_per_lane = fields.natural("bytes_per_lane", 16);
  const int bytes = access.bytes_per_lane;
  if (fields.good() && (bytes < 1 || (bytes & (bytes - 1)) != 0))
    fields.fail(fmt::format("\"bytes_per_lane\" is {}, not 1, 2, 4, 8 or 16", bytes));
  access.active = fields.lanes("active");
  const std::string_view addresses = fields.text("addresses");
  if (!fields.good()) return;
  std::vector<std::uint64_t> words;
  words_of(fields, "\"addresses\"", addresses, 32, words);
  if (fields.good() && words.size() != kWarpLanes)
    fields.fail(fmt::format("\"addresses\" has {} words, not 32", words.size()));
  const std::vector<std::string> more = fields.texts("more", Limits::kWrites, Need::optional);
  for (std::size_t k = 0; fields.good() && k < more.size(); ++k) {
    std::vector<std::uint64_t> others;
    words_of(fields, "an entry of \"more\"", more[k], 32, others);
    if (fields.good() && others.size() != kWarpLanes)
      fields.fail(fmt::format("an entry of \"more\" has {} words, not 32", others.size()));
    words.insert(words.end(), others.begin(), others.end());
  }
  for (const std::uint64_t word : words)
    access.addresses.push_back(static_cast<std::uint32_t>(word));
}

// As far as a tensor map can have it: strides below 2^40 bytes, boxes of up to 256 elements.
void read(Fields& fields, TensorBox& tensor) {
  constexpr int kMostDimensions = 5;
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  tensor.element_bytes = static_cast<int>(fields.integer("element_bytes", 1, 8));
  tensor.swizzle = fields.string("swizzle");
  if (fields.good() && !layout::swizzle_mode(tensor.swizzle))
    fields.fail("\"swizzle\" is not none, 32B, 64B or 128B");
  tensor.size = fields.integers("size", kMostDimensions, 1, kMost);
  tensor.strides_bytes = fields.integers("strides", kMostDimensions - 1, 0, kMost);
  tensor.box = fields.integers("box", kMostDimensions, 1, 256);
  tensor.at = fields.integers("at", kMostDimensions, -kIntMax - 1, kIntMax);
  const std::size_t rank = tensor.size.size();
  if (fields.good() && (rank == 0 || tensor.strides_bytes.size() + 1 != rank ||
                        tensor.box.size() != rank || tensor.at.size() != rank))
    fields.fail("\"size\", \"box\" and \"at\" are not of one length, \"strides\" one less");
}

void read(Fields& fields, Sync& sync) {
  sync.place = place_of(fields);
  sync.step = fields.integer("step", 0, kLongMax);
  sync.action = fields.string("action");
  sync.object = fields.string("object");
  sync.phase = fields.integer("phase", -1, kLongMax);
  sync.count = fields.integer("count", 0, kLongMax, Need::optional);
  sync.bytes = fields.integer("bytes", 0, kLongMax, Need::optional);
  if (fields.has("address"))
    sync.address = static_cast<std::int64_t>(fields.address("address", kLongMax));
  if (fields.has("global")) sync.global = fields.address("global");
  if (fields.has("box")) read(fields, sync.tensor.emplace_back());
  sync.source = source_of(fields);
}

void read(Fields& fields, Diagnostic& diagnostic) {
  diagnostic.place = place_of(fields);
  diagnostic.kind = fields.string("kind");
  diagnostic.message = fields.string("message");
  diagnostic.details = fields.texts("details", Limits::kListed, Need::optional);
  diagnostic.ptx_line = fields.natural("ptx_line", kIntMax, Need::optional);
  diagnostic.source = source_of(fields);
  read_list(fields, "against", "an entry of \"against\"", Limits::kListed, diagnostic.against);
}

template <class Kind>
bool append(Fields& fields, Trace& trace) {
  read(fields, std::get<Kind>(trace.events.emplace_back(std::in_place_type<Kind>)));
  return true;
}

}  // namespace

void read_header(Fields& fields, Header& header) {
  header.version = fields.natural("lanescope_trace", kIntMax);
  if (fields.good() && header.version > kVersion)
    fields.fail(fmt::format("is of version {}, this Lanescope knows version {}: update Lanescope",
                            header.version, kVersion));
  if (fields.good() && header.version < kVersion)
    fields.fail(fmt::format("is of version {}, which never was", header.version));
  header.producer = fields.string("producer");
  if (fields.good() && header.producer != "gpu" && header.producer != "emulator")
    fields.fail("\"producer\" is neither gpu nor emulator");
  header.device = fields.string("device");
  header.arch = fields.string("arch");
  header.program = fields.string("program");
  header.command = fields.string("command", Need::optional);
}

bool read_event(Fields& fields, Trace& trace) {
  const std::string_view kind = fields.text("event");
  if (!fields.good()) return true;
  if (kind == "fragment") return append<Fragment>(fields, trace);
  if (kind == "step") return append<Step>(fields, trace);
  if (kind == "access") return append<Access>(fields, trace);
  if (kind == "memory") return append<Memory>(fields, trace);
  if (kind == "launch") return append<Launch>(fields, trace);
  if (kind == "sync") return append<Sync>(fields, trace);
  if (kind == "diagnostic") return append<Diagnostic>(fields, trace);
  if (kind == "view") return append<View>(fields, trace);
  return false;
}

}  // namespace lanescope::trace
