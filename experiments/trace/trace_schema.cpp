#include "experiments/trace/trace_schema.h"

#include <fmt/format.h>

namespace weir::experiments::trace {

namespace {

constexpr const char* kTraceSchema = R"sql(
CREATE TABLE run (               -- what was run; keys that start with 'host_' don't enter the digest
    key TEXT NOT NULL PRIMARY KEY,  -- always there: schema_version, node_count, complete ('yes' once
                                    -- the run has ended, 'no' in the trace of one that was killed),
                                    -- window_begin_cycle and window_end_cycle ('never': no limit)
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE messages (          -- one row a message launched inside the window; a time is in cycles
                                 -- from the start of the run, NULL where it was not reached
    message_id INTEGER PRIMARY KEY,            -- source_node * 2^40 + sequence
    source_node INTEGER NOT NULL,
    sequence INTEGER NOT NULL,                 -- messages this source launched before
    destination_node INTEGER NOT NULL,
    parent_message_id INTEGER,                 -- message whose handler sent this; NULL: the thread
    argument_words INTEGER NOT NULL,           -- words after the header and the handler's address
    message_bytes INTEGER NOT NULL,            -- length on the wire
    hops INTEGER NOT NULL,
    unloaded_latency_cycles INTEGER NOT NULL,  -- launch to header arrival, nothing in the way
    launch_blocked_cycles INTEGER NOT NULL,    -- the launch waited for room in the output queue
    restored_words INTEGER NOT NULL,           -- descriptor words saved and restored for a handler
    compose_cycle INTEGER,         -- first store to the output descriptor was issued
    launch_cycle INTEGER,          -- launch completed, the message is in the output queue
    network_entry_cycle INTEGER,   -- first flit left the output queue
    tail_entry_cycle INTEGER,      -- last flit left the output queue
    first_arrival_cycle INTEGER,   -- first flit entered the input queue
    header_arrival_cycle INTEGER,  -- last flit of the 8-byte header entered the input queue
    tail_arrival_cycle INTEGER,    -- last flit entered the input queue
    notify_cycle INTEGER,          -- controller is ready to interrupt for it
    handler_begin_cycle INTEGER,   -- core entered the interrupt for it
    body_begin_cycle INTEGER,      -- dispatch done, its handler's own code begins
    body_end_cycle INTEGER,        -- its handler's own code has returned
    dispose_cycle INTEGER,         -- it left the input queue
    handler_end_cycle INTEGER      -- core left the interrupt
);

CREATE TABLE core_states (       -- the names behind core_intervals.state
    state INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- compute, send, blocked, wait (all the thread's), handler, done
);

CREATE TABLE core_intervals (    -- what a core did; one core's intervals that overlap the window
                                 -- follow each other without gap or overlap
    node INTEGER NOT NULL,
    begin_cycle INTEGER NOT NULL,
    end_cycle INTEGER NOT NULL,  -- first cycle of the next state
    state INTEGER NOT NULL,      -- core_states.state
    message_id INTEGER,          -- the message handled; NULL in the thread's states
    PRIMARY KEY (node, begin_cycle)
) WITHOUT ROWID;

CREATE TABLE queue_kinds (       -- the names behind queue_levels.queue
    queue INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- output, input
);

CREATE TABLE queue_levels (      -- what a node's queue held from `cycle` on, at the end of that cycle
    node INTEGER NOT NULL,
    queue INTEGER NOT NULL,      -- queue_kinds.queue
    cycle INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    PRIMARY KEY (node, queue, cycle)
) WITHOUT ROWID;

CREATE TABLE marks (             -- a kernel's thread passed a named point; kept whatever the window
    node INTEGER NOT NULL,
    name TEXT NOT NULL,
    occurrence INTEGER NOT NULL, -- how often this node passed this point before
    cycle INTEGER NOT NULL,
    value INTEGER NOT NULL,      -- what the kernel said with it
    PRIMARY KEY (node, name, occurrence)
) WITHOUT ROWID;
)sql";

}  // namespace

const char* trace_schema() { return kTraceSchema; }

std::string describe_message(std::int64_t stored) {
    const hw::MessageId id = message_id_of(stored);
    return fmt::format("message {} of node {}", id.sequence, id.source.index());
}

}  // namespace weir::experiments::trace
