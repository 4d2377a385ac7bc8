#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"
#include "nodes/programming/receive_mode.h"

namespace weir::nodes {

/// Which kind of core a machine's nodes have.
enum class CoreKind : std::uint8_t {
    kBehavioural,  ///< runs kernels that are coroutines
    kSparcle,      ///< runs compiled programs, instruction by instruction
};

struct CoreParameters : hw::ParameterGroup {
    static constexpr std::int64_t kMostContexts = 4;

    CoreParameters();
    ~CoreParameters() override;

    hw::Choice<CoreKind> kind{
        *this,
        "kind",
        CoreKind::kBehavioural,
        {{CoreKind::kBehavioural, "behavioural"}, {CoreKind::kSparcle, "sparcle"}},
        "A core that runs kernels as they are written here, at the costs they state; or one "
        "that runs their compiled twins, instruction by instruction"};
    hw::Choice<ReceiveMode> receive_mode{
        *this,
        "receive_mode",
        ReceiveMode::kInterrupt,
        {{ReceiveMode::kInterrupt, "interrupt"},
         {ReceiveMode::kPolling, "polling"},
         {ReceiveMode::kProtocolProcessor, "protocol_processor"}},
        "Messages interrupt the thread; or it takes them when it waits; or their handlers run "
        "on a processor of their own",
        "LoGPC Section 2: interrupt; LoPC Section 4.2: protocol processor"};
    hw::Parameter<hw::Cycles> poll_period_cycles{
        *this,
        "poll_period_cycles",
        4,
        {1, 1'000'000},
        "In polling mode, from one look for a message to the next while the thread waits",
        "assumed: a load of 2 from the controller, test and branch",
        hw::when("core.kind").is("behavioural") && hw::when("core.receive_mode").is("polling")};
    hw::Parameter<std::int64_t> contexts{
        *this,
        "contexts",
        1,
        {1, kMostContexts},
        "Hardware contexts, each with a thread: when one waits the core switches to the next",
        "Sparcle (IEEE Micro 13(3), 1993): 4"};
    hw::Parameter<hw::Cycles> context_switch_cycles{
        *this,
        "context_switch_cycles",
        14,
        {1, 1'000'000},
        "From one context's thread to the next one's",
        "Sparcle (Hot Chips 1994; IEEE Micro 13(3), 1993): 14",
        hw::when("core.kind").is("behavioural") && hw::when("core.contexts").at_least(2)};
    hw::Parameter<hw::Cycles> full_empty_trap_cycles{
        *this,
        "full_empty_trap_cycles",
        13,
        {1, 1'000'000},
        "From an access by a full/empty bit that finds the wrong state to the same access "
        "again, where a core has one context",
        "what the same takes a Sparcle core with firmware/sparcle/full_empty_trap.S",
        hw::when("core.kind").is("behavioural") && hw::when("core.contexts").is(std::int64_t{1}) &&
            hw::shares_memory()};
    hw::Parameter<std::int64_t> loads_in_flight{
        *this,
        "loads_in_flight",
        1,
        {1, 64},
        "Loads that a program may have begun before it needs the first one's value; 1: each "
        "load keeps the core until its value is there",
        "Sparcle: 1",
        hw::when("core.kind").is("behavioural") && hw::when("memory.caches").at_least(1)};
    hw::Parameter<hw::Cycles> cache_interference_cycles{
        *this,
        "cache_interference_cycles",
        0,
        {0, 1'000'000},
        "What the thread loses for each message whose handler has interrupted it, since the "
        "handler has taken its lines of the cache; 0 where a cache is emulated",
        "LoGPC Section 5.1.2: 5 of the asynchronous remap's 151",
        hw::when("core.kind").is("behavioural") && hw::when("core.receive_mode").is("interrupt")};
};

}  // namespace weir::nodes
