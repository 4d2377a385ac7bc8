#include "firmware/kernels/body_ping/compiled_body_ping.h"

#include <algorithm>

#include "hw/random_stream.h"

namespace weir::firmware {

ElfImage CompiledBodyPing::load_image() { return built_in_program("body-ping"); }

void CompiledBodyPing::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                  ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const std::vector<BodyPing::Slot>& slots = twin().slots();
    const auto delay = static_cast<std::uint32_t>(workload().slot_cycles.value().count());
    const std::vector<std::int64_t> lengths = workload().body_bytes.value();
    const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
    received_at_.assign(slots.size(), 0);
    sent_by_.assign(machine.node_count(), {});
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        std::vector<std::uint32_t> sends;
        std::vector<std::uint32_t> receives;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].source == index) {
                sends.push_back(static_cast<std::uint32_t>(slots[i].begin.count()) + delay);
                sends.push_back(static_cast<std::uint32_t>(slots[i].destination));
                sends.push_back(slots[i].bytes);
            }
            if (slots[i].destination == index) {
                received_at_[i] = memory.allot(node, 1, slots[i].bytes, "a body");
                receives.push_back(received_at_[i]);
            }
        }
        hw::RandomStream stream(seed, node, "body-ping body");
        std::vector<std::uint8_t>& body = sent_by_[index];
        body.resize(longest);
        std::generate(body.begin(), body.end(),
                      [&stream] { return static_cast<std::uint8_t>(stream.next()); });
        const std::uint32_t body_at = memory.allot(node, 1, static_cast<std::uint32_t>(longest),
                                                   "a body", ImageMemory::kBurstAlignment);
        const std::uint32_t sends_at =
            memory.allot(node, sends.size(), WEIR_WORD_BYTES, "the sends");
        const std::uint32_t receives_at =
            memory.allot(node, receives.size(), WEIR_WORD_BYTES, "the receives");
        const std::uint32_t stored_at =
            memory.allot_zeros(node, receives.size(), WEIR_WORD_BYTES, "what has come");
        memory.write_bytes(node, body_at, body);
        memory.write_words(node, sends_at, sends);
        memory.write_words(node, receives_at, receives);
        memory.write_words(
            node, "weir_parameters",
            {body_send(), body_receive(), static_cast<std::uint32_t>(sends.size() / 3), sends_at,
             body_at, static_cast<std::uint32_t>(receives.size()), receives_at, stored_at});
    }
}

std::optional<std::string> CompiledBodyPing::check_answer(ImageMemory& memory) {
    const std::vector<BodyPing::Slot>& slots = twin().slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const BodyPing::Slot& slot = slots[i];
        const std::vector<std::uint8_t> received =
            memory.read_bytes(hw::NodeId(slot.destination), received_at_[i], slot.bytes);
        const std::vector<std::uint8_t>& sent = sent_by_[slot.source];
        const auto [in_received, in_sent] =
            std::mismatch(received.begin(), received.end(), sent.begin());
        if (in_received != received.end()) {
            return "the body of " + std::to_string(slot.bytes) + " bytes from node " +
                   std::to_string(slot.source) + " to node " + std::to_string(slot.destination) +
                   " differs from byte " + std::to_string(in_received - received.begin()) +
                   " on (workload.slot_cycles must exceed a whole trip)";
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
