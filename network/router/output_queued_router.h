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

/// A router with output queues (Karol, Hluchyj and Morgan 1987). Its crossbar is faster than a link
/// by the number of inputs. So each input virtual channel forwards a flit per cycle, independently
/// of the others, and messages compete at the outputs only. A message that waits for one output
/// does not block others behind it, as long as its queue has room.
///
/// In a cycle:
///  1. Routing. A header at the front of an input virtual channel is routed. The header may join a
///     queue routing_cycles + vc_allocation_cycles later, with store-and-forward only after its
///     tail has arrived.
///  2. Queueing. Each output virtual channel has a queue with the capacity of an input buffer. Each
///     input virtual channel forwards its front flit. A header goes into the queue with the fewest
///     flits among its outputs with room. If escapes are last, an escape channel is used only if no
///     other output has room. A message's other flits follow its header into the same queue. Flits
///     leave a queue message by message, in the order of the headers. The last slot is reserved for
///     the message that is leaving, so that it never waits for those behind it. The arbitration
///     decides which of the inputs' flits is queued first in a cycle.
///  3. Sending. Each output port with a free link sends a flit of one of its virtual channels, by
///     the same arbitration. The message that is leaving needs a flit and a credit. With virtual
///     cut-through or store-and-forward its header needs credits for the whole message.
///
/// An uncontended flit passes all three steps in the cycle in which it becomes visible. For
/// reallocation, a queue and the next router's buffer count as one buffer. If the buffer must be
/// empty, a header may join only an empty queue whose credits have all returned. With
/// Reallocation::kWholeMessage, a message may follow another that is complete in the queue, if the
/// queue has room for the whole message.
///
/// Flits and credits have their state of the beginning of the cycle. A router whose flits can't
/// move sleeps until a flit or a credit arrives.
class OutputQueuedRouter final : public Router {
  public:
    OutputQueuedRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                       const Site& site, const Design& design);

    void connect_input(int port, int vc, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int vc, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    [[nodiscard]] hw::Flits held() const override;
    void report_waits(hw::WaitReport& report) const override;

  private:
    [[nodiscard]] hw::Flits queue_at(int port, hw::Cycles now) const override;

    static constexpr std::size_t kNone = SIZE_MAX;

    // Virtual channels are numbered port by port.
    struct InputVirtualChannel {
        FlitChannel* channel = nullptr;
        std::vector<RoutedOutput> outputs;  // set when the header at the front is routed
        hw::Cycles ready;
        // queue of the current message; kNone before its header is queued
        std::size_t queue = kNone;
        std::int64_t since = 0;  // cycle from which the message's age counts
        bool is_injection = false;
        bool header_has_passed = false;  // the current message's header is in its queue
    };
    struct QueuedMessage {
        // input that brings the message's next flits; kNone if the message is complete
        std::size_t input = kNone;
        std::int64_t since = 0;  // cycle from which the message's age counts
        std::deque<Flit> flits;
        bool is_leaving = false;  // the message's header has left the queue
    };
    struct OutputVirtualChannel {
        FlitChannel* channel = nullptr;
        std::deque<QueuedMessage> messages;
        std::int64_t flits = 0;
    };
    struct OutputPort {
        bool to_node = false;
        hw::Cycles free_from{0};
        std::size_t last_vc = 0;
    };

    [[nodiscard]] std::int64_t rank(std::size_t asking, std::size_t last_winner, std::size_t count,
                                    std::int64_t since) const {
        return rank_of(design_.arbitration, static_cast<std::int32_t>(asking),
                       static_cast<std::int32_t>(last_winner), count, since);
    }
    void route(std::size_t number, hw::Cycles now);
    void discard(InputVirtualChannel& vc, hw::Cycles now);
    void end_message(std::size_t number);
    void queue_flits(hw::Cycles now);
    [[nodiscard]] bool may_pass(std::size_t number, hw::Cycles now);
    [[nodiscard]] std::size_t queue_for(const InputVirtualChannel& vc, bool escapes_too,
                                        hw::Cycles now);
    [[nodiscard]] bool may_join(const InputVirtualChannel& vc, const OutputVirtualChannel& output,
                                hw::Cycles now) const;
    void pass(std::size_t number, hw::Cycles now);
    void send_from(std::size_t port, hw::Cycles now);
    [[nodiscard]] bool may_send(const OutputVirtualChannel& output, hw::Cycles now) const;
    [[nodiscard]] bool has_work(hw::Cycles now) const;

    const Routing& routing_;
    std::size_t vertex_;
    std::size_t vcs_;
    std::int64_t places_;  // number of slots of a queue
    Design design_;
    MessageAges& ages_;
    FaultLog* faults_;
    std::vector<InputVirtualChannel> inputs_;
    std::vector<OutputVirtualChannel> outputs_;
    std::vector<OutputPort> output_ports_;
    // input whose flit was queued first, in the last cycle in which a flit was queued
    std::size_t last_first_ = 0;
    bool has_acted_ = false;
    // rank and number of each input that has a flit to queue in this cycle
    std::vector<std::pair<std::int64_t, std::size_t>> asking_;
};

[[nodiscard]] const RouterKind& output_queued_router_kind();

}  // namespace weir::network
