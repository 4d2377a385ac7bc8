#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/units.h"
#include "network/fabric/routers_passed.h"
#include "network/traffic/cycle_histogram.h"
#include "network/traffic/packet_source.h"

namespace weir::network {

/// A packet that has left its source's queue.
struct Packet {
    std::int32_t source = 0;
    std::int32_t destination = 0;
    hw::Flits flits{1};
    hw::Cycles generated{0};
    hw::Cycles injected{0};   ///< cycle in which its header left the source
    bool is_tagged = false;   ///< true if generated in the measurement phase
    std::int64_t number = 0;  ///< number of the packet in its recording
};

/// A packet that has arrived.
struct PacketTrip {
    Packet packet;
    hw::Cycles arrived;  ///< cycle in which the tail was taken
    std::vector<RouterPassed> way;
};

/// Packets in flight, by the number in their flits. Numbers are reused; no result depends on them.
class PacketTable {
  public:
    hw::MessageSlot add(const Packet& packet) {
        if (free_.empty()) {
            packets_.push_back(packet);
            return static_cast<hw::MessageSlot>(packets_.size() - 1);
        }
        const hw::MessageSlot slot = free_.back();
        free_.pop_back();
        packets_[slot] = packet;
        return slot;
    }
    void remove(hw::MessageSlot slot) { free_.push_back(slot); }
    [[nodiscard]] const Packet& operator[](hw::MessageSlot slot) const { return packets_[slot]; }
    [[nodiscard]] std::size_t in_use() const { return packets_.size() - free_.size(); }

  private:
    std::vector<Packet> packets_;
    std::vector<hw::MessageSlot> free_;
};

/// Packets generated in one slice of the measurement, and the sum of their latencies from
/// generation on.
struct LatencySlice {
    std::int64_t packets = 0;
    std::int64_t cycles = 0;
};

/// Counts of all endpoints: generated, sent and received packets and flits. All are sums, so that
/// the tick order of the endpoints does not matter.
class TrafficRecord {
  public:
    /// Number of slices of equal length in a measurement; the last one may be shorter. Short
    /// measurements have fewer slices, of one cycle each.
    static constexpr std::int64_t kSlices = 512;

    /// Packets generated in the cycles from `begin` to before `end` are tagged, and flits that
    /// arrive in these cycles are counted.
    TrafficRecord(hw::Cycles begin, hw::Cycles end)
        : begin_(begin),
          end_(end),
          slice_cycles_(std::max<std::int64_t>(1, ((end - begin).count() + kSlices - 1) / kSlices)),
          slices_(((end - begin).count() + slice_cycles_ - 1) / slice_cycles_) {}

    [[nodiscard]] bool is_measured(hw::Cycles cycle) const {
        return cycle >= begin_ && cycle < end_;
    }
    /// True while sources are active: until all tagged packets have arrived, or close().
    [[nodiscard]] bool is_open(hw::Cycles now) const { return now < closed_from_; }
    /// From this cycle on, sources generate no packets and begin to send none.
    void close(hw::Cycles from) { closed_from_ = from < closed_from_ ? from : closed_from_; }
    [[nodiscard]] hw::Cycles closed_from() const { return closed_from_; }

    void generated(hw::Flits flits, hw::Cycles now) {
        ++packets_generated_;
        if (is_measured(now)) {
            ++tagged_generated_;
            measured_generated_ += flits;
        }
    }
    /// The packet that a node begins to send in this cycle.
    [[nodiscard]] Packet begun(const GeneratedPacket& packet, std::int32_t source,
                               hw::Cycles now) const {
        return {.source = source,
                .destination = packet.destination,
                .flits = packet.flits,
                .generated = packet.cycle,
                .injected = now,
                .is_tagged = is_measured(packet.cycle),
                .number = packet.number};
    }
    void sent_flits(hw::Flits flits) { sent_ += flits; }
    /// Records flits that arrive one per cycle from `first` on.
    void took_flits(hw::Flits flits, hw::Cycles first) {
        taken_ += flits;
        measured_taken_ += measured_of(flits, first);
    }
    /// Withdraws flits of took_flits() that do not arrive after all.
    void cancel_flits(hw::Flits flits, hw::Cycles first) {
        taken_ -= flits;
        measured_taken_ -= measured_of(flits, first);
    }
    /// Calls `tell` for each packet that arrives, packets of one cycle in any order; to be set
    /// before the run.
    void tell_trips(std::function<void(const PacketTrip&)> tell) {
        tell_trip_ = std::move(tell);
        routers_passed_.keep_routes();
    }
    /// Records the arrival of a packet that has passed `routers` routers; `now` may be later than
    /// the current cycle. `way` is empty unless trips are reported.
    void arrived(const Packet& packet, std::int32_t routers, hw::Cycles now,
                 std::vector<RouterPassed> way = {}) {
        ++packets_arrived_;
        last_arrival_ = std::max(last_arrival_, now);
        if (tell_trip_) {
            tell_trip_({packet, now, std::move(way)});
        }
        if (!packet.is_tagged || !is_open(now)) {
            return;
        }
        from_generation_.add((now - packet.generated).count());
        from_injection_.add((now - packet.injected).count());
        routers_of_tagged_ += routers;
        LatencySlice& slice = slices_[(packet.generated - begin_).count() / slice_cycles_];
        ++slice.packets;
        slice.cycles += (now - packet.generated).count();
        last_tagged_arrival_ = std::max(last_tagged_arrival_, now);
        if (are_all_generated_) {
            close_when_all_arrived();
        }
    }
    /// Records the arrival of a packet and removes it from the table. `routers` is their number if
    /// the network does not count them in routers_passed().
    void arrived(PacketTable& packets, hw::MessageSlot slot, hw::Cycles now,
                 std::optional<std::int32_t> routers = {}) {
        const std::int32_t counted = routers_passed_.take(slot);
        arrived(packets[slot], routers.value_or(counted), now, routers_passed_.take_way(slot));
        packets.remove(slot);
    }
    /// Records that all tagged packets have been generated; to be called after the measurement's
    /// last cycle.
    void end_measurement() {
        are_all_generated_ = true;
        close_when_all_arrived();
    }
    /// Routers that each packet in flight has passed; filled by the network.
    [[nodiscard]] RoutersPassed& routers_passed() { return routers_passed_; }
    /// Records a flit that a correct network can't deliver.
    void note_fault(const std::string& fault) { fault_ = fault_.empty() ? fault : fault_; }

