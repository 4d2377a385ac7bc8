#include "memory/coherence/home_table.h"

#include <algorithm>

#include "hw/per_enumerator.h"

namespace weir::memory {

namespace {

using T = HomeTransition;
using When = T::Condition;
using S = HomeState;

// Rows, named by their effects.

constexpr T busy(S state) {
    return {.when = When::kAlways, .next = state, .reply = T::Reply::kBusy};
}
constexpr T copy_to_sender(S state) {
    return {.when = When::kRoom,
            .next = state,
            .reply = T::Reply::kReadData,
            .pointers = T::Pointers::kAddSender};
}
constexpr T grant_to_sender(When when) {
    return {.when = when,
            .next = S::kReadWrite,
            .reply = T::Reply::kWriteGrant,
            .pointers = T::Pointers::kSenderAlone};
}
constexpr T take_copies(When when, S next) {
    return {.when = when,
            .next = next,
            .pointers = T::Pointers::kSenderAlone,
            .invalidates = T::Invalidates::kOthers,
            .begins = true};
}
constexpr T trap(When when = When::kAlways) {
    return {.when = when, .next = S::kSoftware, .begins = true, .traps = true};
}
// Row for a packet that is no request: tells software that memory has received the line, or may
// have.
constexpr T tell_software(S state, bool stores_line) {
    return {.when = When::kAlways, .next = state, .stores_line = stores_line, .traps = true};
}
constexpr T evict_a_copy() {
    return {.when = When::kAlways,
            .next = S::kEviction,
            .pointers = T::Pointers::kAddSender,
            .invalidates = T::Invalidates::kVictim,
            .begins = true};
}
constexpr T take_line(When when, S next, T::Pointers pointers) {
    return {.when = when, .next = next, .pointers = pointers, .stores_line = true};
}
constexpr T line_came_for_reader() {
    return {.when = When::kAlways,
            .next = S::kReadOnly,
            .reply = T::Reply::kReadDataToRequester,
            .stores_line = true,
            .counts = true};
}
constexpr T reader_may_have_it() {
    return {.when = When::kLast,
            .next = S::kReadOnly,
            .reply = T::Reply::kReadDataToRequester,
            .counts = true};
}
constexpr T line_came_for_writer() {
    return {.when = When::kLast,
            .next = S::kReadWrite,
            .reply = T::Reply::kWriteGrantToRequester,
            .stores_line = true,
            .counts = true};
}
constexpr T writer_may_have_it() {
    return {.when = When::kLast,
            .next = S::kReadWrite,
            .reply = T::Reply::kWriteGrantToRequester,
            .counts = true};
}
constexpr T one_copy_less() {
    return {.when = When::kAlways, .next = S::kWriteTransaction, .counts = true};
}

constexpr T counted_grant() {
    return {.when = When::kAlways,
            .next = S::kReadWrite,
            .reply = T::Reply::kCountedGrant,
            .pointers = T::Pointers::kSenderAlone,
            .invalidates = T::Invalidates::kOthersForSender};
}
constexpr T forward(T::Reply request, S next) {
    return {.when = When::kNotInP, .next = next, .reply = request, .begins = true};
}
constexpr T settled(S next, T::Pointers pointers) {
    return {.when = When::kAlways, .next = next, .pointers = pointers};
}

using Cells = HomeCells;
constexpr HomeCell kImpossible{};

// By packet: RREQ, WREQ, MREQ, REPM, UPDATE, ACKC; and SHARE, XFER, NACK, which only forwarding
// homes receive.
constexpr Cells readers(S state, T no_room) {
    return {{{copy_to_sender(state), no_room},
             {grant_to_sender(When::kAlone), take_copies(When::kAlways, S::kWriteTransaction)},
             {grant_to_sender(When::kInPAlone), take_copies(When::kInP, S::kWriteTransaction)},
             kImpossible,
             kImpossible,
             kImpossible}};
}
constexpr Cells one_writer() {
    return {{{take_copies(When::kNotInP, S::kReadTransaction)},
             {take_copies(When::kNotInP, S::kWriteTransaction)},
             kImpossible,
             {take_line(When::kInP, S::kReadOnly, T::Pointers::kNone)},
             kImpossible,
             kImpossible}};
}
constexpr Cells while_under_way(S state, HomeCell replaced, HomeCell updated,
                                HomeCell acknowledged) {
    return {{{busy(state)}, {busy(state)}, {busy(state)}, replaced, updated, acknowledged}};
}

// Table of a home without pointers. P is empty or contains the home alone: a bit for a copy in the
// home's own cache. The first packet of another node hands the line to software for good, with all
// later packets. (Alewife's software-only directory, Chaiken and Agarwal, ISCA 1994, recalled.)
constexpr HomeTable table_of_software() {
    HomeTable table{};
    const auto cells = [&table](S state) -> Cells& { return table[state]; };
    cells(S::kReadOnly) = {{{copy_to_sender(S::kReadOnly), trap()},
                            {grant_to_sender(When::kHome), trap()},
                            {grant_to_sender(When::kInPAlone)},
                            kImpossible,
                            kImpossible,
                            kImpossible}};
    cells(S::kReadWrite) = {{{trap(When::kNotInP)},
                             {trap(When::kNotInP)},
                             kImpossible,
                             {take_line(When::kInP, S::kReadOnly, T::Pointers::kNone)},
                             kImpossible,
                             kImpossible}};
    cells(S::kSoftware) = while_under_way(S::kSoftware, {tell_software(S::kSoftware, true)},
                                          kImpossible, kImpossible);
    cells(S::kTrapAlways) = {{{trap()},
                              {trap()},
                              {trap()},
                              {tell_software(S::kTrapAlways, true)},
                              kImpossible,
                              kImpossible}};
    cells(S::kSoftwareTransaction) =
        while_under_way(S::kSoftwareTransaction, {tell_software(S::kSoftwareTransaction, true)},
                        {tell_software(S::kSoftwareTransaction, true)},
                        {tell_software(S::kSoftwareTransaction, false)});
    return table;
}

// Table of a forwarding home (like DASH's, recalled). The owner of the only copy may still wait for
// acknowledgements, which the home does not see.
constexpr HomeTable table_of_forwarding() {
    HomeTable table{};
    const auto cells = [&table](S state) -> Cells& { return table[state]; };
    constexpr T kForwardRead = forward(T::Reply::kForwardRead, S::kForwardedRead);
    constexpr T kForwardWrite = forward(T::Reply::kForwardWrite, S::kForwardedWrite);
    const auto asked = [](S state, T shared, T transferred, T not_here) {
        const T returned = take_line(When::kAlways, S::kReturned, T::Pointers::kNone);
        const bool is_back = state == S::kReturned;
        return Cells{{{busy(state)},
                      {busy(state)},
                      {busy(state)},
                      {is_back ? T{} : returned},
                      kImpossible,
                      kImpossible,
                      {shared},
                      {transferred},
                      {not_here}}};
    };
    constexpr T kStillThere = settled(S::kReadWrite, T::Pointers::kKept);
    constexpr T kBack = settled(S::kReadOnly, T::Pointers::kNone);
    cells(S::kReadOnly) = {{{copy_to_sender(S::kReadOnly)}, {counted_grant()}, {counted_grant()}}};
    cells(S::kReadWrite) = {{{kForwardRead},
                             {kForwardWrite},
                             {kForwardWrite},
                             {take_line(When::kInP, S::kReadOnly, T::Pointers::kNone)}}};
    cells(S::kForwardedRead) =
        asked(S::kForwardedRead, take_line(When::kAlways, S::kReadOnly, T::Pointers::kAddRequester),
              T{}, kStillThere);
    cells(S::kForwardedWrite) = asked(
        S::kForwardedWrite, T{}, settled(S::kReadWrite, T::Pointers::kRequesterAlone), kStillThere);
    cells(S::kReturned) = asked(S::kReturned, T{}, kBack, kBack);
    return table;
}

constexpr HomeTable table_of(Protocol protocol) {
    constexpr Cells kNoSuchState{};
    const bool has_software = protocol == Protocol::kLimitless;
    HomeTable table{};
    const auto cells = [&table](S state) -> Cells& { return table[state]; };
    cells(S::kReadOnly) = readers(S::kReadOnly, has_software                     ? trap()
                                                : protocol == Protocol::kLimited ? evict_a_copy()
                                                                                 : T{});
    cells(S::kTrapOnWrite) =
        has_software ? Cells{{{copy_to_sender(S::kTrapOnWrite), trap()}, {trap()}, {trap()}}}
                     : kNoSuchState;
    cells(S::kSoftware) = has_software
                              ? while_under_way(S::kSoftware, kImpossible, kImpossible, kImpossible)
                              : kNoSuchState;
    cells(S::kReadWrite) = one_writer();
    cells(S::kReadTransaction) = while_under_way(
        S::kReadTransaction, {take_line(When::kAlways, S::kReadTransaction, T::Pointers::kKept)},
        {line_came_for_reader()}, {reader_may_have_it()});
    cells(S::kWriteTransaction) = while_under_way(
        S::kWriteTransaction, {take_line(When::kAlways, S::kWriteTransaction, T::Pointers::kKept)},
        {line_came_for_writer()}, {writer_may_have_it(), one_copy_less()});
    cells(S::kEviction) =
        protocol == Protocol::kLimited
            ? while_under_way(S::kEviction, kImpossible, kImpossible, {reader_may_have_it()})
            : kNoSuchState;
    return table;
}

constexpr hw::PerEnumerator<Protocol, HomeTable, kProtocols> kTables{
    table_of(Protocol::kLimitless), table_of(Protocol::kFullMap), table_of(Protocol::kLimited),
    table_of_software(), table_of_forwarding()};

// Checks that a cell without a first row has no second one, and that no row follows one that always
// applies.
constexpr bool is_complete(const HomeTable& table) {
    for (const Cells& cells : table) {
        for (const HomeCell& cell : cells) {
            if (cell[0].when == When::kNever && cell[1].when != When::kNever) {
                return false;
            }
            if (cell[0].when == When::kAlways && cell[1].when != When::kNever) {
                return false;  // an unreachable row
            }
        }
    }
    return true;
}
// Checks that every state of the table, including the initial one, answers each request, whatever P
// is. MREQ comes only from nodes in P, or counts as a request to write.
constexpr bool answers_requests(const HomeTable& table) {
    for (const Cells& cells : table) {
        bool is_there = &cells == &table[S::kReadOnly];
        for (const HomeCell& cell : cells) {
            is_there = is_there || cell[0].when != When::kNever;
        }
        for (const Packet packet : {Packet::kReadRequest, Packet::kWriteRequest}) {
            if (is_there && cells[static_cast<std::size_t>(packet)][0].when == When::kNever) {
                return false;
            }
        }
    }
    return true;
}
static_assert(std::all_of(kTables.begin(), kTables.end(), is_complete));
static_assert(std::all_of(kTables.begin(), kTables.end(), answers_requests));

}  // namespace

const HomeTable& home_table(Protocol protocol) { return kTables[protocol]; }

std::string_view name_of(HomeState state) {
    constexpr hw::PerEnumerator<HomeState, std::string_view, kHomeStates> kNames{
        "Read-Only",      "Trap-On-Write",    "in software",
        "Read-Write",     "Read-Transaction", "Write-Transaction",
        "Eviction",       "Trap-Always",      "software transaction",
        "forwarded read", "forwarded write",  "returned"};
    return kNames[state];
}

}  // namespace weir::memory
