#include "firmware/limitless.h"

#include <algorithm>
#include <bit>

#include "firmware/kernel.h"
#include "hw/controller/controller_registers.h"
#include "hw/text_streams.h"
#include "memory/coherence/coherence_registers.h"

namespace weir::firmware {

using hw::Cycles;
using nodes::Task;

namespace {

constexpr std::uint32_t kBits = 32;

// Full-software directory: words in a line's record before the bit vector.
constexpr std::uint32_t kRecordWords = 2;
constexpr std::uint32_t asked_of(std::uint32_t vector) { return vector - 2 * WEIR_WORD_BYTES; }
constexpr std::uint32_t to_come_of(std::uint32_t vector) { return vector - WEIR_WORD_BYTES; }
// Value in place of the number of outstanding acknowledgements: the single node in the vector is
// the line's owner.
constexpr std::uint32_t kOwned = 0x80000000U;

std::uint32_t grant_of(std::uint32_t asked) {
    switch (WEIR_COHERENCE_WHAT(asked)) {
        case WEIR_ASKS_TO_READ:
            return WEIR_SENDS_READ_DATA;
        case WEIR_ASKS_TO_MODIFY:
            return WEIR_SENDS_MODIFY_GRANT;
        default:
            return WEIR_SENDS_WRITE_DATA;
    }
}

}  // namespace

Limitless::Parameters::Parameters()
    : ParameterGroup("limitless", "Directory software on every node", hw::shares_memory()) {}
Limitless::Parameters::~Parameters() = default;

Limitless::Limitless(nodes::Processor& processor, const Parameters& parameters, hw::Bytes reserved)
    : processor_(processor),
      parameters_(parameters),
      next_(
          static_cast<Vector>(std::max(processor.memory_bytes() - reserved, hw::Bytes(0)).count() /
                              WEIR_WORD_BYTES * WEIR_WORD_BYTES)) {}

std::uint32_t Limitless::words_of_vector() const {
    return (static_cast<std::uint32_t>(processor_.node_count()) + kBits - 1) / kBits;
}

Limitless::Vector Limitless::vector_of(std::uint32_t line, std::uint32_t words_before) {
    const auto known = vectors_.find(line);
    if (known != vectors_.end()) {
        return known->second;
    }
    const std::uint32_t words = words_before + words_of_vector();
    const Vector vector = place(free_, words * WEIR_WORD_BYTES) + words_before * WEIR_WORD_BYTES;
    vectors_.emplace(line, vector);
    return vector;
}

// Returns the address of a freed block, or of a new block below those in use.
std::uint32_t Limitless::place(std::vector<std::uint32_t>& free, std::uint32_t bytes) {
    if (free.empty()) {
        if (bytes > next_) {
            hw::TextWriter place;
            place << "node " << processor_.node() << ", cycle " << processor_.now();
            throw InputFault(place.str(),
                             "a coherence trap finds no room in memory for the readers of another "
                             "line, or for another packet",
                             "a larger memory.bytes");
        }
        next_ -= bytes;
        return next_;
    }
    const std::uint32_t address = free.back();
    free.pop_back();
    return address;
}

nodes::TrapWork Limitless::longest_work() const {
    constexpr std::int64_t kTraps = 3;
    constexpr std::int64_t kPointers = 5;  // largest number of pointers that the hardware has
    constexpr std::int64_t kBitAccesses = 2;
    // Number of accesses for the packet, the line's record, state and replies.
    constexpr std::int64_t kOthers = 12;
    const auto words = static_cast<std::int64_t>(words_of_vector());
    // Bits are set for the pointers and the reader; the vector is counted word by word; one
    // invalidation is sent.
    const std::int64_t bits = kPointers + 1 + words + 1;
    const Cycles computes = parameters_.entry_cycles.value() + parameters_.exit_cycles.value() +
                            parameters_.lookup_cycles.value() +
                            bits * parameters_.pointer_cycles.value() +
                            2 * parameters_.packet_cycles.value();
    const std::int64_t accesses =
        kPointers + (kPointers + 1) * kBitAccesses + 3 * words + 1 + kOthers;
    return {.computes = kTraps * computes, .accesses = kTraps * accesses};
}

Task Limitless::trap() {
    co_await processor_.compute(parameters_.entry_cycles.value());
    for (;;) {
        const std::uint32_t line = co_await processor_.load(WEIR_TRAPPED_LINE);
        if (line == 0) {
            break;
        }
        const std::uint32_t packet = co_await processor_.load(WEIR_TRAPPED_PACKET);
        const std::uint32_t from = WEIR_COHERENCE_NODE(packet);
        co_await processor_.compute(parameters_.lookup_cycles.value());
        if ((packet & WEIR_ALL_IN_SOFTWARE) != 0) {
            co_await serve(line, packet);
        } else if (WEIR_COHERENCE_WHAT(packet) == WEIR_ASKS_TO_READ) {
            co_await read(line, from);
        } else {
            co_await write(line, from, WEIR_COHERENCE_WHAT(packet) == WEIR_ASKS_TO_MODIFY);
        }
        co_await processor_.store(WEIR_TRAP_DONE, 0);
    }
    co_await return_packets();
    co_await processor_.compute(parameters_.exit_cycles.value());
}

Task Limitless::hold_packets() { co_await processor_.store(WEIR_HOLD_PACKETS, 1); }

Task Limitless::take_packet(bool& took) {
    const std::uint32_t what = co_await processor_.load(WEIR_HELD_PACKET);
    took = what != 0;
    if (!took) {
        co_return;
    }
    const std::uint32_t address = place(free_places_, WEIR_MOST_PACKET_WORDS * WEIR_WORD_BYTES);
    for (std::uint32_t i = 0; i < (what & 0xffffU); ++i) {
        const std::uint32_t word = co_await processor_.load(WEIR_PACKET_WORD(i));
        co_await processor_.store(address + i * WEIR_WORD_BYTES, word);
    }
    saved_.push_back({what, address});
    co_await processor_.store(WEIR_TAKE_PACKET, 0);
}

Task Limitless::packets_taken() {
    const auto count = static_cast<std::uint32_t>(saved_.size());
    co_await processor_.store(WEIR_PACKETS_SAVED, count);
    if (count == 0) {
        co_await processor_.store(WEIR_HOLD_PACKETS, 0);
    }
}

// Hands packets saved by overflow traps back to the controller, as many as it has room for.
Task Limitless::return_packets() {
    const bool had_any = !saved_.empty();
    while (!saved_.empty()) {
        const std::uint32_t has_room = co_await processor_.load(WEIR_MAY_RETURN);
        if (has_room == 0) {
            break;
        }
        const SavedPacket packet = saved_.front();
        saved_.pop_front();
        for (std::uint32_t i = 0; i < (packet.what & 0xffffU); ++i) {
            const std::uint32_t word =
                co_await processor_.load(packet.address + i * WEIR_WORD_BYTES);
            co_await processor_.store(WEIR_PACKET_WORD(i), word);
        }
        free_places_.push_back(packet.address);
        co_await processor_.store(WEIR_RETURN_PACKET, packet.what);
    }
    if (had_any) {
        co_await packets_taken();
    }
}

// Serves a read request for which the hardware has no free pointer.
Task Limitless::read(std::uint32_t line, std::uint32_t reader) {
    const Vector vector = vector_of(line);
    co_await empty_pointers(vector);
    co_await set_bit(vector, reader);
    co_await processor_.store(WEIR_DIRECTORY_STATE,
                              WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0));
    co_await processor_.compute(parameters_.packet_cycles.value());
    co_await processor_.store(WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(WEIR_SENDS_READ_DATA, reader));
}

