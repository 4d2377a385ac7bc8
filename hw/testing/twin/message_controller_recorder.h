#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/bus_probe.h"
#include "hw/controller/message_controller.h"
#include "hw/controller/message_controller_twin.h"
#include "hw/messages/message_pool.h"
#include "hw/testing/twin/twin.h"
#include "hw/units.h"

namespace weir::hw::twin {

/// A controller with the parts and parameters around it, as its twin needs them.
struct RecordedController {
    MessageController& controller;
    MessagePool& messages;
    const ControllerParameters& parameters;
    const DmaParameters& dma;
    Bytes memory_bytes;
    std::int32_t node_count = 0;
};

/// Records the ports of message_controller.sv in a run of the model. Accesses and answers come from
/// the bus probe. The other events are read from the counters of queues and engines at the end of
/// each cycle. So is the state that the controller will find in the next cycle.
///
/// The clock must not sleep (clock.sleeping = false), or `until` must say how long the recorder
/// wakes itself in each cycle.
class MessageControllerRecorder final : public ClockedPart, public BusProbe {
  public:
    MessageControllerRecorder(ClockDomain& domain, const RecordedController& recorded,
                              Cycles until = kNever)
        : ClockedPart(domain),
          recorded_(recorded),
          until_(until),
          recording_(ports_of(recorded.controller)) {
        recorded_.controller.set_probe(this);
        look_at_state(Cycles(0));
        if (until_ != kNever) {
            wake_at(Cycles(0));
        }
    }

    void accessed(int /*port*/, const tlm::tlm_generic_payload& payload,
                  std::optional<Cycles> cost) override {
        const bool is_double = payload.get_data_length() > WEIR_WORD_BYTES;
        recording_.set(kAccess, 1);
        recording_.set(kIsStore, payload.is_write() ? 1 : 0);
        recording_.set(kIsDouble, is_double ? 1 : 0);
        recording_.set(kAddress, payload.get_address() - WEIR_CONTROLLER_BASE);
        if (payload.is_write()) {
            recording_.set(kData, data_word(payload), 0, 32);
            if (is_double) {
                recording_.set(kData, second_data_word(payload), 32, 32);
            }
        }
        if (cost) {
            note_answer(payload, *cost);
        }
    }
    void answered(int /*port*/, const tlm::tlm_generic_payload& payload, Cycles cost) override {
        note_answer(payload, cost);
    }
    void withdrawn(int /*port*/) override { recording_.set(kWithdraw, 1); }
    void network_stopped(bool is_stopped) override { is_stopped_ = is_stopped; }

    void tick(Cycles now) override {
        if (now < until_) {
            domain().after_ticks(*this);
        }
    }
    void end_of_cycle(Cycles now) override {
        const Cycles next = now + Cycles(1);
        look_at_queues(now);
        look_at_engines(next);
        look_at_lines(now);
        recording_.end_cycle();
        is_answered_ = false;
        look_at_state(next);
        if (until_ != kNever && next < until_) {
            wake_at(next);
        }
    }

    [[nodiscard]] const PortRecording& recording() const { return recording_; }
    [[nodiscard]] std::int64_t answers() const { return answers_; }
    [[nodiscard]] std::int64_t refusals() const { return refusals_; }
    /// Throws std::bad_variant_access for a controller that the twin does not cover.
    [[nodiscard]] Twin twin() const {
        return std::get<Twin>(message_controller_twin(
            recorded_.parameters, recorded_.dma,
            {.node_count = recorded_.node_count, .memory_bytes = recorded_.memory_bytes}));
    }

  private:
    enum PortNumber : std::size_t {
        kAccess,
        kIsStore,
        kIsDouble,
        kAddress,
        kData,
        kWithdraw,
        kAnswered,
        kRefused,
        kAnswerCycles,
        kAnswerData,
        kOutputRoom,
        kBeginMessage,
        kPushBytes,
        kPushData,
        kBegunBodyBytes,
        kAvailable,
        kHasMessage,
        kHeadWords,
        kHeadBodyBytes,
        kHeadData,
        kPopBytes,
        kEndMessage,
        kSendIdle,
        kSendStart,
        kSendPieces,
        kSendFirst,
        kSendEnd,
        kReceiveIdle,
        kOperandsTaken,
        kReceiveStart,
        kReceiveAddress,
        kHeaderArrived,
        kStopped,
        kMessageInterrupt,
        kDmaInterrupt,
        kOverflow,
        kSavedMessages
    };
    static constexpr int kWordsBits = 32 * WEIR_DESCRIPTOR_WORDS;

