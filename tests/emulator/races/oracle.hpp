// SPDX-License-Identifier: MIT
// Which accesses of a program nothing orders, by the letter of PTX: a graph of events, and for each
// event the set of those that happen before it. Brute force, and nothing of common/emulator/check:
// two accounts of the same rules that have to agree.
//
// Where the checker follows cards and habits and not the letter, the oracle does so, too, under a
// name: Rule. docs/checker.md gives the reasons.
//
// Source: PTX ISA 9.2, 8 (memory consistency model), 8.2 (proxies), 9.7.9.25 (asynchronous copies),
// 9.7.13 (barriers, fences, mbarriers), 9.7.15 (wgmma).
#pragma once

#include <array>
#include <bitset>
#include <set>
#include <vector>

#include "tests/emulator/races/program.hpp"

namespace lanescope::emulator::races {

constexpr int kMostEvents = 1536;
using Events = std::bitset<kMostEvents>;

/// What is not as PTX has it, and why (docs/checker.md).
enum class Rule : std::uint8_t {
  vote_tells,          // shfl, vote: lanes hear what one of them has learnt, and that all have read
  reader_needs_none,   // a flag's reader needs no acquire
  fence_is_handed_on,  // a fence may stand in another thread than the flag's store
  cta_is_cluster,      // .cta reaches the whole cluster
  release_is_a_fence,  // a store with .release makes ready for later flags, too
  copy_tells_own,      // cp.async.mbarrier.arrive: what its thread has done itself is done
  warp_for_warpgroup,  // wgmma: one of the four waits for all
  reads_may_be_told,   // a CTA may have told another without a fence that it has read: open
  global_is_read,      // what threads have read of global memory they have before TMA overwrites it
};
constexpr int kRules = static_cast<int>(Rule::global_is_read) + 1;
constexpr unsigned bit(Rule rule) { return 1u << static_cast<int>(rule); }
/// Those that --strict does without.
constexpr unsigned kNotStrict = bit(Rule::vote_tells) | bit(Rule::reader_needs_none) |
                                bit(Rule::warp_for_warpgroup) | bit(Rule::reads_may_be_told) |
                                bit(Rule::global_is_read);

struct Access {
  int step = 0, home = 0;  // a CTA's shared memory; kGlobal
  int kernel = 0;
  int offset = 0, bytes = 0;
  bool writes = false, strong = false, async = false, is_copy = false, is_sent = false;
  bool is_parted = false;   // lanes store to one place, perhaps one after the other, or copy there
  int cta = 0, warp = -1;   // who
  std::vector<int> warps;   // a wgmma: what threads store each of its warps must know
  int asked = 0;            // events until the last vote of any lanes of that warp
  int voted = 0;            // events until the last vote of that warp
  std::vector<int> events;  // it is performed by all of these
};
constexpr int kGlobal = kCtas;

/// both: a wgmma of which one warp knows what was stored, and no fence of proxies is on the way.
enum class Verdict : std::uint8_t { ordered, unordered, unfenced, both };

/// Two accesses that conflict, and in bytes [offset, end) of which memory.
struct Race {
  int first = 0, second = 0;  // steps
  int kernel = 0;
  int reader = -1, writer = -1;  // the CTA that reads first what another one overwrites
  int home = 0, offset = 0, end = 0;
  Verdict verdict = Verdict::unordered;
  bool is_read_first = false;
  bool is_open =
      false;  // the checker may or may not see it: docs/checker.md, "What it does not see"
  std::size_t one = 0, other = 0;  // which of the oracle's accesses
};

class Oracle {
 public:
  /// `locks_tell`: nobody learns of another through a lock; what can be taken then can be taken
  /// whatever order locks are taken in.
  explicit Oracle(const Program& shape, unsigned without_rules = 0, bool locks_tell = true);

  /// False: after this step it would depend on who comes first what waits for what; it is not
  /// taken.
  bool add(const Step& step);
  /// Takes the last step back.
  void undo();
  /// If the last step was refused for this alone, that nothing orders its use of an mbarrier with a
  /// renewal or its renewal with uses, or a barrier of threads with its round before: those earlier
  /// steps.
  const std::set<int>& beside() const { return beside_; }
  /// Nobody has arrived at the barrier of the cluster and not waited.
  bool is_settled() const { return state_.cluster.arrived == 0 && state_.cluster.owing == 0; }
  bool is_half_arrived() const { return state_.cluster.arrived != 0; }
  std::vector<Race> races() const;
  /// The steps whose copies need not be over when a CTA ends that they fill or take from, the last
  /// step taken as the end.
  std::set<int> outliving() const;
  /// How many of them the last step has brought.
  std::size_t new_races() const { return races_.size() - undo_.races; }

