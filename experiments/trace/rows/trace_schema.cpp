#include "experiments/trace/rows/trace_schema.h"

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
    body_bytes INTEGER NOT NULL,               -- of these, what DMA engines move; 0: a short message
    hops INTEGER NOT NULL,
    unloaded_latency_cycles INTEGER NOT NULL,  -- launch to header arrival, nothing in the way
    launch_blocked_cycles INTEGER NOT NULL,    -- the launch waited for room in the output queue
    restored_words INTEGER NOT NULL,           -- descriptor words saved and restored for a handler
    compose_cycle INTEGER,         -- first store to the output descriptor was issued
    launch_cycle INTEGER,          -- launch completed, the message is in the output queue
    network_entry_cycle INTEGER,   -- first flit left the output queue
    send_dma_end_cycle INTEGER,    -- last byte of its body was read from memory
    tail_entry_cycle INTEGER,      -- last flit left the output queue
    first_arrival_cycle INTEGER,   -- first flit entered the input queue
    header_arrival_cycle INTEGER,  -- last flit of the 8-byte header entered the input queue
    tail_arrival_cycle INTEGER,    -- last flit entered the input queue
    notify_cycle INTEGER,          -- controller is ready to interrupt for it
    handler_begin_cycle INTEGER,   -- core entered the interrupt for it
    code_begin_cycle INTEGER,      -- dispatch done, its handler's own code begins
    receive_dma_begin_cycle INTEGER,  -- the DMA engine was set up for its body
    code_end_cycle INTEGER,        -- its handler's own code has returned
    receive_dma_end_cycle INTEGER, -- last byte of its body was written to memory
    dispose_cycle INTEGER,         -- it left the input queue
    handler_end_cycle INTEGER      -- core left the interrupt
);

