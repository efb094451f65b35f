// SPDX-License-Identifier: MIT
// Graphs: work that is written down first, by stream capture or node by node, and done later, as
// often as one likes. A graph is done in one order that its dependencies allow: the order in which
// its nodes were added, where that is one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/abi.hpp"
#include "cudart/graph/graph_memory.hpp"
#include "cudart/graph/user_object.hpp"

namespace lanescope::cudart {

struct Context;

/// cudaGraphNodeType.
enum class NodeType : int {
  kernel = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait_event = 6,
  record_event = 7,
  allocate = 10,
  release = 11,
  conditional = 13,
};

/// cudaGraphConditionalNodeType.
enum class Choice : int { when = 0, repeat = 1, select = 2 };

using AttributeValue = std::array<std::byte, 64>;  // cudaLaunchAttributeValue

using Work = std::function<cudaError(Context&)>;

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

/// What a node's parameters are, for whoever asks: the pointers of a kernel's lead to `values`.
struct GivenParameters {
  cudaGraphNodeParams all{};
  std::vector<std::byte> values;
  std::vector<void*> arguments;
};

struct GraphNode {
  std::uint64_t handle = 0;
  NodeType type = NodeType::empty;
  Work work;                               // nothing for an empty node
  std::string label;                       // the kernel, or what is moved: "(DtoH,128)"
  std::string_view way;                    // of a copy: "DtoH"
  bool is_rows = false;                    // of a fill: more than one row
  std::optional<HostWork> host;            // runs without the runtime's lock
  std::shared_ptr<GivenParameters> given;  // of kernels, copies, fills and host functions
  std::vector<GraphNode> inner;            // of a child graph, in order
  std::uint64_t child = 0;                 // that graph's handle, once a program has asked for it
  std::vector<std::uint64_t> needs;        // handles
  // By handle of a need: what is said of that edge, where it is not all zeros.
  std::map<std::uint64_t, cudaGraphEdgeData> edges;
  bool is_programmatic = false;              // of a captured kernel, until it is written down
  std::uint64_t origin = 0;                  // of a clone's node: the one that it is a copy of
  bool is_off = false;                       // of what was instantiated: cudaGraphNodeSetEnabled
  std::map<int, AttributeValue> attributes;  // of a kernel's launch, where they are not the usual
  std::shared_ptr<GraphBlock> block;         // what a node allocates
  // Of a conditional node: what decides, how, the graphs it chooses from, and those in order.
  std::uint64_t condition = 0;
  Choice choice = Choice::when;
  std::vector<std::uint64_t> bodies;
  std::vector<std::vector<GraphNode>> branches;
  bool needs_node(std::uint64_t other) const;
};

/// A number that kernels set (cudaGraphSetConditional) and conditional nodes ask.
struct Condition {
  std::uint64_t graph = 0;
  std::unique_ptr<unsigned> value;   // its address is the handle
  std::optional<unsigned> at_start;  // of a launch; else it is kept
};

struct Graph {
  std::vector<GraphNode> nodes;  // in the order in which they were added
  GraphNode* find(std::uint64_t handle);
  const GraphNode* find(std::uint64_t handle) const;
};

/// A stream that writes down what it is given.
struct Capture {
  std::uint64_t graph = 0;
  std::vector<std::uint64_t> last;  // what the next node needs
  bool begun_here = false;          // else the stream joined by an event
  bool is_invalid = false;          // something was done that capturing forbids
  int mode = 0;                     // cudaStreamCaptureMode, of one begun here
  std::thread::id thread{};         // likewise
};

struct Graphs {
  std::map<std::uint64_t, Graph> graphs;
  std::map<std::uint64_t, std::vector<GraphNode>> executables;  // in order
  std::map<std::uint64_t, unsigned long long> flags;            // they were instantiated with
  std::map<std::uint64_t, Capture> captures;                    // by stream_number()
  std::map<std::uint64_t, Condition> conditions;                // by handle
  std::map<std::uint64_t, std::vector<cudaGraph_t>> bodies;     // by node: what programs were given
  GraphMemory memory;
  UserObjects objects;
  /// nullptr: there is none.
  Graph* find(cudaGraph_t graph);
  /// The graph that a node is of; nullptr if none.
  Graph* graph_of(std::uint64_t node);
  /// The capture of a stream; nullptr if none.
  Capture* capture_of(cudaStream_t stream);
  /// Whether a capture writes this graph down: not one that has ended, or is invalid.
  bool is_captured(std::uint64_t graph) const;
  /// The captures of this graph are lost.
  void invalidate(std::uint64_t graph);
  /// There are none of this graph any more.
  void end_captures(std::uint64_t graph);
};

/// The nodes in an order that their dependencies allow; empty when there is a circle.
std::optional<std::vector<GraphNode>> in_order(const Graph& graph);
/// The same, ready to be done: child graphs and those of conditional nodes are in it as they are
/// now.
std::optional<std::vector<GraphNode>> settled(const Graphs& graphs, const Graph& graph);
/// A copy whose nodes have handles of their own, and know of which nodes they are copies.
Graph copy_of(Context& context, const Graph& graph);

/// Does the work at once, or writes it down, as `label`, where the stream is captured.
cudaError submit(Context& context, cudaStream_t stream, NodeType type, Work work,
                 std::string_view label = {});
/// Writes down a node behind what the captured stream was given last.
cudaError write_down(Context& context, cudaStream_t stream, GraphNode node);
/// The same for a node that `set` gives what it does; where that is an error, there is no node.
template <class Set>
cudaError write_down(Context& context, cudaStream_t stream, NodeType type, const Set& set) {
  GraphNode node;
  node.type = type;
  const cudaError error = set(node);
  return error != cudaSuccess ? error : write_down(context, stream, std::move(node));
}
bool is_captured(const Context& context, cudaStream_t stream);
/// For what a captured stream cannot do: the capture is lost.
cudaError invalidate(Context& context, cudaStream_t stream,
                     cudaError error = cudaErrorStreamCaptureUnsupported);
/// Adds a node and gives its handle.
std::uint64_t add_node(Context& context, Graph& graph, GraphNode node);

}  // namespace lanescope::cudart
