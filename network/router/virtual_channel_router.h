#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/router/allocator.h"
#include "network/router/arbiter.h"
#include "network/router/output_table.h"
#include "network/router/router.h"

namespace weir::network {

/// A router with virtual channels: each input and output port has lanes, which at the input are
/// buffers of their own and share the port's link; a crossbar between the ports. What a message
/// takes is what its routing allows. The steps of a cycle:
///  1. Routing. A header that has come to the front of its lane learns its outputs, and may ask for
///     them routing_cycles later. (Store and forward: once its tail has arrived too.)
///  2. Allocation of virtual channels. It asks for all output lanes of its outputs that no message
///     holds; for those of an escape, where escapes are last, only if none else has room. Each
///     output lane asked for grants one input lane; each input lane accepts one of its grants,
///     holds it until the tail has passed, and may use it vc_allocation_cycles later.
///     Where a lane needs room before it goes to a message (Design::room_for), one that has too
///     little for the message that comes first grants nothing, so that shorter ones can't take the
///     room as it appears. Behind an input lane that asks, each other has at most one message
///     before its own, in turn; and none, oldest first, that came into the network later.
///  3. Allocation of the switch, anew for each flit. Of an input port's lanes that hold a lane of
///     the same output port and have a flit and a credit, one asks; each output port asked for
///     grants one input port, each input port accepts one output port. So at most one flit leaves
///     an input port and one an output port in a cycle.
///  4. What was accepted goes: the flit leaves its buffer, and the credit goes back.
/// Steps whose cycles are 0 are done in the cycle in which the one before was. What the allocation
/// of the switch and the crossing of it take is part of the link's cycles. Grants and acceptances
/// are round robin, each pointer moves on only when both agree (iSLIP, one iteration: McKeown
/// 1999), or by another arbitration. On a narrow link an output port sends a flit every
/// flit_cycles. Flits and credits are seen as they stood when the cycle began. A router whose flits
/// can't move sleeps until a flit or a credit arrives.
class VirtualChannelRouter final : public Router {
  public:
    VirtualChannelRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const Site& site, const Design& design);

    void connect_input(int port, int lane, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int lane, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    void report_waits(hw::WaitReport& report) const override;

  private:
    static constexpr std::int32_t kNone = -1;

    enum class Stage : std::uint8_t { kUnrouted, kRouted, kHoldsOutput };

    struct InputPort {
        std::int32_t number = 0;
        std::int32_t last_lane = 0;
        std::int32_t last_output = 0;
        First granted;  // request for the switch
    };
    struct OutputPort {
        hw::Cycles free_from{0};
        std::int32_t number = 0;
        std::int32_t last_winner = 0;
        First request;  // for the switch
    };
    // Lanes are numbered port by port.
    struct OutputLane {
        FlitChannel* channel = nullptr;
        OutputPort* port = nullptr;
        std::int32_t owner = kNone;
        std::int32_t last_winner = 0;
        First asking;  // input lane
        bool has_room_for_first = false;
    };
    struct InputLane {
        FlitChannel* channel = nullptr;
        OutputLane* output = nullptr;  // held from header to tail
        InputPort* port = nullptr;
        hw::Cycles ready;  // for the next stage
        const Candidates* candidates = nullptr;
        std::int64_t since = 0;  // the cycle that its message's age counts from
        std::int32_t number = 0;
        std::int32_t last_output = 0;
        std::int16_t place = 0;  // among its port's
        Stage stage = Stage::kUnrouted;
        bool is_injection = false;
        bool header_has_left = false;  // while it holds an output
    };
    static_assert(sizeof(InputLane) == 64);

    [[nodiscard]] std::int64_t rank(std::int32_t asking, std::int32_t last_winner,
                                    std::size_t count, std::int64_t since) const {
        return rank_of(design_.arbitration, asking, last_winner, count, since);
    }
    void look_at_inputs(hw::Cycles now);
    void look_at_lane(InputLane& lane, hw::Cycles now);
    [[gnu::noinline]] void look_at_header(InputLane& lane, hw::Cycles now);
    void route(InputLane& lane, hw::Cycles now);
    void discard(InputLane& lane, hw::Cycles now);
    static void release(InputLane& lane);
    template <class Ask>
    static void ask_for_candidates(const Candidates& candidates, Ask ask);
    void ask_for_lanes(hw::Cycles now);
    bool ask_for(std::int32_t asked, const InputLane& lane, hw::Cycles now);
    [[nodiscard]] bool has_room(FlitChannel& output, const InputLane& lane, hw::Cycles now) const;
    void ask_for_switch(InputLane& lane, hw::Cycles now);
    [[nodiscard, gnu::noinline]] bool joins_contest(InputLane& lane);
    [[gnu::noinline]] void allocate_lanes(hw::Cycles now);
    void allocate_to(InputLane& lane, hw::Cycles now);
    void allocate_lanes_apart(hw::Cycles now);
    void bind(InputLane& lane, hw::Cycles now);
    void unbind_unsent(hw::Cycles now);
    void accept(InputLane& lane, std::int32_t output, hw::Cycles now);
    void allocate_switch(hw::Cycles now);
    [[gnu::noinline]] void allocate_contested_switch(hw::Cycles now);
    void allocate_switch_apart(hw::Cycles now);
    void send(InputLane& lane, hw::Cycles now);

    std::int32_t lanes_;
    Design design_;
    MessageAges& ages_;
    FaultLog* faults_;
    std::unique_ptr<Allocator> allocator_;  // none: output first, as below
    std::vector<std::uint32_t> occupied_;   // a bit a lane: a flit has arrived, or is on its way
    std::vector<InputLane> inputs_;
    std::vector<OutputLane> outputs_;
    std::vector<InputPort> input_ports_;
    std::vector<OutputPort> output_ports_;

    // Of this cycle.
    std::vector<InputLane*> headers_;  // that ask for lanes
    std::vector<std::int32_t> lanes_asked_for_;
    std::vector<std::int32_t> lanes_granted_;
    std::vector<First> granted_outputs_;       // of each input lane
    std::vector<InputLane*> switch_requests_;  // for its output's port
    std::uint64_t asking_ports_ = 0;           // a bit a port, with those 64 further on
    std::uint64_t asked_ports_ = 0;
    bool is_switch_contested_ = false;
    std::vector<OutputPort*> ports_asked_for_;
    std::vector<InputPort*> ports_granted_;
    int flits_in_front_ = 0;  // of lanes, and not sent
    bool has_acted_ = false;
    std::vector<InputLane*> bound_;             // with kHeaderSent, in this cycle
    std::vector<Allocator::Request> requests_;  // to the allocator
    Allocator::Grants grants_;

    CandidateSets sets_;
    OutputTable table_;
};

[[nodiscard]] const RouterKind& virtual_channel_router_kind();
[[nodiscard]] const AllocatorKind& output_first_allocator_kind();

}  // namespace weir::network
