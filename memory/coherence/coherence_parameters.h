#pragma once

#include <cstdint>
#include <optional>

#include "hw/parameter.h"
#include "hw/units.h"
#include "memory/coherence/home_table.h"

namespace weir::memory {

/// Mapping of shared lines to homes.
enum class HomeMap : std::uint8_t {
    kSegment,  ///< each node has a contiguous range of addresses
    kLine,     ///< consecutive lines are on consecutive nodes
    kPage,     ///< consecutive blocks of 4096 bytes are on consecutive nodes
    kHash,     ///< line by line, with each round of the nodes beginning at a hashed node
};

/// Bytes of a shared line, as carried by protocol packets.
constexpr hw::Bytes kSharedLineBytes{16};

struct CoherenceParameters : hw::ParameterGroup {
    CoherenceParameters();
    ~CoherenceParameters() override;

    hw::Parameter<hw::Bytes> shared_bytes{
        *this,
        "shared_bytes",
        4 << 20,
        {4096, 1 << 27},
        "Size of the shared memory in each node; a multiple of 4096",
        "Alewife: 4 MB of a node's 8"};
    hw::Choice<HomeMap> home{
        *this,
        "home",
        HomeMap::kSegment,
        {{HomeMap::kSegment, "segment"},
         {HomeMap::kLine, "line"},
         {HomeMap::kPage, "page"},
         {HomeMap::kHash, "hash"}},
        "Mapping of shared addresses to homes. segment: each node has a contiguous range. line: "
        "consecutive lines are on consecutive nodes. page: consecutive pages of 4096 bytes are on "
        "consecutive nodes. hash: as line, but each round over the nodes begins at a hashed node",
        "assumed: segment; LoPC Section 1 names a simple hash"};
    hw::Choice<Protocol> protocol{
        *this,
        "protocol",
        Protocol::kLimitless,
        {{Protocol::kLimitless, "limitless"},
         {Protocol::kFullMap, "full_map"},
         {Protocol::kLimited, "limited"},
         {Protocol::kSoftware, "software"},
         {Protocol::kForwarding, "forwarding"}},
        "Kind of directory. limitless: hardware pointers, and software for lines with more "
        "readers. full_map: a pointer for every node. limited: pointers only; for a further "
        "reader, the home invalidates another copy. software: no pointers; software records the "
        "copies. forwarding: a full map whose home forwards requests to the owner, as in DASH",
        "Alewife: limitless (ISCA 1994, abstract)"};
    hw::Parameter<std::int64_t> pointers{
        *this,
        "pointers",
        5,
        {1, 5},
        "Number of hardware pointers for each line, in addition to the bit for its home",
        "Alewife: up to 5 (Hot Chips 1994)",
        hw::when("coherence.protocol").is_not("full_map", "software", "forwarding")};
    hw::Parameter<std::int64_t> transaction_buffers{
        *this,
        "transaction_buffers",
        16,
        {1, 64},
        "Number of transaction buffers of a node; each holds one line in flight",
        "Alewife: 16 transaction buffers (recalled)"};
    hw::Parameter<hw::Cycles> directory_cycles{
        *this,
        "directory_cycles",
        2,
        {0, 10'000},
        "Time for which a packet occupies the home's directory; memory is read in the same time",
        "assumed"};
    hw::Parameter<hw::Cycles> invalidate_cycles{
        *this,
        "invalidate_cycles",
        2,
        {0, 10'000},
        "Time between two invalidations that a home sends for one line",
        "assumed"};
    hw::Parameter<hw::Cycles> cache_cycles{
        *this,
        "cache_cycles",
        1,
        {0, 10'000},
        "Time for which a packet to a cache occupies the node's controller",
        "assumed"};
    hw::Parameter<hw::Cycles> busy_cycles{
        *this,
        "busy_cycles",
        20,
        {1, 100'000},
        "Time from a home's refusal of a request (BUSY) until the node repeats the request",
        "assumed: Alewife's value is unknown"};
    hw::Parameter<hw::Cycles> busy_spread_cycles{
        *this,
        "busy_spread_cycles",
        20,
        {0, 100'000},
        "Largest random addition to busy_cycles, drawn uniformly from 0 to this value for each "
        "refusal (BUSY)",
        "assumed: Alewife's value is unknown"};
    hw::Parameter<bool> thrashlock{
        *this,
        "thrashlock",
        true,
        {},
        "Whether an access keeps the core until its line arrives, if it has lost the line before "
        "its context ran again",
        "Alewife: against the window of vulnerability (MIT-LCS-TR-594, abstract)",
        hw::when("core.contexts").at_least(2)};
    hw::Parameter<bool> trap_turns{
        *this,
        "trap_turns",
        true,
        {},
        "Whether the program that a coherence trap interrupts then runs for as long as the trap "
        "did. Lines of interrupted accesses also stay until used. false: threads may starve",
        "assumed; Alewife locked such a line with thrashlock (MIT-LCS-TR-594, abstract)"};
    hw::Parameter<bool> fetch_and_op{
        *this,
        "fetch_and_op",
        false,
        {},
        "Whether programs may use fetch-and-add and similar operations, which change a word at its "
        "home and return the old word",
        "a study option: Alewife had no such operation"};
    hw::Parameter<std::int64_t> starved_after_accesses{
        *this,
        "starved_after_accesses",
        20,
        {0, 1'000'000},
        "Longest wait of an access or of a ready thread before the run ends as starved. Unit: one "
        "uncontended remote access by each thread of the machine. The limit is at least 100000 "
        "cycles. 0: no limit",
        "assumed"};
    hw::Parameter<bool> check_loads{
        *this,
        "check_loads",
        false,
        {},
        "Whether each loaded value is compared with the last value stored at its address. A "
        "difference ends the run as a fault of Weir",
        hw::changes_speed_alone()};
    hw::Parameter<bool> classify_misses{*this,
                                        "classify_misses",
                                        false,
                                        {},
                                        "Whether statistics.csv counts misses by cause: cold, "
                                        "capacity, conflict, true sharing and false sharing",
                                        hw::changes_speed_alone()};

    [[nodiscard]] std::optional<Fault> check() const override;
};

}  // namespace weir::memory
