#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/header_waits.h"
#include "network/fabric/routers_passed.h"
#include "network/flit.h"
#include "network/lanes/coming_cycles.h"
#include "network/router/output_table.h"
#include "network/router/router.h"
#include "network/routing/routing.h"

namespace weir::network {

class LaneEnd;

/// All virtual channel routers of a fabric, and the channels between them, in one part: to the
/// cycle what VirtualChannelRouter and FlitChannel do, each router and each channel by itself.
///
/// What a router does in a cycle is told by a few words: a bit for each of its input lanes says
/// whether a flit can be seen there, whether its message holds an output lane, and whether that has
/// a credit. What has all three asks for the switch. Flits have no places of their own: a lane
/// counts those it holds, and keeps the messages they are of.
///
/// A flit that leaves has two effects elsewhere: it arrives at the next lane, and its credit comes
/// back. Both lie in lists of the cycle in which they can be seen. So routers may be gone through
/// in any order; those are gone through that something has come to, or that acted in the cycle
/// before and still hold flits.
///
/// A message that shares neither the port that it comes by nor the one that it leaves by is let
/// through a stretch at a time (lane_stretches.cpp): so many flits, one a cycle, as are known to
/// come and have credits. The whole stretch leaves, arrives and gives its credits back with its
/// first flit, since no router uses more than a flit, or a credit, of a lane in a cycle. When
/// another message gets a lane of one of its ports, the flits that have not left are recalled, and
/// what was built on them elsewhere becomes shorter: there, too, they would not have moved before
/// the next cycle.
///
/// At the nodes stand LaneEnds, whose lanes are like those between routers; or whoever has channels
/// into and out of the network (FlitChannel). One kind in all of a network.
class LaneRouters final : public hw::ClockedPart {
  public:
    struct Design {
        Router::Design router;
        hw::Flits buffer;        ///< of each lane
        hw::Cycles link_cycles;  ///< between routers
        hw::Cycles injection_cycles;
        hw::Cycles ejection_cycles;
        hw::Cycles credit_cycles;
        std::size_t routers;
        int ports;          ///< of each router
        int lanes;          ///< of each port
        bool has_channels;  ///< at the nodes; else LaneEnds stand there
    };
    /// Whether they can be emulated so: round robin, a flit a cycle, delays of up to 64 cycles, at
    /// most 64 lanes a router.
    [[nodiscard]] static bool takes(const Design& design);

    /// Whose channels are to be connected; before the run. The routing must stay.
    LaneRouters(hw::ClockDomain& domain, const Routing& routing, const Design& design);

    struct Port {
        std::size_t router;
        int port;
    };
    using LaneNumber = std::uint32_t;
    static constexpr LaneNumber kNoLane = 0x7fff'ffff;
    /// A lane between two routers; its name is for explanations.
    LaneNumber connect(const Port& output, const Port& input, int lane, std::string name);
    /// Of an end that has channels.
    void connect_injection(const Port& input, int lane, FlitChannel& channel);
    void connect_ejection(const Port& output, int lane, FlitChannel& channel);
    /// Of a LaneEnd; and that end, which calls the network its copy of that number.
    struct EndLanes {
        LaneNumber injection = kNoLane;
        LaneNumber ejection = kNoLane;
    };
    LaneNumber connect_injection(const Port& input, int lane, std::string name);
    LaneNumber connect_ejection(const Port& output, int lane, std::string name);
    void connect_end(LaneEnd& end, std::size_t copy, const EndLanes& lanes);
    /// Has the routers count each message that they give an output; before the run. `passed` must
    /// outlive them.
    void count_passed_in(RoutersPassed& passed) { passed_ = &passed; }

    void tick(hw::Cycles now) override;

    // For LaneEnds.
    /// Flits of a message, which go into an injection lane one a cycle from the present one on.
    struct Run {
        LaneNumber lane;
        std::int64_t flits;
        bool has_tail;
        std::optional<Flit> header;  ///< if it has it
    };
    void send(const Run& run, hw::Cycles now);
    /// Of a message that is to be there as a whole, each flit counts when it comes.
    [[nodiscard]] std::int64_t longest_run() const {
        return design_.router.switching == Switching::kStoreAndForward ? 1 : INT64_MAX;
    }
    /// The next `count` flits of an ejection lane are taken, the first in cycle `cycle`.
    void taken(LaneNumber lane, std::int64_t count, hw::Cycles cycle, hw::Cycles now);
    /// What a lane has room for: the credits of whoever sends into it, those on their way included.
    [[nodiscard]] std::int64_t room_of(LaneNumber lane) const {
        return asides_[lane].places - (lanes_[lane].sent - lanes_[lane].taken);
    }
    [[nodiscard]] const std::string& name_of(LaneNumber lane) const { return asides_[lane].name; }

