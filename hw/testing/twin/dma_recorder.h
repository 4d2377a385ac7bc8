#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <variant>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/message_controller.h"
#include "hw/dma/dma_twin.h"
#include "hw/dma/memory_port.h"
#include "hw/messages/message_pool.h"
#include "hw/testing/twin/twin.h"
#include "hw/units.h"

namespace weir::hw::twin {

/// A memory port and the DMA engines at its first two ports, with what their twins need to know.
struct RecordedDma {
    MemoryPort& port;
    MessageController& controller;
    MessagePool& messages;
    const MemoryPortParameters& port_parameters;
    const DmaParameters& dma;
    const ControllerParameters& keys;
    std::size_t requesters = 2;
};

/// Records the ports of memory_port.sv and of both engines (dma_engine.sv) in a run of the model.
/// Bursts come from the memory port's probe. The other events are read from the state of engines
/// and queues at the end of each cycle.
///
/// The clock must not sleep (clock.sleeping = false), or `until` must say how long the recorder
/// wakes itself in each cycle.
class DmaRecorder final : public ClockedPart, public MemoryPortProbe {
  public:
    DmaRecorder(ClockDomain& domain, const RecordedDma& recorded, Cycles until = kNever)
        : ClockedPart(domain),
          recorded_(recorded),
          until_(until),
          port_(ports_of_port(recorded.requesters)),
          send_(ports_of_engine(recorded, false)),
          receive_(ports_of_engine(recorded, true)) {
        recorded_.port.set_probe(this);
        look_at_state(Cycles(0));
        if (until_ != kNever) {
            wake_at(Cycles(0));
        }
    }

