// SPDX-License-Identifier: MIT
// What flags and locks order: memory fences, and who finds what another has stored behind one.
//
// Source: PTX ISA 9.2, 8 (memory consistency model).
#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {

// What has happened before reaches `scope`, and whatever lies in it.
void Oracle::make_ready(const Events& before, Scope scope, std::array<Events, 3>& ready) {
  for (int k = 0; k <= static_cast<int>(scope); ++k) ready[static_cast<std::size_t>(k)] |= before;
}

int Oracle::signals(const Step& step) const {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  return state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)]
      .signals;
}

namespace {

// 8.6: whether threads of other clusters are meant, too. As write_order.cpp spells them: .volatile
// is .sys, and an atom without a scope .gpu.
bool is_far(const Step& step) {
  const bool is_volatile = step.strength == Strength::is_volatile;
  if (step.op == Op::signal) return step.scope == Scope::gpu || (step.variant == 1 && is_volatile);
  if (step.op == Op::unlock) return step.scope == Scope::gpu || (step.variant == 0 && is_volatile);
  if (step.op == Op::await) return step.scope == Scope::gpu || step.variant != 0 || is_volatile;
  return step.scope == Scope::gpu;
}

}  // namespace

// 8.7: a release is a fence and then a strong write, or a write with .release.
void Oracle::hand_over(const Step& step, Agent& who, bool releases,
                       std::array<std::array<Events, 3>, kCtas>& handed) const {
  std::array<Events, 3> ready = who.knows.ready;
  if (releases) make_ready(who.knows.before, step.scope, ready);
  if (has(Rule::release_is_a_fence)) who.knows.ready = ready;
  auto& there = handed[static_cast<std::size_t>(step.cta)];
  for (std::size_t k = 0; k < (is_far(step) ? 3 : 2); ++k) there[k] |= ready[k];
}

// What reaches a step that looks there.
Oracle::News Oracle::news_for(const Step& step,
                              const std::array<std::array<Events, 3>, kCtas>& handed) const {
  News news;
  for (int cta = 0; cta < shape_.ctas; ++cta) {
    const auto& from = handed[static_cast<std::size_t>(cta)];
    const bool is_near = cta == step.cta || shape_.is_cluster;
    if (is_near) news.near |= from[1] | from[2];
    if (!is_near && is_far(step)) news.far |= from[2];
    if (cta == step.cta || (is_near && has(Rule::cta_is_cluster))) news.near |= from[0];
  }
  return news;
}

void Oracle::learn(const News& news, bool acquires, Knowledge& knows) {
  (acquires ? knows.before : knows.heard) |= news.near;
  (acquires ? knows.before : knows.heard_far) |= news.far;
}

bool Oracle::signal(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  Flag& flag = state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
  if (home == kGlobal) tells(step.cta) = true;
  if (home == kGlobal && step.variant == 2) looks(step.cta) = true;
  if (flag.is_awaited) return false;
  if (flag.signals > 0 && (flag.is_set || step.variant != 0)) return false;  // counted, or set once
  flag.is_set = step.variant != 0;
  flag.answers = step.variant == 2;
  each(step, [&](Agent& who, int) {
    event(who);
    ++flag.signals;
    hand_over(step, who, step.strength == Strength::ordered, flag.handed);
  });
  return true;
}

bool Oracle::await(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  Flag& flag = state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
  if (flag.signals != step.count || step.count == 0 || flag.is_closed) return false;
  const bool writes = step.variant != 0;  // an atomic: who comes later hears of this thread, too
  const bool one = (step.lanes & (step.lanes - 1)) == 0;
  if (writes && (flag.is_awaited || flag.answers || !one)) return false;
  flag.is_closed = writes;
  flag.is_awaited = true;
  if (home == kGlobal && step.variant != 0) tells(step.cta) = true;
  if (home == kGlobal) looks(step.cta) = true;
  const News news = news_for(step, flag.handed);
  const bool acquires =
      has(Rule::reader_needs_none) || (step.variant == 0 && step.strength == Strength::ordered);
  diverge(step);
  each(step, [&](Agent& who, int) {
    event(who);
    learn(news, acquires, who.knows);
  });
  return true;
}

Oracle::Lock& Oracle::lock_of(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  return state_.locks[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
}

std::vector<Step> Oracle::holders() const {
  std::vector<Step> all;
  for (const auto& of_place : state_.locks)
    for (const Lock& lock : of_place)
      if (lock.is_held) all.push_back(lock.holder);
  return all;
}

// It looks, and writes when it finds the lock free; that it looked before says nothing to anybody.
bool Oracle::lock(const Step& step) {
  Lock& lock = lock_of(step);
  if (lock.is_held || lock.turns != step.count) return false;
  lock.is_held = true;
  lock.holder = step;
  if (step.place == Place::global) tells(step.cta) = looks(step.cta) = true;
  const bool acquires = has(Rule::reader_needs_none) || step.strength == Strength::ordered ||
                        step.variant == kReleasesToo;
  diverge(step);
  each(step, [&](Agent& who, int) {
    event(who);
    if (locks_tell_) learn(news_for(step, lock.handed), acquires, who.knows);
    hand_over(step, who, step.variant == kReleasesToo, lock.handed);
  });
  return true;
}

bool Oracle::unlock(const Step& step) {
  Lock& lock = lock_of(step);
  const Step& holder = lock.holder;
  if (!lock.is_held || holder.cta != step.cta || holder.warp != step.warp ||
      holder.lanes != step.lanes || lock.turns != step.count)
    return false;
  lock.is_held = false;
  ++lock.turns;
  if (step.place == Place::global) tells(step.cta) = true;
  if (step.place == Place::global && step.variant == 1) looks(step.cta) = true;
  each(step, [&](Agent& who, int) {
    event(who);
    const bool answers = step.variant == 1;  // atom
    if (answers && locks_tell_)
      learn(news_for(step, lock.handed), has(Rule::reader_needs_none), who.knows);
    hand_over(step, who, step.strength == Strength::ordered, lock.handed);
  });
  return true;
}

}  // namespace lanescope::emulator::races
