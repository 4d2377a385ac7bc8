#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// The part of a LimitLESS directory that is software: what a home's core does when a line has more
/// readers than pointers, and when somebody wants to write such a line (Chaiken, Kubiatowicz and
/// Agarwal, ASPLOS 1991; the steps as remembered).
///
/// A vector of a bit a node lies in the node's own memory for each line that has one. At a reader
/// too many the trap empties the pointers into it, adds the reader and sends it the line; the
/// hardware then answers further readers until the pointers are full again. At a writer the trap
/// counts the bits, writes state and count, and only then sends the invalidations one by one: the
/// hardware counts the acknowledgements that come back. (The other way round an acknowledgement can
/// come before the count is there.)
///
/// Where lines have no pointers (coherence.protocol = "software"), the trap comes with every packet
/// for a line that another node has asked for once. It keeps a record of the line: the vector, who
/// asks for what while copies are being taken, and how many acknowledgements are to come, which it
/// counts itself, at a trap each; or that the one node in the vector has the only copy. A copy of
/// the home that the hardware has given it before is taken at the first of these packets. (Dir_n
/// H_0 S_NB,ACK of Chaiken and Agarwal, ISCA 1994, as remembered.)
///
/// When packets stop the input queue, since what they bring about can't leave (controller.
/// overflow_trap), the trap takes them to memory too, and the trap that follows hands them back one
/// by one, in their order, as the controller has room; until then it takes none from the queue.
///
/// What it costs is the accesses it makes, to the registers and to the vector in memory, and what
/// the parameters say for the instructions between them.
class Limitless {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters();
        ~Parameters() override;

        hw::Parameter<hw::Cycles> entry_cycles{*this,
                                               "entry_cycles",
                                               60,
                                               {0, 1'000'000},
                                               "Trap's entry: saving the interrupted state",
                                               "assumed: as an interrupt's",
                                               is_behavioural()};
        hw::Parameter<hw::Cycles> exit_cycles{
            *this,
            "exit_cycles",
            42,
            {0, 1'000'000},
            "Trap's exit: restoring the interrupted state and returning",
            "assumed: as an interrupt's",
            is_behavioural()};
        hw::Parameter<hw::Cycles> lookup_cycles{
            *this,
            "lookup_cycles",
            40,
            {0, 1'000'000},
            "Finding a line's vector, or making one: hash, compare, dispatch by what is asked for",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Cycles> pointer_cycles{
            *this,
            "pointer_cycles",
            6,
            {0, 1'000'000},
            "Setting or testing a node's bit: word, shift, mask, loop",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Cycles> packet_cycles{
            *this,
            "packet_cycles",
            4,
            {0, 1'000'000},
            "Composing a packet, without the store that sends it",
            "assumed",
            is_limitless()};
        hw::Parameter<hw::Bytes> directory_bytes{
            *this,
            "directory_bytes",
            1 << 18,
            {8, 1 << 28},
            "Below a compiled program's stack: for the readers of lines that software knows, and "
            "for packets that overflow traps take",
            "assumed",
            hw::when("core.kind").is("sparcle")};

      private:
        /// What the behavioural core is told, a compiled program does itself.
        static hw::Condition is_behavioural() { return hw::when("core.kind").is("behavioural"); }
        static hw::Condition is_limitless() {
            return is_behavioural() && hw::when("coherence.protocol").is("limitless", "software");
        }
    };

    /// Its vectors lie below the last `reserved` bytes of the node's memory.
    Limitless(nodes::Processor& processor, const Parameters& parameters, hw::Bytes reserved);

    /// What runs while packets wait that the hardware has handed over, or may be handed back.
    nodes::Task trap();
    /// An upper bound, with one copy to be taken: a trap each for the request, the line that comes
    /// home and its acknowledgement, and in each all the steps that any of them takes.
    [[nodiscard]] nodes::TrapWork longest_work() const;
    /// In an overflow trap, which may find packets of the protocol at the head of the input queue:
    /// before it looks, for each head, and after. take_packet() says in `took` whether there was
    /// one.
    nodes::Task hold_packets();
    nodes::Task take_packet(bool& took);
    nodes::Task packets_taken();

  private:
    using Vector = std::uint32_t;  // the address of its first word
    // A packet in memory, and its length and sender as the register says them.
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

    // Where all is in software. Of a record: its vector, and before that two words.
    nodes::Task serve(std::uint32_t line, std::uint32_t packet);
    nodes::Task begin(Vector vector, std::uint32_t asked);
    nodes::Task grant(Vector vector, std::uint32_t asked);
    nodes::Task replaced(Vector vector, std::uint32_t owner);
    nodes::Task acknowledged(Vector vector);

    nodes::Processor& processor_;
    const Parameters& parameters_;
    std::map<std::uint32_t, Vector> vectors_;  // by line
    std::vector<std::uint32_t> free_;
    std::uint32_t next_;  // below it, nothing is used yet
    std::deque<SavedPacket> saved_;
    std::vector<std::uint32_t> free_places_;  // for packets
};

}  // namespace weir::firmware
