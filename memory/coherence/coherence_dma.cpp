#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "hw/text_streams.h"
#include "memory/coherence/coherence_controller.h"

// DMA engines' accesses to shared memory.
namespace weir::memory {

namespace {

std::string shared_address(std::uint64_t address) {
    hw::TextWriter text;
    text << "shared address 0x" << std::hex << address;
    return text.str();
}

}  // namespace

std::optional<std::string> CoherenceController::absent(std::uint32_t address,
                                                       hw::Bytes bytes) const {
    const std::uint64_t end = address + static_cast<std::uint64_t>(bytes.count());
    for (std::uint64_t at = address; at < end; at = line_of(at) + kLineBytes) {
        if (!map_.is_shared(at)) {
            return shared_address(at) + " lies beyond shared memory";
        }
        if (map_.home_of(at) != node_) {
            return shared_address(at) + " lies at node " +
                   std::to_string(map_.home_of(at).index()) + "; accepted: addresses at node " +
                   std::to_string(node_.index());
        }
    }
    return std::nullopt;
}

// A burst other than the home's own is a DMA engine's.
void CoherenceController::burst_moves(const tlm::tlm_generic_payload& payload, hw::Cycles now) {
    if (&payload == &burst_) {
        is_burst_to_move_ = false;
        return;
    }
    if (fault_) {
        return;
    }
    statistics_.dma_bursts += 1;
    std::span<std::uint8_t> bytes(payload.get_data_ptr(), payload.get_data_length());
    std::uint64_t address = map_.address_at(node_, payload.get_address() - private_bytes_);
    try {
        while (!bytes.empty()) {
            const std::size_t to_end = kLineBytes - address % kLineBytes;
            const auto of_line = bytes.first(std::min(bytes.size(), to_end));
            require_in_reach(address, payload.is_write(), now);
            if (payload.is_write()) {
                dma_writes(address, of_line);
            } else {
                dma_reads(address, of_line);
            }
            note_dma(address, of_line, payload.is_write());
            address += of_line.size();
            bytes = bytes.subspan(of_line.size());
        }
    } catch (...) {
        stop_with_fault();
    }
}

// Throws DmaFault if another node's copy matters. Copies to read that were silently replaced count,
// too, since the home does not know of that.
void CoherenceController::require_in_reach(std::uint64_t address, bool is_write, hw::Cycles now) {
    const auto known = directory_.entries().find(line_of(address));
    if (known == directory_.entries().end()) {
        return;  // the line was never requested
    }
    const DirectoryEntry& entry = known->second;
    const bool is_here_alone =
        std::ranges::all_of(entry.pointers, [this](hw::NodeId node) { return node == node_; });
    // With an open request, other nodes' copies may still have to be invalidated.
    const bool is_asked_for = is_open(state_of(line_of(address)));
    const bool is_in_reach =
        (entry.state == HomeState::kReadOnly && (is_here_alone || !is_write)) ||
        (entry.state == HomeState::kTrapOnWrite && !is_write) ||
        (entry.state == HomeState::kReadWrite && is_here_alone && !(is_write && is_asked_for));
    if (!is_in_reach) {
        throw DmaFault(
            "node " + std::to_string(node_.index()) + ", cycle " + std::to_string(now.count()),
            std::string(is_write ? "a DMA engine writes " : "a DMA engine reads ") +
                shared_address(address) +
                (is_write ? ", and other nodes may have copies"
                          : ", and another node may have changed it"),
            is_write ? "lines that the node has stored to since other nodes used them"
                     : "lines that the node has loaded since other nodes changed them");
    }
}

// Copies the line's bytes to `bytes` if only this node has them, in its cache or on their way home.
// Returns whether the bytes were copied. Bytes that the home still has to write to memory are not
// included.
bool CoherenceController::has_newest(std::uint64_t line, std::span<std::uint8_t> bytes) {
    for (const Transaction& transaction : transactions_) {
        if (transaction.is_used && transaction.line == line &&
            (transaction.goes_home || transaction.state == CacheState::kReadWrite)) {
            std::ranges::copy(transaction.contents.bytes, bytes.begin());
            return true;
        }
    }
    const CacheArray::Line* const copy = cached(line);
    if (copy == nullptr || !copy->dirty) {
        return false;
    }
    std::copy_n(caches_.first_level().data(*copy), kLineBytes, bytes.begin());
    return true;
}

// Adds newer bytes to those read from the DRAM: from a packet not yet written to the DRAM, or from
// this node's only copy.
void CoherenceController::dma_reads(std::uint64_t address, std::span<std::uint8_t> bytes) {
    const std::uint64_t line = line_of(address);
    LineBytes newest{};
    const bool is_to_be_written =
        service_ && service_->is_at_port && burst_.is_write() && service_->arrived.line == line;
    if (is_to_be_written) {
        newest = service_->arrived.contents.bytes;
    }
    if (has_newest(line, newest) || is_to_be_written) {
        std::copy_n(newest.begin() + static_cast<std::ptrdiff_t>(address - line), bytes.size(),
                    bytes.begin());
    }
    if (golden_ != nullptr) {
        golden_->check_load(node_, domain().now(), address, bytes);
    }
}

// After a write to the DRAM, writes to all copies of the line in this node.
void CoherenceController::dma_writes(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    const std::uint64_t line = line_of(address);
    const auto write = [&](std::uint8_t* copy) {
        std::copy(bytes.begin(), bytes.end(), copy + (address - line));
    };
    if (CacheArray::Line* in_cache = cached(line)) {
        write(caches_.first_level().data(*in_cache));
    }
    for_used([&](Transaction& transaction) {
        if (transaction.line == line) {
            write(transaction.contents.bytes.data());
        }
    });
    for (Arrived& packet : local_) {
        if (packet.line == line) {
            write(packet.contents.bytes.data());
        }
    }
    if (service_ && service_->arrived.line == line) {
        write(service_->arrived.contents.bytes.data());
    }
    if (golden_ != nullptr) {
        golden_->store(address, bytes);
    }
}

// Reports the words of a burst, as accesses of the DMA engines' own context.
void CoherenceController::note_dma(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                   bool is_write) {
    if (observers_.accesses == nullptr) {
        return;
    }
    for (std::size_t at = 0; at < bytes.size(); at += WEIR_WORD_BYTES) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, WEIR_WORD_BYTES);
        if (is_write) {
            note_access(hw::SharedAccess::kReceivingEngine, address + at,
                        hw::SharedAccess::kNothing, std::int64_t{word});
        } else {
            note_access(hw::SharedAccess::kSendingEngine, address + at, std::int64_t{word},
                        hw::SharedAccess::kNothing);
        }
    }
}

}  // namespace weir::memory
