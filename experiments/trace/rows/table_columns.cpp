#include "experiments/trace/rows/table_columns.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "experiments/trace/rows/trace_schema.h"
#include "memory/coherence/line_states.h"

namespace weir::experiments::trace {

namespace {

constexpr int kHeaderAndHandlerWords = 2;

// Conversion between a member of a row and the number in its column.
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

// Absent values: a time that was not reached, and a count that does not apply.
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

/// Properties of a column that do not follow from its member's type.
struct ColumnRule {
    std::optional<ColumnKind> kind{};
    /// Column of the comment in the schema's text; 0: the table's comment_at.
    std::size_t comment_at = 0;
};

/// Column of one member of a row.
template <auto Member, class Row = decltype(row_type(Member))>
constexpr Column<Row> column(const char* name, const char* sentence = "", ColumnRule rule = {}) {
    return {name,
            sentence,
            rule.kind.value_or(kKindOf<decltype(member_type(Member))>),
            [](const Row& row) { return to_number(row.*Member); },
            [](Row& row, std::int64_t value) { from_number(value, row.*Member); },
            rule.comment_at};
}

/// Column of a time or a count that may be absent, in a row or in a part of it.
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

/// Column that repeats a part of the message's id.
constexpr Column<MessageRow> part_of_id(const char* name, const char* sentence, ColumnKind kind,
                                        std::int64_t (*get)(const MessageRow&)) {
    return {name, sentence, kind, get, [](MessageRow& /*row*/, std::int64_t /*value*/) {}, 0, true};
}

constexpr std::array kMessageColumns{
    column<&MessageRow::id>("message_id", "source_node * 2^40 + sequence"),
    part_of_id("source_node", "", ColumnKind::kNode,
               [](const MessageRow& row) { return to_number(row.id.source); }),
    part_of_id("sequence", "number of earlier launches of this source", ColumnKind::kCount,
               [](const MessageRow& row) { return row.id.sequence; }),
    column<&MessageRow::destination>("destination_node"),
    column<&MessageRow::parent>("parent_message_id",
                                "message whose handler sent it; NULL: sent by a thread",
                                {.kind = ColumnKind::kMessageOrNone}),
    column<&MessageRow::argument_words>(
        "argument_words", "words after header and handler's address", {.kind = ColumnKind::kAny}),
    column<&MessageRow::bytes>("message_bytes", "length on the wire"),
    column<&MessageRow::body_bytes>("body_bytes", "part that DMA engines move; 0: a short message"),
    column<&MessageRow::hops>("hops"),
    column<&MessageRow::unloaded>("unloaded_latency_cycles",
                                  "launch to header arrival if uncontended"),
    column<&MessageRow::launch_blocked>("launch_blocked_cycles",
                                        "wait of the launch for the output queue"),
    column<&MessageRow::restored_words>("restored_words",
                                        "descriptor words saved and restored for\nits interrupt"),
    stage<&hw::MessageTimes::compose>("compose_cycle",
                                      "issue of the first store to the output descriptor"),
    stage<&hw::MessageTimes::launch>("launch_cycle",
                                     "end of the launch: the message is in the output queue"),
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
    stage<&hw::MessageTimes::notify>("notify_cycle", "controller was ready to interrupt for it"),
    stage<&hw::MessageTimes::handler_begin>("handler_begin_cycle",
                                            "core entered the interrupt for it"),
    stage<&hw::MessageTimes::code_begin>("code_begin_cycle",
                                         "end of dispatch: its handler's own code began"),
    stage<&hw::MessageTimes::receive_dma_begin>("receive_dma_begin_cycle",
                                                "the DMA engine was set up for its body"),
    stage<&hw::MessageTimes::code_end>("code_end_cycle", "its handler's own code returned"),
    stage<&hw::MessageTimes::receive_dma_end>("receive_dma_end_cycle",
                                              "last byte of its body was written to memory"),
    stage<&hw::MessageTimes::dispose>("dispose_cycle", "the message left the input queue"),
    stage<&hw::MessageTimes::handler_end>("handler_end_cycle", "core left the interrupt"),
};

constexpr std::array kCoreIntervalColumns{
    column<&CoreIntervalRow::node>("node"),
    column<&CoreIntervalRow::begin>("begin_cycle"),
    column<&CoreIntervalRow::end>("end_cycle", "first cycle of the next state"),
    column<&CoreIntervalRow::state>("state", "core_states.state"),
    column<&CoreIntervalRow::message>("message_id", "handled message; NULL in the thread's states",
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
    column<&hw::DmaTransfer::end>("end_cycle", "first cycle after the transfer"),
    column<&hw::DmaTransfer::message>("message_id"),
    column<&hw::DmaTransfer::bytes>("bytes", "read from memory or written to it"),
    column<&hw::DmaTransfer::port_wait>("port_wait_cycles",
                                        "cycles that the transfer waited for the memory port",
                                        {.comment_at = 41}),
    column<&hw::DmaTransfer::queue_wait>(
        "queue_wait_cycles",
        "cycles that the transfer waited for room in the output\nqueue (send) or for bytes in the "
        "input queue (receive)"),
};

constexpr std::array kStallColumns{
    column<&hw::Stall::node>("node"),
    column<&hw::Stall::place>("place", "stall_places.place"),
    column<&hw::Stall::begin>("begin_cycle"),
    column<&hw::Stall::end>("end_cycle", "first cycle after the stall"),
    column<&hw::Stall::waiting>("waiting_message_id",
                                "stopped message; NULL: unknown, also in the next column",
                                {.kind = ColumnKind::kMessageOrNone}),
    column<&hw::Stall::holder>("holder_message_id",
                               "message at the head of the queue that it waited for",
                               {.kind = ColumnKind::kMessageOrNone}),
};

constexpr std::array kTransactionColumns{
    column<&hw::SharedTransaction::node>("node", "requesting node", {.comment_at = 33}),
    column<&hw::SharedTransaction::begin>("begin_cycle",
                                          "an access missed, and a transaction buffer was free"),
    column<&hw::SharedTransaction::line>("line_address"),
    column<&hw::SharedTransaction::home>("home_node"),
    column<&hw::SharedTransaction::request>("request", "shared_requests.request"),
    column<&hw::SharedTransaction::is_prefetch>("is_prefetch",
                                                "1: the request began without a waiting access"),
    column<&hw::SharedTransaction::busy_replies>(
        "busy_replies", "number of busy replies of the home or the line's owner"),
    column<&hw::SharedTransaction::invalidations>(
        "invalidations", "number of copies that the home invalidated for it"),
    column<&hw::SharedTransaction::is_trapped>(
        "is_trapped", "1: the home's software handled it (coherence_traps)"),
    maybe<&hw::SharedTransaction::first_asked>(
        "first_asked_cycle", "the first request was ready for the output queue, or\nthe home"),
    maybe<&hw::SharedTransaction::asked>(
        "asked_cycle",
        "the request that the home served was ready for the\noutput queue, or the home"),
    maybe<&hw::SharedTransaction::home_arrival>("home_arrival_cycle",
                                                "the request left the home's input queue"),
    maybe<&hw::SharedTransaction::home_begin>("home_begin_cycle",
                                              "the home began to serve the request"),
    maybe<&hw::SharedTransaction::first_invalidation>(
        "first_invalidation_cycle",
        "the first INV, INVR or forwarded request was ready for\nthe output queue"),
    maybe<&hw::SharedTransaction::last_acknowledgement>(
        "last_acknowledgement_cycle",
        "the home began to serve the last ACKC or UPDATE; for a\nforwarded request the owner began "
        "to "
        "serve it. NULL also\nif the requesting node collects the acknowledgements"),
    maybe<&hw::SharedTransaction::reply>("reply_cycle", "the reply was ready for the output queue"),
    maybe<&hw::SharedTransaction::fill>(
        "fill_cycle", "the reply and all acknowledgements to the requesting node\nhad arrived"),
    maybe<&hw::SharedTransaction::use>(
        "use_cycle",
        "the first access was performed; it ends after the time of\na hit. NULL also if the line "
        "went into the cache unused"),
};

constexpr std::array kCoherenceTrapColumns{
    column<&hw::CoherenceTrap::node>("node", "the home"),
    column<&hw::CoherenceTrap::raised>("raised_cycle"),
    column<&hw::CoherenceTrap::line>("line_address"),
    column<&hw::CoherenceTrap::requester>("requesting_node", "sender of the packet",
                                          {.comment_at = 38}),
    column<&hw::CoherenceTrap::request>("request", "shared_requests.request"),
    maybe<&hw::CoherenceTrap::begin>("begin_cycle", "software asked for the packet's line"),
    maybe<&hw::CoherenceTrap::end>("end_cycle", "software finished with the packet"),
    column<&hw::CoherenceTrap::packets>("packets",
                                        "number of packets that software sent for this one"),
};

constexpr std::array kSharedAccessColumns{
    column<&hw::SharedAccess::node>("node"),
    column<&hw::SharedAccess::sequence>("sequence",
                                        "number of words that the node's earlier accesses moved"),
    column<&hw::SharedAccess::context>(
        "context",
        "context of the program; those of handlers and traps follow\nthe threads'. 1000: sending "
        "DMA "
        "engine, 1001: receiving\nDMA engine, 1002: fetch-and-ops of a home"),
    column<&hw::SharedAccess::cycle>("cycle", "cycle in which the access is performed"),
    column<&hw::SharedAccess::address>("address",
                                       "address of the word, plus 1 for its full/empty bit"),
    maybe<&hw::SharedAccess::loaded>("loaded", "value that a load or an exchange read; else NULL"),
    maybe<&hw::SharedAccess::stored>("stored",
                                     "value that a store or an exchange wrote; else NULL"),
};

constexpr std::array kLineStateColumns{
    column<&hw::LineState::node>("node", "node of the cache, or the home"),
    column<&hw::LineState::sequence>("sequence", "number of earlier changes at the node"),
    column<&hw::LineState::cycle>("cycle",
                                  "cycle of the change; the last of several in a cycle holds"),
    column<&hw::LineState::line>("line_address"),
    column<&hw::LineState::state>("state", "line_state_names.state",
                                  {.kind = ColumnKind::kLineState}),
    maybe<&hw::LineState::pointers>("pointers",
                                    "nodes in the directory's hardware pointers; NULL: a cache"),
};

constexpr std::array kChannelIntervalColumns{
    column<&hw::ChannelInterval::channel>("channel", "channels.channel",
                                          {.kind = ColumnKind::kChannel}),
    column<&hw::ChannelInterval::begin>("begin_cycle"),
    column<&hw::ChannelInterval::end>("end_cycle", "first cycle of the next interval"),
    column<&hw::ChannelInterval::flits>("flits", "number of flits sent into the channel"),
    column<&hw::ChannelInterval::header_waits>("header_wait_cycles",
                                               "sum of the waits of headers at the front of its "
                                               "buffers\nfor an output"),
};

constexpr std::array kQueueIntervalColumns{
    column<&QueueIntervalRow::node>("node"),
    column<&QueueIntervalRow::queue>("queue", "queue_kinds.queue"),
    column<&QueueIntervalRow::begin>("begin_cycle"),
    column<&QueueIntervalRow::end>("end_cycle", "first cycle of the next interval"),
    column<&QueueIntervalRow::byte_cycles>(
        "byte_cycles", "bytes summed over cycles; divided by the\ninterval's length: mean bytes"),
    column<&QueueIntervalRow::most>("most_bytes"),
};

constexpr std::array kMarkColumns{
    column<&MarkRow::node>("node"),
    column<&MarkRow::name>("name", "", {.kind = ColumnKind::kMarkName}),
    column<&MarkRow::occurrence>("occurrence", "number of this node's earlier passages"),
    column<&MarkRow::cycle>("cycle"),
    column<&MarkRow::value>("value", "value that the kernel passed with the mark",
                            {.kind = ColumnKind::kAny}),
};

constexpr std::tuple kTables{
    Table<MessageRow>{
        "messages", 'm',
        "messages launched inside the window. Times are cycles from the\nbegin of the run; "
        "NULL: not reached",
        kMessageColumns, 1, 47},
    Table<CoreIntervalRow>{
        "core_intervals", 'c',
        "states of cores that overlap the window. Intervals of a core\nfollow each "
        "other without gap or overlap",
        kCoreIntervalColumns, 2},
    Table<QueueLevelRow>{"queue_levels", 'q',
                         "contents of a node's queue from the end of `cycle` on",
                         kQueueLevelColumns, 3},
    Table<hw::DmaTransfer>{"dma_transfers", 'd',
                           "transfers of DMA engines for one message each that overlap the\nwindow",
                           kDmaTransferColumns, 3},
    Table<hw::Stall>{"stalls", 's',
                     "waits of launches and of arrived flits for room that overlap\nthe window",
                     kStallColumns, 3},
    Table<hw::SharedTransaction>{
        "transactions", 't',
        "requests of nodes for lines of shared memory that began inside\nthe window. A request is "
        "repeated after a busy reply; times at\nthe home are those of the last request. NULL: "
        "not reached",
        kTransactionColumns, 3, 40},
    Table<hw::CoherenceTrap>{"coherence_traps", 'p',
                             "packets of the coherence protocol that homes handed to "
                             "their\nsoftware inside the window",
                             kCoherenceTrapColumns, 4},
    Table<hw::SharedAccess>{
        "shared_accesses", 'a',
        "words of shared memory that accesses inside the window moved. An\naccess to two words has "
        "two rows; a narrower one has the row\nof the word around it",
        kSharedAccessColumns, 2},
    Table<hw::LineState>{
        "line_states", 'l',
        "states of lines of shared memory in caches and at homes, from a\ncycle on, up to the "
        "window's end; only with\ntrace.line_states. At first no node has a copy",
        kLineStateColumns, 2},
    Table<hw::ChannelInterval>{
        "channel_intervals", 'u',
        "traffic of channels by interval, summed over copies of the\nnetwork "
        "and virtual channels; no row: no traffic",
        kChannelIntervalColumns, 2},
    Table<QueueIntervalRow>{"queue_intervals", 'v',
                            "contents of nodes' queues by interval; no row: empty",
                            kQueueIntervalColumns, 3},
    Table<MarkRow>{"marks", 'k', "passages of named points by a kernel's threads, in any cycle",
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
        {ColumnKind::kState, "core_states", "state", "names of the numbers in core_intervals.state",
         "compute, send, blocked, dma and wait are states of a thread;\nhandler; trap: an overflow "
         "trap; done. Three more if a core was in\nthem. switch: from one context to the "
         "next. memory_wait: an\naccess waits for a line of shared memory. synchronize: a "
         "thread\nwaits for another one (a lock, a barrier, a signal)",
         names_up_to(hw::CoreState::kSynchronize, hw::core_state_name)},
        {ColumnKind::kQueue,
         "queue_kinds",
         "queue",
         "names of the numbers in queue_levels.queue",
         "output, input",
         {"output", "input"}},
        {ColumnKind::kEngine, "dma_engines", "engine",
         "names of the numbers in dma_transfers.engine", "send, receive",
         names_up_to(hw::DmaKind::kReceive, hw::dma_name)},
        {ColumnKind::kPlace, "stall_places", "place", "names of the numbers in stalls.place",
         "launch: a launch waits for the output queue, or for the sending\nDMA engine; input "
         "queue: an arrived flit waits and stops the\nnetwork behind it",
         names_up_to(hw::StallPlace::kInputQueue, hw::stall_place_name)},
        {ColumnKind::kRequest, "shared_requests", "request",
         "names of transactions.request and coherence_traps.request",
         "read: for a copy; write: for the only copy; modify: turns the\nnode's read-only copy "
         "into "
         "the only copy. Only to software:\nreplace: the only copy was given up; "
         "acknowledge: a copy was\ninvalidated",
         names_up_to(hw::SharedRequest::kAcknowledge, hw::shared_request_name)},
        {ColumnKind::kLineState, "line_state_names", "state",
         "names of the numbers in line_states.state",
         "cache, for example Read-Write: it has the only copy; home, for\nexample Trap-On-Write: "
         "its "
         "software knows further copies",
         names_up_to(std::int64_t{memory::kLineStates} - 1, memory::name_of_line_state)},
        {ColumnKind::kChannel,
         "channels",
         "channel",
         "names of the numbers in channel_intervals.channel; only with\ntrace.interval_cycles, as "
         "the next two tables",
         "(7,0) +x: from the router at (7,0) to the next higher x. A mesh\nwithout virtual "
         "channels "
         "has only those between routers;\nother networks also those to and from the nodes",
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