    static std::vector<Port> ports_of(MessageController& controller) {
        const auto count = [](const ByteQueue& queue) {
            return static_cast<int>(
                std::bit_width(static_cast<std::uint64_t>(queue.capacity().count())));
        };
        constexpr Direction kIn = Direction::kInput;
        constexpr Direction kOut = Direction::kOutput;
        return {{"access", 1, kIn},
                {"is_store", 1, kIn},
                {"is_double", 1, kIn},
                {"address", 8, kIn},
                {"data", 64, kIn},
                {"withdraw", 1, kIn},
                {"answered", 1, kOut},
                {"refused", 1, kOut},
                {"answer_cycles", 16, kOut},
                {"answer_data", 64, kOut},
                {"output_room", count(controller.output_queue()), kIn},
                {"begin_message", 1, kOut},
                {"push_bytes", 7, kOut},
                {"push_data", kWordsBits, kOut},
                {"begun_body_bytes", 32, kOut},
                {"available", count(controller.input_queue()), kIn},
                {"has_message", 1, kIn},
                {"head_words", 5, kIn},
                {"head_body_bytes", 32, kIn},
                {"head_data", kWordsBits, kIn},
                {"pop_bytes", 7, kOut},
                {"end_message", 1, kOut},
                {"send_idle", 1, kIn},
                {"send_start", 1, kOut},
                {"send_pieces", kWordsBits, kOut},
                {"send_first", 4, kOut},
                {"send_end", 4, kOut},
                {"receive_idle", 1, kIn},
                {"operands_taken", 1, kIn},
                {"receive_start", 1, kOut},
                {"receive_address", 32, kOut},
                {"header_arrived", 1, kIn},
                {"stopped", 1, kIn},
                {"message_interrupt", 1, kOut},
                {"dma_interrupt", 1, kOut},
                {"overflow", 1, kOut},
                {"saved_messages", 1, kOut}};
    }

    [[nodiscard]] MessageController& controller() const { return recorded_.controller; }

