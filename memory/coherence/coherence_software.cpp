#include "memory/coherence/coherence_controller.h"

// Registers for software. They are accessed in the core's ticks, and other nodes see the effects
// only after the ticks.
namespace weir::memory {

namespace {

// First word of a packet for software: operation and operand. The wire format has the operand after
// the address.
std::uint32_t first_word(const hw::ProtocolPacket& packet) {
    return packet.operand ? WEIR_PACKET_FIRST_WORD(packet.operation, *packet.operand)
                          : packet.operation;
}
std::uint32_t words_for_software(const hw::ProtocolPacket& packet) {
    return static_cast<std::uint32_t>(packet.words()) - (packet.operand ? 1 : 0);
}

}  // namespace

void CoherenceController::access_register(tlm::tlm_generic_payload& payload) {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    std::optional<std::uint32_t> word;
    bool is_written = false;
    if (payload.get_data_length() == WEIR_WORD_BYTES) {
        if (payload.is_read()) {
            word = read_free_register(address);
        } else {
            is_written = write_free_register(address, hw::data_word(payload));
        }
        if (payload.is_read() && !word && !shows_packets() && address == WEIR_TRAPPED_LINE) {
            word = 0;
            served_by_trap_ = 0;  // software ends the trap when it reads 0
        } else if (payload.is_read() && !word && !trapped_.empty()) {
            word = read_register(address);
        } else if (payload.is_write() && !is_written && !trapped_.empty()) {
            is_written = write_register(address, hw::data_word(payload));
        }
    }
    if (word) {
        hw::set_data_word(payload, *word);
    } else if (!is_written) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
}

// True if a packet waits that the current trap should still serve.
bool CoherenceController::shows_packets() const {
    return !trapped_.empty() && (!trap_turns_ || served_by_trap_ < node_count_);
}

bool CoherenceController::raises_trap() const {
    return !trapped_.empty() || (packets_saved_ > 0 && !inbox_);
}

// Reads a register that needs no waiting packet; empty for any other register.
std::optional<std::uint32_t> CoherenceController::read_free_register(std::uint32_t address) const {
    if (address == WEIR_HELD_PACKET) {
        return held_packet();
    }
    if (address == WEIR_MAY_RETURN) {
        return inbox_ ? 0 : 1;
    }
    if (address >= WEIR_PACKET_WORD(0) && address < WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS)) {
        const auto packet = messages_->packet_at_head(domain().now());
        const std::size_t index = (address - WEIR_PACKET_WORD(0)) / WEIR_WORD_BYTES;
        if (!packet) {
            return 0;
        }
        return index == 0   ? first_word(*packet)
               : index == 1 ? packet->second_word()
                            : packet->line.at(index - 2);
    }
    return std::nullopt;
}

std::uint32_t CoherenceController::held_packet() const {
    const auto packet = messages_->packet_at_head(domain().now());
    return packet ? (static_cast<std::uint32_t>(packet->node.index()) << 16) |
                        words_for_software(*packet)
                  : 0;
}

// Writes a register that needs no waiting packet. Returns false for any other register.
bool CoherenceController::write_free_register(std::uint32_t address, std::uint32_t value) {
    switch (address) {
        case WEIR_HOLD_PACKETS:
            holds_packets_.write(value != 0, domain().now());
            messages_->wake_at(domain().now() + hw::Cycles(1));
            return true;
        case WEIR_TAKE_PACKET:
            takes_packet_ = true;
            domain().after_ticks(caches_);
            return true;
        case WEIR_PACKETS_SAVED:
            packets_saved_ = value;
            domain().after_ticks(caches_);
            return true;
        case WEIR_RETURN_PACKET:
            return_packet(value);
            return true;
        default:
            if (address >= WEIR_PACKET_WORD(0) &&
                address < WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS)) {
                returned_words_.at((address - WEIR_PACKET_WORD(0)) / WEIR_WORD_BYTES) = value;
                return true;
            }
            return false;
    }
}