    [[nodiscard]] std::int64_t tagged_generated() const { return tagged_generated_; }
    /// Number of tagged packets that arrived while sources were active.
    [[nodiscard]] std::int64_t tagged_arrived() const { return from_generation_.count(); }
    /// Routers passed by the packets of tagged_arrived(), in total.
    [[nodiscard]] std::int64_t routers_of_tagged() const { return routers_of_tagged_; }
    [[nodiscard]] bool all_tagged_arrived() const { return tagged_arrived() == tagged_generated_; }
    [[nodiscard]] std::int64_t packets_generated() const { return packets_generated_; }
    [[nodiscard]] std::int64_t packets_arrived() const { return packets_arrived_; }
    /// Cycle of the last arrival of a packet, which may be later than the current cycle.
    [[nodiscard]] hw::Cycles last_arrival() const { return last_arrival_; }
    [[nodiscard]] hw::Flits sent() const { return sent_; }
    [[nodiscard]] hw::Flits taken() const { return taken_; }
    [[nodiscard]] hw::Flits measured_generated() const { return measured_generated_; }
    [[nodiscard]] hw::Flits measured_taken() const { return measured_taken_; }
    /// Latencies of the tagged packets that arrived while sources were active. A latency ends with
    /// the cycle in which the tail is taken.
    [[nodiscard]] const CycleHistogram& from_generation() const { return from_generation_; }
    [[nodiscard]] const CycleHistogram& from_injection() const { return from_injection_; }
    /// Latencies from generation on, in slices of the measurement by the cycle of generation.
    [[nodiscard]] const std::vector<LatencySlice>& latency_slices() const { return slices_; }
    [[nodiscard]] hw::Cycles slice_cycles() const { return hw::Cycles(slice_cycles_); }
    [[nodiscard]] const std::string& fault() const { return fault_; }

  private:
    // Flits of these, which arrive one per cycle, whose cycles are in the measurement.
    [[nodiscard]] hw::Flits measured_of(hw::Flits flits, hw::Cycles first) const {
        const hw::Cycles end = first + hw::Cycles(flits.count());
        const std::int64_t measured = (std::min(end, end_) - std::max(first, begin_)).count();
        return hw::Flits(std::max(measured, INT64_C(0)));
    }
    void close_when_all_arrived() {
        if (all_tagged_arrived()) {
            close(std::max(end_, last_tagged_arrival_ + hw::Cycles(1)));
        }
    }

    hw::Cycles begin_;
    hw::Cycles end_;
    hw::Cycles last_arrival_{-1};
    hw::Cycles last_tagged_arrival_{-1};
    bool are_all_generated_ = false;
    hw::Cycles closed_from_ = hw::kNever;
    std::int64_t packets_generated_ = 0;
    std::int64_t packets_arrived_ = 0;
    std::int64_t tagged_generated_ = 0;
    hw::Flits sent_{0};
    hw::Flits taken_{0};
    hw::Flits measured_generated_{0};
    hw::Flits measured_taken_{0};
    RoutersPassed routers_passed_;
    std::int64_t routers_of_tagged_ = 0;
    std::int64_t slice_cycles_;
    std::vector<LatencySlice> slices_;
    CycleHistogram from_generation_;
    CycleHistogram from_injection_;
    std::function<void(const PacketTrip&)> tell_trip_;
    std::string fault_;
};

}  // namespace weir::network