CREATE TABLE core_states (       -- the names behind core_intervals.state
    state INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- compute, send, blocked, dma, wait (all the thread's), handler,
                                 -- trap (an overflow trap), done; only where a core was in them
                                 -- switch (from one context to the next) and memory_wait (the
                                 -- thread's access waits for a line of shared memory)
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

CREATE TABLE dma_engines (       -- the names behind dma_transfers.engine
    engine INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- send, receive
);

CREATE TABLE dma_transfers (     -- what a node's DMA engine did for one message; those that overlap
                                 -- the window
    node INTEGER NOT NULL,
    engine INTEGER NOT NULL,     -- dma_engines.engine
    begin_cycle INTEGER NOT NULL,
    end_cycle INTEGER NOT NULL,  -- first cycle after its last
    message_id INTEGER NOT NULL,
    bytes INTEGER NOT NULL,      -- moved from memory or to it
    port_wait_cycles INTEGER NOT NULL,   -- of these cycles, waited for the memory port
    queue_wait_cycles INTEGER NOT NULL,  -- and for room in the output queue (send) or for bytes in
                                         -- the input queue (receive)
    PRIMARY KEY (node, engine, begin_cycle)
) WITHOUT ROWID;

CREATE TABLE stall_places (      -- the names behind stalls.place
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- launch: waits for the output queue, or the end of another gather;
                                 -- input queue: an arrived flit waits, the network behind it stops
);

CREATE TABLE stalls (            -- something stopped for want of room; those that overlap the window
    node INTEGER NOT NULL,
    place INTEGER NOT NULL,      -- stall_places.place
    begin_cycle INTEGER NOT NULL,
    end_cycle INTEGER NOT NULL,  -- first cycle in which it went on
    waiting_message_id INTEGER,  -- the message that had to stop; NULL like the next: not known
    holder_message_id INTEGER,   -- the one at the head of the queue it waited for
    PRIMARY KEY (node, place, begin_cycle)
) WITHOUT ROWID;

CREATE TABLE shared_requests (   -- the names behind transactions.request and coherence_traps.request
    request INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- read: a copy; write: the only copy; modify: that the copy to read
                                 -- that the node has becomes the only one. To software alone:
                                 -- replace: the only copy is given up; acknowledge: a copy is gone
);

CREATE TABLE transactions (      -- a node's request for a line of shared memory; those that began
                                 -- inside the window. A home that is too busy is asked again; a time
                                 -- at the home is that of the last request; NULL: not reached
    node INTEGER NOT NULL,       -- that asked
    begin_cycle INTEGER NOT NULL,       -- no copy would do, and a transaction buffer was free
    line_address INTEGER NOT NULL,
    home_node INTEGER NOT NULL,
    request INTEGER NOT NULL,           -- shared_requests.request
    is_prefetch INTEGER NOT NULL,       -- 1: no access waited when it began
    busy_replies INTEGER NOT NULL,      -- the home was too busy so often, or who has the line was
    invalidations INTEGER NOT NULL,     -- copies that the home had taken for it
    is_trapped INTEGER NOT NULL,        -- 1: the home's software helped (coherence_traps)
    first_asked_cycle INTEGER,          -- the first request waits for the output queue, or the home
    asked_cycle INTEGER,                -- the same of the request that the home served
    home_arrival_cycle INTEGER,         -- that has left the home's input queue
    home_begin_cycle INTEGER,           -- the home begins with it
    first_invalidation_cycle INTEGER,   -- the first INV, INVR or forwarded request waits for the
                                        -- output queue
    last_acknowledgement_cycle INTEGER, -- the home begins with the last ACKC or UPDATE, or the node
                                        -- that a request is forwarded to begins with it; NULL also
                                        -- where who asked gets the acknowledgements
    reply_cycle INTEGER,                -- the reply waits for the output queue
    fill_cycle INTEGER,                 -- it is there, and so are acknowledgements to who asked
    use_cycle INTEGER,                  -- the access is performed; it ends after what a hit takes.
                                        -- NULL also where the line went into the cache unused
    PRIMARY KEY (node, begin_cycle, line_address)
) WITHOUT ROWID;

CREATE TABLE coherence_traps (   -- a packet of the coherence protocol that a home handed to its
                                 -- software; those handed over inside the window
    node INTEGER NOT NULL,       -- the home
    raised_cycle INTEGER NOT NULL,
    line_address INTEGER NOT NULL,
    requesting_node INTEGER NOT NULL, -- that sent it
    request INTEGER NOT NULL,    -- shared_requests.request
    begin_cycle INTEGER,         -- software asks which line it is
    end_cycle INTEGER,           -- software has done with it
    packets INTEGER NOT NULL,    -- that software sent for it
    PRIMARY KEY (node, raised_cycle, line_address, requesting_node)
) WITHOUT ROWID;

CREATE TABLE shared_accesses (   -- a word of shared memory that an access inside the window has moved;
                                 -- an access to two words has two rows, and one narrower than a word
                                 -- that of the word around it
    node INTEGER NOT NULL,
    sequence INTEGER NOT NULL,   -- words that the node's accesses have moved before
    context INTEGER NOT NULL,    -- whose program; handlers and traps come behind the threads';
                                 -- 1000: the sending DMA engine, 1001: the receiving one,
                                 -- 1002: what a home does for fetch-and-ops
    cycle INTEGER NOT NULL,      -- in which it is performed
    address INTEGER NOT NULL,    -- of the word
    loaded INTEGER,              -- by a load or an exchange; else NULL
    stored INTEGER,              -- by a store or an exchange; else NULL
    PRIMARY KEY (node, sequence)
) WITHOUT ROWID;

CREATE TABLE line_state_names (  -- the names behind line_states.state
    state INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- cache: Read-Write: the node's cache has the only copy; home:
                                 -- Trap-On-Write: the home's software knows more copies
);

CREATE TABLE line_states (       -- what a line of shared memory is to a node's cache, or to its home,
                                 -- from a cycle on; only with trace.line_states, and up to the
                                 -- window's end. At first no node has a copy
    node INTEGER NOT NULL,       -- whose cache it is; or the home
    sequence INTEGER NOT NULL,   -- changes at the node before
    cycle INTEGER NOT NULL,      -- of several changes in a cycle the last one holds
    line_address INTEGER NOT NULL,
    state INTEGER NOT NULL,      -- line_state_names.state
    pointers INTEGER,            -- nodes that the directory names in hardware; NULL: of a cache
    PRIMARY KEY (node, sequence)
) WITHOUT ROWID;

CREATE TABLE channels (          -- the names behind channel_intervals.channel; only with
                                 -- trace.interval_cycles, as the next two
    channel INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE    -- (7,0) +x: from the router at (7,0) to the next higher x. Of a
                                 -- mesh without virtual channels those between routers alone; of
                                 -- other networks those to and from the nodes too
);

CREATE TABLE channel_intervals ( -- what a channel saw from one cycle to another, copies of the
                                 -- network and virtual channels together; no row: nothing
    channel INTEGER NOT NULL,    -- channels.channel
    begin_cycle INTEGER NOT NULL,
    end_cycle INTEGER NOT NULL,  -- first cycle of the next interval
    flits INTEGER NOT NULL,      -- sent into it
    header_wait_cycles INTEGER NOT NULL,  -- that headers at the front of its buffers waited for an
                                          -- output; several at a time count each
    PRIMARY KEY (channel, begin_cycle)
) WITHOUT ROWID;

CREATE TABLE queue_intervals (   -- what a node's queue held from one cycle to another; no row: nothing
    node INTEGER NOT NULL,
    queue INTEGER NOT NULL,      -- queue_kinds.queue
    begin_cycle INTEGER NOT NULL,
    end_cycle INTEGER NOT NULL,  -- first cycle of the next interval
    byte_cycles INTEGER NOT NULL,  -- over the interval's length the mean bytes
    most_bytes INTEGER NOT NULL,
    PRIMARY KEY (node, queue, begin_cycle)
) WITHOUT ROWID;

CREATE TABLE marks (             -- a kernel's thread passed a named point; kept whatever the window
    node INTEGER NOT NULL,
    name TEXT NOT NULL,
    occurrence INTEGER NOT NULL, -- how often this node passed this point before
    cycle INTEGER NOT NULL,
    value INTEGER NOT NULL,      -- what the kernel said with it
    PRIMARY KEY (node, name, occurrence)
) WITHOUT ROWID;

CREATE VIEW latencies AS         -- where the time from launch to handler went, a row a message; the
                                 -- parts add up, and NULL is a part that was not passed
SELECT message_id, source_node, destination_node, message_bytes, hops,
       network_entry_cycle - launch_cycle AS output_queue_cycles,  -- launched, nothing has left
       header_arrival_cycle - network_entry_cycle AS network_cycles,  -- until the header is there
       notify_cycle - header_arrival_cycle AS notify_cycles,       -- behind others in the input queue
       handler_begin_cycle - notify_cycle AS handler_wait_cycles,  -- the core does other things
       handler_begin_cycle - launch_cycle AS total_cycles,
       unloaded_latency_cycles AS unloaded_cycles  -- launch to header arrival, nothing in the way
FROM messages;

CREATE VIEW channel_use AS       -- what each of the table channels saw in all intervals together
SELECT name, sum(flits) AS flits, sum(header_wait_cycles) AS header_wait_cycles,
       max(1.0 * flits / (end_cycle - begin_cycle)) AS most_flits_a_cycle,  -- of an interval
       min(begin_cycle) AS first_cycle, max(end_cycle) AS end_cycle
FROM channel_intervals JOIN channels USING (channel) GROUP BY channel;

CREATE VIEW hot_channels AS      -- the intervals in which headers waited longest, the worst first, of
                                 -- the table channels
SELECT name, begin_cycle, end_cycle, flits, header_wait_cycles
FROM channel_intervals JOIN channels USING (channel) WHERE header_wait_cycles > 0
ORDER BY header_wait_cycles DESC, flits DESC, name, begin_cycle;
)sql";

}  // namespace

const char* trace_schema() { return kTraceSchema; }

std::string describe_message(std::int64_t stored) {
    const hw::MessageId id = message_id_of(stored);
    return fmt::format("message {} of node {}", id.sequence, id.source.index());
}

}  // namespace weir::experiments::trace
