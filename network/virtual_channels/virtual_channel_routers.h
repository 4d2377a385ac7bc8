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
#include "network/router/output_table.h"
#include "network/router/router.h"
#include "network/routing/routing.h"
#include "network/virtual_channels/future_cycles.h"
#include "network/virtual_channels/virtual_channel_end.h"

namespace weir::network {

/// All virtual channel routers of a fabric, and the channels between them, as one part. All events
/// have the same cycles as with VirtualChannelRouter and FlitChannel, which emulate each router and
/// channel by itself. Identifiers call a virtual channel `vc`.
///
/// A router's state is a few words with one bit for each input virtual channel:
///  - A flit is visible in the virtual channel.
///  - The front message holds an output virtual channel.
///  - The output that the front message holds has a credit.
///
/// A virtual channel with all three bits requests the switch. Each port has the sets of its inputs,
/// and of the inputs that hold its outputs, for both allocations. Flits are not stored: a virtual
/// channel has the number of its flits, and a list of their messages.
///
/// A flit that leaves has two effects elsewhere: it arrives at the next virtual channel, and its
/// credit returns. Each effect is put into the list of the cycle in which it becomes visible. So
/// routers may be processed in any order. A cycle processes the routers with a new event, and those
/// that acted in the cycle before and still hold flits.
///
/// A message that is alone at its input port and its output port is granted a stretch
/// (virtual_channel_stretches.cpp). A stretch is several flits, one per cycle, with known arrivals
/// and credits. All flits of the stretch leave, arrive and return their credits in one call, with
/// the first flit. This is exact, since a router uses at most one flit, and one credit, of a
/// virtual channel per cycle. When another message gets a virtual channel of one of these ports,
/// the flits that have not left are recalled. Stretches elsewhere that rely on these flits or
/// credits become shorter; the flits cut off there would not have moved before the next cycle
/// either.
///
/// The nodes have VirtualChannelEnds, connected by virtual channels like those between routers.
/// Alternatively the channels into and out of the network are FlitChannels of other parts. All
/// nodes of a network have the same kind of connection.
class VirtualChannelRouters final : public hw::ClockedPart {
  public:
    struct Design {
        Router::Design router;
        hw::Flits buffer;        ///< slots of a virtual channel
        hw::Cycles link_cycles;  ///< cycles of a link between routers
        hw::Cycles injection_cycles;
        hw::Cycles ejection_cycles;
        hw::Cycles credit_cycles;
        std::size_t routers;
        int ports;          ///< ports per router
        int vcs;            ///< virtual channels per port
        bool has_channels;  ///< true for FlitChannels at the nodes; false for VirtualChannelEnds
    };
    /// True if this part can emulate the design. The design needs round-robin arbitration, one flit
    /// per cycle, delays of up to 64 cycles, and at most 64 virtual channels per router.
    [[nodiscard]] static bool takes(const Design& design);

    /// Creates the routers; connect their channels before the run. `routing` must outlive this
    /// object.
    VirtualChannelRouters(hw::ClockDomain& domain, const Routing& routing, const Design& design);

    struct Port {
        std::size_t router;
        int port;
    };
    using VirtualChannelNumber = std::uint32_t;
    static constexpr VirtualChannelNumber kNoVirtualChannel = 0x7fff'ffff;
    /// Connects a virtual channel between two routers; `name` appears in reports of waits.
    VirtualChannelNumber connect(const Port& output, const Port& input, int vc, std::string name);
    /// Connects channels of a part at a node that is not a VirtualChannelEnd.
    void connect_injection(const Port& input, int vc, FlitChannel& channel);
    void connect_ejection(const Port& output, int vc, FlitChannel& channel);
    /// A pair of virtual channels of a VirtualChannelEnd, into and out of the network.
    struct InterfaceChannels {
        VirtualChannelNumber injection = kNoVirtualChannel;
        VirtualChannelNumber ejection = kNoVirtualChannel;
    };
    VirtualChannelNumber connect_injection(const Port& input, int vc, std::string name);
    VirtualChannelNumber connect_ejection(const Port& output, int vc, std::string name);
    /// Connects a pair of virtual channels to the part at a node, which calls it `number`.
    void connect_end(VirtualChannelEnd& end, std::size_t number, const InterfaceChannels& vcs);
    /// Counts each router that a message passes, when the router grants the message an output. To
    /// be called before the run, with an object that outlives this one.
    void count_passed_in(RoutersPassed& passed) { passed_ = &passed; }

