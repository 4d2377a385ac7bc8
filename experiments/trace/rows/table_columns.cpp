#include "experiments/trace/rows/table_columns.h"

#include <array>

#include "experiments/trace/rows/trace_schema.h"

namespace weir::experiments::trace {

namespace {

constexpr int kHeaderAndHandlerWords = 2;

std::int64_t stored(hw::MessageId id) { return id.valid() ? stored_message_id(id) : kAbsent; }
hw::MessageId told(std::int64_t value) {
    return value == kAbsent ? hw::MessageId{} : message_id_of(value);
}
hw::NodeId node_of(std::int64_t value) { return hw::NodeId(static_cast<std::int32_t>(value)); }

// How a member's type goes into a column and comes out of it.
std::int64_t to_number(std::int64_t member) { return member; }
std::int64_t to_number(hw::NodeId member) { return member.index(); }
std::int64_t to_number(hw::MessageId member) { return stored(member); }
template <class Unit>
std::int64_t to_number(hw::Quantity<Unit> member) {
    return member.count();
}
template <class Enum>
requires std::is_enum_v<Enum> std::int64_t to_number(Enum member) {
    return static_cast<std::int64_t>(member);
}

void from_number(std::int64_t value, std::int64_t& member) { member = value; }
void from_number(std::int64_t value, bool& member) { member = value != 0; }
void from_number(std::int64_t value, hw::NodeId& member) { member = node_of(value); }
void from_number(std::int64_t value, hw::MessageId& member) { member = told(value); }
template <class Unit>
void from_number(std::int64_t value, hw::Quantity<Unit>& member) {
    member = hw::Quantity<Unit>(value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void from_number(std::int64_t value, Enum& member) { member = static_cast<Enum>(value); }

template <auto Member>
struct RowOf;
template <class Row, class Type, Type Row::*Member>
struct RowOf<Member> {
    using type = Row;
};

/// The column of one member of a row.
template <auto Member, class Row = typename RowOf<Member>::type>
constexpr Column<Row> column(const char* name, ColumnKind kind = ColumnKind::kCount) {
    return {name, kind, [](const Row& row) { return to_number(row.*Member); },
            [](Row& row, std::int64_t value) { from_number(value, row.*Member); }};
}

template <auto Stage>
constexpr Column<MessageRow> stage(const char* name) {
    return {name, ColumnKind::kStage,
            [](const MessageRow& row) {
                const hw::Cycles cycle = row.times.*Stage;
                return cycle >= hw::kNever ? kAbsent : cycle.count();
            },
            [](MessageRow& row, std::int64_t value) {
                row.times.*Stage = value == kAbsent ? hw::kNever : hw::Cycles(value);
            }};
}

/// The same of what has its times in itself.
template <auto Member, class Row = typename RowOf<Member>::type>
constexpr Column<Row> time_of(const char* name) {
    return {
        name, ColumnKind::kStage,
        [](const Row& row) { return row.*Member >= hw::kNever ? kAbsent : (row.*Member).count(); },
        [](Row& row, std::int64_t value) {
            row.*Member = value == kAbsent ? hw::kNever : hw::Cycles(value);
        }};
}

/// A count, or -1 for none: a word that an access moved, the pointers of a home.
template <auto Member, class Row = typename RowOf<Member>::type>
constexpr Column<Row> count_or_none(const char* name) {
    return {name, ColumnKind::kStage,
            [](const Row& row) { return row.*Member < 0 ? kAbsent : row.*Member; },
            [](Row& row, std::int64_t value) { row.*Member = value == kAbsent ? -1 : value; }};
}

/// A column that another one says already.
constexpr Column<MessageRow> part_of_id(const char* name, ColumnKind kind,
                                        std::int64_t (*get)(const MessageRow&)) {
    return {name, kind, get, [](MessageRow& /*row*/, std::int64_t /*value*/) {}, true};
}

constexpr std::array kMessageColumns{
    column<&MessageRow::id>("message_id", ColumnKind::kMessage),
    part_of_id("source_node", ColumnKind::kNode,
               [](const MessageRow& row) { return to_number(row.id.source); }),
    part_of_id("sequence", ColumnKind::kCount,
               [](const MessageRow& row) { return row.id.sequence; }),
    column<&MessageRow::destination>("destination_node", ColumnKind::kNode),
    column<&MessageRow::parent>("parent_message_id", ColumnKind::kMessageOrNone),
    column<&MessageRow::argument_words>("argument_words", ColumnKind::kAny),
    column<&MessageRow::bytes>("message_bytes"),
    column<&MessageRow::body_bytes>("body_bytes"),
    column<&MessageRow::hops>("hops"),
    column<&MessageRow::unloaded>("unloaded_latency_cycles"),
    column<&MessageRow::launch_blocked>("launch_blocked_cycles"),
    column<&MessageRow::restored_words>("restored_words"),
    stage<&hw::MessageTimes::compose>("compose_cycle"),
    stage<&hw::MessageTimes::launch>("launch_cycle"),
    stage<&hw::MessageTimes::network_entry>("network_entry_cycle"),
    stage<&hw::MessageTimes::send_dma_end>("send_dma_end_cycle"),
    stage<&hw::MessageTimes::tail_entry>("tail_entry_cycle"),
    stage<&hw::MessageTimes::first_arrival>("first_arrival_cycle"),
    stage<&hw::MessageTimes::header_arrival>("header_arrival_cycle"),
    stage<&hw::MessageTimes::tail_arrival>("tail_arrival_cycle"),
    stage<&hw::MessageTimes::notify>("notify_cycle"),
    stage<&hw::MessageTimes::handler_begin>("handler_begin_cycle"),
    stage<&hw::MessageTimes::code_begin>("code_begin_cycle"),
    stage<&hw::MessageTimes::receive_dma_begin>("receive_dma_begin_cycle"),
    stage<&hw::MessageTimes::code_end>("code_end_cycle"),
    stage<&hw::MessageTimes::receive_dma_end>("receive_dma_end_cycle"),
    stage<&hw::MessageTimes::dispose>("dispose_cycle"),
    stage<&hw::MessageTimes::handler_end>("handler_end_cycle"),
};

constexpr std::array kCoreIntervalColumns{
    column<&CoreIntervalRow::node>("node", ColumnKind::kNode),
    column<&CoreIntervalRow::begin>("begin_cycle"),
    column<&CoreIntervalRow::end>("end_cycle"),
    column<&CoreIntervalRow::state>("state", ColumnKind::kState),
    column<&CoreIntervalRow::message>("message_id", ColumnKind::kMessageOrNone),
};

constexpr std::array kQueueLevelColumns{
    column<&QueueLevelRow::node>("node", ColumnKind::kNode),
    column<&QueueLevelRow::queue>("queue", ColumnKind::kQueue),
    column<&QueueLevelRow::cycle>("cycle"),
    column<&QueueLevelRow::bytes>("bytes"),
    column<&QueueLevelRow::messages>("messages"),
};

constexpr std::array kDmaTransferColumns{
    column<&hw::DmaTransfer::node>("node", ColumnKind::kNode),
    column<&hw::DmaTransfer::engine>("engine", ColumnKind::kEngine),
    column<&hw::DmaTransfer::begin>("begin_cycle"),
    column<&hw::DmaTransfer::end>("end_cycle"),
    column<&hw::DmaTransfer::message>("message_id", ColumnKind::kMessage),
    column<&hw::DmaTransfer::bytes>("bytes"),
    column<&hw::DmaTransfer::port_wait>("port_wait_cycles"),
    column<&hw::DmaTransfer::queue_wait>("queue_wait_cycles"),
};

constexpr std::array kStallColumns{
    column<&hw::Stall::node>("node", ColumnKind::kNode),
    column<&hw::Stall::place>("place", ColumnKind::kPlace),
    column<&hw::Stall::begin>("begin_cycle"),
    column<&hw::Stall::end>("end_cycle"),
    column<&hw::Stall::waiting>("waiting_message_id", ColumnKind::kMessageOrNone),
    column<&hw::Stall::holder>("holder_message_id", ColumnKind::kMessageOrNone),
};

constexpr std::array kTransactionColumns{
    column<&hw::SharedTransaction::node>("node", ColumnKind::kNode),
    column<&hw::SharedTransaction::begin>("begin_cycle"),
    column<&hw::SharedTransaction::line>("line_address"),
    column<&hw::SharedTransaction::home>("home_node", ColumnKind::kNode),
    column<&hw::SharedTransaction::request>("request", ColumnKind::kRequest),
    column<&hw::SharedTransaction::is_prefetch>("is_prefetch", ColumnKind::kFlag),
    column<&hw::SharedTransaction::busy_replies>("busy_replies"),
    column<&hw::SharedTransaction::invalidations>("invalidations"),
    column<&hw::SharedTransaction::is_trapped>("is_trapped", ColumnKind::kFlag),
    time_of<&hw::SharedTransaction::first_asked>("first_asked_cycle"),
    time_of<&hw::SharedTransaction::asked>("asked_cycle"),
    time_of<&hw::SharedTransaction::home_arrival>("home_arrival_cycle"),
    time_of<&hw::SharedTransaction::home_begin>("home_begin_cycle"),
    time_of<&hw::SharedTransaction::first_invalidation>("first_invalidation_cycle"),
    time_of<&hw::SharedTransaction::last_acknowledgement>("last_acknowledgement_cycle"),
    time_of<&hw::SharedTransaction::reply>("reply_cycle"),
    time_of<&hw::SharedTransaction::fill>("fill_cycle"),
    time_of<&hw::SharedTransaction::use>("use_cycle"),
};

constexpr std::array kCoherenceTrapColumns{
    column<&hw::CoherenceTrap::node>("node", ColumnKind::kNode),
    column<&hw::CoherenceTrap::raised>("raised_cycle"),
    column<&hw::CoherenceTrap::line>("line_address"),
    column<&hw::CoherenceTrap::requester>("requesting_node", ColumnKind::kNode),
    column<&hw::CoherenceTrap::request>("request", ColumnKind::kRequest),
    time_of<&hw::CoherenceTrap::begin>("begin_cycle"),
    time_of<&hw::CoherenceTrap::end>("end_cycle"),
    column<&hw::CoherenceTrap::packets>("packets"),
};

constexpr std::array kSharedAccessColumns{
    column<&hw::SharedAccess::node>("node", ColumnKind::kNode),
    column<&hw::SharedAccess::sequence>("sequence"),
    column<&hw::SharedAccess::context>("context"),
    column<&hw::SharedAccess::cycle>("cycle"),
    column<&hw::SharedAccess::address>("address"),
    count_or_none<&hw::SharedAccess::loaded>("loaded"),
    count_or_none<&hw::SharedAccess::stored>("stored"),
};

constexpr std::array kLineStateColumns{
    column<&hw::LineState::node>("node", ColumnKind::kNode),
    column<&hw::LineState::sequence>("sequence"),
    column<&hw::LineState::cycle>("cycle"),
    column<&hw::LineState::line>("line_address"),
    column<&hw::LineState::state>("state", ColumnKind::kLineState),
    count_or_none<&hw::LineState::pointers>("pointers"),
};
static_assert(hw::SharedAccess::kNothing == -1 && hw::LineState::kOfCache == -1);

constexpr std::array kChannelIntervalColumns{
    column<&hw::ChannelInterval::channel>("channel", ColumnKind::kChannel),
    column<&hw::ChannelInterval::begin>("begin_cycle"),
    column<&hw::ChannelInterval::end>("end_cycle"),
    column<&hw::ChannelInterval::flits>("flits"),
    column<&hw::ChannelInterval::header_waits>("header_wait_cycles"),
};

constexpr std::array kQueueIntervalColumns{
    column<&QueueIntervalRow::node>("node", ColumnKind::kNode),
    column<&QueueIntervalRow::queue>("queue", ColumnKind::kQueue),
    column<&QueueIntervalRow::begin>("begin_cycle"),
    column<&QueueIntervalRow::end>("end_cycle"),
    column<&QueueIntervalRow::byte_cycles>("byte_cycles"),
    column<&QueueIntervalRow::most>("most_bytes"),
};

constexpr std::array kMarkColumns{
    column<&MarkRow::node>("node", ColumnKind::kNode),
    column<&MarkRow::name>("name", ColumnKind::kMarkName),
    column<&MarkRow::occurrence>("occurrence"),
    column<&MarkRow::cycle>("cycle"),
    column<&MarkRow::value>("value", ColumnKind::kAny),
};

}  // namespace

MessageRow row_of(const hw::Message& message) {
    return {.id = message.id,
            .parent = message.parent,
            .destination = message.destination,
            .argument_words = message.word_count - kHeaderAndHandlerWords,
            .bytes = message.bytes,
            .body_bytes = message.body_bytes,
            .hops = message.hops,
            .unloaded = message.unloaded,
            .launch_blocked = message.launch_blocked,
            .restored_words = message.restored_words,
            .times = message.times};
}

template <>
const Table<MessageRow>& table_of<MessageRow>() {
    static constexpr Table<MessageRow> kTable{"messages", kMessageColumns, 1};
    return kTable;
}
template <>
const Table<CoreIntervalRow>& table_of<CoreIntervalRow>() {
    static constexpr Table<CoreIntervalRow> kTable{"core_intervals", kCoreIntervalColumns, 2};
    return kTable;
}
template <>
const Table<QueueLevelRow>& table_of<QueueLevelRow>() {
    static constexpr Table<QueueLevelRow> kTable{"queue_levels", kQueueLevelColumns, 3};
    return kTable;
}
template <>
const Table<hw::DmaTransfer>& table_of<hw::DmaTransfer>() {
    static constexpr Table<hw::DmaTransfer> kTable{"dma_transfers", kDmaTransferColumns, 3};
    return kTable;
}
template <>
const Table<hw::Stall>& table_of<hw::Stall>() {
    static constexpr Table<hw::Stall> kTable{"stalls", kStallColumns, 3};
    return kTable;
}
template <>
const Table<hw::SharedTransaction>& table_of<hw::SharedTransaction>() {
    static constexpr Table<hw::SharedTransaction> kTable{"transactions", kTransactionColumns, 3};
    return kTable;
}
template <>
const Table<hw::CoherenceTrap>& table_of<hw::CoherenceTrap>() {
    static constexpr Table<hw::CoherenceTrap> kTable{"coherence_traps", kCoherenceTrapColumns, 4};
    return kTable;
}
template <>
const Table<hw::SharedAccess>& table_of<hw::SharedAccess>() {
    static constexpr Table<hw::SharedAccess> kTable{"shared_accesses", kSharedAccessColumns, 2};
    return kTable;
}
template <>
const Table<hw::LineState>& table_of<hw::LineState>() {
    static constexpr Table<hw::LineState> kTable{"line_states", kLineStateColumns, 2};
    return kTable;
}
template <>
const Table<hw::ChannelInterval>& table_of<hw::ChannelInterval>() {
    static constexpr Table<hw::ChannelInterval> kTable{"channel_intervals", kChannelIntervalColumns,
                                                       2};
    return kTable;
}
template <>
const Table<QueueIntervalRow>& table_of<QueueIntervalRow>() {
    static constexpr Table<QueueIntervalRow> kTable{"queue_intervals", kQueueIntervalColumns, 3};
    return kTable;
}
template <>
const Table<MarkRow>& table_of<MarkRow>() {
    static constexpr Table<MarkRow> kTable{"marks", kMarkColumns, 3};
    return kTable;
}

}  // namespace weir::experiments::trace
