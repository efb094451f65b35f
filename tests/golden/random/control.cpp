// SPDX-License-Identifier: MIT
// Branches, loops, jump tables, calls. Before every branch the lanes that are there vote, so that
// collectives behind it can name each other; where somebody jumps away from the middle of a loop's
// body or to the end, nobody knows who is left, and there are none until the paths meet again.
#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

Scope inside(Scope& scope) {
  Scope made;
  made.parent = &scope;
  made.is_kernel = scope.is_kernel;
  made.next = scope.next;
  made.depth = scope.depth + 1;
  made.loops = scope.loops;
  return made;
}

int length(Builder& b) { return 1 + b.random.below(4); }

}  // namespace

Node branch(Builder& b, Scope& scope) {
  Scope then = inside(scope), otherwise = inside(scope);
  const std::string over = b.label("else"), end = b.label("end");
  const bool has_else = b.random.one_in(2);
  std::string text, p = b.predicate();
  if (scope.whole_cta && b.random.one_in(3)) {  // all go the same way
    const int bit = b.random.below(2);
    text = fmt::format("setp.eq.u32 %tp7,%J,{};\n", bit);
    p = "%tp7";
    then.whole_cta = otherwise.whole_cta = true;
    then.mask = otherwise.mask = scope.mask;
  } else if (!scope.mask.empty()) {
    const int yes = b.mask(), no = b.mask();
    text = fmt::format("vote.sync.ballot.b32 %m{},{},{};\nxor.b32 %m{},%m{},{};\n", yes, p,
                       scope.mask, no, yes, scope.mask);
    then.mask = fmt::format("%m{}", yes);
    otherwise.mask = fmt::format("%m{}", no);
  }
  text += fmt::format("@!{} bra {};\n", p, over);
  Node made = b.node(text);
  made.parts[0].block = b.block(then, length(b));
  if (!has_else) {
    made.parts.push_back({over + ":\n", {}});
    return made;
  }
  made.parts.push_back({fmt::format("bra {};\n{}:\n", end, over), {}});
  made.parts[1].block = b.block(otherwise, length(b));
  made.parts.push_back({end + ":\n", {}});
  return made;
}

Node loop(Builder& b, Scope& scope) {
  Scope body = inside(scope);
  const std::string head = b.label("loop"), next = b.label("next"), end = b.label("after");
  const int counter = b.counters++, most = scope.loops == 0 ? 7 : 3;
  body.next = next;
  body.is_loop = true;
  body.loops = scope.loops + 1;
  const std::string count = b.r32();
  std::string text;
  if (scope.whole_cta && b.random.one_in(3)) {
    const int times = 1 + b.random.below(3);
    text = fmt::format("mov.u32 %c{},{};\n", counter, times);
    body.whole_cta = true;
    body.whole_cluster = scope.whole_cluster;
    body.mask = scope.mask;
  } else {
    text = fmt::format("and.b32 %c{},{},{};\n", counter, count, most);
    if (!scope.mask.empty()) {
      const int here = b.mask();
      body.mask = fmt::format("%m{}", here);
      text += fmt::format("mov.b32 %m{},{};\n", here, scope.mask);
    }
  }
  text += fmt::format("{}:\nsetp.ne.u32 %tp7,%c{},0;\n", head, counter);
  if (!body.mask.empty() && !body.whole_cta)
    text += fmt::format("vote.sync.ballot.b32 {},%tp7,{};\n", body.mask, body.mask);
  text += fmt::format("@!%tp7 bra {};\nsub.u32 %c{},%c{},1;\n", end, counter, counter);
  Node made = b.node(text);
  // What the first round through the body finds, the second must find, too.
  made.parts[0].block = b.block(body, 1 + length(b));
  made.parts.push_back({fmt::format("{}:\nbra {};\n{}:\n", next, head, end), {}});
  return made;
}

// Paths through brx.idx: who takes the same one is found by match.
Node jump_table(Builder& b, Scope& scope) {
  const int paths = 2 + b.random.below(3);
  const std::string table = b.label("table"), end = b.label("end"), index = b.r32();
  std::string text = fmt::format("rem.u32 %t7,{},{};\n", index, paths), labels, mask;
  if (!scope.mask.empty()) {
    mask = fmt::format("%m{}", b.mask());
    text += fmt::format("match.any.sync.b32 {},%t7,{};\n", mask, scope.mask);
  }
  std::vector<std::string> path;
  for (int n = 0; n < paths; ++n) {
    path.push_back(b.label("path"));
    labels += (n > 0 ? "," : "") + path.back();
  }
  text +=
      fmt::format("{}: .branchtargets {};\nbrx.idx %t7,{};\n{}:\n", table, labels, table, path[0]);
  Node made = b.node(text);
  for (int n = 0; n < paths; ++n) {
    Scope taken = inside(scope);
    taken.mask = mask;
    made.parts.back().block = b.block(taken, 1 + b.random.below(2));
    const std::string behind =
        n + 1 < paths ? fmt::format("bra {};\n{}:\n", end, path[static_cast<std::size_t>(n) + 1])
                      : end + ":\n";
    made.parts.push_back({behind, {}});
  }
  return made;
}

