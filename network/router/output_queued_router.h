#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/router/arbiter.h"
#include "network/router/router.h"

namespace weir::network {

/// A router with output queues (Karol, Hluchyj and Morgan 1987): its crossbar is as many times
/// faster than a link as there are inputs, so that every input lane passes on a flit a cycle,
/// whatever the others do, and messages meet at the outputs alone. What waits for one output holds
/// up nothing behind it that goes to another, as far as its queue has room. The steps of a cycle:
///  1. Routing. A header at the front of an input lane learns its outputs, and may join a queue
///     routing_cycles + vc_allocation_cycles later. (Store and forward: once its tail has arrived.)
///  2. Queueing. Each output lane has a queue of as many flits as an input lane's buffer. Each
///  input
///     lane passes on its flit at the front: a header into the queue with the fewest flits among
///     those of its outputs that have room, an escape, where they are last, only if no other has;
///     what follows, into the same queue behind it. A queue's flits leave message by message, in
///     the order of their headers; its last place is for the message that is leaving, so that this
///     never waits for those behind it. Which of a cycle's flits come first says the arbitration.
///  3. Sending. Each output port whose link is free sends a flit of one of its lanes, by the same
///     arbitration: of the message that is leaving, where that has a flit and a credit. (Virtual
///     cut-through, store and forward: its header needs credits for all of it.)
/// A flit with nothing in its way does all three in the cycle in which it can be seen. Queue and
/// buffer behind it are one for reallocation: a lane whose buffer is to be empty takes a header
/// only into an empty queue, with all credits back; of whole messages one follows another once that
/// is all in the queue, which has room for all of the next. Flits and credits are seen as they
/// stood when the cycle began. A router whose flits can't move sleeps until a flit or a credit
/// arrives.
class OutputQueuedRouter final : public Router {
  public:
    OutputQueuedRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                       const Site& site, const Design& design);

    void connect_input(int port, int lane, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int lane, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    [[nodiscard]] hw::Flits held() const override;
    void report_waits(hw::WaitReport& report) const override;

  private:
    static constexpr std::size_t kNone = SIZE_MAX;

    // Lanes are numbered port by port.
    struct InputLane {
        FlitChannel* channel = nullptr;
        std::vector<RoutedOutput> outputs;  // of the header at the front, once it is routed
        hw::Cycles ready;
        std::size_t queue = kNone;  // the output lane of the message that is passing
        std::int64_t since = 0;     // the cycle that its age counts from
        bool is_injection = false;
        bool header_has_passed = false;  // into its queue
    };
    struct QueuedMessage {
        std::size_t input = kNone;  // where its next flits come from; none once it is all here
        std::int64_t since = 0;     // the cycle that its age counts from
        std::deque<Flit> flits;
        bool is_leaving = false;  // its header has left
    };
    struct OutputLane {
        FlitChannel* channel = nullptr;
        std::deque<QueuedMessage> messages;
        std::int64_t flits = 0;
    };
    struct OutputPort {
        bool to_node = false;
        hw::Cycles free_from{0};
        std::size_t last_lane = 0;
    };

    [[nodiscard]] std::int64_t rank(std::size_t asking, std::size_t last_winner, std::size_t count,
                                    std::int64_t since) const {
        return rank_of(design_.arbitration, static_cast<std::int32_t>(asking),
                       static_cast<std::int32_t>(last_winner), count, since);
    }
    void route(std::size_t number, hw::Cycles now);
    void discard(InputLane& lane, hw::Cycles now);
    void end_message(std::size_t number);
    void queue_flits(hw::Cycles now);
    [[nodiscard]] bool may_pass(std::size_t number, hw::Cycles now);
    [[nodiscard]] std::size_t queue_for(const InputLane& lane, bool escapes_too, hw::Cycles now);
    [[nodiscard]] bool may_join(const InputLane& lane, const OutputLane& output,
                                hw::Cycles now) const;
    void pass(std::size_t number, hw::Cycles now);
    void send_from(std::size_t port, hw::Cycles now);
    [[nodiscard]] bool may_send(const OutputLane& output, hw::Cycles now) const;
    [[nodiscard]] bool has_work(hw::Cycles now) const;

    const Routing& routing_;
    std::size_t vertex_;
    std::size_t lanes_;
    std::int64_t places_;  // of a queue
    Design design_;
    MessageAges& ages_;
    FaultLog* faults_;
    std::vector<InputLane> inputs_;
    std::vector<OutputLane> outputs_;
    std::vector<OutputPort> output_ports_;
    std::size_t last_first_ = 0;  // the input lane that came first when one last passed a flit on
    bool has_acted_ = false;
    std::vector<std::pair<std::int64_t, std::size_t>>
        asking_;  // of this cycle: rank and input lane
};

[[nodiscard]] const RouterKind& output_queued_router_kind();

}  // namespace weir::network
