#include "memory/coherence/home_table.h"

namespace weir::memory {

namespace {

using T = HomeTransition;
using When = T::Condition;
using S = HomeState;

// The rows, named by what they do.

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
constexpr T trap() {
    return {.when = When::kAlways, .next = S::kSoftware, .begins = true, .traps = true};
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

using Cells = std::array<HomeCell, kPacketsToMemory>;
constexpr HomeCell kImpossible{};

// By packet: RREQ, WREQ, MREQ, REPM, UPDATE, ACKC.
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

constexpr HomeTable table_of(Protocol protocol) {
    constexpr Cells kNoSuchState{};
    const bool has_software = protocol == Protocol::kLimitless;
    HomeTable table{};
    const auto cells = [&table](S state) -> Cells& {
        return table[static_cast<std::size_t>(state)];
    };
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

constexpr std::array<HomeTable, kProtocols> kTables{
    table_of(Protocol::kLimitless), table_of(Protocol::kFullMap), table_of(Protocol::kLimited)};

// Every cell says what happens: it begins with a row, or is impossible as a whole.
constexpr bool is_complete(const HomeTable& table) {
    for (const Cells& cells : table) {
        for (const HomeCell& cell : cells) {
            if (cell[0].when == When::kNever && cell[1].when != When::kNever) {
                return false;
            }
            if (cell[0].when == When::kAlways && cell[1].when != When::kNever) {
                return false;  // a row that nothing reaches
            }
        }
    }
    return true;
}
// A state that requests can meet answers each of them, whatever P is; MREQ comes from P alone.
constexpr bool answers_requests(const HomeTable& table) {
    for (const S state : {S::kReadOnly, S::kReadTransaction, S::kWriteTransaction}) {
        for (const Packet packet : {Packet::kReadRequest, Packet::kWriteRequest}) {
            const HomeCell& cell =
                table[static_cast<std::size_t>(state)][static_cast<std::size_t>(packet)];
            if (cell[0].when == When::kNever) {
                return false;
            }
        }
    }
    return true;
}
static_assert(is_complete(kTables[0]) && is_complete(kTables[1]) && is_complete(kTables[2]));
static_assert(answers_requests(kTables[0]) && answers_requests(kTables[1]) &&
              answers_requests(kTables[2]));

}  // namespace

const HomeTable& home_table(Protocol protocol) {
    return kTables[static_cast<std::size_t>(protocol)];
}

std::string_view name_of(HomeState state) {
    constexpr std::array<std::string_view, kHomeStates> kNames{
        "Read-Only",        "Trap-On-Write",     "in software", "Read-Write",
        "Read-Transaction", "Write-Transaction", "Eviction"};
    return kNames[static_cast<std::size_t>(state)];
}

}  // namespace weir::memory