  // What a step has to know to be taken: the parity to wait for, the signals to await.
  int awaited_parity(const Step& step);
  int signals(const Step& step) const;
  int turns(const Step& step) { return lock_of(step).turns; }
  /// The steps that took the locks which are held.
  std::vector<Step> holders() const;

 private:
  struct Knowledge {
    Events before;  // what happens before whatever comes next
    // What fences have made ready for a flag, by scope.
    std::array<Events, 3> ready;
    Events heard, heard_far;  // of flags, without an acquire; and from other clusters
    void join(const Knowledge& other, bool with_fences);
  };
  struct Copy {
    std::vector<int> reads, writes;
    int group = 0;
    int step = 0;
    bool is_over = false;  // a bulk copy: its thread has waited for it
  };
  struct Agent {
    Knowledge knows;
    Events own;    // what it did
    Events reads;  // of that
    std::vector<Copy> copies, bulks;
    int commits = 0, bulk_commits = 0;
  };
  struct Phase {
    Events arrivals;            // that complete it, of threads and of copies
    std::vector<int> arrivers;  // threads' alone
    std::vector<int> waits;     // for it
    std::vector<int> extra;     // one arrival more is needed, says a cp.async.mbarrier.arrive
  };
  struct Mbarrier {
    int expected = 1, phase = 0, arrived = 0;
    bool is_complete = false;  // `now` is; the next arrival begins another
    int made = -1;             // by which renew; -1: before the first step
    Events uses;               // since then
    Phase now, last, older;
    Knowledge handed, completed;  // by all arrivals; when the last phase completed
  };
  struct Barrier {
    Events arrivals;  // of the last time
  };
  struct Flag {
    int signals = 0;
    bool is_set = false;   // by a store; else counted
    bool answers = false;  // set by an atom, which hears who polls with one
    bool is_awaited = false, is_closed = false;
    std::array<std::array<Events, 3>, kCtas> handed;  // by the CTA that signalled
  };
  struct Lock {
    int turns = 0;  // taken so far
    bool is_held = false;
    Step holder;  // its step
    std::array<std::array<Events, 3>, kCtas> handed;
  };
  struct Cluster {
    unsigned arrived = 0, owing = 0;  // warps; those that have yet to wait
    Knowledge handed, opened;
  };
  struct Flight {  // of a bulk copy or st.async: before the CTA ends its thread must hear of it
    int step = 0, cta = 0, event = 0;
  };
  struct Group {  // a warpgroup's wgmmas: their reads by warp, and what all had read before
    std::vector<std::array<int, kWarps>> reads;
    std::vector<Events> earlier;
  };
  struct State {
    std::array<std::array<std::array<Agent, kAgents>, kWarps>, kCtas> agents;
    std::array<std::array<Mbarrier, kMbarriers>, kCtas> mbarriers;
    std::array<std::array<Barrier, 16>, kCtas> barriers;
    std::array<std::array<Flag, kFlags>, kCtas + 1> flags;
    std::array<std::array<Lock, kLocks>, kCtas + 1> locks;
    std::array<std::array<int, kWarps>, kCtas> asked{},
        voted{};  // events until the last vote of all lanes
    std::array<std::array<bool, kWarps>, kCtas> diverged{};
    // By kernel: it has stored to global memory for others to poll; and it has polled.
    std::array<std::array<bool, kCtas>, kKernels> tells{}, looks{};
    int kernel = 0;
    Events fenced_inits;  // of mbarriers
    std::array<Group, kCtas> groups;
    Cluster cluster;
    std::vector<Flight> flights;  // of this kernel
    std::set<int> outliving;      // steps of kernels before: Oracle::outliving
  };
  struct Undo {
    std::size_t events = 0, accesses = 0, races = 0, proxy_fences = 0, votes = 0;
  };

