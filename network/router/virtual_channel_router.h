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

/// A router with virtual channels. Each input and output port has several virtual channels, which
/// share the port's link; at the input each has a buffer of its own. A crossbar connects the ports.
///
/// In a cycle:
///  1. Routing. A header at the front of its virtual channel is routed, and may request outputs
///     routing_cycles later. With store-and-forward its tail must have arrived. A header from a
///     node first chooses its route if the routing chooses by queues.
///  2. Virtual channel allocation. The header requests all output virtual channels of its outputs
///     that no message holds. If escapes are last, it requests escape channels only if no other
///     output has room. Each requested output grants one input; each input accepts one grant. The
///     input holds the output until the tail has passed, and may use it vc_allocation_cycles later.
///  3. Switch allocation, for each flit. Input virtual channels that hold an output, and have a
///     flit and a credit, compete. For each pair of input and output port, one of them requests.
///     Each requested output port grants one input port, and each input port accepts one output
///     port. So at most one flit leaves each input port, and one each output port, per cycle.
///  4. Traversal. The accepted flit leaves its buffer, and its credit returns.
///
/// An output may need room before it is given to a message (Design::room_for). If the first
/// requester needs more room than there is, the output grants no request. So shorter messages can't
/// take the room as it appears. While an input virtual channel requests an output, each other one
/// can send at most one message before it, round robin. With oldest first, messages that entered
/// the network later are never sent before it.
///
/// Steps of 0 cycles are done in the cycle of the step before. Switch allocation and traversal are
/// part of the link's cycles. Grants and acceptances are round robin, and a pointer moves on only
/// if both agree (iSLIP, one iteration: McKeown 1999); other arbitrations can be chosen. On a
/// narrow link an output port sends a flit every flit_cycles.
///
/// Flits and credits have their state of the beginning of the cycle. A router whose flits can't
/// move sleeps until a flit or a credit arrives.
class VirtualChannelRouter final : public Router {
  public:
    VirtualChannelRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const Site& site, const Design& design);

    void connect_input(int port, int vc, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int vc, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    void report_waits(hw::WaitReport& report) const override;

  private:
    [[nodiscard]] hw::Flits queue_at(int port, hw::Cycles now) const override;

    static constexpr std::int32_t kNone = -1;

    enum class Stage : std::uint8_t { kUnrouted, kRouted, kHoldsOutput };

    struct InputPort {
        std::int32_t number = 0;
        std::int32_t last_vc = 0;
        std::int32_t last_output = 0;
        First granted;  // grant for the switch with the lowest rank
    };
    struct OutputPort {
        hw::Cycles free_from{0};
        std::int32_t number = 0;
        std::int32_t last_winner = 0;
        First request;  // request for the switch with the lowest rank
    };
    // Virtual channels are numbered port by port.
    struct OutputVirtualChannel {
        FlitChannel* channel = nullptr;
        OutputPort* port = nullptr;
        std::int32_t owner = kNone;
        std::int32_t last_winner = 0;
        First asking;  // requesting input virtual channel with the lowest rank
        bool has_room_for_first = false;
    };
    struct InputVirtualChannel {
        FlitChannel* channel = nullptr;
        OutputVirtualChannel* output = nullptr;  // output that a message holds from header to tail
        InputPort* port = nullptr;
        hw::Cycles ready;  // cycle from which the message may enter its next stage
        const Candidates* candidates = nullptr;
        std::int64_t since = 0;  // cycle from which its message's age counts
        std::int32_t number = 0;
        std::int32_t last_output = 0;
        std::int16_t place = 0;  // number among the virtual channels of its port
        Stage stage = Stage::kUnrouted;
        bool is_injection = false;
        bool header_has_left = false;  // true when the current message's header has been sent
    };
    static_assert(sizeof(InputVirtualChannel) == 64);

    [[nodiscard]] std::int64_t rank(std::int32_t asking, std::int32_t last_winner,
                                    std::size_t count, std::int64_t since) const {
        return rank_of(design_.arbitration, asking, last_winner, count, since);
    }
    void look_at_inputs(hw::Cycles now);
    void look_at_vc(InputVirtualChannel& vc, hw::Cycles now);
    [[gnu::noinline]] void look_at_header(InputVirtualChannel& vc, hw::Cycles now);
    void route(InputVirtualChannel& vc, hw::Cycles now);
    void discard(InputVirtualChannel& vc, hw::Cycles now);
    static void release(InputVirtualChannel& vc);
    template <class Ask>
    static void ask_for_candidates(const Candidates& candidates, Ask ask);
    void ask_for_vcs(hw::Cycles now);
    bool ask_for(std::int32_t asked, const InputVirtualChannel& vc, hw::Cycles now);
    [[nodiscard]] bool has_room(FlitChannel& output, const InputVirtualChannel& vc,
                                hw::Cycles now) const;
    void ask_for_switch(InputVirtualChannel& vc, hw::Cycles now);
    [[nodiscard, gnu::noinline]] bool joins_contest(InputVirtualChannel& vc);
    [[gnu::noinline]] void allocate_vcs(hw::Cycles now);
    void allocate_to(InputVirtualChannel& vc, hw::Cycles now);
    void allocate_vcs_apart(hw::Cycles now);
    void bind(InputVirtualChannel& vc, hw::Cycles now);
    void unbind_unsent(hw::Cycles now);
    void accept(InputVirtualChannel& vc, std::int32_t output, hw::Cycles now);
    void allocate_switch(hw::Cycles now);
    [[gnu::noinline]] void allocate_contested_switch(hw::Cycles now);
    void allocate_switch_apart(hw::Cycles now);
    void send(InputVirtualChannel& vc, hw::Cycles now);

    std::int32_t vcs_;
    Design design_;
    MessageAges& ages_;
    FaultLog* faults_;
    std::unique_ptr<Allocator> allocator_;  // null: the router itself allocates, output first
    std::vector<std::uint32_t> occupied_;   // one bit per input: a flit has arrived or is in flight
    std::vector<InputVirtualChannel> inputs_;
    std::vector<OutputVirtualChannel> outputs_;
    std::vector<InputPort> input_ports_;
    std::vector<OutputPort> output_ports_;

    // State of the current cycle.
    std::vector<InputVirtualChannel*> headers_;  // headers that request outputs
    std::vector<std::int32_t> vcs_asked_for_;
    std::vector<std::int32_t> vcs_granted_;
    // granted output with the lowest rank, by input virtual channel
    std::vector<First> granted_outputs_;
    // inputs that request the ports of their outputs
    std::vector<InputVirtualChannel*> switch_requests_;
    // input ports with a request for the switch; one bit per port, modulo 64
    std::uint64_t asking_ports_ = 0;
    std::uint64_t asked_ports_ = 0;
    bool is_switch_contested_ = false;
    std::vector<OutputPort*> ports_asked_for_;
    std::vector<InputPort*> ports_granted_;
    int flits_in_front_ = 0;  // number of inputs that still have a visible flit
    bool has_acted_ = false;
    // with kHeaderSent: inputs that were granted an output in this cycle
    std::vector<InputVirtualChannel*> bound_;
    std::vector<Allocator::Request> requests_;  // requests to allocator_ in this cycle
    Allocator::Grants grants_;

    CandidateSets sets_;
    OutputTable table_;
};

[[nodiscard]] const RouterKind& virtual_channel_router_kind();
[[nodiscard]] const AllocatorKind& output_first_allocator_kind();

}  // namespace weir::network