    void requested(std::size_t port, const tlm::tlm_generic_payload& payload) override {
        const auto number = static_cast<int>(port);
        port_.set(kRequest, 1, number, 1);
        port_.set(kBytes, payload.get_data_length(), number * kBytesBits, kBytesBits);
        port_.set(kAddress, payload.get_address() & 0xffff'ffffU, number * 32, 32);
        if (port > kReceivePort) {
            return;
        }
        PortRecording& engine = port == kSendPort ? send_ : receive_;
        engine.set(kEngineRequest, 1);
        engine.set(kEngineRequestBytes, payload.get_data_length());
        engine.set(kEngineRequestAddress, payload.get_address() & 0xffff'ffffU);
        asks_[port] = true;
    }
    void granted(std::size_t port, const tlm::tlm_generic_payload& payload,
                 Cycles cycles) override {
        port_.set(kGrant, 1, static_cast<int>(port), 1);
        port_.set(kGrantCycles, cycles.count());
        is_granted_ = true;
        if (port > kReceivePort) {
            return;
        }
        PortRecording& engine = port == kSendPort ? send_ : receive_;
        engine.set(kEngineGrant, 1);
        engine.set(kEngineGrantCycles, cycles.count());
        const bool sends = port == kSendPort;
        std::vector<std::uint8_t>& bytes = sends ? read_ : written_;
        bytes.assign(payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
        set_bytes(engine, sends ? kMemoryData : kWrittenData, bytes);
    }

    void tick(Cycles now) override {
        if (now < until_) {
            domain().after_ticks(*this);
        }
    }
    void end_of_cycle(Cycles now) override {
        const Cycles next = now + Cycles(1);
        if (!is_granted_) {
            port_.ignore(kGrantCycles, 0, kCycleBits);
        }
        look_at_send(next);
        look_at_receive(next);
        port_.end_cycle();
        send_.end_cycle();
        receive_.end_cycle();
        is_granted_ = false;
        asks_ = {false, false};
        written_.clear();
        look_at_state(next);
        if (until_ != kNever && next < until_) {
            wake_at(next);
        }
    }

    [[nodiscard]] const PortRecording& port() const { return port_; }
    [[nodiscard]] const PortRecording& send() const { return send_; }
    [[nodiscard]] const PortRecording& receive() const { return receive_; }
    // These throw std::bad_variant_access for keys that the twins do not cover.
    [[nodiscard]] Twin port_twin() const {
        return std::get<Twin>(memory_port_twin(recorded_.port_parameters,
                                               static_cast<std::int64_t>(recorded_.requesters)));
    }
    [[nodiscard]] Twin send_twin() const {
        return std::get<Twin>(dma_engine_twin(DmaKind::kSend, recorded_.dma, recorded_.keys));
    }
    [[nodiscard]] Twin receive_twin() const {
        return std::get<Twin>(dma_engine_twin(DmaKind::kReceive, recorded_.dma, recorded_.keys));
    }

  private:
    static constexpr std::size_t kSendPort = 0;
    static constexpr std::size_t kReceivePort = 1;
    static constexpr int kBytesBits = 9;
    static constexpr int kCycleBits = 16;

    enum PortOfMemory : std::size_t { kRequest, kBytes, kAddress, kGrant, kGrantCycles };
    enum PortOfEngine : std::size_t {
        kIdle,
        kStart,
        kPieces,
        kFirst,
        kLast,
        kOperandBytes,
        kQueueBytes,
        kQueueData,
        kMovedBytes,
        kPushedData,
        kTakesOperands,
        kEngineRequest,
        kEngineRequestBytes,
        kEngineRequestAddress,
        kEngineGrant,
        kEngineGrantCycles,
        kMemoryData,
        kWrittenData
    };

    static std::vector<Port> ports_of_port(std::size_t requesters) {
        const auto count = static_cast<int>(requesters);
        return {{"request", count, Direction::kInput},
                {"bytes", count * kBytesBits, Direction::kInput},
                {"address", count * 32, Direction::kInput},
                {"grant", count, Direction::kOutput},
                {"grant_cycles", kCycleBits, Direction::kOutput}};
    }
    static std::vector<Port> ports_of_engine(const RecordedDma& recorded, bool receives) {
        const auto burst = static_cast<int>(recorded.dma.burst_bytes.value().count());
        const auto bits = [](std::int64_t value) {
            return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
        };
        const int queue = bits(capacity(recorded, receives).count());
        constexpr Direction kIn = Direction::kInput;
        constexpr Direction kOut = Direction::kOutput;
        return {{"idle", 1, kOut},
                {"start", 1, kIn},
                {"pieces", receives ? 64 : 512, kIn},
                {"first", 4, kIn},
                {"last", 4, kIn},
                {"operand_bytes", 7, kIn},
                {"queue_bytes", queue, kIn},
                {"queue_data", 8 * burst, kIn},
                {"moved_bytes", queue, kOut},
                {"pushed_data", 8 * burst, kOut},
                {"takes_operands", 1, kOut},
                {"request", 1, kOut},
                {"request_bytes", bits(burst), kOut},
                {"request_address", 32, kOut},
                {"grant", 1, kIn},
                {"grant_cycles", kCycleBits, kIn},
                {"memory_data", 8 * burst, kIn},
                {"written_data", 8 * burst, kOut}};
    }
    static Bytes capacity(const RecordedDma& recorded, bool receives) {
        return receives ? recorded.keys.input_queue_bytes.value()
                        : recorded.keys.output_queue_bytes.value();
    }
    static void set_bytes(PortRecording& recording, std::size_t port,
                          const std::vector<std::uint8_t>& bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            recording.set(port, bytes[i], static_cast<int>(8 * i), 8);
        }
    }
    // Compares the first `bytes` bytes of an output, and ignores the others.
    void ignore_behind(PortRecording& recording, std::size_t port, std::size_t bytes) const {
        const auto all = static_cast<std::size_t>(recorded_.dma.burst_bytes.value().count());
        recording.ignore(port, static_cast<int>(8 * bytes), static_cast<int>(8 * (all - bytes)));
    }
    static std::int64_t increase(std::int64_t& last, std::int64_t value) {
        const std::int64_t by = value - last;
        last = value;
        return by;
    }
    void ignore_request(PortRecording& recording) const {
        recording.ignore(kEngineRequestBytes, 0, recording.ports()[kEngineRequestBytes].bits);
        recording.ignore(kEngineRequestAddress, 0, 32);
    }

    void look_at_send(Cycles next) {
        const SendDma& engine = recorded_.controller.send_dma();
        const std::int64_t moved = increase(sent_, engine.statistics().bytes.value());
        send_.set(kMovedBytes, moved);
        if (moved > 0) {
            set_bytes(send_, kPushedData, read_);
        }
        ignore_behind(send_, kPushedData, moved);
        ignore_behind(send_, kWrittenData, 0);
        if (!asks_[kSendPort]) {
            ignore_request(send_);
        }
        if (send_was_idle_ && !engine.accepts_work(next)) {
            const auto pieces = static_cast<int>(engine.pieces().size());
            // Any number does for the first piece; the controller's twin gives half the words.
            const int first = recorded_.messages[engine.message()].word_count / 2;
            send_.set(kStart, 1);
            send_.set(kFirst, first);
            send_.set(kLast, first + pieces - 1);
            for (int i = 0; i < pieces; ++i) {
                set_piece(send_, first + i, engine.pieces()[i]);
            }
        }
    }
    void look_at_receive(Cycles next) {
        const ReceiveDma& engine = recorded_.controller.receive_dma();
        ByteQueue& queue = recorded_.controller.input_queue();
        const std::int64_t popped = increase(popped_, queue.popped_before(next).count());
        const bool ends = increase(ended_, queue.messages_ended(next)) > 0;
        const std::int64_t stored = increase(stored_, engine.statistics().bytes.value());
        const std::int64_t moved = ends ? 0 : popped;  // otherwise the controller takes all
        receive_.set(kMovedBytes, moved);
        receive_.set(kTakesOperands, moved > stored ? 1 : 0);
        has_popped_words_ = !ends && (has_popped_words_ || popped > 0);
        body_popped_ = ends ? 0 : body_popped_ + stored;
        ignore_behind(receive_, kWrittenData, written_.size());
        if (!asks_[kReceivePort]) {
            ignore_request(receive_);
        }
        if (receive_was_idle_ && !engine.accepts_work(next)) {
            const Message& message = recorded_.messages[engine.message()];
            receive_.set(kStart, 1);
            receive_.set(kOperandBytes, (message.bytes - message.body_bytes).count());
            set_piece(receive_, 0, engine.pieces().front());
        }
    }
    static void set_piece(PortRecording& recording, int number, const DmaEngine::Piece& piece) {
        recording.set(kPieces, piece.address, 64 * number, 32);
        recording.set(kPieces, piece.bytes, 64 * number + 32, 32);
    }
    // Inputs and registered outputs of cycle `now`.
    void look_at_state(Cycles now) {
        send_was_idle_ = recorded_.controller.send_dma().accepts_work(now);
        receive_was_idle_ = recorded_.controller.receive_dma().accepts_work(now);
        send_.set(kIdle, send_was_idle_ ? 1 : 0);
        receive_.set(kIdle, receive_was_idle_ ? 1 : 0);
        send_.set(kQueueBytes, recorded_.controller.output_queue().room(now).count());
        ByteQueue& input = recorded_.controller.input_queue();
        const std::int64_t available = input.available(now).count();
        receive_.set(kQueueBytes, available);
        if (has_popped_words_) {
            std::vector<std::uint8_t>& body = recorded_.messages.body(input.front());
            const std::int64_t left = static_cast<std::int64_t>(body.size()) - body_popped_;
            const std::int64_t shown =
                std::min({available, left, recorded_.dma.burst_bytes.value().count()});
            set_bytes(receive_, kQueueData,
                      {body.begin() + body_popped_, body.begin() + body_popped_ + shown});
        }
    }

    RecordedDma recorded_;
    Cycles until_;
    PortRecording port_;
    PortRecording send_;
    PortRecording receive_;
    bool is_granted_ = false;
    std::array<bool, 2> asks_{};
    bool send_was_idle_ = true;
    bool receive_was_idle_ = true;
    bool has_popped_words_ = false;      // applies to the message at the head
    std::int64_t body_popped_ = 0;       // bytes of its body
    std::vector<std::uint8_t> read_;     // by the sending engine's latest burst
    std::vector<std::uint8_t> written_;  // by the receiving engine's burst of this cycle
    std::int64_t sent_ = 0;
    std::int64_t popped_ = 0;
    std::int64_t ended_ = 0;
    std::int64_t stored_ = 0;
};

}  // namespace weir::hw::twin
