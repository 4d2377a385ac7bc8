#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "experiments/models/model_input.h"

/// Time of a message through an unloaded network from the hardware's parameters, and LogP's L, o
/// and g on that hardware.
///
/// Source: Culler et al. (1993), section 5.2 and Table 1. An M-bit message pays the send overhead,
/// enters the network w bits per cycle, and crosses H nodes of r cycles each. At last the message
/// pays the receive overhead:
///     T(M, H) = T_snd + ceil(M/w) + H r + T_rcv.
/// The paper then takes o = (T_snd + T_rcv)/2, L = H r + ceil(M/w) with H the longest route. g is M
/// over the bisection bandwidth for each processor.
///
/// Times are cycles of the network. Bad parameters are a ModelError.
namespace weir::experiments::models {

struct MessageHardware {
    friend bool operator==(const MessageHardware&, const MessageHardware&) = default;

    double cycle_nanoseconds = kNotGiven;  ///< cycle time of the network
    /// w: bits that the channel takes per cycle, more than 0.
    double channel_bits = kNotGiven;
    /// T_snd + T_rcv: send overhead and receive overhead.
    double both_overheads_cycles = kNotGiven;
    double hop_cycles = kNotGiven;  ///< r: delay of the message's head in one node
    double hops = kNotGiven;        ///< H
};

/// Row of Table 1; its distance is the mean with 1024 processors.
struct PublishedMachine {
    std::string_view name;
    std::string_view network;
    MessageHardware hardware;
};

inline constexpr std::array kPublishedMachines = {
    PublishedMachine{"nCUBE/2", "hypercube", {25.0, 1.0, 6400.0, 40.0, 5.0}},
    PublishedMachine{"CM-5", "fat tree", {25.0, 4.0, 3600.0, 8.0, 9.3}},
    PublishedMachine{"Dash", "torus", {30.0, 16.0, 30.0, 2.0, 6.8}},
    PublishedMachine{"J-Machine", "3-D mesh", {31.0, 8.0, 16.0, 2.0, 12.1}},
    PublishedMachine{"Monsoon", "butterfly", {20.0, 16.0, 10.0, 2.0, 5.0}},
    PublishedMachine{"nCUBE/2 (AM)", "hypercube", {25.0, 1.0, 1000.0, 40.0, 5.0}},
    PublishedMachine{"CM-5 (AM)", "fat tree", {25.0, 4.0, 132.0, 8.0, 9.3}},
};

struct UnloadedMessage {
    double message_cycles;       ///< T(M, H): time of the message in cycles
    double message_nanoseconds;  ///< T(M, H): time of the message in nanoseconds
    double channel_cycles;       ///< ceil(M/w): time for the message to enter its channel
    double route_cycles;         ///< H r: time to cross the nodes of the route
    double overhead_cycles;      ///< LogP's o: half of T_snd + T_rcv
    double latency_cycles;       ///< LogP's L, if H is the longest route
    double overhead_share;       ///< share of T that is overhead
};

/// Solves T(M, H) for M = message_bits, 1 to 2^40.
UnloadedMessage solve_unloaded_message(const MessageHardware& hardware, std::int64_t message_bits);

/// LogP's g: M over the bisection bandwidth for each processor, which must be above 0 bits per
/// cycle.
double bisection_gap_cycles(std::int64_t message_bits, double bisection_bits_per_cycle);

}  // namespace weir::experiments::models