void CoherenceController::return_packet(std::uint32_t what) {
    hw::ProtocolPacket packet{.node = hw::NodeId(static_cast<std::int32_t>(what >> 16)),
                              .operation = WEIR_PACKET_OPERATION(returned_words_[0]),
                              .has_line = (what & 0xffffU) > 3,
                              .has_word = (what & 0xffffU) == 3};
    packet.set_second_word(returned_words_[1]);
    if (WEIR_PACKET_HAS_OPERAND(returned_words_[0]) != 0) {
        packet.operand = static_cast<std::uint16_t>(WEIR_PACKET_OPERAND(returned_words_[0]));
    }
    std::copy(returned_words_.begin() + 2, returned_words_.end(), packet.line.begin());
    if (!saved_.empty()) {
        saved_.pop_front();
    }
    receive(packet);
}

std::uint32_t CoherenceController::read_register(std::uint32_t address) {
    const Arrived& trapped = trapped_.front();
    const DirectoryEntry& entry = directory_.entry(trapped.line);
    const auto what = static_cast<std::uint32_t>(trapped.packet);  // number of a packet to memory
    switch (address) {
        case WEIR_TRAPPED_LINE:
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_looks(node_, domain().now());
            }
            return static_cast<std::uint32_t>(trapped.line);
        case WEIR_TRAPPED_PACKET:
            return WEIR_COHERENCE_VALUE(what, trapped.from.index()) |
                   (is_all_in_software_ ? WEIR_ALL_IN_SOFTWARE : 0);
        case WEIR_POINTERS:
            return static_cast<std::uint32_t>(entry.pointers.size());
        default: {
            const std::size_t index = (address - WEIR_POINTER(0)) / WEIR_WORD_BYTES;
            return index < entry.pointers.size()
                       ? static_cast<std::uint32_t>(entry.pointers[index].index())
                       : 0;
        }
    }
}

// Writes a register for the waiting packet. Returns false if there is no such register.
bool CoherenceController::write_register(std::uint32_t address, std::uint32_t value) {
    constexpr std::array<Packet, 4> kSent{Packet::kInvalidate, Packet::kReadData,
                                          Packet::kWriteData, Packet::kModifyGrant};
    const std::uint64_t line = trapped_.front().line;
    switch (address) {
        case WEIR_DIRECTORY_STATE:
            return write_state(value);
        case WEIR_SEND_PACKET:
            if (WEIR_COHERENCE_WHAT(value) >= kSent.size()) {
                return false;
            }
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_sends(node_);
            }
            sent_by_software_.push_back(
                {line,
                 {kSent[WEIR_COHERENCE_WHAT(value)],
                  hw::NodeId(static_cast<std::int32_t>(WEIR_COHERENCE_NODE(value)))}});
            domain().after_ticks(caches_);
            return true;
        case WEIR_TRAP_DONE:
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_ends(node_, domain().now());
            }
            trapped_.pop_front();
            ++served_by_trap_;
            domain().after_ticks(caches_);
            return true;
        default:
            return false;
    }
}

// Writes the state of the line's entry. Returns false for an invalid state.
bool CoherenceController::write_state(std::uint32_t value) {
    constexpr std::array<HomeState, 5> kStates{
        HomeState::kTrapOnWrite, HomeState::kWriteTransaction, HomeState::kReadWrite,
        HomeState::kTrapAlways, HomeState::kSoftwareTransaction};
    if (WEIR_COHERENCE_WHAT(value) >= kStates.size()) {
        return false;
    }
    DirectoryEntry& entry = directory_.entry(trapped_.front().line);
    entry.state = kStates[WEIR_COHERENCE_WHAT(value)];
    entry.acknowledgements = static_cast<std::int32_t>(WEIR_COHERENCE_NODE(value));
    entry.pointers.clear();
    if (entry.state == HomeState::kWriteTransaction || entry.state == HomeState::kReadWrite) {
        entry.pointers.push_back(entry.requester);
    }
    if (entry.state != HomeState::kWriteTransaction &&
        entry.state != HomeState::kSoftwareTransaction) {
        entry.requester = {};
        entry.is_modify = false;
    }
    note_entry(trapped_.front().line);
    return true;
}

}  // namespace weir::memory
