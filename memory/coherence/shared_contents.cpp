#include "memory/coherence/shared_contents.h"

#include <algorithm>

#include "hw/text_streams.h"
#include "memory/coherence/packet.h"

namespace weir::memory {

namespace {

constexpr std::size_t kLineBytes = kSharedLineBytes.count();

}  // namespace

// A packet with a line ends with the line's words (hw::ProtocolPacket).
std::vector<SharedContents::InFlight> SharedContents::packets_in_flight() {
    constexpr std::int32_t kWords = hw::ProtocolPacket::kLineWords;
    constexpr std::uint32_t kFullEmptyBits = (1U << kWords) - 1;
    std::vector<InFlight> packets;
    if (messages_.in_use() == 0) {
        return packets;
    }
    messages_.for_each([&](hw::Message& message) {
        const auto packet =
            static_cast<Packet>(WEIR_HEADER_OPERATION(message.words[0]) & ~WEIR_PROTOCOL_OPERATION);
        if (message.is_of_protocol() && carries_line(packet)) {
            packets.push_back({.line = message.words[1] & ~kFullEmptyBits,
                               .place = CoherenceController::place_of(packet),
                               .to = message.destination,
                               .bytes = reinterpret_cast<std::uint8_t*>(
                                   &message.words.at(message.word_count - kWords))});
        }
    });
    return packets;
}

// False if no node has ever requested the line: its bytes are then in the DRAM alone.
bool SharedContents::was_requested(std::uint64_t line) const {
    return nodes_[map().home_of(line)]->directory().entries().contains(line);
}

// Calls visit(place, bytes of the line) for all places but the DRAM.
template <class Visit>
void SharedContents::visit_places(std::uint64_t line, std::span<const InFlight> packets,
                                  const Visit& visit) {
    for (CoherenceController* const node : nodes_) {
        node->visit_line(line, visit);
    }
    for (const InFlight& packet : packets) {
        if (packet.line == line) {
            visit(packet.place, packet.bytes);
        }
    }
}

// Calls each(line, offset in the line, index of the first byte, number of bytes).
template <class Each>
void SharedContents::for_each_line(std::uint64_t address, std::size_t bytes, const Each& each) {
    for (std::size_t index = 0; index < bytes;) {
        const std::uint64_t offset = (address + index) % kLineBytes;
        const std::size_t length = std::min<std::size_t>(bytes - index, kLineBytes - offset);
        each(address + index - offset, offset, index, length);
        index += length;
    }
}

void SharedContents::move_in_dram(std::uint64_t address, std::span<std::uint8_t> bytes,
                                  bool is_write) {
    move_in_dram_(map().home_of(address), map().offset_of(address), bytes, is_write);
}

void SharedContents::read(std::uint64_t address, std::span<std::uint8_t> bytes) {
    const std::vector<InFlight> packets = packets_in_flight();
    for_each_line(
        address, bytes.size(),
        [&](std::uint64_t line, std::uint64_t offset, std::size_t index, std::size_t length) {
            const auto part = bytes.subspan(index, length);
            move_in_dram(line + offset, part, false);
            if (!was_requested(line)) {
                return;
            }
            Place newest = Place::kCopy;
            visit_places(line, packets, [&](Place place, const std::uint8_t* held) {
                if (place < newest) {
                    newest = place;
                    std::copy_n(held + offset, length, part.begin());
                }
            });
        });
}

std::optional<std::string> SharedContents::refusal(std::uint64_t line,
                                                   std::span<const InFlight> packets) {
    bool is_held = std::ranges::any_of(
        nodes_, [line](const CoherenceController* node) { return node->has_saved(line); });
    for (const InFlight& packet : packets) {
        is_held = is_held || (packet.line == line && nodes_[packet.to]->holds_packets());
    }
    if (!is_held) {
        return std::nullopt;
    }
    hw::TextWriter text;
    text << "the line at 0x" << std::hex << line << std::dec << " is in a packet that software of "
         << "an overflow trap holds, and cannot be changed there; write again some cycles later";
    return text.str();
}

std::optional<std::string> SharedContents::write(std::uint64_t address,
                                                 std::span<const std::uint8_t> bytes) {
    const std::vector<InFlight> packets = packets_in_flight();
    std::optional<std::string> refused;
    for_each_line(address, bytes.size(),
                  [&](std::uint64_t line, std::uint64_t, std::size_t, std::size_t) {
                      if (!refused && was_requested(line)) {
                          refused = refusal(line, packets);
                      }
                  });
    if (refused) {
        return refused;
    }
    if (golden_ != nullptr) {
        golden_->store(address, bytes);
    }
    std::vector<std::uint8_t> written(bytes.begin(), bytes.end());
    for_each_line(
        address, bytes.size(),
        [&](std::uint64_t line, std::uint64_t offset, std::size_t index, std::size_t length) {
            const auto part = std::span(written).subspan(index, length);
            move_in_dram(line + offset, part, true);
            if (was_requested(line)) {
                visit_places(line, packets, [&](Place, std::uint8_t* held) {
                    std::copy(part.begin(), part.end(), held + offset);
                });
            }
        });
    return std::nullopt;
}

}  // namespace weir::memory