    void tick(hw::Cycles now) override;

    // Functions for VirtualChannelEnds.
    /// Flits of a message that enter an injection channel, one per cycle from the current cycle on.
    struct Run {
        VirtualChannelNumber vc;
        std::int64_t flits;
        bool has_tail;
        std::optional<Flit> header;  ///< present if the run begins with the header
    };
    void send(const Run& run, hw::Cycles now);
    /// Longest run that may be sent in one call. With store-and-forward switching it is one flit,
    /// since routers count the flits of an incomplete message as they arrive.
    [[nodiscard]] std::int64_t longest_run() const {
        return design_.router.switching == Switching::kStoreAndForward ? 1 : INT64_MAX;
    }
    /// Reports that the next `count` flits of an ejection channel are taken, the first in cycle
    /// `cycle`.
    void taken(VirtualChannelNumber vc, std::int64_t count, hw::Cycles cycle, hw::Cycles now);
    /// Number of the sender's credits of a virtual channel, credits in flight included.
    [[nodiscard]] std::int64_t room_of(VirtualChannelNumber vc) const {
        return rare_states_[vc].places - (vcs_[vc].sent - vcs_[vc].taken);
    }
    /// Number of a virtual channel's slots, those of its link included.
    [[nodiscard]] std::int64_t places_of(VirtualChannelNumber vc) const {
        return rare_states_[vc].places;
    }
    [[nodiscard]] const std::string& name_of(VirtualChannelNumber vc) const {
        return rare_states_[vc].name;
    }

    // Functions to be called between cycles, for statistics, conservation checks and reports.
    /// Ends the stretches whose last cycle is `now`, the current cycle.
    void settle(hw::Cycles now);
    [[nodiscard]] std::int64_t flits_forwarded(std::size_t router) const;
    [[nodiscard]] std::int64_t headers_routed(std::size_t router) const {
        return headers_routed_[router];
    }
    [[nodiscard]] hw::Flits flits_in_flight() const;
    /// Flits and header waits of a virtual channel without FlitChannel, up to and including `last`,
    /// the current cycle.
    [[nodiscard]] ChannelCount count(VirtualChannelNumber vc, hw::Cycles last) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    using VirtualChannelSet = std::uint64_t;  // one bit per input, or output, of a router
    static constexpr std::uint8_t kNoOwner = 0xff;

    // State of a virtual channel, at its sender and at its receiver: one that ends at a router's
    // input, or an ejection channel. It takes one cache line of the host.
    struct alignas(64) VirtualChannel {
        // Receiver's state. `taken` includes flits that a network interface or a stretch takes
        // ahead.
        std::int64_t taken = 0;
        // value of `taken` when the front message's tail has been taken
        std::int64_t tail = kNoTail;
        VirtualChannel* output = nullptr;  // output of the front message, held from header to tail
        hw::MessageSlot message = 0;       // message at the front
        // flits that are visible, or follow a visible flit one per cycle
        std::int32_t flits = 0;
        // number of the router, or of an ejection's channel or interface
        std::uint32_t receiver = 0;
        std::uint16_t messages = 0;
        std::uint16_t candidate_set = 0;  // index in candidates_ of the front header's set
        std::uint8_t number = 0;          // number among the receiver's input virtual channels
        std::uint8_t port = 0;            // input port of the receiver
        // number of the last output held, among the receiver's outputs
        std::uint8_t last_output = 0;
        std::uint8_t output_port = 0;  // port of the output that the front message holds
        bool header_has_left : 1 = false;
        bool header_is_waiting : 1 = false;  // the header waits for an output (RareState::waits)
        bool is_injection : 1 = false;
        bool is_ejection : 1 = false;
        bool sender_waits : 1 = false;  // the sender waits for credits
        // Sender's state.
        std::uint8_t sender_port = 0;
        std::uint8_t owner = kNoOwner;  // sender's input virtual channel that holds this one
        std::uint8_t last_winner = 0;   // number among the sender's input virtual channels
        // number of the router, or of an injection's channel or interface
        std::uint32_t sender = 0;
        std::int32_t credits = 0;  // credits that the sender can use now
        std::int64_t sent = 0;
    };
    static_assert(sizeof(VirtualChannel) == 64);
    static constexpr std::int64_t kNoTail = INT64_MAX / 2;