    // Between cycles, for statistics, conservation and explanations.
    /// Ends what has ended with cycle `now`, the present one.
    void settle(hw::Cycles now);
    [[nodiscard]] std::int64_t flits_forwarded(std::size_t router) const;
    [[nodiscard]] std::int64_t headers_routed(std::size_t router) const {
        return headers_routed_[router];
    }
    [[nodiscard]] hw::Flits flits_in_flight() const;
    /// Of a lane without a channel, through cycle `last`, the present one.
    [[nodiscard]] ChannelCount count(LaneNumber lane, hw::Cycles last) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    using LaneSet = std::uint64_t;  // a bit for each of a router's input, or output, lanes
    static constexpr std::uint8_t kNoOwner = 0xff;

    // A router's input lane with the channel that ends there; or, behind those of all routers, an
    // ejection lane. One line of the host's caches.
    struct alignas(64) Lane {
        // As the receiver sees it, with what an end or a stretch does ahead.
        std::int64_t taken = 0;
        std::int64_t tail = kNoTail;  // of the message at the front: the flits up to it
        Lane* output = nullptr;       // held from header to tail
        hw::MessageSlot message = 0;  // at the front
        std::int32_t flits = 0;       // that can be seen, with the rest of a run
        std::uint32_t receiver = 0;   // router; or the channel or end, of an ejection lane
        std::uint16_t messages = 0;
        std::uint16_t candidate_set = 0;  // of the header at the front: a number of candidates_
        std::uint8_t number = 0;          // among the receiver's lanes
        std::uint8_t port = 0;            // of the receiver
        std::uint8_t last_output = 0;     // of the receiver's output lanes, that it has held
        bool header_has_left : 1 = false;
        bool header_is_waiting : 1 = false;  // for an output, as its waits say beside the lane
        bool is_injection : 1 = false;
        bool sender_waits : 1 = false;  // for credits
        // As the sender sees it.
        std::uint8_t sender_number = 0;  // among its output lanes
        std::uint8_t sender_port = 0;
        std::uint8_t owner = kNoOwner;  // the sender's input lane that holds it
        std::uint8_t last_winner = 0;   // of the sender's input lanes
        std::uint32_t sender = 0;       // router; or the channel or end, of an injection lane
        std::int32_t credits = 0;       // that can be used
        std::int64_t sent = 0;
    };
    static_assert(sizeof(Lane) == 64);
    static constexpr std::int64_t kNoTail = -1;

    // Of a message in a lane behind the one at its front.
    struct Follower {
        hw::MessageSlot message;
        std::int64_t tail;
    };
    // What a header may ask for: Candidates.
    struct CandidateSet {
        LaneSet open = 0;
        LaneSet escapes = 0;
    };
    // What of a lane is looked at once a message, or more rarely.
    struct alignas(64) Aside {
        hw::Fifo<Follower> followers;
        HeaderWaits waits;
        std::int32_t places = 0;
        AwaitedCredits awaited;
        std::int64_t expected = 0;  // the last of the expected credits, if it is not back
        std::string name;
    };
    // A credit on its way that is waited for: that of the flit that left the lane as number
    // `taken`.
    struct ExpectedCredit {
        const Lane* lane;
        std::int64_t taken;
    };
    struct alignas(64) RouterState {
        LaneSet visible = 0;  // a flit can be seen
        LaneSet routed = 0;   // its header knows what it may take
        LaneSet asking = 0;   // and asks for that
        LaneSet holding = 0;  // holds an output that it may use; not in a stretch
        LaneSet in_stretch = 0;
        LaneSet credited = 0;                // holds an output with a credit
        LaneSet ejecting = 0;                // holds an output to the node
        LaneSet free_outputs = ~LaneSet{0};  // that no message holds

