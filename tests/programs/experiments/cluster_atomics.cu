// SPDX-License-Identifier: MIT
// What every atomic operation gives in the shared memory of a cluster, by every way that leads
// there: of numbers at the edges, and where the threads of two CTAs meet at one word. And whether
// st.async brings every bit.
//
// PTX ISA 9.2, 9.7.13.5 (atom), 9.7.13.6 (red), red.async, cp.reduce.async.bulk, st.async. The
// answer is docs/experiments/cluster_atomics.md.
#include "cluster_crowds.cuh"
#include "cluster_edges.cuh"
#include "cluster_stores.cuh"

template <int form>
void ask_all() {
  if constexpr (form < kForms) {
    ask_edges<form>();
    ask_crowds<form, kOwnCluster>();
    ask_crowds<form, kOwnGeneric>();
    ask_crowds<form, kOther>();
    ask_crowds<form, kOtherGeneric>();
    ask_crowds<form, kOtherRed>();
    ask_crowds<form, kOtherAsync>();
    ask_crowds<form, kOtherBulk>();
    ask_all<form + 1>();
  }
}
template <int type>
void ask_all_sent() {
  if constexpr (type < kSent) {
    ask_sent<type>();
    ask_all_sent<type + 1>();
  }
}

int main() {
  ask_all<0>();
  ask_all_sent<0>();
}
