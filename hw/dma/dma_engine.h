#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller_registers.h"
#include "hw/dma/dma_parameters.h"
#include "hw/dma/memory_port.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "hw/wait_report.h"

namespace weir::hw {

/// Part of shared memory that a node's DMA engines can access: the lines whose home is the node.
class SharedSegment {
  public:
    SharedSegment() = default;
    SharedSegment(const SharedSegment&) = delete;
    SharedSegment& operator=(const SharedSegment&) = delete;
    virtual ~SharedSegment() = default;

    /// True for any address of shared memory, on every node.
    [[nodiscard]] virtual bool is_shared(std::uint32_t address) const = 0;
    /// Description of the first byte in the range that is not on this node, or is beyond shared
    /// memory; empty where all bytes are accessible. The range begins at a shared address.
    [[nodiscard]] virtual std::optional<std::string> absent(std::uint32_t address,
                                                            Bytes bytes) const = 0;
    /// Position in the node's DRAM of a byte whose home is this node.
    [[nodiscard]] virtual std::uint64_t dram_address(std::uint32_t address) const = 0;
};

/// Memory that a node's DMA engines can access: `bytes` of the node's own memory, and its lines of
/// shared memory, if any.
class DmaMemory {
  public:
    explicit DmaMemory(Bytes own = Bytes(0)) : own_(own) {}
    void connect(const SharedSegment& shared) { shared_ = &shared; }

    /// Reason why an engine can't move the range; empty where it can. Address and length must be
    /// multiples of WEIR_DMA_ALIGNMENT, and all bytes must be accessible.
    [[nodiscard]] std::optional<std::string> fault(std::uint32_t address, Bytes bytes) const;
    /// Position of a byte in DRAM, for the memory port.
    [[nodiscard]] std::uint64_t dram_address(std::uint32_t address) const {
        return is_shared(address) ? shared_->dram_address(address) : address;
    }

  private:
    [[nodiscard]] bool is_shared(std::uint32_t address) const {
        return shared_ != nullptr && shared_->is_shared(address);
    }

    Bytes own_;
    const SharedSegment* shared_ = nullptr;
};

/// Common part of the message controller's two DMA engines. An engine moves a message's body
/// between memory and a queue, burst by burst, through the node's memory port.
///
/// In a cycle: a burst whose last byte has moved is put into, or taken out of, the queue. The next
/// burst is requested turnaround_cycles later, or once the queue has room, or bytes, for all of it.
/// The port sees the request in the next cycle. A burst ends at a multiple of burst_bytes, or at
/// the end of a piece or of the body.
///
/// Timing: a burst takes 1 + its time at the port + turnaround_cycles when the engine is alone; it
/// waits while another burst is at the port.
class DmaEngine : public sc_core::sc_module, public ClockedPart {
  public:
    using Parameters = DmaParameters;

    /// A range of memory that DmaMemory::fault() accepts.
    struct Piece {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
    };

    struct Statistics : StatisticsGroup {
        Counter messages{*this, "messages", "Bodies moved"};
        Counter bytes{*this, "bytes", "Bytes of moved bodies"};
        Counter bursts{*this, "bursts", "Bursts of moved bodies"};
        Counter busy_cycles{*this, "busy_cycles", "Cycles in which a body was being moved"};
        Counter port_wait_cycles{*this, "port_wait_cycles",
                                 "Cycles in which bursts waited for the memory port"};
        Counter queue_wait_cycles{*this, "queue_wait_cycles",
                                  "Cycles in which bursts waited for room or bytes in the queue"};
    };

    tlm_utils::simple_initiator_socket<DmaEngine> memory_socket{"memory_socket"};

    /// True when the engine has no work, as programs see it: new work shows from the next cycle on.
    [[nodiscard]] bool idle(Cycles now) const { return now <= given_ || accepts_work(now); }
    /// True when the engine can be given work; only its controller may ask.
    [[nodiscard]] bool accepts_work(Cycles now) const { return now >= idle_from_; }
    /// Sets the part that is woken in the cycle from which the engine accepts work.
    void set_listener(ClockedPart& listener) { listener_ = &listener; }