    // A message in a virtual channel, behind the one at its front.
    struct Follower {
        hw::MessageSlot message;
        std::int64_t tail;
    };
    // Free outputs that a header requests, and those of them that could be given to it now.
    struct Requests {
        VirtualChannelSet asked = 0;
        VirtualChannelSet ready = 0;
    };
    // Outputs that a header may request (Candidates), as sets of bits.
    struct CandidateSet {
        VirtualChannelSet open = 0;
        VirtualChannelSet escapes = 0;
    };
    // Rarely used part of a virtual channel's state: read at most once per message.
    struct alignas(64) RareState {
        hw::Fifo<Follower> followers;
        HeaderWaits waits;
        std::int32_t places = 0;
        CreditRequests awaited;
        std::int64_t expected = 0;  // value of ExpectedCredit::taken; 0 if no credit is expected
        // cycle in which the last of the credits listed so far returns; counted if outputs need
        // room
        hw::Cycles last_credit{kNone};
        std::string name;
    };
    // A credit in flight that a router waits for: the credit of flit number `taken` to leave the
    // virtual channel.
    struct ExpectedCredit {
        const VirtualChannel* vc;
        std::int64_t taken;
    };
    struct alignas(64) RouterState {
        VirtualChannelSet visible = 0;  // inputs with a visible flit
        VirtualChannelSet routed = 0;   // inputs whose front header has been routed
        VirtualChannelSet asking = 0;   // inputs whose header requests an output
        VirtualChannelSet holding = 0;  // inputs that may use their output and are in no stretch
        VirtualChannelSet in_stretch = 0;
        VirtualChannelSet credited = 0;  // inputs whose output has a credit
        // inputs whose output leads to the node
        VirtualChannelSet ejecting = 0;
        VirtualChannelSet free_outputs = ~VirtualChannelSet{0};  // outputs that no message holds

        // True if the router has a header to route, a header that requests an output, or a flit
        // whose message holds an output. Otherwise its cycle has no effect.
        [[nodiscard]] bool has_to_act() const {
            return asking != 0 || (visible & (holding | ~routed)) != 0;
        }
    };
    static_assert(sizeof(RouterState) == 64);
    // State of a router's port, as an output port and as an input port.
    struct PortState {
        VirtualChannelSet inputs = 0;      // inputs of the port
        VirtualChannelSet holders = 0;     // inputs whose front message holds an output of the port
        std::uint8_t input_of_output = 0;  // last winners
        std::uint8_t output_of_input = 0;
        std::uint8_t vc_of_input = 0;  // number among the router's virtual channels
    };
    // Virtual channels with the same event in a cycle. The list keeps its memory when it is
    // cleared, so that adding to it is one store.
    class VirtualChannelList {
      public:
        void push(VirtualChannel& vc) {
            if (end_ == limit_) [[unlikely]] {
                grow();
            }
            *end_++ = &vc;
        }
        [[nodiscard]] std::span<VirtualChannel*> vcs() { return {places_.data(), end_}; }
        [[nodiscard]] bool empty() const { return end_ == places_.data(); }
        [[nodiscard]] bool has(const VirtualChannel& vc) {
            return std::find(places_.data(), end_, &vc) != end_;
        }
        void clear() { end_ = places_.data(); }

      private:
        [[gnu::cold, gnu::noinline]] void grow();

        std::vector<VirtualChannel*> places_;
        VirtualChannel** end_ = nullptr;
        VirtualChannel** limit_ = nullptr;
    };
    // Flits that arrive one per cycle, or credits that return one per cycle, listed once in the
    // cycle of the first. Listing them early is exact: a router uses at most one flit and one
    // credit per cycle.
    struct RunThatComes {
        VirtualChannel* vc;
        std::int32_t count;
    };
    // Flits of a message that leave an input virtual channel one per cycle, granted with the first.
    struct Stretch {
        hw::Cycles first{kNone};
        hw::Cycles end{kNone};     // cycle after that of the stretch's last flit
        hw::Cycles listed{kNone};  // latest cycle whose list of ends contains the stretch
    };
    static constexpr std::int64_t kNone = -1;
    // Events that become visible in a cycle.
    struct Due {
        VirtualChannelList arrivals;
        std::vector<RunThatComes> runs;
        VirtualChannelList credits;
        std::vector<RunThatComes> credit_runs;
        VirtualChannelList awaited_credits;  // credits among these that a sender waits for
        VirtualChannelList ready;            // headers that enter their next pipeline stage
    };

