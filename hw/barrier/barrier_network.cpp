#include "hw/barrier/barrier_network.h"

#include <algorithm>
#include <cstring>

namespace weir::hw {

BarrierNetwork::BarrierNetwork(const sc_core::sc_module_name& name, ClockDomain& domain,
                               Cycles barrier_cycles, const ControllerParameters& controller,
                               std::int32_t node_count)
    : sc_module(name),
      ClockedPart(domain),
      barrier_cycles_(barrier_cycles),
      store_cycles_(controller.store_cycles.value()),
      load_cycles_(controller.load_cycles.value()),
      rounds_(node_count),
      arrivals_(node_count) {
    node_socket.register_nb_transport_fw(this, &BarrierNetwork::nb_transport_fw);
}

tlm::tlm_sync_enum BarrierNetwork::nb_transport_fw(int node, tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const Cycles now = domain().now();
    if (phase == WITHDRAW_REQUEST) {
        for (WaitingLoad& load : waiting_) {
            if (load.node == node) {
                load.withdrawn_from = now + Cycles(1);
                wake_at(now + Cycles(1));
            }
        }
        return tlm::TLM_ACCEPTED;
    }
    if (payload.get_data_length() != sizeof(std::uint32_t)) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    begin_next_round_if_released(now);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const std::optional<Cycles> cost =
        payload.is_write() ? arrive(node, payload, now) : load(node, payload, now);
    if (!cost && !payload.is_response_error()) {
        waiting_.push_back({node, round_, &payload});
        return tlm::TLM_ACCEPTED;
    }
    delay = domain().to_time(cost.value_or(Cycles(0)));
    return tlm::TLM_COMPLETED;
}

std::optional<Cycles> BarrierNetwork::arrive(int node, tlm::tlm_generic_payload& payload,
                                             Cycles now) {
    if (payload.get_address() != WEIR_BARRIER_ARRIVE || has_arrived(node)) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return std::nullopt;
    }
    rounds_[node] = round_;
    arrivals_[node] = now + store_cycles_;
    ++arrived_;
    if (arrived_ == static_cast<std::int32_t>(rounds_.size())) {
        // All stores take the same time, so the node whose store is issued last, in this cycle,
        // arrives last.
        release_ = now + store_cycles_ + barrier_cycles_;
        wake_at(release_ - Cycles(1));
    }
    return store_cycles_;
}

std::optional<Cycles> BarrierNetwork::load(int node, tlm::tlm_generic_payload& payload,
                                           Cycles now) {
    const std::uint64_t address = payload.get_address();
    const bool never_arrived = rounds_[node] == 0;
    if ((address != WEIR_BARRIER_WAIT && address != WEIR_BARRIER_ARRIVED) ||
        (address == WEIR_BARRIER_WAIT && never_arrived)) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return std::nullopt;
    }
    // In the cycle before the release a load does not wait: this cycle's tick may already have
    // answered the waiting loads.
    const bool is_released_next = release_ == now + Cycles(1);
    if (address == WEIR_BARRIER_WAIT && has_arrived(node) && !is_released_next) {
        return std::nullopt;
    }
    const std::uint32_t word = address == WEIR_BARRIER_WAIT || has_arrived(node) ? 1 : 0;
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
    const bool waits = address == WEIR_BARRIER_WAIT && has_arrived(node);
    return load_cycles_ + Cycles(waits ? 1 : 0);
}

// Also called by accesses: in the cycle of the release, some nodes are ticked before this part.
void BarrierNetwork::begin_next_round_if_released(Cycles now) {
    if (release_ > now) {
        return;
    }
    ++round_;
    arrived_ = 0;
    release_ = kNever;
}

// Waiting loads are answered in the cycle before the release, since an answer takes one cycle.
void BarrierNetwork::tick(Cycles now) {
    begin_next_round_if_released(now);
    const bool releases = release_ == now + Cycles(1);
    if (releases) {
        const Cycles last = release_ - barrier_cycles_;
        statistics_.barriers += 1;
        for (const Cycles arrival : arrivals_) {
            statistics_.early_node_cycles += (last - arrival).count();
        }
        domain().note_progress(release_);
    }
    std::vector<WaitingLoad> looked_at;
    looked_at.swap(waiting_);
    for (const WaitingLoad& load : looked_at) {
        const bool is_released = load.round < round_ || releases;
        if (!is_released && load.withdrawn_from > now) {
            waiting_.push_back(load);
            continue;
        }
        Cycles cost(1);
        if (is_released) {
            const std::uint32_t word = 1;
            std::memcpy(load.payload->get_data_ptr(), &word, sizeof word);
            cost += load_cycles_;
        } else {
            load.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        }
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = domain().to_time(cost);
        node_socket[load.node]->nb_transport_bw(*load.payload, phase, delay);
    }
}

void BarrierNetwork::report_waits(WaitReport& report,
                                  const std::function<std::string(NodeId)>& part_name) const {
    const auto count = static_cast<int>(rounds_.size());
    if (arrived_ == 0 || arrived_ == count) {
        return;
    }
    int missing = 0;
    while (has_arrived(missing)) {
        ++missing;
    }
    const int others = count - arrived_ - 1;
    std::string why =
        "it has arrived at the hardware barrier, and node " + std::to_string(missing) + " has not";
    if (others > 0) {
        why +=
            others == 1 ? ", nor has 1 other" : ", nor have " + std::to_string(others) + " others";
    }
    for (int node = 0; node < count; ++node) {
        if (has_arrived(node)) {
            report.push_back({part_name(NodeId(node)), part_name(NodeId(missing)), why});
        }
    }
}

}  // namespace weir::hw
