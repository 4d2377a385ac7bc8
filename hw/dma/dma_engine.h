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

/// What of shared memory a node's DMA engines get at: the lines that lie at the node.
class SharedSegment {
  public:
    SharedSegment() = default;
    SharedSegment(const SharedSegment&) = delete;
    SharedSegment& operator=(const SharedSegment&) = delete;
    virtual ~SharedSegment() = default;

    /// Whether the address is one of shared memory, wherever that lies.
    [[nodiscard]] virtual bool is_shared(std::uint32_t address) const = 0;
    /// The first of so many bytes, from a shared address on, that does not lie at this node, or
    /// lies beyond shared memory; in words. Nothing where all are here.
    [[nodiscard]] virtual std::optional<std::string> absent(std::uint32_t address,
                                                            Bytes bytes) const = 0;
    /// Where a byte that lies at this node is in its DRAM.
    [[nodiscard]] virtual std::uint64_t dram_address(std::uint32_t address) const = 0;
};

/// The memory that a node's DMA engines get at: so many bytes of the node's own, and its lines of
/// shared memory, if there is any.
class DmaMemory {
  public:
    explicit DmaMemory(Bytes own = Bytes(0)) : own_(own) {}
    void connect(const SharedSegment& shared) { shared_ = &shared; }

    /// Why an engine can't move so many bytes from the address on, or nothing: both are multiples
    /// of WEIR_DMA_ALIGNMENT, and all bytes are there.
    [[nodiscard]] std::optional<std::string> fault(std::uint32_t address, Bytes bytes) const;
    /// Where the byte lies, for the memory port.
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

/// What the message controller's two DMA engines have in common: a message's body moves between
/// memory and a queue in bursts, one at a time, through the node's memory port.
///
/// In a cycle: a burst whose last byte has moved by now is put into, or taken out of, the queue;
/// from turnaround_cycles later on the next one is asked for, as soon as the queue has room, or
/// bytes, for all of it. The port sees the request in the next cycle. A burst ends at an address
/// that is a multiple of burst_bytes, at the end of a piece, or of the body. So one engine alone
/// takes 1 + the burst's time at the port + turnaround_cycles for each burst, and while another
/// one's burst is at the port it waits.
class DmaEngine : public sc_core::sc_module, public ClockedPart {
  public:
    using Parameters = DmaParameters;

    /// A stretch of memory, as DmaMemory::fault() accepts it.
    struct Piece {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
    };

    struct Statistics : StatisticsGroup {
        Counter messages{*this, "messages", "Bodies moved"};
        Counter bytes{*this, "bytes", "Their bytes"};
        Counter bursts{*this, "bursts", "Bursts they took"};
        Counter busy_cycles{*this, "busy_cycles", "Cycles from each body's start to its end"};
        Counter port_wait_cycles{*this, "port_wait_cycles",
                                 "Cycles bursts waited while another had the memory port"};
        Counter queue_wait_cycles{*this, "queue_wait_cycles",
                                  "Cycles bursts waited for the queue's room or bytes"};
    };

    tlm_utils::simple_initiator_socket<DmaEngine> memory_socket{"memory_socket"};

    /// Whether the engine has nothing to do, as programs see it: what it is given in a cycle shows
    /// from the next one on.
    [[nodiscard]] bool idle(Cycles now) const { return now <= given_ || accepts_work(now); }
    /// Whether it can be given something; for its controller alone.
    [[nodiscard]] bool accepts_work(Cycles now) const { return now >= idle_from_; }
    /// Who is woken in the cycle from which it accepts work.
    void set_listener(ClockedPart& listener) { listener_ = &listener; }

    [[nodiscard]] Bytes bytes_left() const { return left_; }
    /// The message whose body it moves; only while it is busy.
    [[nodiscard]] MessageSlot message() const { return message_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void tick(Cycles now) final;
    /// Reports what was under way to the trace; once, after the run.
    void end_of_run(Cycles now);

  protected:
    DmaEngine(const sc_core::sc_module_name& name, ClockDomain& domain,
              const Parameters& parameters, NodeId node, DmaKind kind, const DmaMemory& memory,
              MessagePool& messages, TraceSink* trace);

    /// Begins with a body in cycle `at`, which lies after the present one.
    void begin(MessageSlot message, std::span<const Piece> pieces, Cycles at);

    [[nodiscard]] MessagePool& messages() { return messages_; }

    /// Whether the queue has room, or bytes, for a burst; if not, the engine is woken when it has.
    virtual bool queue_is_ready(Bytes burst, Cycles now) = 0;
    /// Whether it could begin; if not, the engine is woken when it can.
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
    std::vector<Piece> pieces_;  // what is left of them
    std::size_t piece_ = 0;
    Bytes left_;
    bool body_begun_ = false;
    Cycles idle_from_{0};
    Cycles given_{-1};  // when it was given the latest body
    Cycles begun_{0};
    Cycles next_request_{0};
    Bytes at_port_;                  // bytes of the burst asked for
    Cycles issued_{0};               // when it was
    Cycles burst_end_ = kNever;      // known from its grant on
    Cycles unready_since_ = kNever;  // the queue has not been ready since
    Cycles port_wait_{0};            // of this body
    Cycles queue_wait_{0};
    tlm::tlm_generic_payload payload_;
    Statistics statistics_;
};

/// Gathers the pieces of a body from memory into the output queue, behind the message's header and
/// arguments.
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

/// Stores the body of the message at the head of the input queue to memory while it still arrives.
/// Header and arguments leave the queue when it begins; the message itself leaves when its
/// controller says so.
class ReceiveDma final : public DmaEngine {
  public:
    ReceiveDma(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters, NodeId node, const DmaMemory& memory,
               MessagePool& messages, ByteQueue& input_queue, TraceSink* trace);

    /// Stores all of the message's body from `address` on.
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
