#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// Software part of a LimitLESS directory (Chaiken, Kubiatowicz and Agarwal, ASPLOS 1991; steps
/// from memory). A home's core runs it when a line has more readers than pointers, and when a node
/// writes such a line.
///
/// Each such line has a vector in the node's own memory, with one bit for each node. At a read
/// beyond the pointers, the trap empties the pointers into the vector, adds the reader and sends it
/// the line. The hardware then answers further readers until the pointers are full again. At a
/// write the trap counts the bits, writes state and count, and only then sends the invalidations.
/// The hardware counts the returning acknowledgements. (In the opposite order an acknowledgement
/// could arrive before the count is written.)
///
/// With coherence.protocol = "software", lines have no pointers. After the first request by another
/// node, every packet for the line traps. Software then keeps a record of the line: the vector, the
/// request in progress while copies are invalidated, and the number of outstanding
/// acknowledgements. A trap counts each acknowledgement. In place of the number of
/// acknowledgements, the record may say that the single node in the vector owns the line. A copy
/// that the hardware gave to the home earlier is invalidated at the line's first packet that traps.
/// (Dir_n H_0 S_NB,ACK of Chaiken and Agarwal, ISCA 1994, from memory.)
///
/// Packets may block the input queue because their replies cannot leave (controller.overflow_trap).
/// The overflow trap then moves them to memory. The following coherence trap hands them back in
/// order, as the controller has room; until then the controller takes no packets from the queue.
///
/// The cost is the trap's accesses to registers and to the vector in memory, plus the parameters'
/// cycles for the instructions between them.
class Limitless {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters();
        ~Parameters() override;

        hw::Parameter<hw::Cycles> entry_cycles{
            *this,
            "entry_cycles",
            60,
            {0, 1'000'000},
            "Time of the coherence trap's entry: saving of the interrupted state",
            "assumed: equal to an interrupt's entry",
            is_behavioural()};
        hw::Parameter<hw::Cycles> exit_cycles{
            *this,
            "exit_cycles",
            42,
            {0, 1'000'000},
            "Time of the coherence trap's exit: restoring the interrupted state and returning",
            "assumed: equal to an interrupt's exit",
            is_behavioural()};
        hw::Parameter<hw::Cycles> lookup_cycles{
            *this,
            "lookup_cycles",
            40,
            {0, 1'000'000},
            "Time to find or create a line's bit vector of readers: hash, compare, dispatch by the "
            "kind of request",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Cycles> pointer_cycles{
            *this,
            "pointer_cycles",
            6,
            {0, 1'000'000},
            "Time to set or test a node's bit in a line's bit vector: word, shift, mask, loop",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Cycles> packet_cycles{
            *this,
            "packet_cycles",
            4,
            {0, 1'000'000},
            "Time to compose a packet; the store that sends the packet is counted separately",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Bytes> directory_bytes{
            *this,
            "directory_bytes",
            1 << 18,
            {8, 1 << 28},
            "Size of the area below a compiled program's stack for bit vectors of readers, and for "
            "packets that overflow traps save",
            "assumed",
            hw::when("core.kind").is("sparcle")};

      private:
        /// Parameters of time apply to the behavioural core alone; a compiled program takes its own
        /// instructions' time.
        static hw::Condition is_behavioural() { return hw::when("core.kind").is("behavioural"); }
        static hw::Condition is_limitless() {
            return is_behavioural() && hw::when("coherence.protocol").is("limitless", "software");
        }
    };

    /// Vectors are allocated below the last `reserved` bytes of the node's memory.
    Limitless(nodes::Processor& processor, const Parameters& parameters, hw::Bytes reserved);

    /// Trap routine; runs while packets wait that the hardware has handed over, or that may be
    /// handed back.
    nodes::Task trap();
    /// Upper bound on a transaction that invalidates one copy. Three traps (request, returned line,
    /// acknowledgement) are each counted with the steps of the longest.
    [[nodiscard]] nodes::TrapWork longest_work() const;
    /// Steps of an overflow trap, which may find coherence packets at the head of the input queue.
    /// Call hold_packets() first, take_packet() for each head, and packets_taken() at the end.
    /// take_packet() sets `took` to whether the head was a packet.
    nodes::Task hold_packets();
    nodes::Task take_packet(bool& took);
    nodes::Task packets_taken();

  private:
    using Vector = std::uint32_t;  // address of the vector's first word
    // A packet in memory, with its length and sender in the register's format.
    struct SavedPacket {
        std::uint32_t what;
        std::uint32_t address;
    };

    nodes::Task return_packets();
    [[nodiscard]] std::uint32_t place(std::vector<std::uint32_t>& free, std::uint32_t bytes);

    nodes::Task read(std::uint32_t line, std::uint32_t reader);
    nodes::Task write(std::uint32_t line, std::uint32_t writer, bool has_copy);
    nodes::Task count_copies(Vector vector, std::uint32_t writer, std::uint32_t& copies);
    nodes::Task empty_pointers(Vector vector);
    nodes::Task set_bit(Vector vector, std::uint32_t node);
    nodes::Task invalidate(Vector vector, std::uint32_t writer);
    [[nodiscard]] Vector vector_of(std::uint32_t line, std::uint32_t words_before = 0);
    [[nodiscard]] std::uint32_t words_of_vector() const;

    // Full-software directory. The record of a line is the line's vector, preceded by two words.
    nodes::Task serve(std::uint32_t line, std::uint32_t packet);
    nodes::Task begin(Vector vector, std::uint32_t asked);
    nodes::Task grant(Vector vector, std::uint32_t asked);
    nodes::Task replaced(Vector vector, std::uint32_t owner);
    nodes::Task acknowledged(Vector vector);

    nodes::Processor& processor_;
    const Parameters& parameters_;
    std::map<std::uint32_t, Vector> vectors_;  // vector of each line, by the line's address
    std::vector<std::uint32_t> free_;
    std::uint32_t next_;  // lowest address of the blocks taken so far
    std::deque<SavedPacket> saved_;
    std::vector<std::uint32_t> free_places_;  // freed blocks for packets
};

}  // namespace weir::firmware
