#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <tuple>

#include "hw/controller/controller.h"
#include "hw/messages/message.h"
#include "hw/units.h"

namespace weir::hw {

/// Client of a LaunchGate; gets one answer per request, at the end of a cycle.
class LaunchRequester {
  public:
    LaunchRequester() = default;
    LaunchRequester(const LaunchRequester&) = delete;
    LaunchRequester& operator=(const LaunchRequester&) = delete;
    virtual ~LaunchRequester() = default;

    /// The launch on this port begins now. `holder` is the message that the launch first waited
    /// for. It is invalid if this node launched that message, or if the launch did not wait.
    virtual void launch_granted(int port, MessageId holder, Cycles now) = 0;
    /// The launch was withdrawn before it began.
    virtual void launch_withdrawn(int port, Cycles now) = 0;
};

/// Decides in which cycle a launch may begin, in a network of finite capacity.
class LaunchGate {
  public:
    struct Request {
        NodeId node;
        int port = 0;
        NodeId destination;
    };

    LaunchGate() = default;
    LaunchGate(const LaunchGate&) = delete;
    LaunchGate& operator=(const LaunchGate&) = delete;
    virtual ~LaunchGate() = default;

    /// Requests a launch; to be called from a tick. The answer comes at the end of this cycle or of
    /// a later one.
    virtual void request(const Request& request, LaunchRequester& requester) = 0;
    /// Withdraws a request; to be called from a tick. If the launch can't begin in this cycle, it
    /// is cancelled at the cycle's end.
    virtual void withdraw(NodeId node, int port) = 0;
};

/// The message controller that LoPC assumes (Section 2). It has the registers of MessageController,
/// and unlimited queues. The network has no contention, and delivers a message after a time that is
/// known at its launch.
///
/// In a cycle: every access is answered at once, at the costs of ControllerParameters, which may be
/// zero. A launch that completes in cycle t interrupts at its destination in t + latency + notify,
/// at least one cycle after the access. Messages are taken in the order of their interrupts, and
/// those of one cycle in the order of their senders. There are no DMA engines: a launch with a body
/// is refused.
///
/// In a network of finite capacity, a launch waits for the LaunchGate. Once it begins, it takes
/// launch_cycles, at least one.
class IdealController final : public Controller, public LaunchRequester {
  public:
    /// Delivers a launched message: calls arrive() of the destination's controller, and sets
    /// Message::hops and Message::unloaded.
    using Deliver = std::function<void(MessageSlot)>;

    struct Statistics : StatisticsGroup {
        Counter messages_launched{*this, "messages_launched", "Messages sent"};
        Counter bytes_launched{*this, "bytes_launched", "Bytes sent"};
        Counter messages_delivered{*this, "messages_delivered", "Messages received"};
        Counter bytes_delivered{*this, "bytes_delivered", "Bytes received"};
        Counter messages_disposed{*this, "messages_disposed", "Messages handled"};
        Counter launch_blocked_cycles{*this, "launch_blocked_cycles",
                                      "Cycles in which launches waited for room in the network"};
        Counter blocked_launches{*this, "blocked_launches",
                                 "Launches that had to wait for room in the network"};
        Counter withdrawn_launches{*this, "withdrawn_launches",
                                   "Waiting launches withdrawn for an interrupt and tried again"};
    };

    IdealController(const sc_core::sc_module_name& name, ClockDomain& domain,
                    const ControllerParameters& parameters, NodeId node, std::int32_t node_count,
                    MessagePool& messages, TraceSink* trace, Deliver deliver,
                    LaunchGate* gate = nullptr);

    /// Takes a message that arrives in `arrival`; its interrupt comes after the current cycle.
    void arrive(MessageSlot message, Cycles arrival);

    void launch_granted(int port, MessageId holder, Cycles now) override;
    void launch_withdrawn(int port, Cycles now) override;
    [[nodiscard]] bool answers_a_cycle_later() const override { return false; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void set_core(ClockedPart& core) override { core_ = &core; }
    [[nodiscard]] bool interrupt_raised(Cycles now) const override {
        return !arrived_.empty() && std::get<Cycles>(*arrived_.begin()) <= now;
    }
    [[nodiscard]] MessageSlot head_message() const override {
        return std::get<MessageSlot>(*arrived_.begin());
    }
    [[nodiscard]] bool handler_ended(MessageSlot message, Cycles now) override;
    void add_statistics(std::vector<PartStatistics>& statistics) const override {
        statistics.push_back({name(), &statistics_});
    }
    void add_to(ConservationAccount& account) const override;
    void end_of_run(Cycles now) override;
    void report_waits(WaitReport& /*report*/, const std::string& /*network_interface*/,
                      const std::string& /*core*/) const override {}
    void tick(Cycles /*now*/) override {}

  private:
    void withdraw(int port, Cycles /*now*/) override { gate_->withdraw(node(), port); }
    std::optional<Cycles> read_window(const RegisterAccess& access) override;
    std::optional<Cycles> launch(const RegisterAccess& access) override;
    std::optional<Cycles> dispose(const RegisterAccess& access) override;
    std::optional<Cycles> read_output_room(const RegisterAccess& access) override;
    std::optional<Cycles> refuse_register(const RegisterAccess& access) override;

    void begin_launch(int port, const LaunchRequest& request, Cycles blocked, Cycles now);
    void note_blocked(Cycles since, Cycles until, MessageId launched, MessageId holder);
    void answer(int port, Cycles delay);

    /// A launch that waits for the gate.
    struct WaitingLaunch {
        tlm::tlm_generic_payload* payload;
        Cycles issued;
    };
    Deliver deliver_;
    LaunchGate* gate_;
    std::array<std::optional<WaitingLaunch>, kPorts> waiting_;
    MessageId last_launched_;
    // Arrived messages by the cycle of their interrupt.
    std::set<std::tuple<Cycles, MessageId, MessageSlot>> arrived_;
    ClockedPart* core_ = nullptr;
    Statistics statistics_;
};

}  // namespace weir::hw