        // Whether there is a header to route, one that asks, or a flit whose message holds a lane:
        // if not, nothing is done when the router is gone through.
        [[nodiscard]] bool has_to_act() const {
            return asking != 0 || (visible & (holding | ~routed)) != 0;
        }
    };
    static_assert(sizeof(RouterState) == 64);
    // The last winners at a port, and of its input.
    struct alignas(4) PortTurns {
        std::uint8_t input_of_output = 0;
        std::uint8_t output_of_input = 0;
        std::uint8_t lane_of_input = 0;  // among the router's
    };
    // Lanes to which the same happens in a cycle. Places are kept for the next cycle that needs
    // them, so that to put a lane on the list is a store.
    class LaneList {
      public:
        void push(Lane& lane) {
            if (end_ == limit_) [[unlikely]] {
                grow();
            }
            *end_++ = &lane;
        }
        [[nodiscard]] std::span<Lane*> lanes() { return {places_.data(), end_}; }
        [[nodiscard]] bool empty() const { return end_ == places_.data(); }
        [[nodiscard]] bool has(const Lane& lane) {
            return std::find(places_.data(), end_, &lane) != end_;
        }
        void clear() { end_ = places_.data(); }

      private:
        [[gnu::cold, gnu::noinline]] void grow();

        std::vector<Lane*> places_;
        Lane** end_ = nullptr;
        Lane** limit_ = nullptr;
    };
    // Flits that come one a cycle, by their first: a router takes them no faster. Or their credits,
    // which it uses no faster.
    struct RunThatComes {
        Lane* lane;
        std::int32_t count;
    };
    // Flits of a message that leave an input lane one a cycle, told with the first.
    struct Stretch {
        hw::Cycles first{kNone};
        hw::Cycles end{kNone};     // the cycle after the last one
        hw::Cycles listed{kNone};  // the last one in whose list of ends it stands
    };
    static constexpr std::int64_t kNone = -1;
    // What can be seen from a cycle on.
    struct Due {
        LaneList arrivals;
        std::vector<RunThatComes> runs;
        LaneList credits;
        std::vector<RunThatComes> credit_runs;
        LaneList awaited_credits;  // of all these, the ones that are waited for
        LaneList ready;            // for the next stage
    };