    [[nodiscard]] VirtualChannelNumber vc_at(const Port& port, int vc) const {
        return static_cast<VirtualChannelNumber>(
            port.router * stride_ + static_cast<std::size_t>(port.port * design_.vcs + vc));
    }
    [[nodiscard]] VirtualChannelNumber number_of(const VirtualChannel& vc) const {
        return static_cast<VirtualChannelNumber>(&vc - vcs_.data());
    }
    [[nodiscard]] RareState& rare_state_of(const VirtualChannel& vc) {
        return rare_states_[number_of(vc)];
    }
    [[nodiscard]] const RareState& rare_state_of(const VirtualChannel& vc) const {
        return rare_states_[number_of(vc)];
    }
    [[nodiscard]] VirtualChannel& input_of(std::size_t router, int number) {
        return vcs_[router * stride_ + number];
    }
    [[nodiscard]] PortState* ports_of(std::size_t router) {
        return &ports_[router * design_.ports];
    }
    [[nodiscard]] VirtualChannel& output_of(std::size_t router, int number) {
        return vcs_[outputs_[router * stride_ + number]];
    }
    [[nodiscard]] bool comes_by_channel(const VirtualChannel& vc) const {
        return design_.has_channels && vc.is_injection;
    }
    [[nodiscard]] bool leaves_by_channel(const VirtualChannel& vc) const {
        return design_.has_channels && vc.is_ejection;
    }
    [[nodiscard]] HeaderWaits& waits_of(const VirtualChannel& vc) {
        return comes_by_channel(vc) ? injections_[vc.sender].channel->header_waits()
                                    : rare_state_of(vc).waits;
    }
    [[nodiscard]] static VirtualChannelSet bit_of(int number) {
        return VirtualChannelSet{1} << number;
    }
    [[nodiscard]] Due& due_at(hw::Cycles cycle) { return due_[cycle.count() & due_mask_]; }
    // Stretches whose last flit leaves in the cycle before `cycle`. Recalled stretches may still be
    // in the list.
    [[nodiscard]] VirtualChannelList& stretch_ends_at(hw::Cycles cycle) {
        return stretch_ends_[cycle.count() % kStretchEnds];
    }
    void visit(std::size_t router) { visits_[router / 64] |= std::uint64_t{1} << (router % 64); }
    // Wakes this part `delay` cycles after the current cycle, whose tick has not ended.
    void wake_after(hw::Cycles delay) { wakes_ |= bit_of(static_cast<int>(delay.count()) - 1); }
    void name_vc(VirtualChannelNumber number, hw::Cycles link, std::string name);
    void connect_output(const Port& output, int vc, VirtualChannelNumber number,
                        Router::Behind behind);
    void bring_due_through(hw::Cycles now);
    void bring_due(Due& due, hw::Cycles cycle);
    void look_at_expected_credits(hw::Cycles now);
    [[nodiscard]] std::int64_t credits_at(hw::Cycles now, const VirtualChannel& vc);
    void look_at_ends(hw::Cycles now);
    [[nodiscard]] bool go_through(std::size_t router, hw::Cycles now);
    void flits_come(VirtualChannel& vc, std::int32_t flits, hw::Cycles now);
    [[gnu::noinline]] void route(VirtualChannel& vc, hw::Cycles now);
    [[gnu::cold, gnu::noinline]] void add_candidate_sets_through(std::uint16_t number);
    [[nodiscard]] bool has_whole_message(const VirtualChannel& vc, hw::Cycles now) const;
    void go_on_after(hw::Cycles delay, VirtualChannel& vc, hw::Cycles now);
    void go_to_next_stage(VirtualChannel& vc, hw::Cycles now);
    [[nodiscard]] VirtualChannelSet allocate_vcs(std::size_t router, RouterState& state,
                                                 hw::Cycles now);
    [[nodiscard, gnu::noinline]] VirtualChannelSet allocate_several_vcs(std::size_t router,
                                                                        RouterState& state,
                                                                        hw::Cycles now);
    [[nodiscard]] bool is_contested(std::size_t router, const RouterState& state) const;
    [[nodiscard]] Requests requests_of(std::size_t router, const RouterState& state,
                                       const VirtualChannel& vc, hw::Cycles now);
    [[gnu::noinline]] void grant_contested_vcs(std::size_t router, const RouterState& state,
                                               hw::Cycles now);
    [[nodiscard]] VirtualChannelSet with_room(std::size_t router, VirtualChannelSet outputs,
                                              const VirtualChannel& input, hw::Cycles now);
    [[nodiscard]] bool has_room(VirtualChannel& output, const VirtualChannel& input,
                                hw::Cycles now);
    [[gnu::noinline]] void accept(std::size_t router, VirtualChannel& input, int output,
                                  hw::Cycles now);
    [[gnu::noinline]] void note_waiting_headers(std::size_t router, hw::Cycles now);
    void hold_accepted(std::size_t router, RouterState& state, VirtualChannelSet accepted,
                       hw::Cycles now);
    [[nodiscard]] bool has_or_expects_credits(VirtualChannel& vc, hw::Flits flits, hw::Cycles now);
    [[nodiscard]] VirtualChannelSet with_credit(std::size_t router, VirtualChannelSet wanting,
                                                hw::Cycles now);
    [[nodiscard, gnu::noinline]] VirtualChannelSet allocate_switch(
        const VirtualChannel* vcs, const PortState* ports, VirtualChannelSet requests) const;
    [[nodiscard]] VirtualChannelSet accepted_at_inputs(const VirtualChannel* vcs,
                                                       const PortState* ports,
                                                       VirtualChannelSet granted) const;
    void send(RouterState& router, PortState* ports, VirtualChannel& input, VirtualChannelSet own,
              hw::Cycles now);
    [[nodiscard]] bool take(RouterState& router, VirtualChannel& input, VirtualChannelSet own,
                            hw::Cycles now);
    [[nodiscard]] static bool count_taken(RouterState& router, VirtualChannel& input,
                                          VirtualChannelSet own);
    [[nodiscard, gnu::noinline]] bool take_from_node(RouterState& router, VirtualChannel& input,
                                                     VirtualChannelSet own, hw::Cycles now);
    [[nodiscard]] bool take_from_channel(RouterState& router, const VirtualChannel& input,
                                         VirtualChannelSet own, hw::Cycles now);
    [[gnu::noinline]] void put_to_node(RouterState& router, const VirtualChannel& input,
                                       VirtualChannelSet own, bool is_tail, hw::Cycles now);
    void put_into_channel(const VirtualChannel& input, bool is_tail, hw::Cycles now);
    void put(RouterState& router, const VirtualChannel& input, VirtualChannelSet own, bool is_tail);
    static void use_credits(RouterState& router, VirtualChannel& output, VirtualChannelSet own,
                            std::int32_t count) {
        output.sent += count;
        output.credits -= count;
        if (output.credits <= 0) {
            router.credited &= ~own;
        }
    }
    [[nodiscard]] std::int32_t stretch_from(const RouterState& router, VirtualChannelSet others,
                                            const VirtualChannel& input, VirtualChannelSet own,
                                            hw::Cycles now) const;
    [[nodiscard]] bool can_eject(const VirtualChannel& input, std::int32_t count,
                                 hw::Cycles now) const;
    [[gnu::noinline]] void send_stretch(RouterState& router, VirtualChannel& input,
                                        VirtualChannelSet own, std::int32_t count, hw::Cycles now);
    [[nodiscard]] Stretch& stretch_of(const VirtualChannel& vc) {
        return vc_stretches_[number_of(vc)];
    }
    void note_stretches(hw::Cycles now);
    void end_stretches(hw::Cycles cycle);
    void list_end(VirtualChannel& vc, hw::Cycles now);
    void end_stretch(VirtualChannel& vc);
    [[gnu::noinline]] void recall_stretches(std::size_t router, VirtualChannelSet vcs,
                                            hw::Cycles now);
    void recall_stretch(VirtualChannel& vc, hw::Cycles now);
    [[gnu::noinline]] void shorten_stretch(VirtualChannel& vc, std::int32_t count, hw::Cycles now);
    void recall_flits(VirtualChannel& vc, hw::Cycles first, std::int32_t count);
    void recall_credits(VirtualChannel& vc, hw::Cycles first, std::int32_t count);
    static void shorten_run(std::vector<RunThatComes>& runs, const VirtualChannel& vc,
                            std::int32_t count);
    void see_flits(const VirtualChannel& vc);
    [[gnu::noinline]] void wake_sender(VirtualChannel& vc, VirtualChannelList& credits);
    [[gnu::noinline]] void keep_header_of_channel(VirtualChannel& vc);
    void keep_header(const Flit& header);
    void begin_message(VirtualChannel& vc, hw::MessageSlot message);
    [[nodiscard]] std::int64_t& last_tail_of(VirtualChannel& vc);
    void end_message(RouterState& router, VirtualChannel& input, VirtualChannelSet own);
    [[nodiscard]] std::int64_t sent_ahead(const VirtualChannel& vc, hw::Cycles last) const;
    [[nodiscard]] std::int64_t taken_ahead(const VirtualChannel& vc, hw::Cycles last) const;
    [[nodiscard]] hw::Flits held(const VirtualChannel& vc) const;
    [[nodiscard]] const FlitChannel* channel_of(const VirtualChannel& vc) const;
    void report_waits_of(const VirtualChannel& vc, hw::WaitReport& report) const;

