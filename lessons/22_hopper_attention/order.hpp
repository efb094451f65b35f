// SPDX-License-Identifier: MIT
// What is wrong with the order in which a warpgroup does things for a block of keys, for the check
// of exercise 22: the calls are gone through one by one, with what is under way meanwhile.
//
//     start_scores  start_values       wait_all_but_last     wait_all
//     [ scores     ]                  -> done
//     [ values                 ]                             -> done
//
// Source: PTX ISA 9.2, 9.7.15.7 (wgmma.fence, commit_group, wait_group).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace exercise_22 {

enum Call {
  kTakeTurn,
  kPassTurn,
  kFence,
  kStartScores,
  kStartValues,
  kWaitAllButLast,
  kWaitAll,
  kReleaseKeys,
  kReleaseValues,
  kSoften,
  kShrink,
  kPack,
  kCalls
};
inline const char* const kNames[kCalls] = {"take_turn",    "pass_turn",    "fence",
                                           "start_scores", "start_values", "wait_all_but_last",
                                           "wait_all",     "release_keys", "release_values",
                                           "soften",       "shrink",       "pack"};

inline std::string words(const std::vector<int>& calls) {
  std::string text;
  for (const int call : calls) text += (text.empty() ? "" : ", ") + std::string(kNames[call]);
  return text.empty() ? "nothing" : text;
}

/// "It looks as if ...", and what to do. Empty: the order is right.
struct Verdict {
  std::string expected, words, advice;
  std::vector<int> calls = {};  // up to the one that is wrong
};

class Block {
 public:
  /// What is wrong with this call behind those before.
  Verdict next(Call call) {
    const bool is_wait = call == kWaitAll || call == kWaitAllButLast;
    if (times_[call]++ > 0 && !is_wait && call != kFence)
      return {std::string("one ") + kNames[call], std::string(kNames[call]) + " were called twice",
              "once for each block"};
    switch (call) {
      case kStartScores:
      case kStartValues:
        return start(call);
      case kPassTurn:
        return pass();
      case kWaitAllButLast:
        return wait(1);
      case kWaitAll:
        return wait(0);
      case kSoften:
        return soften();
      case kShrink:
      case kPack:
        return change(call);
      case kReleaseKeys:
        return release("K", "the scores", kStartScores);
      case kReleaseValues:
        return release("V", "the values", kStartValues);
      case kTakeTurn:
      case kFence:
      case kCalls:
        return {};
    }
    return {};
  }

  /// What is missing at the end.
  Verdict missing() const {
    if (!has(kStartScores) || !has(kStartValues))
      return {"start_scores and start_values", "a product were missing",
              "the scores of this block, the values of the one before"};
    if (!has(kPassTurn))
      return {"pass_turn behind the products", "the turn were never passed on",
              "the other warpgroup waits for it"};
    if (!has(kSoften))
      return {"soften", "scores were never made weights", "soften, between two waits"};
    if (!is_done(kStartValues))
      return {"a wait for the values", "nobody had waited for the values",
              "o and p are touched in the next block at last"};
    if (!has(kShrink))
      return {"shrink behind the softmax", "what was added up before kept its size",
              "a larger score has come: shrink"};
    if (!has(kPack))
      return {"pack behind the softmax", "the next block multiplied the same weights again",
              "pack makes the new ones"};
    if (!has(kReleaseKeys) || !has(kReleaseValues))
      return {
          "release_keys and release_values",
          std::string("a stage of ") + (has(kReleaseKeys) ? "V" : "K") + " were never given back",
          "after two blocks its ring is full, and nobody can fill a stage"};
    return {};
  }

 private:
  bool has(Call call) const { return times_[call] > 0; }
  bool is_done(Call product) const {
    return has(product) &&
           std::find(under_way_.begin(), under_way_.end(), product) == under_way_.end();
  }