Task Limitless::write(std::uint32_t line, std::uint32_t writer, bool has_copy) {
    const Vector vector = vector_of(line);
    co_await empty_pointers(vector);
    std::uint32_t copies = 0;
    co_await count_copies(vector, writer, copies);
    const std::uint32_t state = copies == 0 ? WEIR_HOME_READ_WRITE : WEIR_HOME_WRITE_TRANSACTION;
    co_await processor_.store(WEIR_DIRECTORY_STATE, WEIR_COHERENCE_VALUE(state, copies));
    if (copies == 0) {
        const std::uint32_t grant = has_copy ? WEIR_SENDS_MODIFY_GRANT : WEIR_SENDS_WRITE_DATA;
        co_await processor_.compute(parameters_.packet_cycles.value());
        co_await processor_.store(WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(grant, writer));
    }
    co_await invalidate(vector, writer);
    vectors_.erase(line);
    free_.push_back(vector);
}

// Counts all copies except the writer's own.
Task Limitless::count_copies(Vector vector, std::uint32_t writer, std::uint32_t& copies) {
    for (std::uint32_t i = 0; i < words_of_vector(); ++i) {
        std::uint32_t word = co_await processor_.load(vector + i * WEIR_WORD_BYTES);
        if (writer / kBits == i) {
            word &= ~(1U << (writer % kBits));
        }
        copies += static_cast<std::uint32_t>(std::popcount(word));
        co_await processor_.compute(parameters_.pointer_cycles.value());
    }
}

Task Limitless::empty_pointers(Vector vector) {
    const std::uint32_t pointers = co_await processor_.load(WEIR_POINTERS);
    for (std::uint32_t i = 0; i < pointers; ++i) {
        const std::uint32_t node = co_await processor_.load(WEIR_POINTER(i));
        co_await set_bit(vector, node);
    }
}

