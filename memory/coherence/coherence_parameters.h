#pragma once

#include <cstdint>
#include <optional>

#include "hw/parameter.h"
#include "hw/units.h"
#include "memory/coherence/home_table.h"

namespace weir::memory {

/// How the homes of shared lines follow from their addresses.
enum class HomeMap : std::uint8_t {
    kSegment,  ///< each node has one stretch of addresses
    kLine,     ///< line after line, node after node
    kPage,     ///< 4096 bytes after 4096 bytes
    kHash,     ///< line by line, each round of the nodes begun at another node
};

/// Bytes of a shared line: what protocol packets carry.
constexpr hw::Bytes kSharedLineBytes{16};

struct CoherenceParameters : hw::ParameterGroup {
    CoherenceParameters();
    ~CoherenceParameters() override;

    hw::Parameter<hw::Bytes> shared_bytes{
        *this,
        "shared_bytes",
        4 << 20,
        {4096, 1 << 27},
        "What each node's memory adds to the shared one; a multiple of 4096",
        "Alewife: 4 MB of a node's 8"};
    hw::Choice<HomeMap> home{
        *this,
        "home",
        HomeMap::kSegment,
        {{HomeMap::kSegment, "segment"},
         {HomeMap::kLine, "line"},
         {HomeMap::kPage, "page"},
         {HomeMap::kHash, "hash"}},
        "Which node's memory a shared address is in: by the address's high bits; line by line or "
        "page by page in turn; or line by line with each turn begun at another node",
        "assumed: segment; LoPC Section 1: a simple hash"};
    hw::Choice<Protocol> protocol{
        *this,
        "protocol",
        Protocol::kLimitless,
        {{Protocol::kLimitless, "limitless"},
         {Protocol::kFullMap, "full_map"},
         {Protocol::kLimited, "limited"},
         {Protocol::kSoftware, "software"},
         {Protocol::kForwarding, "forwarding"}},
        "How a home remembers readers: pointers, and software where they don't suffice; a pointer "
        "for every node; pointers alone, and a reader too many has another's copy taken; "
        "software alone, from the first access of another node on; or a pointer for every node, "
        "and requests that homes forward to the node that has the only copy (DASH-like)",
        "Alewife: limitless (ISCA 1994, abstract)"};
    hw::Parameter<std::int64_t> pointers{
        *this,
        "pointers",
        5,
        {1, 5},
        "A line's pointers in hardware, beside the bit for its home",
        "Alewife: up to 5 (Hot Chips 1994)",
        hw::when("coherence.protocol").is_not("full_map", "software", "forwarding")};
    hw::Parameter<std::int64_t> transaction_buffers{
        *this,
        "transaction_buffers",
        16,
        {1, 64},
        "Lines that may be on their way to or from a node at once",
        "Alewife: 16 transaction buffers (remembered)"};
    hw::Parameter<hw::Cycles> directory_cycles{
        *this,
        "directory_cycles",
        2,
        {0, 10'000},
        "What a packet occupies the home's directory; memory is read meanwhile",
        "assumed"};
    hw::Parameter<hw::Cycles> invalidate_cycles{*this,
                                                "invalidate_cycles",
                                                2,
                                                {0, 10'000},
                                                "From one of a line's invalidations to the next",
                                                "assumed"};
    hw::Parameter<hw::Cycles> cache_cycles{*this,
                                           "cache_cycles",
                                           1,
                                           {0, 10'000},
                                           "What a packet to a cache occupies the controller",
                                           "assumed"};
    hw::Parameter<hw::Cycles> busy_cycles{*this,
                                          "busy_cycles",
                                          20,
                                          {1, 100'000},
                                          "From a home's BUSY to the next request",
                                          "assumed: unknown of Alewife"};
    hw::Parameter<hw::Cycles> busy_spread_cycles{
        *this,
        "busy_spread_cycles",
        20,
        {0, 100'000},
        "Largest addition to busy_cycles; drawn anew for each BUSY from 0 to this value",
        "assumed: unknown of Alewife"};
    hw::Parameter<bool> thrashlock{
        *this,
        "thrashlock",
        true,
        {},
        "An access whose line came and went before its context ran again holds the core the "
        "next time, until it is done",
        "Alewife: against the window of vulnerability (MIT-LCS-TR-594, abstract)",
        hw::when("core.contexts").at_least(2)};
    hw::Parameter<bool> trap_turns{
        *this,
        "trap_turns",
        true,
        {},
        "After a coherence trap what it interrupted runs for as long as the trap took; a line that "
        "comes for an interrupted access stays until its use; false: a home's threads may starve",
        "assumed; Alewife locked such a line with thrashlock (MIT-LCS-TR-594, abstract)"};
    hw::Parameter<bool> fetch_and_op{*this,
                                     "fetch_and_op",
                                     false,
                                     {},
                                     "A program may have a word changed at its home, and get it as "
                                     "it was (fetch-and-add and the "
                                     "like)",
                                     "a study option: Alewife had no such operation"};
    hw::Parameter<std::int64_t> starved_after_accesses{
        *this,
        "starved_after_accesses",
        20,
        {0, 1'000'000},
        "Longest wait for a line, or of a thread that could run, in uncontended remote accesses "
        "by each thread of the machine, one after the other; at least 100000 cycles; a longer wait "
        "ends the run as starved; 0: no limit",
        "assumed"};
    hw::Parameter<bool> check_loads{
        *this,
        "check_loads",
        false,
        {},
        "Every load is compared with what was stored last, in its cycle; a run whose loads differ "
        "ends as a fault of Weir's",
        hw::changes_speed_alone()};
    hw::Parameter<bool> classify_misses{
        *this,
        "classify_misses",
        false,
        {},
        "Count in statistics.csv why each line came: for the first time, after it had made room, "
        "or for true or false sharing",
        hw::changes_speed_alone()};

    [[nodiscard]] std::optional<Fault> check() const override;
};

}  // namespace weir::memory