    [[nodiscard]] Bytes bytes_left() const { return left_; }
    /// Pieces of memory of its body; those that have been moved have no bytes left.
    [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
    /// Message whose body it moves; valid only while it is busy.
    [[nodiscard]] MessageSlot message() const { return message_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void tick(Cycles now) final;
    /// Reports unfinished work to the trace; to be called once, after the run.
    void end_of_run(Cycles now);

  protected:
    DmaEngine(const sc_core::sc_module_name& name, ClockDomain& domain,
              const Parameters& parameters, NodeId node, DmaKind kind, const DmaMemory& memory,
              MessagePool& messages, TraceSink* trace);

    /// Starts a body in cycle `at`, which must lie after the current one.
    void begin(MessageSlot message, std::span<const Piece> pieces, Cycles at);

    [[nodiscard]] MessagePool& messages() { return messages_; }

    /// True if the queue has room, or bytes, for a burst; otherwise wakes the engine when it has.
    virtual bool queue_is_ready(Bytes burst, Cycles now) = 0;
    /// True if the body can begin; otherwise wakes the engine when it can.
    virtual bool begin_body(Cycles now) = 0;
    virtual void put_into_queue(Bytes burst, Cycles now) = 0;
    virtual void end_body(Cycles now) = 0;

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    [[nodiscard]] Bytes next_burst() const;
    void ask_for_burst(Cycles now);
    void finish_burst(Cycles now);
    void finish_body(Cycles now);
    void report(Cycles end);

    NodeId node_;
    DmaKind kind_;
    const DmaMemory& memory_;
    MessagePool& messages_;
    TraceSink* trace_;
    Bytes burst_bytes_;
    Cycles turnaround_;
    ClockedPart* listener_ = nullptr;

    MessageSlot message_ = 0;
    std::vector<Piece> pieces_;  // pieces that remain
    std::size_t piece_ = 0;
    Bytes left_;
    bool body_begun_ = false;
    Cycles idle_from_{0};
    Cycles given_{-1};  // cycle in which it was given the latest body
    Cycles begun_{0};
    Cycles next_request_{0};
    Bytes at_port_;                  // bytes of the requested burst
    Cycles issued_{0};               // cycle of the request
    Cycles burst_end_ = kNever;      // known once the burst is granted
    Cycles unready_since_ = kNever;  // first cycle in which the queue was not ready
    Cycles port_wait_{0};            // total for this body
    Cycles queue_wait_{0};
    tlm::tlm_generic_payload payload_;
    Statistics statistics_;
};

/// Engine that gathers the pieces of a body from memory into the output queue, behind the message's
/// header and arguments.
class SendDma final : public DmaEngine {
  public:
    SendDma(const sc_core::sc_module_name& name, ClockDomain& domain, const Parameters& parameters,
            NodeId node, const DmaMemory& memory, MessagePool& messages, ByteQueue& output_queue,
            TraceSink* trace);

    void start(MessageSlot message, std::span<const Piece> pieces, Cycles at) {
        begin(message, pieces, at);
    }
    void report_waits(WaitReport& report, const std::string& network_interface, Cycles now) const;

  private:
    bool queue_is_ready(Bytes burst, Cycles now) override;
    bool begin_body(Cycles /*now*/) override { return true; }
    void put_into_queue(Bytes burst, Cycles now) override { output_queue_.push(burst, now); }
    void end_body(Cycles now) override { messages()[message()].times.send_dma_end = now; }

    ByteQueue& output_queue_;
};

/// Engine that stores the body of the message at the head of the input queue to memory, while the
/// body still arrives. Header and arguments leave the queue when it begins. The controller ends the
/// message.
class ReceiveDma final : public DmaEngine {
  public:
    ReceiveDma(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters, NodeId node, const DmaMemory& memory,
               MessagePool& messages, ByteQueue& input_queue, TraceSink* trace);

    /// Stores the message's body at `address`.
    void start(MessageSlot message, std::uint32_t address, Cycles at);
    void report_waits(WaitReport& report, Cycles now) const;

  private:
    bool queue_is_ready(Bytes burst, Cycles now) override;
    bool begin_body(Cycles now) override;
    void put_into_queue(Bytes burst, Cycles now) override { input_queue_.pop(burst, now); }
    void end_body(Cycles now) override { messages()[message()].times.receive_dma_end = now; }

    ByteQueue& input_queue_;
};

}  // namespace weir::hw