    struct Injection {
        FlitChannel* channel;
        VirtualChannelNumber vc;
    };
    struct End {
        VirtualChannelEnd* end;
        std::size_t number;  // number of the pair of virtual channels at the end
    };

    Design design_;
    std::size_t stride_;   // virtual channels per router
    bool looks_for_room_;  // true if an output needs room before it is given to a message
    std::int32_t longest_stretch_;
    std::vector<RouterState> routers_;
    // input virtual channels, router by router, then the ejection channels
    std::vector<VirtualChannel> vcs_;
    std::vector<RareState> rare_states_;  // indexed as vcs_
    std::vector<Stretch> vc_stretches_;   // indexed as vcs_, without the ejection channels
    // numbers of the output virtual channels, router by router
    std::vector<VirtualChannelNumber> outputs_;
    std::vector<PortState> ports_;              // router by router
    std::vector<std::int64_t> headers_routed_;  // messages given an output, by router
    CandidateSets sets_;
    std::vector<CandidateSet> candidates_;  // the sets of sets_ as bits, with the same numbers
    std::vector<OutputTable> tables_;       // routing table of each router
    std::vector<Flit> headers_;             // header of each message, by message slot
    std::vector<Injection> injections_;
    std::vector<FlitChannel*> ejections_;
    std::deque<std::uint32_t> occupied_;  // one bit per injection channel, set by the channel
    // network interfaces, used instead of injections_ and ejections_
    std::vector<End> ends_;

