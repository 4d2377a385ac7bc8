#include "hw/dma/memory_port.h"

#include <algorithm>
#include <bit>

namespace weir::hw {

MemoryPortParameters::MemoryPortParameters()
    : ParameterGroup("memory_port",
                     "The port of a node's DRAM, shared by the caches and the DMA engines",
                     when("memory.caches").at_least(1) ||
                         (when("network.model").is("wormhole") && messages_have_bodies())) {}
MemoryPortParameters::~MemoryPortParameters() = default;

std::optional<ParameterGroup::Fault> MemoryPortParameters::check() const {
    const std::int64_t row = row_bytes.value().count();
    if (row != 0 && !std::has_single_bit(static_cast<std::uint64_t>(row))) {
        return Fault{row_bytes.name(), "is no power of two", "0, 1, 2, 4, ..."};
    }
    if (row != 0 && row_access_cycles.value() > access_cycles.value()) {
        return Fault{row_access_cycles.name(), "is more than " + table() + ".access_cycles",
                     "0 to " + std::to_string(access_cycles.value().count())};
    }
    return std::nullopt;
}

MemoryPort::MemoryPort(const sc_core::sc_module_name& name, ClockDomain& domain,
                       const Parameters& parameters)
    : sc_module(name),
      ClockedPart(domain),
      beat_bytes_(parameters.beat_bytes.value()),
      beat_cycles_(parameters.beat_cycles.value()),
      access_cycles_(parameters.access_cycles.value()),
      row_bytes_(static_cast<std::uint64_t>(parameters.row_bytes.value().count())),
      row_access_cycles_(parameters.row_access_cycles.value()),
      bursts_in_flight_(parameters.bursts_in_flight.value()) {
    requester_socket.register_nb_transport_fw(this, &MemoryPort::nb_transport_fw);
}

void MemoryPort::tick(Cycles now) {
    if (now < free_from_) {
        return;
    }
    const std::size_t port = next_to_serve(now);
    if (port == requests_.size()) {
        return;
    }
    grant(port, now);
    wake_at(free_from_);
}

tlm::tlm_sync_enum MemoryPort::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                               [[maybe_unused]] tlm::tlm_phase& phase,
                                               sc_core::sc_time& /*delay*/) {
    sc_assert(phase == tlm::BEGIN_REQ);
    const std::size_t index = port;
    if (requests_.size() <= index) {
        requests_.resize(index + 1);
    }
    sc_assert(requests_[index].payload == nullptr);
    const Cycles now = domain().now();
    requests_[index] = {&payload, now};
    if (probe_ != nullptr) {
        probe_->requested(index, payload);
    }
    if (free_from_ <= now + Cycles(1)) {
        wake_at(now + Cycles(1));
    }
    return tlm::TLM_ACCEPTED;
}

// Returns the number of ports when none waits.
std::size_t MemoryPort::next_to_serve(Cycles now) const {
    const std::size_t count = requests_.size();
    for (std::size_t step = 1; step <= count; ++step) {
        const std::size_t port = (last_served_ + step) % count;
        if (requests_[port].payload != nullptr && requests_[port].issued < now) {
            return port;
        }
    }
    return count;
}

// A burst opens the row of its first byte.
Cycles MemoryPort::access_cycles(std::uint64_t address) {
    if (row_bytes_ == 0) {
        return access_cycles_;
    }
    const std::uint64_t row = address / row_bytes_;
    if (row == open_row_) {
        statistics_.open_row_bursts += 1;
        return row_access_cycles_;
    }
    open_row_ = row;
    return access_cycles_;
}

void MemoryPort::grant(std::size_t port, Cycles now) {
    tlm::tlm_generic_payload& payload = *requests_[port].payload;
    const Bytes bytes(payload.get_data_length());
    const Cycles last_end = ends_.empty() ? Cycles(0) : ends_.back();
    const Cycles first_beat = std::max(now + access_cycles(payload.get_address()), last_end);
    const Cycles end = first_beat + memory_burst_cycles(bytes, beat_bytes_, beat_cycles_);
    statistics_.bursts += 1;
    statistics_.bytes += bytes.count();
    statistics_.busy_cycles += (end - std::max(now, last_end)).count();
    statistics_.wait_cycles += (now - requests_[port].issued - Cycles(1)).count();
    requests_[port].payload = nullptr;
    last_served_ = port;
    ends_.push_back(end);
    if (ends_.size() > bursts_in_flight_) {
        ends_.pop_front();
    }
    free_from_ = ends_.size() < bursts_in_flight_ ? now + Cycles(1)
                                                  : std::max(now + Cycles(1), ends_.front());

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    dram_socket->nb_transport_fw(payload, phase, delay);
    if (probe_ != nullptr) {
        probe_->granted(port, payload, end - now);
    }
    phase = tlm::BEGIN_RESP;
    delay = domain().to_time(end - now);
    requester_socket[static_cast<int>(port)]->nb_transport_bw(payload, phase, delay);
}

}  // namespace weir::hw