  bool has(Rule rule) const { return ((without_ >> static_cast<int>(rule)) & 1) == 0; }
  void note_beside(int event) { beside_.insert(step_of_[static_cast<std::size_t>(event)]); }
  bool is_used_up(int use, int end) const;
  bool before(int a, int b) const {
    return events_[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)];
  }
  bool all_before(const Events& all, int event) const;
  int event(Agent& agent);               // something that the agent does
  int copy_event(const Events& before);  // something that is done for it
  /// act(agent, lane) for those of a step.
  template <class Act>
  void each(const Step& step, Act act) {
    auto& warp =
        state_.agents[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)];
    for (int lane = 0; lane < kAgents; ++lane)
      if (((step.lanes >> lane) & 1) != 0) act(warp[static_cast<std::size_t>(lane)], lane);
  }
  void access(const Step& step, int home, int offset, int bytes, bool writes, bool async,
              std::vector<int> events);
  void touch(const Step& step);
  void matrix(const Step& step);
  void copy(const Step& step);
  bool bulk(const Step& step);
  void bulk_group(const Step& step);
  bool has_seen(const Phase& phase, int event) const;
  bool arrive(Mbarrier& barrier, const std::vector<int>& events, int count, const Events& by);
  void complete(Mbarrier& barrier);
  Mbarrier& mbarrier(const Step& step);
  bool mbarrier_arrive(const Step& step);
  bool copy_arrive(const Step& step);
  bool mbarrier_wait(const Step& step);
  bool renew(const Step& step);
  bool next_kernel();
  void begin();
  bool& tells(int cta) {
    return state_.tells[static_cast<std::size_t>(state_.kernel)][static_cast<std::size_t>(cta)];
  }
  bool& looks(int cta) {
    return state_.looks[static_cast<std::size_t>(state_.kernel)][static_cast<std::size_t>(cta)];
  }
  bool barrier(const Step& step);
  void meet(const Step& step);
  void vote(const Step& step);
  void diverge(const Step& step);
  void fence(const Step& step);
  static void make_ready(const Events& before, Scope scope, std::array<Events, 3>& ready);
  void hand_over(const Step& step, Agent& who, bool releases,
                 std::array<std::array<Events, 3>, kCtas>& handed) const;
  void hand_over(const Step& step, const Agent& who, Knowledge& handed) const;
  struct News {
    Events near, far;  // from the own cluster, from others
  };
  News news_for(const Step& step, const std::array<std::array<Events, 3>, kCtas>& handed) const;
  static void learn(const News& news, bool acquires, Knowledge& knows);
  bool signal(const Step& step);
  bool await(const Step& step);
  Lock& lock_of(const Step& step);
  bool lock(const Step& step);
  bool unlock(const Step& step);
  bool cluster_arrive(const Step& step);
  bool cluster_wait(const Step& step);
  bool multiply(const Step& step);
  bool take(const Step& step);
  void find_races(std::size_t first_new);
  Verdict judge(const Access& a, const Access& b) const;
  bool is_forgotten(const Race& race) const;
  bool is_overwritten(const Race& race) const;
  bool may_be_told(const Race& race) const;
  bool is_unseen(const Race& race) const;
  bool is_fenced_together(const Access& a, const Access& b) const;
  static bool is_open(const Access& a, const Access& b);

  Program shape_;  // without steps
  unsigned without_ = 0;
  bool locks_tell_ = true;
  int step_ = 0;
  State state_, saved_;
  Undo undo_;
  std::vector<Events> events_;  // by event: those before it
  std::vector<int> step_of_;    // by event
  std::set<int> beside_;
  std::vector<std::vector<int>> votes_;  // of all lanes: their events
  struct ProxyFence {
    int event = 0, step = 0;
    bool of_shared = false, of_global = false;
    bool is_for(int home) const { return home == kGlobal ? of_global : of_shared; }
  };
  std::vector<ProxyFence> proxy_fences_;
  std::vector<Access> accesses_;
  std::vector<Race> races_;
};

/// The whole of it.
struct Judged {
  bool is_program = true;  // every step can be taken
  std::vector<Race> races;
  std::set<int> outliving;  // Oracle::outliving
};
Judged judge(const Program& program, unsigned without_rules = 0);
/// Whether every step can be taken, in whatever order its free locks are.
bool is_program(const Program& program);

}  // namespace lanescope::emulator::races
