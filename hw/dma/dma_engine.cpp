#include "hw/dma/dma_engine.h"

#include <algorithm>
#include <array>
#include <optional>

#include "hw/controller/controller_registers.h"

namespace weir::hw {

std::optional<std::string> DmaMemory::fault(std::uint32_t address, Bytes bytes) const {
    if (bytes == Bytes(0)) {
        return "a DMA of no bytes";
    }
    const std::string what = "a DMA of " + std::to_string(bytes.count()) + " bytes at address " +
                             std::to_string(address);
    if (address % WEIR_DMA_ALIGNMENT != 0 || bytes.count() % WEIR_DMA_ALIGNMENT != 0) {
        return what + "; accepted: multiples of " + std::to_string(WEIR_DMA_ALIGNMENT);
    }
    if (is_shared(address)) {
        const auto absent = shared_->absent(address, bytes);
        return absent ? std::optional(what + ": " + *absent) : std::nullopt;
    }
    if (Bytes(std::int64_t{address}) + bytes > own_) {
        return what + ", beyond the memory of " + std::to_string(own_.count()) + " bytes";
    }
    return std::nullopt;
}

DmaParameters::DmaParameters()
    : ParameterGroup("dma", "The two DMA engines of a node's message controller",
                     when("network.model").is("wormhole") && messages_have_bodies()) {}
DmaParameters::~DmaParameters() = default;

std::optional<ParameterGroup::Fault> DmaParameters::check() const {
    if (burst_bytes.value().count() % WEIR_DMA_ALIGNMENT != 0) {
        return Fault{burst_bytes.name(),
                     "burst_bytes is " + std::to_string(burst_bytes.value().count()),
                     "a multiple of 8 up to 256"};
    }
    return std::nullopt;
}

// Adds a cycle for the request, which the port sees in the next cycle.
double dma_cycles_per_byte(const DmaParameters& engine, const MemoryPortParameters& port) {
    const Bytes burst = engine.burst_bytes.value();
    const Cycles access = port.row_bytes.value() > Bytes(0) ? port.row_access_cycles.value()
                                                            : port.access_cycles.value();
    const Cycles cycles =
        Cycles(1) + access +
        memory_burst_cycles(burst, port.beat_bytes.value(), port.beat_cycles.value()) +
        engine.turnaround_cycles.value();
    return static_cast<double>(cycles.count()) / static_cast<double>(burst.count());
}

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, ClockDomain& domain,
                     const Parameters& parameters, NodeId node, DmaKind kind,
                     const DmaMemory& memory, MessagePool& messages, TraceSink* trace)
    : sc_module(name),
      ClockedPart(domain),
      node_(node),
      kind_(kind),
      memory_(memory),
      messages_(messages),
      trace_(trace),
      burst_bytes_(parameters.burst_bytes.value()),
      turnaround_(parameters.turnaround_cycles.value()) {
    memory_socket.register_nb_transport_bw(this, &DmaEngine::nb_transport_bw);
}

void DmaEngine::begin(MessageSlot message, std::span<const Piece> pieces, Cycles at) {
    sc_assert(idle_from_ != kNever);
    message_ = message;
    pieces_.assign(pieces.begin(), pieces.end());
    piece_ = 0;
    left_ = messages_[message].body_bytes;
    body_begun_ = false;
    idle_from_ = kNever;
    given_ = domain().now();
    begun_ = at;
    next_request_ = at;
    port_wait_ = Cycles(0);
    queue_wait_ = Cycles(0);
    wake_at(at);
}

void DmaEngine::tick(Cycles now) {
    const bool has_work = idle_from_ == kNever && begun_ <= now;
    if (!has_work) {
        return;
    }
    body_begun_ = body_begun_ || begin_body(now);
    if (!body_begun_) {
        return;
    }
    if (burst_end_ <= now) {
        finish_burst(now);
    }
    if (left_ == Bytes(0)) {
        finish_body(now);
        return;
    }
    const bool may_ask = at_port_ == Bytes(0) && next_request_ <= now;
    if (may_ask) {
        ask_for_burst(now);
    }
}

Bytes DmaEngine::next_burst() const {
    const Piece& piece = pieces_[piece_];
    const std::int64_t to_boundary = burst_bytes_.count() - piece.address % burst_bytes_.count();
    return Bytes(std::min<std::int64_t>(to_boundary, piece.bytes));
}