    [[nodiscard]] LaneNumber lane_at(const Port& port, int lane) const {
        return static_cast<LaneNumber>(port.router * stride_ +
                                       static_cast<std::size_t>(port.port * design_.lanes + lane));
    }
    [[nodiscard]] LaneNumber number_of(const Lane& lane) const {
        return static_cast<LaneNumber>(&lane - lanes_.data());
    }
    [[nodiscard]] Aside& aside_of(const Lane& lane) { return asides_[number_of(lane)]; }
    [[nodiscard]] const Aside& aside_of(const Lane& lane) const { return asides_[number_of(lane)]; }
    [[nodiscard]] Lane& input_of(std::size_t router, int number) {
        return lanes_[router * stride_ + number];
    }
    [[nodiscard]] LaneSet lanes_of_port(int port) const { return lanes_of_ports_[port]; }
    [[nodiscard]] PortTurns* turns_of(std::size_t router) {
        return &turns_[router * design_.ports];
    }
    [[nodiscard]] Lane& output_of(std::size_t router, int number) {
        return lanes_[outputs_[router * stride_ + number]];
    }
    [[nodiscard]] bool is_ejection(const Lane& lane) const {
        return number_of(lane) >= routers_.size() * stride_;
    }
    [[nodiscard]] bool comes_by_channel(const Lane& lane) const {
        return design_.has_channels && lane.is_injection;
    }
    [[nodiscard]] bool leaves_by_channel(const Lane& lane) const {
        return design_.has_channels && is_ejection(lane);
    }
    [[nodiscard]] HeaderWaits& waits_of(const Lane& lane) {
        return comes_by_channel(lane) ? injections_[lane.sender].channel->header_waits()
                                      : aside_of(lane).waits;
    }
    [[nodiscard]] static LaneSet bit_of(int number) { return LaneSet{1} << number; }
    [[nodiscard]] Due& due_at(hw::Cycles cycle) { return due_[cycle.count() & due_mask_]; }
    // The stretches that have their last flit in the cycle before, or had until they were recalled.
    [[nodiscard]] LaneList& stretch_ends_at(hw::Cycles cycle) {
        return stretch_ends_[cycle.count() % kStretchEnds];
    }
    void visit(std::size_t router) { visits_[router / 64] |= std::uint64_t{1} << (router % 64); }
    // So many cycles after the present one, whose tick has not ended.
    void wake_after(hw::Cycles delay) { wakes_ |= bit_of(static_cast<int>(delay.count()) - 1); }
    void name_lane(LaneNumber number, hw::Cycles link, std::string name);
    void connect_output(const Port& output, int lane, LaneNumber number, Router::Behind behind);
    void bring_due_through(hw::Cycles now);
    void bring_due(Due& due, hw::Cycles cycle);
    void look_at_expected_credits();
    void look_at_ends(hw::Cycles now);
    [[nodiscard]] bool go_through(std::size_t router, hw::Cycles now);
    void flits_come(Lane& lane, std::int32_t flits, hw::Cycles now);
    [[gnu::noinline]] void route(Lane& lane, hw::Cycles now);
    [[gnu::cold, gnu::noinline]] void add_candidate_sets_through(std::uint16_t number);
    [[nodiscard]] bool has_whole_message(const Lane& lane, hw::Cycles now) const;
    void go_on_after(hw::Cycles delay, Lane& lane, hw::Cycles now);
    void go_to_next_stage(Lane& lane, hw::Cycles now);
    [[gnu::noinline]] void allocate_lanes(std::size_t router, hw::Cycles now);
    [[nodiscard]] LaneSet free_candidates(const RouterState& router, const Lane& lane) const;
    [[gnu::noinline]] void note_waiting_headers(std::size_t router, hw::Cycles now);
    void allocate_contested_lanes(std::size_t router, hw::Cycles now);
    [[nodiscard]] LaneSet asked_by(std::size_t router, const Lane& lane, hw::Cycles now);
    [[nodiscard]] bool has_room(Lane& output, const Lane& input, hw::Cycles now);
    void accept(std::size_t router, Lane& input, int output, hw::Cycles now);
    void hold_accepted(std::size_t router, hw::Cycles now);
    [[nodiscard]] bool has_or_expects_credits(Lane& lane, hw::Flits flits, hw::Cycles now);
    [[nodiscard]] LaneSet with_credit(std::size_t router, LaneSet wanting, hw::Cycles now);
    [[nodiscard]] LaneSet allocate_switch(std::size_t router, LaneSet requests) const;
    [[nodiscard]] static LaneSet allocate_switch_to_two(const PortTurns* turns, const Lane& one,
                                                        const Lane& other);
    [[nodiscard, gnu::noinline]] LaneSet allocate_contested_switch(const PortTurns* turns,
                                                                   const Lane* lanes,
                                                                   LaneSet requests) const;
    void send(RouterState& router, PortTurns* turns, Lane& input, LaneSet own, hw::Cycles now);
    [[nodiscard]] bool take_from_channel(RouterState& router, const Lane& input, LaneSet own,
                                         hw::Cycles now);
    [[nodiscard]] bool take(RouterState& router, Lane& input, LaneSet own, hw::Cycles now);
    void put_into_channel(const Lane& input, bool is_tail, hw::Cycles now);
    void put_to_end(RouterState& router, const Lane& input, LaneSet own, hw::Cycles now);
    void put(RouterState& router, const Lane& input, LaneSet own, bool is_tail);
    static void use_credits(RouterState& router, Lane& output, LaneSet own, std::int32_t count) {
        output.sent += count;
        output.credits -= count;
        if (output.credits <= 0) {
            router.credited &= ~own;
        }
    }
    [[nodiscard]] std::int32_t stretch_from(const RouterState& router, const Lane& input,
                                            LaneSet own, hw::Cycles now) const;
    [[nodiscard]] bool can_eject(const Lane& input, std::int32_t count, hw::Cycles now) const;
    [[gnu::noinline]] void send_stretch(RouterState& router, Lane& input, LaneSet own,
                                        std::int32_t count, hw::Cycles now);
    [[nodiscard]] Stretch& stretch_of(const Lane& lane) { return lane_stretches_[number_of(lane)]; }
    void note_stretches(hw::Cycles now);
    void end_stretches(hw::Cycles cycle);
    void list_end(Lane& lane, hw::Cycles now);
    void end_stretch(Lane& lane);
    [[gnu::noinline]] void recall_stretches(std::size_t router, LaneSet lanes, hw::Cycles now);
    void recall_stretch(Lane& lane, hw::Cycles now);
    [[nodiscard]] static std::int32_t flits_of_message(const Lane& input);
    [[gnu::noinline]] void shorten_stretch(Lane& lane, std::int32_t count, hw::Cycles now);
    void recall_flits(Lane& lane, hw::Cycles first, std::int32_t count);
    void recall_credits(Lane& lane, hw::Cycles first, std::int32_t count);
    static void shorten_run(std::vector<RunThatComes>& runs, const Lane& lane, std::int32_t count);
    void see_flits(const Lane& lane);
    [[gnu::noinline]] void wake_sender(Lane& lane, LaneList& credits);
    [[gnu::noinline]] void keep_header_of_channel(Lane& lane);
    void keep_header(const Flit& header);
    void begin_message(Lane& lane, hw::MessageSlot message);
    [[nodiscard]] std::int64_t& last_tail_of(Lane& lane);
    void end_message(RouterState& router, Lane& input, LaneSet own);
    [[nodiscard]] std::int64_t sent_ahead(const Lane& lane, hw::Cycles last) const;
    [[nodiscard]] std::int64_t taken_ahead(const Lane& lane, hw::Cycles last) const;
    [[nodiscard]] hw::Flits held(const Lane& lane) const;
    [[nodiscard]] const FlitChannel* channel_of(const Lane& lane) const;
    void report_waits_of(const Lane& lane, hw::WaitReport& report) const;

