#pragma once

#include <cstdint>

#include "hw/parameter.h"
#include "hw/units.h"
#include "nodes/programming/receive_mode.h"

namespace weir::nodes {

/// Kind of core of a machine's nodes.
enum class CoreKind : std::uint8_t {
    kBehavioural,  ///< runs kernels written as C++ coroutines
    kSparcle,      ///< executes compiled programs instruction by instruction
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
        "Kind of core. behavioural: runs kernels written as C++ coroutines, which state their "
        "cycles. sparcle: executes compiled programs instruction by instruction"};
    hw::Choice<ReceiveMode> receive_mode{
        *this,
        "receive_mode",
        ReceiveMode::kInterrupt,
        {{ReceiveMode::kInterrupt, "interrupt"},
         {ReceiveMode::kPolling, "polling"},
         {ReceiveMode::kProtocolProcessor, "protocol_processor"}},
        "Reception of messages. interrupt: a message interrupts the thread. polling: the thread "
        "polls for messages while it waits. protocol_processor: handlers run on a second processor "
        "of the node",
        "LoGPC Section 2: interrupt; LoPC Section 4.2: protocol processor"};
    hw::Parameter<hw::Cycles> poll_period_cycles{
        *this,
        "poll_period_cycles",
        4,
        {1, 1'000'000},
        "Time between two polls for a message while the thread waits, in polling mode",
        "assumed: a load of 2 from the controller, test and branch",
        hw::when("core.kind").is("behavioural") && hw::when("core.receive_mode").is("polling")};
    hw::Parameter<std::int64_t> contexts{
        *this,
        "contexts",
        1,
        {1, kMostContexts},
        "Number of hardware contexts of a core, each with one thread. When a thread waits, the "
        "core switches to the next context",
        "Sparcle (IEEE Micro 13(3), 1993): 4"};
    hw::Parameter<hw::Cycles> context_switch_cycles{
        *this,
        "context_switch_cycles",
        14,
        {1, 1'000'000},
        "Time of a context switch",
        "Sparcle (Hot Chips 1994; IEEE Micro 13(3), 1993): 14",
        hw::when("core.kind").is("behavioural") && hw::when("core.contexts").at_least(2)};
    hw::Parameter<hw::Cycles> full_empty_trap_cycles{
        *this,
        "full_empty_trap_cycles",
        13,
        {1, 1'000'000},
        "Time from an access that finds the wrong full/empty state to its retry, on a core with "
        "one context",
        "the same trap on a Sparcle core (firmware/sparcle/full_empty_trap.S)",
        hw::when("core.kind").is("behavioural") && hw::when("core.contexts").is(std::int64_t{1}) &&
            hw::shares_memory()};
    hw::Parameter<std::int64_t> loads_in_flight{
        *this,
        "loads_in_flight",
        1,
        {1, 64},
        "Largest number of loads that a program may begin before it needs the first one's value. "
        "1: each load blocks the core until its value has arrived",
        "Sparcle: 1",
        hw::when("core.kind").is("behavioural") && hw::when("memory.caches").at_least(1)};
    hw::Parameter<hw::Cycles> cache_interference_cycles{
        *this,
        "cache_interference_cycles",
        0,
        {0, 1'000'000},
        "Time that a thread loses after each handler that interrupted it, because the handler has "
        "replaced the thread's cache lines. Set 0 if caches are emulated",
        "LoGPC Section 5.1.2: 5 of the asynchronous remap's 151",
        hw::when("core.kind").is("behavioural") && hw::when("core.receive_mode").is("interrupt")};
};

}  // namespace weir::nodes