  Verdict start(Call product) {
    const bool are_scores = product == kStartScores;
    const std::string which = are_scores ? "the scores" : "the values";
    if (has(kPassTurn))
      return {"both products, then pass_turn",
              "the turn were passed on before " + which + " are started",
              "both products in one turn, then the other's"};
    if (!has(kTakeTurn))
      return {"take_turn before the products", which + " were started out of turn",
              "take_turn first: the other's may be under way"};
    if (!has(kFence))
      return {"fence before the products", "wgmma.fence were missing",
              "o and p have been written since the last wgmma: fence, before the first product"};
    if (!are_scores && has(kPack))
      return {"start_values before pack",
              "this block's weights were multiplied by the values of the block before",
              "start the values before p is written anew"};
    if (has(kSoften))
      return {"both products before soften", which + " were started behind the softmax",
              "then the tensor cores have nothing to do meanwhile: start both before it"};
    if (!are_scores && !has(kStartScores))
      return {"start_scores, then start_values", "the values were started first",
              "groups end in their order: who waits for the scores then waits for the values, too"};
    if (!are_scores && under_way_.empty())
      return {"start_values right behind start_scores",
              "the scores were waited for before the values are started",
              "start both, one right behind the other, then wait"};
    under_way_.push_back(product);
    return {};
  }
  Verdict pass() const {
    if (!has(kTakeTurn))
      return {"take_turn first", "the turn were passed on and not taken",
              "it may be the other one's still"};
    if (!has(kStartScores) || !has(kStartValues)) return {};  // start() says so
    if (!waited_ && !has(kSoften)) return {};
    return {"pass_turn right behind the products",
            has(kSoften) ? "the turn were kept during the softmax"
                         : "the turn were kept while this warpgroup waits",
            "pass it on as soon as both products are started: the other's stand in line then"};
  }
  Verdict wait(std::size_t left) {
    for (; under_way_.size() > left; waited_ = true) under_way_.erase(under_way_.begin());
    return {};
  }
  Verdict release(const std::string& tile, const std::string& what, Call product) const {
    if (is_done(product)) return {};
    return {"a wait for " + what + " first",
            tile + "'s stage were given back while " + what + " are still being multiplied",
            "wgmma reads it until they are done"};
  }
  Verdict soften() const {
    if (!has(kStartScores))
      return {"start_scores, and a wait, before soften",
              "the softmax were made before the scores are started",
              "s is the block before's until then"};
    if (!is_done(kStartScores))
      return {"a wait for the scores before soften",
              "the softmax read scores that are still being added up",
              "wait for them, and for nothing else"};
    if (is_done(kStartValues))
      return {"the values under way at soften", "everything were waited for before the softmax",
              "wait for the scores alone: the values may be under way meanwhile"};
    if (!has(kReleaseKeys))
      return {"release_keys before soften", "K's stage were kept during the softmax",
              "release it as soon as the scores are there: the producer waits for it"};
    return {};
  }
  Verdict change(Call call) const {
    const bool shrinks = call == kShrink;
    if (!has(kSoften))
      return {"soften first",
              shrinks ? "o shrank by what the block before has found"
                      : "scores were packed that are no weights yet",
              "what this block's softmax makes is used behind it"};
    if (!is_done(kStartValues))
      return {"a wait for the values first",
              shrinks ? "o shrank while the values are still being added to it"
                      : "p were written while wgmma still reads the weights before",
              "o and p are wgmma's until then"};
    return {};
  }

  int times_[kCalls] = {};
  std::vector<Call> under_way_;  // groups, in their order
  bool waited_ = false;
};

inline Verdict broken(const std::vector<int>& calls) {
  Block block;
  for (auto call = calls.begin(); call != calls.end(); ++call)
    if (Verdict verdict = block.next(static_cast<Call>(*call)); !verdict.words.empty()) {
      verdict.calls.assign(calls.begin(), call + 1);
      return verdict;
    }
  Verdict verdict = block.missing();
  verdict.calls = calls;
  return verdict;
}

}  // namespace exercise_22