// From here to the end of the loop's body: the lanes that stay do not know each other.
Node jump_on(Builder& b, Scope& scope) {
  const std::string p = b.predicate();
  for (Scope* at = &scope; at != nullptr; at = at->parent) {
    at->mask.clear();
    at->whole_cta = at->whole_cluster = false;
    if (at->is_loop) break;
  }
  return b.node(fmt::format("@{} bra {};\n", p, scope.next));
}

Node leave(Builder& b, Scope& scope) {
  const std::string p = b.predicate();
  for (Scope* at = &scope; at != nullptr; at = at->parent) {
    at->mask.clear();
    at->whole_cta = at->whole_cluster = false;
  }
  b.left = true;
  return b.node(fmt::format("@{} bra {}_done;\n", p, b.program.name));
}

void add_function(Builder& b) {
  Function f;
  const std::string name = fmt::format("{}_f{}", b.program.name, b.program.functions.size());
  f.head = fmt::format(
      ".func (.param .align 16 .b8 back[32]) {}(.param .b32 one, .param .b64 two, .param .align 16 "
      ".b8 many[16])\n{{\n",
      name);
  const std::string saved = b.program.name;
  Scope scope;
  f.tail =
      "st.param.v2.b64 [back],{%d0,%d1};\nst.param.b32 [back+20],%r0;\nst.param.b16 "
      "[back+16],%h0;\nst.param.b16 [back+18],%h1;\nret;\n}\n";
  f.body = b.block(scope, 4 + b.random.below(8));
  b.program.functions.push_back(std::move(f));
}

Node call(Builder& b) {
  const int which = b.random.below(static_cast<int>(b.program.functions.size()));
  const std::string one = b.r32(), two = b.r64(), three = b.r64(), four = b.r64(), r = b.r32();
  const std::vector<std::string> d = b.targets(64, 2);
  const int place = 4 * b.random.below(6);
  return b.node(
      fmt::format("{{\n.param .b32 a0;\n.param .b64 a1;\n.param .align 16 .b8 a2[16];\n.param "
                  ".align 16 .b8 b0[32];\n"
                  "st.param.b32 [a0],{};\nst.param.b64 [a1],{};\nst.param.v2.b64 [a2],{{{},{}}};\n"
                  "call (b0),{}_f{},(a0,a1,a2);\nld.param.b32 {},[b0+{}];\nld.param.v2.b64 "
                  "{{{},{}}},[b0];\n}}\n",
                  one, two, three, four, b.program.name, which, r, place, d[0], d[1]));
}

// Through a register that holds one function in some lanes and another one in others.
Node call_through_pointer(Builder& b) {
  const int count = static_cast<int>(b.program.functions.size());
  const int first = b.random.below(count), second = b.random.below(count);
  const std::string p = b.predicate(), one = b.r32(), two = b.r64(), three = b.r64(),
                    four = b.r64(), r = b.r32(), prototype = b.label("prototype");
  const std::vector<std::string> d = b.targets(64, 2);
  const int place = 4 * b.random.below(6);
  return b.node(fmt::format(
      "mov.u64 %td6,{0}_f{1};\nmov.u64 %td7,{0}_f{2};\nselp.b64 %td7,%td6,%td7,{3};\n"
      "{{\n.param .b32 a0;\n.param .b64 a1;\n.param .align 16 .b8 a2[16];\n.param .align 16 .b8 "
      "b0[32];\n"
      "st.param.b32 [a0],{4};\nst.param.b64 [a1],{5};\nst.param.v2.b64 [a2],{{{6},{7}}};\n"
      "{8}: .callprototype (.param .align 16 .b8 _[32]) _ (.param .b32 _,.param .b64 _,.param "
      ".align 16 .b8 _[16]);\n"
      "call (b0),%td7,(a0,a1,a2),{8};\nld.param.b32 {9},[b0+{10}];\nld.param.v2.b64 "
      "{{{11},{12}}},[b0];\n}}\n",
      b.program.name, first, second, p, one, two, three, four, prototype, r, place, d[0], d[1]));
}

}  // namespace lanescope::golden::random
