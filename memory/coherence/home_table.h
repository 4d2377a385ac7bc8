#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw/per_enumerator.h"
#include "memory/coherence/packet.h"

namespace weir::memory {

/// How the home of a line remembers who has copies of it.
enum class Protocol : std::uint8_t {
    kLimitless,  ///< a few pointers a line in hardware; software takes over when they don't suffice
    kFullMap,    ///< a pointer for every node
    kLimited,    ///< a few pointers; a reader too many has another one's copy taken
    kSoftware,   ///< none; software knows the copies of a line that another node has asked for
    kForwarding,  ///< a pointer for every node; who has the only copy answers who asks for it
};
constexpr std::size_t kProtocols = 5;

/// A line's state at its home. P is the set of nodes that pointers name, i the sender of a packet,
/// n the number of acknowledgements still to come.
enum class HomeState : std::uint8_t {
    kReadOnly,          ///< the nodes in P may have copies to read; also none
    kTrapOnWrite,       ///< so may those that software knows; a write is software's
    kSoftware,          ///< a packet has been handed to software, which has not finished
    kReadWrite,         ///< the one in P has the only copy
    kReadTransaction,   ///< the one in P waits to read; the only copy is being taken
    kWriteTransaction,  ///< the one in P waits to write; copies are being taken
    kEviction,          ///< the requester waits to read; one of the others' copies is being taken
    kTrapAlways,        ///< software alone knows who has copies; all packets are software's
    kSoftwareTransaction,  ///< so it does, and has copies taken for the requester
    // The one in P had the only copy, and has been asked; what it has done is not known yet.
    kForwardedRead,   ///< to let the requester read
    kForwardedWrite,  ///< to give the only copy to the requester
    kReturned,        ///< and the line has come back: from it, or already from the requester
};
constexpr std::size_t kHomeStates = 12;

/// What the home does when a packet has come and the condition holds; of the rows for a state and a
/// packet the first whose condition does. A cell whose rows all fail is a fault of the protocol.
struct HomeTransition {
    enum class Condition : std::uint8_t {
        kNever,  ///< no row
        kAlways,
        kHome,      ///< i is the home
        kRoom,      ///< i is the home or in P, or there is a pointer for it
        kAlone,     ///< nobody but i is in P
        kInPAlone,  ///< P = {i}
        kInP,
        kNotInP,
        kLast,  ///< n = 1
    };
    enum class Pointers : std::uint8_t {
        kKept,
        kAddSender,
        kSenderAlone,
        kNone,
        kAddRequester,
        kRequesterAlone,
    };
    enum class Reply : std::uint8_t {
        kNone,
        kBusy,  ///< to i, as the next two
        kReadData,
        kWriteGrant,           ///< WDATA, or MODG where i asked with MREQ
        kReadDataToRequester,  ///< to who began the transaction, as the next one
        kWriteGrantToRequester,
        kCountedGrant,  ///< to i: MODG where i asked with MREQ and is in P, else WDATA; with the
                        ///< number of copies that are taken for it
        kForwardRead,   ///< to the one in P, as the next one
        kForwardWrite,
    };
    enum class Invalidates : std::uint8_t {
        kNobody,
        kOthers,           ///< all in P but i; n becomes their number
        kOthersForSender,  ///< so, and they tell i when their copies are gone
        kVictim,  ///< the first in P after the home in the order of the nodes, which leaves P; n =
                  ///< 1
    };

    Condition when = Condition::kNever;
    HomeState next = HomeState::kReadOnly;
    Reply reply = Reply::kNone;
    Pointers pointers = Pointers::kKept;
    Invalidates invalidates = Invalidates::kNobody;
    bool begins = false;       ///< i is the requester from now on
    bool stores_line = false;  ///< memory takes the line that the packet carries
    bool counts = false;       ///< n becomes one less
    bool traps = false;        ///< the packet goes to software
};

constexpr std::size_t kRowsOfCell = 2;
using HomeCell = std::array<HomeTransition, kRowsOfCell>;
using HomeCells = std::array<HomeCell, kPacketsToMemory>;
using HomeTable = hw::PerEnumerator<HomeState, HomeCells, kHomeStates>;

/// By state and packet to memory (Chaiken, Kubiatowicz and Agarwal, ASPLOS 1991, Table 3, as
/// remembered, and kForwarding like DASH, Lenoski and others, ISCA 1990, as remembered; held to the
/// models beside it, models/).
[[nodiscard]] const HomeTable& home_table(Protocol protocol);

[[nodiscard]] std::string_view name_of(HomeState state);

}  // namespace weir::memory
