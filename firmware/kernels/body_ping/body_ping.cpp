#include "firmware/kernels/body_ping/body_ping.h"

#include <algorithm>
#include <cmath>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

std::vector<std::uint8_t> random_bytes(std::uint64_t seed, hw::NodeId node, std::size_t count) {
    hw::RandomStream stream(seed, node, "body-ping body");
    std::vector<std::uint8_t> bytes(count);
    std::generate(bytes.begin(), bytes.end(),
                  [&stream] { return static_cast<std::uint8_t>(stream.next()); });
    return bytes;
}

}  // namespace

class BodyPing::Program final : public ProgramOf<BodyPing> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        for (const std::size_t index : kernel_.to_send_[self_]) {
            const Slot& slot = kernel_.slots_[index];
            co_await processor().wait_until(slot.begin);
            co_await messages().send_body(hw::NodeId(slot.destination), arrive_,
                                          ActiveMessages::Arguments(),
                                          {slot.send_address, slot.bytes});
            co_await messages().wait_body_sent();
        }
        // With firmware.body_receive = "status", bodies may still be arriving here.
        for (const std::size_t index : kernel_.to_receive_[self_]) {
            co_await messages().wait_stored(kernel_.slots_[index].stored);
        }
    }

  private:
    // Messages arrive in the order of their slots.
    Task arrive() {
        Slot& slot = kernel_.slots_[kernel_.to_receive_[self_].at(received_++)];
        ++kernel_.done_;
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        co_await messages().receive_body(slot.receive_address, slot.stored);
    }

    std::size_t received_ = 0;
    ActiveMessages::HandlerAddress arrive_ = messages().add_handler([this] { return arrive(); });
};

void BodyPing::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                       nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::int32_t count = machine.node_count();
    const std::vector<std::int64_t> lengths = parameters_.body_bytes.value();
    for (const std::int64_t bytes : lengths) {
        if (bytes % WEIR_DMA_ALIGNMENT != 0) {
            throw InputFault("workload.body_bytes", "found " + std::to_string(bytes),
                             "multiples of " + std::to_string(WEIR_DMA_ALIGNMENT));
        }
    }
    const auto longest =
        static_cast<std::uint64_t>(*std::max_element(lengths.begin(), lengths.end()));
    to_send_.resize(count);
    to_receive_.resize(count);
    std::vector<std::uint64_t> next_address(count, longest);
    hw::Cycles begin(0);
    const auto add_slots = [&](std::int32_t source, std::int32_t destination) {
        for (const std::int64_t length : lengths) {
            const auto bytes = static_cast<std::uint32_t>(length);
            std::uint64_t& address = next_address[destination];
            to_send_[source].push_back(slots_.size());
            to_receive_[destination].push_back(slots_.size());
            slots_.push_back(
                {source, destination, bytes, begin, 0, static_cast<std::uint32_t>(address)});
            address += bytes;
            begin += parameters_.slot_cycles.value() +
                     hw::Cycles(std::llround(parameters_.slot_cycles_per_byte.value() *
                                             static_cast<double>(bytes)));
        }
    };
    for (std::int32_t source = 0; source < count; ++source) {
        for (std::int32_t destination = 0; destination < count; ++destination) {
            const bool is_the_one = source == 0 && destination == count - 1;
            const bool is_all = parameters_.pairs.value() == Pairs::kAll && source != destination;
            if (is_all || is_the_one) {
                add_slots(source, destination);
            }
        }
    }
    for (std::int32_t node = 0; node < count; ++node) {
        const std::uint64_t end = next_address[node];
        if (end > static_cast<std::uint64_t>(machine.memory_bytes.count())) {
            throw InputFault("workload.body_bytes",
                             "all bodies together take " + std::to_string(end) +
                                 " bytes of a node's memory, which has " +
                                 std::to_string(machine.memory_bytes.count()),
                             "fewer or shorter bodies, or a larger memory.bytes");
        }
        if (!to_send_[node].empty()) {
            memory.write<std::uint8_t>(hw::NodeId(node), 0,
                                       random_bytes(seed, hw::NodeId(node), longest));
        }
    }
}

std::optional<std::string> BodyPing::check(nodes::MemoryAccess& memory) {
    for (const Slot& slot : slots_) {
        std::vector<std::uint8_t> sent(slot.bytes);
        std::vector<std::uint8_t> received(slot.bytes);
        memory.read<std::uint8_t>(hw::NodeId(slot.source), slot.send_address, sent);
        memory.read<std::uint8_t>(hw::NodeId(slot.destination), slot.receive_address, received);
        const auto [in_sent, in_received] =
            std::mismatch(sent.begin(), sent.end(), received.begin());
        if (in_sent != sent.end()) {
            return "the body of " + std::to_string(slot.bytes) + " bytes from node " +
                   std::to_string(slot.source) + " to node " + std::to_string(slot.destination) +
                   " differs from byte " + std::to_string(in_sent - sent.begin()) +
                   " on (workload.slot_cycles must exceed a whole trip)";
        }
    }
    return std::nullopt;
}

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