Task Limitless::set_bit(Vector vector, std::uint32_t node) {
    const std::uint32_t address = vector + node / kBits * WEIR_WORD_BYTES;
    const std::uint32_t word = co_await processor_.load(address);
    co_await processor_.compute(parameters_.pointer_cycles.value());
    co_await processor_.store(address, word | (1U << (node % kBits)));
}

// Handles any packet for a line without hardware pointers.
Task Limitless::serve(std::uint32_t line, std::uint32_t packet) {
    const Vector vector = vector_of(line, kRecordWords);
    switch (WEIR_COHERENCE_WHAT(packet)) {
        case WEIR_TELLS_OF_REPLACEMENT:
            co_await replaced(vector, WEIR_COHERENCE_NODE(packet));
            break;
        case WEIR_TELLS_OF_UPDATE:
        case WEIR_TELLS_OF_INVALIDATION:
            co_await acknowledged(vector);
            break;
        default:
            co_await begin(vector, packet);
            break;
    }
}

// Begins to serve a request. State, count and requester are written before the first invalidation
// is sent.
Task Limitless::begin(Vector vector, std::uint32_t asked) {
    const std::uint32_t node = WEIR_COHERENCE_NODE(asked);
    const std::uint32_t pointers = co_await processor_.load(WEIR_POINTERS);
    for (std::uint32_t i = 0; i < pointers; ++i) {
        const std::uint32_t home = co_await processor_.load(WEIR_POINTER(i));
        co_await set_bit(vector, home);
    }
    const std::uint32_t to_come = co_await processor_.load(to_come_of(vector));
    const bool is_owned = to_come == kOwned || pointers > 0;  // the home may have written the line
    std::uint32_t copies = 0;
    if (is_owned || WEIR_COHERENCE_WHAT(asked) != WEIR_ASKS_TO_READ) {
        co_await count_copies(vector, node, copies);
    }
    if (copies == 0) {
        co_await grant(vector, asked);
        co_return;
    }
    co_await processor_.store(asked_of(vector), asked);
    co_await processor_.store(to_come_of(vector), copies);
    co_await processor_.store(WEIR_DIRECTORY_STATE,
                              WEIR_COHERENCE_VALUE(WEIR_HOME_SOFTWARE_TRANSACTION, 0));
    co_await invalidate(vector, node);
}

// Replies to a request after all conflicting copies have gone.
Task Limitless::grant(Vector vector, std::uint32_t asked) {
    const std::uint32_t node = WEIR_COHERENCE_NODE(asked);
    const bool reads = WEIR_COHERENCE_WHAT(asked) == WEIR_ASKS_TO_READ;
    co_await set_bit(vector, node);
    co_await processor_.store(to_come_of(vector), reads ? 0 : kOwned);
    co_await processor_.store(WEIR_DIRECTORY_STATE,
                              WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ALWAYS, 0));
    co_await processor_.compute(parameters_.packet_cycles.value());
    co_await processor_.store(WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(grant_of(asked), node));
}

// Handles the owner's replacement of the line. If the line is already being invalidated, only the
// acknowledgement that follows counts.
Task Limitless::replaced(Vector vector, std::uint32_t owner) {
    const std::uint32_t to_come = co_await processor_.load(to_come_of(vector));
    if (to_come == kOwned) {
        const std::uint32_t address = vector + owner / kBits * WEIR_WORD_BYTES;
        co_await processor_.store(address, 0);
        co_await processor_.store(to_come_of(vector), 0);
    }
}

Task Limitless::acknowledged(Vector vector) {
    const std::uint32_t to_come = co_await processor_.load(to_come_of(vector));
    if (to_come > 1) {
        co_await processor_.store(to_come_of(vector), to_come - 1);
        co_return;
    }
    const std::uint32_t asked = co_await processor_.load(asked_of(vector));
    co_await grant(vector, asked);
}

// Invalidates all copies except the writer's, and empties the vector.
Task Limitless::invalidate(Vector vector, std::uint32_t writer) {
    for (std::uint32_t i = 0; i < words_of_vector(); ++i) {
        std::uint32_t word = co_await processor_.load(vector + i * WEIR_WORD_BYTES);
        co_await processor_.store(vector + i * WEIR_WORD_BYTES, 0);
        for (; word != 0; word &= word - 1) {
            const std::uint32_t node =
                i * kBits + static_cast<std::uint32_t>(std::countr_zero(word));
            co_await processor_.compute(parameters_.pointer_cycles.value() +
                                        parameters_.packet_cycles.value());
            if (node != writer) {
                co_await processor_.store(WEIR_SEND_PACKET,
                                          WEIR_COHERENCE_VALUE(WEIR_SENDS_INVALIDATE, node));
            }
        }
    }
}

}  // namespace weir::firmware