void DmaEngine::ask_for_burst(Cycles now) {
    const Bytes burst = next_burst();
    if (!queue_is_ready(burst, now)) {
        unready_since_ = std::min(unready_since_, now);
        return;
    }
    if (unready_since_ != kNever) {
        queue_wait_ += now - unready_since_;
        unready_since_ = kNever;
    }
    at_port_ = burst;
    issued_ = now;
    std::vector<std::uint8_t>& body = messages_.body(message_);
    payload_.set_command(kind_ == DmaKind::kSend ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload_.set_address(memory_.dram_address(pieces_[piece_].address));
    payload_.set_data_ptr(body.data() + (messages_[message_].body_bytes - left_).count());
    payload_.set_data_length(static_cast<unsigned>(burst.count()));
    payload_.set_streaming_width(payload_.get_data_length());
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    memory_socket->nb_transport_fw(payload_, phase, delay);
}

tlm::tlm_sync_enum DmaEngine::nb_transport_bw([[maybe_unused]] tlm::tlm_generic_payload& payload,
                                              [[maybe_unused]] tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
    sc_assert(phase == tlm::BEGIN_RESP);
    sc_assert(payload.is_response_ok());
    const Cycles now = domain().now();
    burst_end_ = now + domain().to_cycles(delay);
    port_wait_ += now - issued_ - Cycles(1);
    wake_at(burst_end_);
    return tlm::TLM_COMPLETED;
}

void DmaEngine::finish_burst(Cycles now) {
    put_into_queue(at_port_, now);
    const auto moved = static_cast<std::uint32_t>(at_port_.count());
    Piece& piece = pieces_[piece_];
    piece.address += moved;
    piece.bytes -= moved;
    piece_ += piece.bytes == 0 ? 1 : 0;
    left_ -= at_port_;
    at_port_ = Bytes(0);
    burst_end_ = kNever;
    next_request_ = now + turnaround_;
    wake_at(next_request_);
    statistics_.bursts += 1;
    statistics_.bytes += moved;
    domain().note_progress(now);
}

void DmaEngine::finish_body(Cycles now) {
    end_body(now);
    report(now);
    statistics_.messages += 1;
    idle_from_ = now + Cycles(1);
    if (listener_ != nullptr) {
        listener_->wake_at(now + Cycles(1));
    }
}

void DmaEngine::report(Cycles end) {
    statistics_.busy_cycles += (end - begun_).count();
    statistics_.port_wait_cycles += port_wait_.count();
    statistics_.queue_wait_cycles += queue_wait_.count();
    if (trace_ != nullptr) {
        trace_->dma_transfer({node_, kind_, messages_[message_].id, begun_, end,
                              messages_[message_].body_bytes - left_, port_wait_, queue_wait_});
    }
}

void DmaEngine::end_of_run(Cycles now) {
    const bool is_busy = idle_from_ == kNever && begun_ < now;
    if (!is_busy) {
        return;
    }
    if (unready_since_ < now) {
        queue_wait_ += now - unready_since_;
    }
    report(now);
}

SendDma::SendDma(const sc_core::sc_module_name& name, ClockDomain& domain,
                 const Parameters& parameters, NodeId node, const DmaMemory& memory,
                 MessagePool& messages, ByteQueue& output_queue, TraceSink* trace)
    : DmaEngine(name, domain, parameters, node, DmaKind::kSend, memory, messages, trace),
      output_queue_(output_queue) {}

bool SendDma::queue_is_ready(Bytes burst, Cycles now) {
    if (output_queue_.room(now) >= burst) {
        return true;
    }
    output_queue_.expect_room(*this, burst, now);
    return false;
}

void SendDma::report_waits(WaitReport& report, const std::string& network_interface,
                           Cycles now) const {
    if (!idle(now)) {
        report.push_back({name(), network_interface,
                          "it has " + std::to_string(bytes_left().count()) +
                              " bytes of a body left for the output queue, which has room for " +
                              std::to_string(output_queue_.room(now).count())});
    }
}

ReceiveDma::ReceiveDma(const sc_core::sc_module_name& name, ClockDomain& domain,
                       const Parameters& parameters, NodeId node, const DmaMemory& memory,
                       MessagePool& messages, ByteQueue& input_queue, TraceSink* trace)
    : DmaEngine(name, domain, parameters, node, DmaKind::kReceive, memory, messages, trace),
      input_queue_(input_queue) {}

void ReceiveDma::start(MessageSlot message, std::uint32_t address, Cycles at) {
    const Piece piece{address, static_cast<std::uint32_t>(messages()[message].body_bytes.count())};
    messages()[message].times.receive_dma_begin = at;
    begin(message, std::span(&piece, 1), at);
}

bool ReceiveDma::begin_body(Cycles now) {
    const Message& message = messages()[this->message()];
    const Bytes operands = message.bytes - message.body_bytes;
    const bool have_arrived = queue_is_ready(operands, now);
    if (have_arrived) {
        input_queue_.pop(operands, now);
    }
    return have_arrived;
}

bool ReceiveDma::queue_is_ready(Bytes burst, Cycles now) {
    if (input_queue_.available(now) >= burst) {
        return true;
    }
    input_queue_.expect_bytes(*this, burst, now);
    return false;
}

void ReceiveDma::report_waits(WaitReport& report, Cycles now) const {
    if (!idle(now)) {
        report.push_back({name(), "a message",
                          std::to_string(bytes_left().count()) +
                              " bytes of the body that it stores have not arrived"});
    }
}

}  // namespace weir::hw
