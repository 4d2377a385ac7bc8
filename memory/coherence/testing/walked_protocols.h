#pragma once

#include <array>
#include <cstddef>
#include <ostream>

#include "memory/coherence/testing/protocol_checker.h"

namespace weir::memory::testing {

/// A protocol with its numbers of caches and pointers, and its number of states. Both rumur, on the
/// model in models/, and ProtocolChecker, on the machine's tables, must count this number.
struct WalkedProtocol {
    const char* name;
    const char* protocol;  ///< name in models/check
    ProtocolChecker::Shape shape;
    std::size_t states;
};
inline std::ostream& operator<<(std::ostream& out, const WalkedProtocol& walked) {
    return out << walked.name;
}

inline constexpr std::array kWalkedProtocols{
    WalkedProtocol{"limitless_two_caches", "limitless", {.caches = 2, .pointers = 1}, 3'338},
    WalkedProtocol{
        "limitless_two_caches_full_map", "limitless", {.caches = 2, .pointers = 2}, 2'174},
    WalkedProtocol{"limitless_three_caches", "limitless", {.caches = 3, .pointers = 1}, 306'108},
    WalkedProtocol{
        "limitless_three_caches_two_pointers", "limitless", {.caches = 3, .pointers = 2}, 246'438},
    WalkedProtocol{
        "limitless_three_caches_full_map", "limitless", {.caches = 3, .pointers = 3}, 125'046},
    WalkedProtocol{"limited_two_caches",
                   "limited",
                   {.caches = 2, .pointers = 1, .protocol = Protocol::kLimited},
                   1'538},
    WalkedProtocol{"limited_three_caches",
                   "limited",
                   {.caches = 3, .pointers = 1, .protocol = Protocol::kLimited},
                   47'610},
    WalkedProtocol{"limited_three_caches_two_pointers",
                   "limited",
                   {.caches = 3, .pointers = 2, .protocol = Protocol::kLimited},
                   98'586},
    WalkedProtocol{"software_two_caches",
                   "software",
                   {.caches = 2, .pointers = 0, .protocol = Protocol::kSoftware},
                   3'946},
    WalkedProtocol{"software_three_caches",
                   "software",
                   {.caches = 3, .pointers = 0, .protocol = Protocol::kSoftware},
                   213'582},
    WalkedProtocol{"forwarding_two_caches",
                   "forwarding",
                   {.caches = 2, .pointers = 2, .protocol = Protocol::kForwarding},
                   8'624},
    WalkedProtocol{"forwarding_three_caches",
                   "forwarding",
                   {.caches = 3, .pointers = 3, .protocol = Protocol::kForwarding},
                   913'342},
    // Protocols whose states contain the counts of requests served before a refused one.
    WalkedProtocol{"limitless_two_caches_counted",
                   "limitless",
                   {.caches = 2, .pointers = 1, .counts_passed = true},
                   5'078},
    WalkedProtocol{
        "limited_three_caches_counted",
        "limited",
        {.caches = 3, .pointers = 1, .protocol = Protocol::kLimited, .counts_passed = true},
        178'398},
    WalkedProtocol{
        "software_two_caches_counted",
        "software",
        {.caches = 2, .pointers = 0, .protocol = Protocol::kSoftware, .counts_passed = true},
        6'010},
    WalkedProtocol{
        "forwarding_two_caches_counted",
        "forwarding",
        {.caches = 2, .pointers = 2, .protocol = Protocol::kForwarding, .counts_passed = true},
        17'628}};

}  // namespace weir::memory::testing