    void note_answer(const tlm::tlm_generic_payload& payload, Cycles cost) {
        const bool is_refused = payload.is_response_error();
        is_answered_ = true;
        answers_ += 1;
        refusals_ += is_refused ? 1 : 0;
        recording_.set(kAnswered, 1);
        recording_.set(kRefused, is_refused ? 1 : 0);
        recording_.set(kAnswerCycles, cost.count());
        if (payload.is_write() || is_refused) {
            recording_.ignore(kAnswerData, 0, 64);
            return;
        }
        recording_.set(kAnswerData, data_word(payload), 0, 32);
        if (payload.get_data_length() > WEIR_WORD_BYTES) {
            recording_.set(kAnswerData, second_data_word(payload), 32, 32);
        } else {
            recording_.ignore(kAnswerData, 32, 32);
        }
    }
    // Increase of a counter since the last call with it.
    static std::int64_t increase(std::int64_t& last, std::int64_t value) {
        const std::int64_t by = value - last;
        last = value;
        return by;
    }
    void look_at_queues(Cycles now) {
        const Cycles next = now + Cycles(1);
        if (!is_answered_) {
            recording_.ignore(kAnswerCycles, 0, 16);
            recording_.ignore(kAnswerData, 0, 64);
        }
        ByteQueue& output = controller().output_queue();
        const std::int64_t by_engine =
            increase(sent_, controller().send_dma().statistics().bytes.value());
        const std::int64_t pushed = increase(pushed_, output.pushed_before(next).count());
        const bool begins = increase(begun_, output.messages_begun(next)) > 0;
        recording_.set(kBeginMessage, begins ? 1 : 0);
        recording_.set(kPushBytes, pushed - by_engine);
        std::int32_t words = 0;
        if (begins) {
            const Message& message = recorded_.messages[output.messages().back()];
            words = message.word_count;
            set_words(kPushData, message, words);
            recording_.set(kBegunBodyBytes, message.body_bytes.count());
        } else {
            recording_.ignore(kBegunBodyBytes, 0, 32);
        }
        recording_.ignore(kPushData, 32 * words, kWordsBits - 32 * words);

        ByteQueue& input = controller().input_queue();
        const std::int64_t popped =
            increase(popped_, input.popped_before(next).count()) -
            increase(stored_, controller().receive_dma().statistics().bytes.value());
        const bool ends = increase(ended_, input.messages_ended(next)) > 0;
        recording_.set(kEndMessage, ends ? 1 : 0);
        recording_.set(kPopBytes, ends ? popped : 0);
        recording_.set(kOperandsTaken, !ends && popped > 0 ? 1 : 0);
        has_popped_words_ = !ends && (has_popped_words_ || popped > 0);
        bool header_arrives = false;
        for (std::size_t i = 0; i < input.messages().size(); ++i) {
            const Message& message = recorded_.messages[input.messages()[i]];
            header_arrives = header_arrives || message.times.header_arrival == now;
        }
        recording_.set(kHeaderArrived, header_arrives ? 1 : 0);
        recording_.set(kStopped, is_stopped_ ? 1 : 0);
    }
    void look_at_engines(Cycles next) {
        const SendDma& send = controller().send_dma();
        const bool sends = send_was_idle_ && !send.accepts_work(next);
        recording_.set(kSendStart, sends ? 1 : 0);
        int first = 0;
        int pieces = 0;
        if (sends) {
            first = recorded_.messages[send.message()].word_count / 2;
            pieces = static_cast<int>(send.pieces().size());
            recording_.set(kSendFirst, first);
            recording_.set(kSendEnd, first + pieces);
            for (int i = 0; i < pieces; ++i) {
                const DmaEngine::Piece& piece = send.pieces()[i];
                recording_.set(kSendPieces, piece.address, 64 * (first + i), 32);
                recording_.set(kSendPieces, piece.bytes, 64 * (first + i) + 32, 32);
            }
        } else {
            recording_.ignore(kSendFirst, 0, 4);
            recording_.ignore(kSendEnd, 0, 4);
        }
        recording_.ignore(kSendPieces, 0, 64 * first);
        recording_.ignore(kSendPieces, 64 * (first + pieces), kWordsBits - 64 * (first + pieces));
        const ReceiveDma& receive = controller().receive_dma();
        const bool receives = receive_was_idle_ && !receive.accepts_work(next);
        recording_.set(kReceiveStart, receives ? 1 : 0);
        if (receives) {
            recording_.set(kReceiveAddress, receive.pieces().front().address);
        } else {
            recording_.ignore(kReceiveAddress, 0, 32);
        }
    }
    void look_at_lines(Cycles now) {
        recording_.set(kMessageInterrupt, controller().interrupt_raised(now) ? 1 : 0);
        recording_.set(kDmaInterrupt, controller().dma_interrupt_raised(now) ? 1 : 0);
        recording_.set(kOverflow, controller().overflow_raised(now) ? 1 : 0);
        recording_.set(kSavedMessages, controller().saved_messages_raised(now) ? 1 : 0);
    }
    // Inputs that the controller finds in cycle `now`.
    void look_at_state(Cycles now) {
        recording_.set(kOutputRoom, controller().output_queue().room(now).count());
        ByteQueue& input = controller().input_queue();
        const std::int64_t available = input.available(now).count();
        recording_.set(kAvailable, available);
        if (input.has_message(now)) {
            const Message& head = recorded_.messages[input.front()];
            recording_.set(kHasMessage, 1);
            recording_.set(kHeadWords, head.word_count);
            recording_.set(kHeadBodyBytes, head.body_bytes.count());
            if (!has_popped_words_) {
                set_words(kHeadData, head,
                          std::min<std::int64_t>(head.word_count, available / WEIR_WORD_BYTES));
            }
        }
        send_was_idle_ = controller().send_dma().accepts_work(now);
        receive_was_idle_ = controller().receive_dma().accepts_work(now);
        recording_.set(kSendIdle, send_was_idle_ ? 1 : 0);
        recording_.set(kReceiveIdle, receive_was_idle_ ? 1 : 0);
    }
    void set_words(PortNumber port, const Message& message, std::int64_t words) {
        for (std::int64_t i = 0; i < words; ++i) {
            recording_.set(port, message.words[i], static_cast<int>(32 * i), 32);
        }
    }

    RecordedController recorded_;
    Cycles until_;
    PortRecording recording_;
    bool is_answered_ = false;
    bool is_stopped_ = false;
    bool send_was_idle_ = true;
    bool receive_was_idle_ = true;
    bool has_popped_words_ = false;  // applies to the message at the head
    std::int64_t sent_ = 0;
    std::int64_t pushed_ = 0;
    std::int64_t begun_ = 0;
    std::int64_t stored_ = 0;
    std::int64_t popped_ = 0;
    std::int64_t ended_ = 0;
    std::int64_t answers_ = 0;
    std::int64_t refusals_ = 0;
};

}  // namespace weir::hw::twin