    struct Injection {
        FlitChannel* channel;
        LaneNumber lane;
    };
    struct End {
        LaneEnd* end;
        std::size_t copy;  // that this network is to it
    };

    Design design_;
    std::size_t stride_;   // lanes of a router
    bool looks_for_room_;  // before a lane goes to a message
    std::int32_t longest_stretch_;
    std::vector<LaneSet> lanes_of_ports_;
    std::vector<RouterState> routers_;
    std::vector<Lane> lanes_;              // router by router; then the ejection lanes
    std::vector<Aside> asides_;            // as the lanes
    std::vector<Stretch> lane_stretches_;  // of the lanes into routers
    std::vector<LaneNumber> outputs_;      // router by router, as its output lanes are numbered
    std::vector<PortTurns> turns_;         // router by router
    std::vector<std::int64_t> headers_routed_;  // by each
    CandidateSets sets_;
    std::vector<CandidateSet> candidates_;  // the same
    std::vector<OutputTable> tables_;       // of each router
    std::vector<Flit> headers_;             // by message
    std::vector<Injection> injections_;
    std::vector<FlitChannel*> ejections_;
    std::deque<std::uint32_t> occupied_;  // a bit an injection, which its channel sets
    std::vector<End> ends_;               // or these instead of channels

    std::vector<std::uint64_t> visits_;  // a bit a router: in the present cycle, or the next one
    std::vector<std::size_t> waiting_;   // routers that wait for an ejection channel
    std::vector<ExpectedCredit> expected_credits_;
    std::vector<Due> due_;  // by the cycle
    std::size_t due_mask_;
    ComingCycles takes_ahead_;  // those in which an end takes a flit
    hw::Cycles brought_{-1};    // what was due in cycles up to this one
    static constexpr std::size_t kStretchEnds = 16;
    std::array<LaneList, kStretchEnds> stretch_ends_;  // by the cycle
    std::int64_t stretches_ = 0;                       // that go on
    std::int64_t ejecting_stretches_ = 0;

    // Of this cycle.
    LaneList* arrivals_ = nullptr;  // that it makes
    LaneList* credits_ = nullptr;
    LaneList* awaited_credits_ = nullptr;
    bool has_moved_ = false;   // any flit
    std::uint64_t wakes_ = 0;  // the lowest bit: in the next cycle

    // Of this cycle and router.
    bool has_acted_ = false;
    LaneSet accepted_ = 0;          // that hold their outputs in the next cycle
    std::vector<LaneSet> asking_;   // of each output lane: input lanes
    std::vector<LaneSet> granted_;  // of each input lane: output lanes

    RoutersPassed* passed_ = nullptr;  // where somebody asks for it
};

}  // namespace weir::network
