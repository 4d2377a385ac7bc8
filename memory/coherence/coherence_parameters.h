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

    hw::Parameter<hw::Bytes> shared_bytes{*this,
                                          "shared_bytes",
                                          4 << 20,
                                          {4096, 1 << 27},
                                          "Bytes of shared memory in each node; a multiple of 4096",
                                          "Alewife: 4 MB of a node's 8"};
    hw::Choice<HomeMap> home{
        *this,
        "home",
        HomeMap::kSegment,
        {{HomeMap::kSegment, "segment"},
         {HomeMap::kLine, "line"},
         {HomeMap::kPage, "page"},
         {HomeMap::kHash, "hash"}},
        "Mapping of shared addresses to nodes. segment: by the high bits. line: line by line. "
        "page: page by page. hash: line by line in hashed order",
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
        "Kind of directory. limitless: pointers, and software for further readers. full_map: a "
        "pointer for every node. limited: pointers that further readers take over. software: "
        "software alone. forwarding: a full map that forwards requests to the owner, as DASH",
        "Alewife: limitless (ISCA 1994, abstract)"};
    hw::Parameter<std::int64_t> pointers{
        *this,
        "pointers",
        5,
        {1, 5},
        "Hardware pointers for each line, besides the bit for its home",
        "Alewife: up to 5 (Hot Chips 1994)",
        hw::when("coherence.protocol").is_not("full_map", "software", "forwarding")};
    hw::Parameter<std::int64_t> transaction_buffers{*this,
                                                    "transaction_buffers",
                                                    16,
                                                    {1, 64},
                                                    "Most lines in flight to and from a node",
                                                    "Alewife: 16 transaction buffers (recalled)"};
    hw::Parameter<hw::Cycles> directory_cycles{
        *this,
        "directory_cycles",
        2,
        {0, 10'000},
        "Time for which a packet occupies the home's directory; memory is read meanwhile",
        "assumed"};
    hw::Parameter<hw::Cycles> invalidate_cycles{
        *this,    "invalidate_cycles", 2, {0, 10'000}, "Time between two invalidations of a line",
        "assumed"};
    hw::Parameter<hw::Cycles> cache_cycles{
        *this,
        "cache_cycles",
        1,
        {0, 10'000},
        "Time for which a packet to a cache occupies the controller",
        "assumed"};
    hw::Parameter<hw::Cycles> busy_cycles{*this,
                                          "busy_cycles",
                                          20,
                                          {1, 100'000},
                                          "Time from a home's BUSY to the next request",
                                          "assumed: Alewife's value is unknown"};
    hw::Parameter<hw::Cycles> busy_spread_cycles{
        *this,
        "busy_spread_cycles",
        20,
        {0, 100'000},
        "Largest random addition to busy_cycles, drawn for each BUSY from 0 to this value",
        "assumed: Alewife's value is unknown"};
    hw::Parameter<bool> thrashlock{
        *this,
        "thrashlock",
        true,
        {},
        "Whether an access holds the core the next time, if its line came and went before its "
        "context ran again",
        "Alewife: against the window of vulnerability (MIT-LCS-TR-594, abstract)",
        hw::when("core.contexts").at_least(2)};
    hw::Parameter<bool> trap_turns{
        *this,
        "trap_turns",
        true,
        {},
        "Whether coherence traps give the interrupted program turns of equal length, and arrived "
        "lines stay until used. false: a home's threads may starve",
        "assumed; Alewife locked such a line with thrashlock (MIT-LCS-TR-594, abstract)"};
    hw::Parameter<bool> fetch_and_op{*this,
                                     "fetch_and_op",
                                     false,
                                     {},
                                     "Whether programs may change a word at its home and get the "
                                     "old word (fetch-and-add and similar operations)",
                                     "a study option: Alewife had no such operation"};
    hw::Parameter<std::int64_t> starved_after_accesses{
        *this,
        "starved_after_accesses",
        20,
        {0, 1'000'000},
        "Longest wait of an access or ready thread before the run ends as starved. Unit: an "
        "uncontended remote access by each thread. The limit is at least 100000 cycles; 0: no "
        "limit",
        "assumed"};
    hw::Parameter<bool> check_loads{*this,
                                    "check_loads",
                                    false,
                                    {},
                                    "Whether every load is compared with the last store, in its "
                                    "cycle; a difference ends the run as a fault of Weir",
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