    std::vector<std::uint64_t> visits_;  // routers to process, now or in the next cycle
    std::vector<std::size_t> waiting_;   // routers that wait for an ejection channel
    std::vector<ExpectedCredit> expected_credits_;
    std::vector<Due> due_;  // events of each cycle, modulo the size
    std::size_t due_mask_;
    FutureCycles takes_ahead_;  // cycles in which an interface takes a flit ahead
    hw::Cycles brought_{-1};    // events of cycles up to this one have been processed
    static constexpr std::size_t kStretchEnds = 16;
    // stretches by their end, modulo kStretchEnds
    std::array<VirtualChannelList, kStretchEnds> stretch_ends_;
    std::int64_t stretches_ = 0;  // number of stretches in progress
    std::int64_t ejecting_stretches_ = 0;

    // State of the current cycle.
    VirtualChannelList* arrivals_ = nullptr;  // flits that arrive after this cycle's link delay
    VirtualChannelList* credits_ = nullptr;
    VirtualChannelList* awaited_credits_ = nullptr;
    bool has_moved_ = false;  // true if any flit has moved
    // cycles in which to wake this part; the lowest bit is the next cycle
    std::uint64_t wakes_ = 0;

    // State of the current cycle and router; asking_ and granted_ are empty in between.
    std::vector<VirtualChannelSet> asking_;   // inputs that request each output virtual channel
    std::vector<VirtualChannelSet> ready_;    // Requests::ready of each input virtual channel
    std::vector<VirtualChannelSet> granted_;  // outputs granted to each input virtual channel

    RoutersPassed* passed_ = nullptr;  // null if the routers that a message passes are not counted
};

}  // namespace weir::network
