#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/testing/twin/port_recording.h"
#include "network/network_parameters.h"
#include "network/router/router_twin.h"
#include "network/testing/channel_observer.h"

namespace weir::network::testing {

/// Records the ports of one network interface (flit_interface.sv) in all cycles from 0 to `last`.
/// It only observes the interface's queues and channels at the end of each cycle.
class InterfaceRecorder final : public hw::ClockedPart {
  public:
    struct Neighbours {
        hw::ByteQueue& output_queue;
        hw::ByteQueue& input_queue;
        const FlitChannel& injection;
        const FlitChannel& ejection;
    };
    InterfaceRecorder(hw::ClockDomain& domain, const NetworkParameters& parameters,
                      const hw::MessagePool& messages, const Neighbours& neighbours,
                      hw::Cycles last)
        : ClockedPart(domain),
          messages_(messages),
          neighbours_(neighbours),
          injection_(neighbours.injection),
          ejection_(neighbours.ejection),
          code_{8 * static_cast<int>(parameters.flit_bytes.value().count()),
                coordinate_bits(parameters), parameters.extents()},
          last_(last),
          recording_({{"out_bytes", queue_bits(neighbours), hw::twin::Direction::kInput},
                      {"out_length", kLengthBits, hw::twin::Direction::kInput},
                      {"out_data", code_.data_bits, hw::twin::Direction::kInput},
                      {"out_pop", 1, hw::twin::Direction::kOutput},
                      {"out_end", 1, hw::twin::Direction::kOutput},
                      {"injection_put", 1, hw::twin::Direction::kOutput},
                      {"injection_flit", code_.bits(), hw::twin::Direction::kOutput},
                      {"injection_credit", 1, hw::twin::Direction::kInput},
                      {"ejection_put", 1, hw::twin::Direction::kInput},
                      {"ejection_flit", code_.bits(), hw::twin::Direction::kInput},
                      {"ejection_credit", 1, hw::twin::Direction::kOutput},
                      {"in_room", queue_bits(neighbours), hw::twin::Direction::kInput},
                      {"in_push", 1, hw::twin::Direction::kOutput},
                      {"in_begin", 1, hw::twin::Direction::kOutput},
                      {"in_data", code_.data_bits, hw::twin::Direction::kOutput},
                      {"header_arrived", 1, hw::twin::Direction::kOutput}}) {
        record_queues(hw::Cycles(0));
        wake_at(hw::Cycles(0));
    }

    void tick(hw::Cycles now) override {
        domain().after_ticks(*this);
        if (now < last_) {
            wake_at(now + hw::Cycles(1));
        }
    }
    void end_of_cycle(hw::Cycles now) override {
        const hw::Cycles next = now + hw::Cycles(1);
        injection_.end_of_cycle();
        ejection_.end_of_cycle();
        record_injection(next);
        record_ejection(now);
        recording_.end_cycle();
        record_queues(next);
    }

    [[nodiscard]] const hw::twin::PortRecording& recording() const { return recording_; }
    [[nodiscard]] std::int64_t flits() const { return flits_; }

  private:
    static constexpr int kLengthBits = 16;
    enum Port : std::uint8_t {
        kOutBytes,
        kOutLength,
        kOutData,
        kOutPop,
        kOutEnd,
        kInjectionPut,
        kInjectionFlit,
        kInjectionCredit,
        kEjectionPut,
        kEjectionFlit,
        kEjectionCredit,
        kInRoom,
        kInPush,
        kInBegin,
        kInData,
        kHeaderArrived
    };
    static int queue_bits(const Neighbours& neighbours) {
        const hw::Bytes largest =
            std::max(neighbours.output_queue.capacity(), neighbours.input_queue.capacity());
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest.count())));
    }
    // True if a count has changed since the last call.
    static bool moves_on(std::int64_t& known, std::int64_t count) {
        return std::exchange(known, count) != count;
    }

    void record_injection(hw::Cycles next) {
        if (moves_on(popped_, neighbours_.output_queue.bytes_popped())) {
            recording_.set(kOutPop, 1);
        }
        if (injection_.has_sent()) {
            recording_.set(kInjectionPut, 1);
            code_.write(recording_, kInjectionFlit, 0, injection_.flit(), injection_.index());
            sent_of_message_ = injection_.flit().is_tail ? 0 : injection_.index() + 1;
            ++flits_;
        }
        if (moves_on(ended_, neighbours_.output_queue.messages_ended(next))) {
            recording_.set(kOutEnd, 1);
        }
        if (injection_.has_taken()) {
            recording_.set(kInjectionCredit, 1);
        }
    }
    // The listener of arrived headers must have stamped the message.
    void record_ejection(hw::Cycles now) {
        if (ejection_.has_sent()) {
            recording_.set(kEjectionPut, 1);
            code_.write(recording_, kEjectionFlit, 0, ejection_.flit(), ejection_.index());
            in_ejection_.emplace_back(ejection_.flit(), ejection_.index());
        }
        if (ejection_.has_taken()) {
            recording_.set(kEjectionCredit, 1);
            const auto& [flit, index] = in_ejection_.front();
            code_.write_data(recording_, kInData, 0, flit.message, flit.destination, index);
            if (messages_[flit.message].times.header_arrival == now) {
                recording_.set(kHeaderArrived, 1);
            }
            in_ejection_.pop_front();
            ++flits_;
        }
        if (moves_on(pushed_, neighbours_.input_queue.bytes_pushed())) {
            recording_.set(kInPush, 1);
        }
        if (moves_on(begun_, neighbours_.input_queue.messages_begun(now + hw::Cycles(1)))) {
            recording_.set(kInBegin, 1);
        }
    }
    // State of the queues at the beginning of a cycle.
    void record_queues(hw::Cycles now) {
        hw::ByteQueue& queue = neighbours_.output_queue;
        recording_.set(kOutBytes, static_cast<std::uint64_t>(queue.available(now).count()));
        recording_.set(kInRoom,
                       static_cast<std::uint64_t>(neighbours_.input_queue.room(now).count()));
        if (queue.has_message(now)) {
            const hw::Message& message = messages_[queue.front()];
            recording_.set(kOutLength, static_cast<std::uint64_t>(message.bytes.count()));
            code_.write_data(recording_, kOutData, 0, queue.front(),
                             static_cast<std::uint32_t>(message.destination.index()),
                             sent_of_message_);
        }
    }

    const hw::MessagePool& messages_;
    Neighbours neighbours_;
    ChannelObserver injection_;
    ChannelObserver ejection_;
    FlitCode code_;
    hw::Cycles last_;
    hw::twin::PortRecording recording_;
    std::deque<std::pair<Flit, std::int64_t>> in_ejection_;  // with their numbers in the message
    std::int64_t sent_of_message_ = 0;                       // flits of the message at the head
    std::int64_t popped_ = 0;
    std::int64_t ended_ = 0;
    std::int64_t pushed_ = 0;
    std::int64_t begun_ = 0;
    std::int64_t flits_ = 0;
};

}  // namespace weir::network::testing
