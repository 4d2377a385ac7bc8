#include "experiments/trace/rows/table_columns.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "experiments/trace/rows/trace_schema.h"
#include "memory/coherence/line_states.h"

namespace weir::experiments::trace {

namespace {

constexpr int kHeaderAndHandlerWords = 2;

// How a member's type goes into a column and comes out of it.
std::int64_t to_number(std::int64_t member) { return member; }
std::int64_t to_number(hw::NodeId member) { return member.index(); }
std::int64_t to_number(hw::MessageId member) {
    return member.valid() ? stored_message_id(member) : kAbsent;
}
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
void from_number(std::int64_t value, hw::NodeId& member) {
    member = hw::NodeId(static_cast<std::int32_t>(value));
}
void from_number(std::int64_t value, hw::MessageId& member) {
    member = value == kAbsent ? hw::MessageId{} : message_id_of(value);
}
template <class Unit>
void from_number(std::int64_t value, hw::Quantity<Unit>& member) {
    member = hw::Quantity<Unit>(value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void from_number(std::int64_t value, Enum& member) { member = static_cast<Enum>(value); }

// A time that was not reached, and the count of what there is none of.
bool is_absent(hw::Cycles time) { return time >= hw::kNever; }
bool is_absent(std::int64_t count) { return count < 0; }
void make_absent(hw::Cycles& time) { time = hw::kNever; }
void make_absent(std::int64_t& count) { count = -1; }
static_assert(hw::SharedAccess::kNothing == -1 && hw::LineState::kOfCache == -1);

template <class Member>
constexpr ColumnKind kKindOf = ColumnKind::kCount;
template <>
constexpr ColumnKind kKindOf<hw::NodeId> = ColumnKind::kNode;
template <>
constexpr ColumnKind kKindOf<hw::MessageId> = ColumnKind::kMessage;
template <>
constexpr ColumnKind kKindOf<hw::CoreState> = ColumnKind::kState;
template <>
constexpr ColumnKind kKindOf<hw::QueueKind> = ColumnKind::kQueue;
template <>
constexpr ColumnKind kKindOf<hw::DmaKind> = ColumnKind::kEngine;
template <>
constexpr ColumnKind kKindOf<hw::StallPlace> = ColumnKind::kPlace;
template <>
constexpr ColumnKind kKindOf<hw::SharedRequest> = ColumnKind::kRequest;
template <>
constexpr ColumnKind kKindOf<bool> = ColumnKind::kFlag;

template <class Row, class Member>
Row row_type(Member Row::*);
template <class Row, class Member>
Member member_type(Member Row::*);

/// What a column's member does not say of it.
struct ColumnRule {
    std::optional<ColumnKind> kind{};
    std::size_t comment_at = 0;  ///< in the schema; 0: where the table's are
};

/// The column of one member of a row.
template <auto Member, class Row = decltype(row_type(Member))>
constexpr Column<Row> column(const char* name, const char* sentence = "", ColumnRule rule = {}) {
    return {name,
            sentence,
            rule.kind.value_or(kKindOf<decltype(member_type(Member))>),
            [](const Row& row) { return to_number(row.*Member); },
            [](Row& row, std::int64_t value) { from_number(value, row.*Member); },
            rule.comment_at};
}

/// The same of a time or a count that may be absent, of a row or of a part of it.
template <auto First, auto... Rest>
constexpr auto maybe(const char* name, const char* sentence = "", std::size_t comment_at = 0) {
    using Row = decltype(row_type(First));
    return Column<Row>{name,
                       sentence,
                       ColumnKind::kStage,
                       [](const Row& row) {
                           const auto& member = ((row.*First).*....*Rest);
                           return is_absent(member) ? kAbsent : to_number(member);
                       },
                       [](Row& row, std::int64_t value) {
                           auto& member = ((row.*First).*....*Rest);
                           value == kAbsent ? make_absent(member) : from_number(value, member);
                       },
                       comment_at};
}

template <auto Stage>
constexpr Column<MessageRow> stage(const char* name, const char* sentence) {
    constexpr std::size_t kCommentAt = 35;
    return maybe<&MessageRow::times, Stage>(name, sentence, kCommentAt);
}

/// A column that another one says already.
constexpr Column<MessageRow> part_of_id(const char* name, const char* sentence, ColumnKind kind,
                                        std::int64_t (*get)(const MessageRow&)) {
    return {name, sentence, kind, get, [](MessageRow& /*row*/, std::int64_t /*value*/) {}, 0, true};
}

constexpr std::array kMessageColumns{
    column<&MessageRow::id>("message_id", "source_node * 2^40 + sequence"),
    part_of_id("source_node", "", ColumnKind::kNode,
               [](const MessageRow& row) { return to_number(row.id.source); }),
    part_of_id("sequence", "messages this source launched before", ColumnKind::kCount,
               [](const MessageRow& row) { return row.id.sequence; }),
    column<&MessageRow::destination>("destination_node"),
    column<&MessageRow::parent>("parent_message_id",
                                "message whose handler sent this; NULL: the thread",
                                {.kind = ColumnKind::kMessageOrNone}),
    column<&MessageRow::argument_words>("argument_words",
                                        "words after the header and the handler's address",
                                        {.kind = ColumnKind::kAny}),
    column<&MessageRow::bytes>("message_bytes", "length on the wire"),
    column<&MessageRow::body_bytes>("body_bytes",
                                    "of these, what DMA engines move; 0: a short message"),
    column<&MessageRow::hops>("hops"),
    column<&MessageRow::unloaded>("unloaded_latency_cycles",
                                  "launch to header arrival, nothing in the way"),
    column<&MessageRow::launch_blocked>("launch_blocked_cycles",
                                        "the launch waited for room in the output queue"),
    column<&MessageRow::restored_words>("restored_words",
                                        "descriptor words saved and restored for a handler"),
    stage<&hw::MessageTimes::compose>("compose_cycle",
                                      "first store to the output descriptor was issued"),
    stage<&hw::MessageTimes::launch>("launch_cycle",
                                     "launch completed, the message is in the output queue"),
    stage<&hw::MessageTimes::network_entry>("network_entry_cycle",
                                            "first flit left the output queue"),
    stage<&hw::MessageTimes::send_dma_end>("send_dma_end_cycle",
                                           "last byte of its body was read from memory"),
    stage<&hw::MessageTimes::tail_entry>("tail_entry_cycle", "last flit left the output queue"),
    stage<&hw::MessageTimes::first_arrival>("first_arrival_cycle",
                                            "first flit entered the input queue"),
    stage<&hw::MessageTimes::header_arrival>(
        "header_arrival_cycle", "last flit of the 8-byte header entered the input queue"),
    stage<&hw::MessageTimes::tail_arrival>("tail_arrival_cycle",
                                           "last flit entered the input queue"),
    stage<&hw::MessageTimes::notify>("notify_cycle", "controller is ready to interrupt for it"),
    stage<&hw::MessageTimes::handler_begin>("handler_begin_cycle",
                                            "core entered the interrupt for it"),
    stage<&hw::MessageTimes::code_begin>("code_begin_cycle",
                                         "dispatch done, its handler's own code begins"),
    stage<&hw::MessageTimes::receive_dma_begin>("receive_dma_begin_cycle",
                                                "the DMA engine was set up for its body"),
    stage<&hw::MessageTimes::code_end>("code_end_cycle", "its handler's own code has returned"),
    stage<&hw::MessageTimes::receive_dma_end>("receive_dma_end_cycle",
                                              "last byte of its body was written to memory"),
    stage<&hw::MessageTimes::dispose>("dispose_cycle", "it left the input queue"),
    stage<&hw::MessageTimes::handler_end>("handler_end_cycle", "core left the interrupt"),
};

constexpr std::array kCoreIntervalColumns{
    column<&CoreIntervalRow::node>("node"),
    column<&CoreIntervalRow::begin>("begin_cycle"),
    column<&CoreIntervalRow::end>("end_cycle", "first cycle of the next state"),
    column<&CoreIntervalRow::state>("state", "core_states.state"),
    column<&CoreIntervalRow::message>("message_id",
                                      "the message handled; NULL in the thread's states",
                                      {.kind = ColumnKind::kMessageOrNone}),
};

constexpr std::array kQueueLevelColumns{
    column<&QueueLevelRow::node>("node"),
    column<&QueueLevelRow::queue>("queue", "queue_kinds.queue"),
    column<&QueueLevelRow::cycle>("cycle"),
    column<&QueueLevelRow::bytes>("bytes"),
    column<&QueueLevelRow::messages>("messages"),
};

constexpr std::array kDmaTransferColumns{
    column<&hw::DmaTransfer::node>("node"),
    column<&hw::DmaTransfer::engine>("engine", "dma_engines.engine"),
    column<&hw::DmaTransfer::begin>("begin_cycle"),
    column<&hw::DmaTransfer::end>("end_cycle", "first cycle after its last"),
    column<&hw::DmaTransfer::message>("message_id"),
    column<&hw::DmaTransfer::bytes>("bytes", "moved from memory or to it"),
    column<&hw::DmaTransfer::port_wait>(
        "port_wait_cycles", "of these cycles, waited for the memory port", {.comment_at = 41}),
    column<&hw::DmaTransfer::queue_wait>(
        "queue_wait_cycles",
        "and for room in the output queue (send) or for bytes in\nthe input queue (receive)"),
};

constexpr std::array kStallColumns{
    column<&hw::Stall::node>("node"),
    column<&hw::Stall::place>("place", "stall_places.place"),
    column<&hw::Stall::begin>("begin_cycle"),
    column<&hw::Stall::end>("end_cycle", "first cycle in which it went on"),
    column<&hw::Stall::waiting>("waiting_message_id",
                                "the message that had to stop; NULL like the next: not known",
                                {.kind = ColumnKind::kMessageOrNone}),
    column<&hw::Stall::holder>("holder_message_id",
                               "the one at the head of the queue it waited for",
                               {.kind = ColumnKind::kMessageOrNone}),
};

constexpr std::array kTransactionColumns{
    column<&hw::SharedTransaction::node>("node", "that asked", {.comment_at = 33}),
    column<&hw::SharedTransaction::begin>("begin_cycle",
                                          "no copy would do, and a transaction buffer was free"),
    column<&hw::SharedTransaction::line>("line_address"),
    column<&hw::SharedTransaction::home>("home_node"),
    column<&hw::SharedTransaction::request>("request", "shared_requests.request"),
    column<&hw::SharedTransaction::is_prefetch>("is_prefetch", "1: no access waited when it began"),
    column<&hw::SharedTransaction::busy_replies>(
        "busy_replies", "the home was too busy so often, or who has the line was"),
    column<&hw::SharedTransaction::invalidations>("invalidations",
                                                  "copies that the home had taken for it"),
    column<&hw::SharedTransaction::is_trapped>("is_trapped",
                                               "1: the home's software helped (coherence_traps)"),
    maybe<&hw::SharedTransaction::first_asked>(
        "first_asked_cycle", "the first request waits for the output queue, or the home"),
    maybe<&hw::SharedTransaction::asked>("asked_cycle",
                                         "the same of the request that the home served"),
    maybe<&hw::SharedTransaction::home_arrival>("home_arrival_cycle",
                                                "that has left the home's input queue"),
    maybe<&hw::SharedTransaction::home_begin>("home_begin_cycle", "the home begins with it"),
    maybe<&hw::SharedTransaction::first_invalidation>(
        "first_invalidation_cycle",
        "the first INV, INVR or forwarded request waits for the\noutput queue"),
    maybe<&hw::SharedTransaction::last_acknowledgement>(
        "last_acknowledgement_cycle",
        "the home begins with the last ACKC or UPDATE, or the node\nthat a request is forwarded to "
        "begins with it; NULL also\nwhere who asked gets the acknowledgements"),
    maybe<&hw::SharedTransaction::reply>("reply_cycle", "the reply waits for the output queue"),
    maybe<&hw::SharedTransaction::fill>("fill_cycle",
                                        "it is there, and so are acknowledgements to who asked"),
    maybe<&hw::SharedTransaction::use>(
        "use_cycle",
        "the access is performed; it ends after what a hit takes.\nNULL also where the line went "
        "into the cache unused"),
};

constexpr std::array kCoherenceTrapColumns{
    column<&hw::CoherenceTrap::node>("node", "the home"),
    column<&hw::CoherenceTrap::raised>("raised_cycle"),
    column<&hw::CoherenceTrap::line>("line_address"),
    column<&hw::CoherenceTrap::requester>("requesting_node", "that sent it", {.comment_at = 38}),
    column<&hw::CoherenceTrap::request>("request", "shared_requests.request"),
    maybe<&hw::CoherenceTrap::begin>("begin_cycle", "software asks which line it is"),
    maybe<&hw::CoherenceTrap::end>("end_cycle", "software has done with it"),
    column<&hw::CoherenceTrap::packets>("packets", "that software sent for it"),
};

constexpr std::array kSharedAccessColumns{
    column<&hw::SharedAccess::node>("node"),
    column<&hw::SharedAccess::sequence>("sequence",
                                        "words that the node's accesses have moved before"),
    column<&hw::SharedAccess::context>(
        "context",
        "whose program; handlers and traps come behind the threads';\n1000: the sending DMA "
        "engine, 1001: the receiving one,\n1002: what a home does for fetch-and-ops"),
    column<&hw::SharedAccess::cycle>("cycle", "in which it is performed"),
    column<&hw::SharedAccess::address>("address", "of the word"),
    maybe<&hw::SharedAccess::loaded>("loaded", "by a load or an exchange; else NULL"),
    maybe<&hw::SharedAccess::stored>("stored", "by a store or an exchange; else NULL"),
};

constexpr std::array kLineStateColumns{
    column<&hw::LineState::node>("node", "whose cache it is; or the home"),
    column<&hw::LineState::sequence>("sequence", "changes at the node before"),
    column<&hw::LineState::cycle>("cycle", "of several changes in a cycle the last one holds"),
    column<&hw::LineState::line>("line_address"),
    column<&hw::LineState::state>("state", "line_state_names.state",
                                  {.kind = ColumnKind::kLineState}),
    maybe<&hw::LineState::pointers>("pointers",
                                    "nodes that the directory names in hardware; NULL: of a cache"),
};

constexpr std::array kChannelIntervalColumns{
    column<&hw::ChannelInterval::channel>("channel", "channels.channel",
                                          {.kind = ColumnKind::kChannel}),
    column<&hw::ChannelInterval::begin>("begin_cycle"),
    column<&hw::ChannelInterval::end>("end_cycle", "first cycle of the next interval"),
    column<&hw::ChannelInterval::flits>("flits", "sent into it"),
    column<&hw::ChannelInterval::header_waits>("header_wait_cycles",
                                               "that headers at the front of its buffers waited "
                                               "for an\noutput; several at a time count each"),
};

constexpr std::array kQueueIntervalColumns{
    column<&QueueIntervalRow::node>("node"),
    column<&QueueIntervalRow::queue>("queue", "queue_kinds.queue"),
    column<&QueueIntervalRow::begin>("begin_cycle"),
    column<&QueueIntervalRow::end>("end_cycle", "first cycle of the next interval"),
    column<&QueueIntervalRow::byte_cycles>("byte_cycles",
                                           "over the interval's length the mean bytes"),
    column<&QueueIntervalRow::most>("most_bytes"),
};

constexpr std::array kMarkColumns{
    column<&MarkRow::node>("node"),
    column<&MarkRow::name>("name", "", {.kind = ColumnKind::kMarkName}),
    column<&MarkRow::occurrence>("occurrence", "how often this node passed this point before"),
    column<&MarkRow::cycle>("cycle"),
    column<&MarkRow::value>("value", "what the kernel said with it", {.kind = ColumnKind::kAny}),
};

constexpr std::tuple kTables{
    Table<MessageRow>{"messages", 'm',
                      "one row a message launched inside the window; a time is in cycles\nfrom the "
                      "start of the run, NULL where it was not reached",
                      kMessageColumns, 1, 47},
    Table<CoreIntervalRow>{"core_intervals", 'c',
                           "what a core did; one core's intervals that overlap the window\nfollow "
                           "each other without gap or overlap",
                           kCoreIntervalColumns, 2},
    Table<QueueLevelRow>{"queue_levels", 'q',
                         "what a node's queue held from `cycle` on, at the end of that cycle",
                         kQueueLevelColumns, 3},
    Table<hw::DmaTransfer>{
        "dma_transfers", 'd',
        "what a node's DMA engine did for one message; those that overlap\nthe window",
        kDmaTransferColumns, 3},
    Table<hw::Stall>{"stalls", 's',
                     "something stopped for want of room; those that overlap the window",
                     kStallColumns, 3},
    Table<hw::SharedTransaction>{
        "transactions", 't',
        "a node's request for a line of shared memory; those that began\ninside the window. A home "
        "that is too busy is asked again; a time\nat the home is that of the last request; NULL: "
        "not reached",
        kTransactionColumns, 3, 40},
    Table<hw::CoherenceTrap>{"coherence_traps", 'p',
                             "a packet of the coherence protocol that a home handed to "
                             "its\nsoftware; those handed over inside the window",
                             kCoherenceTrapColumns, 4},
    Table<hw::SharedAccess>{
        "shared_accesses", 'a',
        "a word of shared memory that an access inside the window has moved;\nan access to two "
        "words has two rows, and one narrower than a word\nthat of the word around it",
        kSharedAccessColumns, 2},
    Table<hw::LineState>{
        "line_states", 'l',
        "what a line of shared memory is to a node's cache, or to its home,\nfrom a cycle on; only "
        "with trace.line_states, and up to the\nwindow's end. At first no node has a copy",
        kLineStateColumns, 2},
    Table<hw::ChannelInterval>{"channel_intervals", 'u',
                               "what a channel saw from one cycle to another, copies of "
                               "the\nnetwork and virtual channels together; no row: nothing",
                               kChannelIntervalColumns, 2},
    Table<QueueIntervalRow>{"queue_intervals", 'v',
                            "what a node's queue held from one cycle to another; no row: nothing",
                            kQueueIntervalColumns, 3},
    Table<MarkRow>{"marks", 'k', "a kernel's thread passed a named point; kept whatever the window",
                   kMarkColumns, 3},
};

template <class Kind, class NameOf>
std::vector<std::string> names_up_to(Kind last, const NameOf& name_of) {
    std::vector<std::string> names;
    for (std::int64_t number = 0; number <= static_cast<std::int64_t>(last); ++number) {
        names.emplace_back(name_of(static_cast<Kind>(number)));
    }
    return names;
}

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

template <class Row>
const Table<Row>& table_of() {
    return std::get<Table<Row>>(kTables);
}
template const Table<MessageRow>& table_of();
template const Table<CoreIntervalRow>& table_of();
template const Table<QueueLevelRow>& table_of();
template const Table<hw::DmaTransfer>& table_of();
template const Table<hw::Stall>& table_of();
template const Table<hw::SharedTransaction>& table_of();
template const Table<hw::CoherenceTrap>& table_of();
template const Table<hw::SharedAccess>& table_of();
template const Table<hw::LineState>& table_of();
template const Table<hw::ChannelInterval>& table_of();
template const Table<QueueIntervalRow>& table_of();
template const Table<MarkRow>& table_of();

const std::vector<NameTable>& name_tables() {
    static const std::vector<NameTable> tables{
        {ColumnKind::kState, "core_states", "state", "the names behind core_intervals.state",
         "compute, send, blocked, dma, wait (all the thread's), handler,\ntrap (an overflow trap), "
         "done; only where a core was in them\nswitch (from one context to the next) and "
         "memory_wait (the\nthread's access waits for a line of shared memory)",
         names_up_to(hw::CoreState::kMemoryWait, hw::core_state_name)},
        {ColumnKind::kQueue,
         "queue_kinds",
         "queue",
         "the names behind queue_levels.queue",
         "output, input",
         {"output", "input"}},
        {ColumnKind::kEngine, "dma_engines", "engine", "the names behind dma_transfers.engine",
         "send, receive", names_up_to(hw::DmaKind::kReceive, hw::dma_name)},
        {ColumnKind::kPlace, "stall_places", "place", "the names behind stalls.place",
         "launch: waits for the output queue, or the end of another gather;\ninput queue: an "
         "arrived flit waits, the network behind it stops",
         names_up_to(hw::StallPlace::kInputQueue, hw::stall_place_name)},
        {ColumnKind::kRequest, "shared_requests", "request",
         "the names behind transactions.request and coherence_traps.request",
         "read: a copy; write: the only copy; modify: that the copy to read\nthat the node has "
         "becomes the only one. To software alone:\nreplace: the only copy is given up; "
         "acknowledge: a copy is gone",
         names_up_to(hw::SharedRequest::kAcknowledge, hw::shared_request_name)},
        {ColumnKind::kLineState, "line_state_names", "state", "the names behind line_states.state",
         "cache: Read-Write: the node's cache has the only copy; home:\nTrap-On-Write: the home's "
         "software knows more copies",
         names_up_to(std::int64_t{memory::kLineStates} - 1, memory::name_of_line_state)},
        {ColumnKind::kChannel,
         "channels",
         "channel",
         "the names behind channel_intervals.channel; only with\ntrace.interval_cycles, as the "
         "next two",
         "(7,0) +x: from the router at (7,0) to the next higher x. Of a\nmesh without virtual "
         "channels those between routers alone; of\nother networks those to and from the nodes too",
         {}},
    };
    return tables;
}

const NameTable* name_table_of(ColumnKind kind) {
    const std::vector<NameTable>& all = name_tables();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [kind](const NameTable& table) { return table.kind == kind; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace weir::experiments::trace
