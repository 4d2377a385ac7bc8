#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw/per_enumerator.h"
#include "memory/coherence/packet.h"

namespace weir::memory {

/// Kind of directory: how the home of a line records the copies.
enum class Protocol : std::uint8_t {
    kLimitless,   ///< a few hardware pointers for each line; software handles further readers
    kFullMap,     ///< a pointer for every node
    kLimited,     ///< a few pointers; a further reader takes the pointer of another, whose copy is
                  ///< invalidated
    kSoftware,    ///< no pointers; software records the copies of lines that other nodes have
                  ///< requested
    kForwarding,  ///< a pointer for every node; the owner of the only copy answers requesters
                  ///< directly
};
constexpr std::size_t kProtocols = 5;

/// State of a line at its home. P is the set of nodes with a pointer, i the sender of a packet, n
/// the number of acknowledgements still to come.
enum class HomeState : std::uint8_t {
    kReadOnly,         ///< nodes in P may have copies to read; P may be empty
    kTrapOnWrite,      ///< nodes in P and nodes known to software may have copies; software handles
                       ///< writes
    kSoftware,         ///< software handles a packet, and has not finished
    kReadWrite,        ///< the node in P has the only copy
    kReadTransaction,  ///< the node in P waits to read; the only copy is being taken
    kWriteTransaction,     ///< the node in P waits to write; copies are being invalidated
    kEviction,             ///< the requester waits to read; one other copy is being invalidated
    kTrapAlways,           ///< only software knows the copies, and handles all packets
    kSoftwareTransaction,  ///< only software knows the copies; it invalidates them for the
                           ///< requester
    // The node in P had the only copy, and got a forwarded request; its answer is not known yet.
    kForwardedRead,   ///< the forwarded request is to read
    kForwardedWrite,  ///< the forwarded request is to take the only copy
    kReturned,        ///< the line has come back, from the owner or already from the requester
};
constexpr std::size_t kHomeStates = 12;

/// Reaction of the home to a packet, under a condition. A cell has several rows; the first row
/// whose condition holds applies. If none holds, the protocol is at fault.
struct HomeTransition {
    enum class Condition : std::uint8_t {
        kNever,  ///< unused row
        kAlways,
        kHome,      ///< i is the home
        kRoom,      ///< i is the home or in P, or a pointer is free
        kAlone,     ///< P contains no node but i
        kInPAlone,  ///< P = {i}
        kInP,
        kNotInP,
        kLast,  ///< n = 1: the last acknowledgement
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
        kBusy,  ///< BUSY to i; the next two also go to i
        kReadData,
        kWriteGrant,           ///< WDATA, or MODG if i sent MREQ
        kReadDataToRequester,  ///< RDATA to the requester of the transaction
        kWriteGrantToRequester,
        kCountedGrant,  ///< grant to i, with the number of invalidated copies: MODG if i sent MREQ
                        ///< and is in P, else WDATA
        kForwardRead,   ///< FREAD to the node in P
        kForwardWrite,
    };
    enum class Invalidates : std::uint8_t {
        kNobody,
        kOthers,           ///< all nodes in P but i; n becomes their number
        kOthersForSender,  ///< all nodes in P but i, which acknowledge to i
        kVictim,  ///< the first node in P after the home, in the order of nodes; it leaves P, and n
                  ///< = 1
    };

    Condition when = Condition::kNever;
    HomeState next = HomeState::kReadOnly;
    Reply reply = Reply::kNone;
    Pointers pointers = Pointers::kKept;
    Invalidates invalidates = Invalidates::kNobody;
    bool begins = false;       ///< i becomes the requester
    bool stores_line = false;  ///< memory stores the packet's line
    bool counts = false;       ///< n decreases by one
    bool traps = false;        ///< the packet goes to software
};

constexpr std::size_t kRowsOfCell = 2;
using HomeCell = std::array<HomeTransition, kRowsOfCell>;
using HomeCells = std::array<HomeCell, kPacketsToMemory>;
using HomeTable = hw::PerEnumerator<HomeState, HomeCells, kHomeStates>;

/// Table by state and packet to memory. Recalled from Chaiken, Kubiatowicz and Agarwal, ASPLOS
/// 1991, Table 3; kForwarding from DASH (Lenoski and others, ISCA 1990). The models in models/
/// check the tables.
[[nodiscard]] const HomeTable& home_table(Protocol protocol);

[[nodiscard]] std::string_view name_of(HomeState state);

}  // namespace weir::memory
