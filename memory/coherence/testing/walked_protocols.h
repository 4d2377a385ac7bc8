#pragma once

#include <array>
#include <cstddef>
#include <ostream>

#include "memory/coherence/testing/protocol_checker.h"

namespace weir::memory::testing {

/// A protocol with so many caches and pointers, and how many states it has: rumur counts them in
/// its model (models/), ProtocolChecker in the tables of the machine.
struct WalkedProtocol {
    const char* name;
    const char* protocol;  ///< as models/check calls it
    ProtocolChecker::Shape shape;
    std::size_t states;
};
inline std::ostream& operator<<(std::ostream& out, const WalkedProtocol& walked) {
    return out << walked.name;
}

inline constexpr std::array kWalkedProtocols{
    WalkedProtocol{"limitless_two_caches", "limitless", {.caches = 2, .pointers = 1}, 1'866},
    WalkedProtocol{
        "limitless_two_caches_full_map", "limitless", {.caches = 2, .pointers = 2}, 1'002},
    WalkedProtocol{"limitless_three_caches", "limitless", {.caches = 3, .pointers = 1}, 73'122},
    WalkedProtocol{
        "limitless_three_caches_two_pointers", "limitless", {.caches = 3, .pointers = 2}, 48'642},
    WalkedProtocol{
        "limitless_three_caches_full_map", "limitless", {.caches = 3, .pointers = 3}, 20'274},
    WalkedProtocol{"limited_two_caches",
                   "limited",
                   {.caches = 2, .pointers = 1, .protocol = Protocol::kLimited},
                   930},
    WalkedProtocol{"limited_three_caches",
                   "limited",
                   {.caches = 3, .pointers = 1, .protocol = Protocol::kLimited},
                   13'998},
    WalkedProtocol{"limited_three_caches_two_pointers",
                   "limited",
                   {.caches = 3, .pointers = 2, .protocol = Protocol::kLimited},
                   21'972},
    WalkedProtocol{"software_two_caches",
                   "software",
                   {.caches = 2, .pointers = 0, .protocol = Protocol::kSoftware},
                   2'506},
    WalkedProtocol{"software_three_caches",
                   "software",
                   {.caches = 3, .pointers = 0, .protocol = Protocol::kSoftware},
                   61'412},
    WalkedProtocol{"forwarding_two_caches",
                   "forwarding",
                   {.caches = 2, .pointers = 2, .protocol = Protocol::kForwarding},
                   5'700},
    WalkedProtocol{"forwarding_three_caches",
                   "forwarding",
                   {.caches = 3, .pointers = 3, .protocol = Protocol::kForwarding},
                   365'300}};

}  // namespace weir::memory::testing
