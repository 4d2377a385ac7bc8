#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/messages/message.h"
#include "hw/per_node.h"
#include "hw/units.h"

namespace weir::hw {

/// Activity of a core. The intervals of one core neither overlap nor leave gaps.
enum class CoreState : std::uint8_t {
    kCompute,      ///< the thread computes, or accesses memory
    kSend,         ///< the thread stores to the output descriptor or launches
    kBlocked,      ///< the thread's access waits for room in the output queue
    kDma,          ///< the thread waits for a DMA engine of its node
    kWait,         ///< the thread waits, for a message or for a time
    kHandler,      ///< an interrupt, from entry to exit
    kTrap,         ///< an overflow trap, which drains the input queue to memory
    kDone,         ///< the thread has ended
    kSwitch,       ///< the core switches from one context's thread to the next
    kMemoryWait,   ///< the thread's access to shared memory waits for a line
    kSynchronize,  ///< the thread waits for another thread: for a lock, a barrier or a signal
};
constexpr std::size_t kCoreStates = 11;

std::string_view core_state_name(CoreState state);

/// The queues of a node.
enum class QueueKind : std::uint8_t { kOutput, kInput };

/// A node's DMA engines.
enum class DmaKind : std::uint8_t { kSend, kReceive };
std::string_view dma_name(DmaKind engine);

/// Work of one DMA engine for one message, from its start to its last byte.
struct DmaTransfer {
    NodeId node;
    DmaKind engine = DmaKind::kSend;
    MessageId message;
    Cycles begin;
    Cycles end;
    Bytes bytes;
    Cycles port_wait;   ///< time that bursts waited for the memory port
    Cycles queue_wait;  ///< time that the engine waited for room in the output queue, or for bytes
                        ///< in the input queue
};

/// Places where a message may wait for room.
enum class StallPlace : std::uint8_t {
    kLaunch,      ///< a launch, for room in the output queue or the end of another gather
    kInputQueue,  ///< an arrived flit, for room in the input queue: the network behind it stops
};
std::string_view stall_place_name(StallPlace place);

/// One wait for room: the message that waited, and the message that it waited for. A launch waits
/// for the message that its node launched before, and an arrived flit for the one at the head of
/// the input queue. A launch that is given up, for an interrupt or at the end of the run, has no
/// message yet.
struct Stall {
    NodeId node;
    StallPlace place = StallPlace::kLaunch;
    Cycles begin;
    Cycles end;
    MessageId waiting;
    MessageId holder;
};

/// Requests and answers from a node to the home of a shared line.
enum class SharedRequest : std::uint8_t {
    kRead,    ///< requests a copy to read
    kWrite,   ///< requests the only copy
    kModify,  ///< requests that its copy to read becomes the only one
    // Packets that homes pass to software with a full directory; no transaction begins with them.
    kReplace,      ///< requests nothing: returns the only copy
    kAcknowledge,  ///< requests nothing: its copy was invalidated
};
std::string_view shared_request_name(SharedRequest request);

/// History of a node's request for a line of shared memory; kNever for stages not reached. A busy
/// home is asked again; then the home's stages are those of the last request.
struct SharedTransaction {
    NodeId node;            ///< requesting node
    Cycles begin;           ///< access missed, and a transaction buffer was free
    std::int64_t line = 0;  ///< the line's address
    NodeId home;
    SharedRequest request = SharedRequest::kRead;
    bool is_prefetch = false;              ///< begun for a prefetch, without a waiting access
    std::int64_t busy_replies = 0;         ///< number of BUSY replies
    std::int64_t invalidations = 0;        ///< number of invalidated copies
    bool is_trapped = false;               ///< the home's software helped
    Cycles first_asked = kNever;           ///< first request was ready to leave for the home
    Cycles asked = kNever;                 ///< request that the home served was ready to leave
    Cycles home_arrival = kNever;          ///< the served request left the home's input queue
    Cycles home_begin = kNever;            ///< home began to serve that request
    Cycles first_invalidation = kNever;    ///< first invalidation was ready for the output queue
    Cycles last_acknowledgement = kNever;  ///< home began to serve the last acknowledgement
    Cycles reply = kNever;                 ///< reply was ready for the output queue
    Cycles fill = kNever;                  ///< reply arrived
    Cycles use = kNever;                   ///< first access to the arrived line is performed
};

/// A packet of the coherence protocol that a home passed to its software.
struct CoherenceTrap {
    NodeId node;  ///< the home
    Cycles raised;
    std::int64_t line = 0;
    NodeId requester;  ///< sender of the packet
    SharedRequest request = SharedRequest::kRead;
    Cycles begin = kNever;     ///< software first loaded the packet's line address
    Cycles end = kNever;       ///< software finished with the packet
    std::int64_t packets = 0;  ///< number of packets that software sent for it
};

/// An access to a word of shared memory: its state before and after. An access to two words is
/// reported as two. An access to part of a word reads or writes the word around it.
struct SharedAccess {
    static constexpr std::int64_t kNothing = -1;
    // Contexts of a node's DMA engines; their numbers are far above those of programs.
    static constexpr std::int64_t kSendingEngine = 1000;
    static constexpr std::int64_t kReceivingEngine = 1001;
    /// Context number under which a home executes fetch-and-ops.
    static constexpr std::int64_t kFetchUnit = 1002;

    NodeId node;
    std::int64_t sequence = 0;  ///< number of words that the node's accesses had moved before
    std::int64_t context = 0;   ///< context of the program; those of handlers and traps follow the
                                ///< threads', and then the DMA engines'
    Cycles cycle;               ///< cycle in which it is performed
    std::int64_t address = 0;   ///< address of the word, plus 1 for its full/empty bit
    std::int64_t loaded = kNothing;  ///< value read by a load or an exchange
    std::int64_t stored = kNothing;  ///< value written by a store or an exchange
};

/// State of a shared line at a node from a cycle on, in its cache or in its directory. After
/// several changes in one cycle, the last one counts.
struct LineState {
    static constexpr std::int64_t kOfCache = -1;

    NodeId node;
    std::int64_t sequence = 0;  ///< number of earlier changes at the node
    Cycles cycle;
    std::int64_t line = 0;             ///< the line's address
    std::int64_t state = 0;            ///< numbered as in memory/coherence/line_states.h
    std::int64_t pointers = kOfCache;  ///< number of nodes in the directory's hardware pointers
};

/// Use of a channel between routers in one interval.
struct ChannelInterval {
    std::int64_t channel = 0;  ///< index in the order of channel_name()
    Cycles begin;
    Cycles end;
    Flits flits;          ///< number of flits sent into the channel
    Cycles header_waits;  ///< time that headers at the front of its buffers waited for an output
};

/// Receiver of the parts' reports for the trace. Each event is reported by one call, when it is
/// complete.
class TraceSink {
  public:
    TraceSink() = default;
    TraceSink(const TraceSink&) = delete;
    TraceSink& operator=(const TraceSink&) = delete;
    virtual ~TraceSink() = default;

    /// A message was handled; at the end of the run, also every unfinished message.
    virtual void message(const Message& message) = 0;
    /// Activity of a core in [begin, end); `message` is the message handled (kHandler), and invalid
    /// otherwise.
    virtual void core_interval(NodeId node, CoreState state, Cycles begin, Cycles end,
                               MessageId message) = 0;
    /// The queue's level from `cycle` on; called only when queues are traced.
    virtual void queue_level(NodeId node, QueueKind queue, Cycles cycle, Bytes bytes,
                             std::int64_t messages) = 0;
    /// A DMA engine has finished a message, or the run has ended.
    virtual void dma_transfer(const DmaTransfer& transfer) = 0;
    /// A wait for room in [begin, end) is over, or the run has ended.
    virtual void stall(const Stall& stall) = 0;
    /// A kernel's thread passed a named point.
    virtual void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) = 0;

    // Reports of machines with shared memory. A sink need not override these functions.

    /// A transaction is complete: its line was used, or removed unused, or the run has ended.
    virtual void transaction(const SharedTransaction& /*transaction*/) {}
    /// Software has finished with a packet, or the run has ended.
    virtual void coherence_trap(const CoherenceTrap& /*trap*/) {}
    /// Called only when accesses are traced.
    virtual void shared_access(const SharedAccess& /*access*/) {}
    /// Called only when line states are traced.
    virtual void line_state(const LineState& /*state*/) {}

    // Called only when the network's use is traced by interval.

    /// Name of a network's channel. Called before the run, in the order of the channels' numbers,
    /// from 0.
    virtual void channel_name(std::string_view /*name*/) {}
    /// An interval in which the channel was used; intervals of one channel come in order.
    virtual void channel_interval(const ChannelInterval& /*interval*/) {}
    /// End of all intervals: the cycle after the run's last one.
    virtual void intervals_end(Cycles /*end*/) {}
};

/// The sink of each node. With several tiles (ClockTiles), it is the sink of the node's tile.
class SinksOfNodes {
  public:
    explicit SinksOfNodes(std::vector<TraceSink*> sinks) : sinks_(std::move(sinks)) {}
    /// One sink for all nodes.
    SinksOfNodes(TraceSink& sink, std::int32_t node_count) : sinks_(node_count, &sink) {}

    [[nodiscard]] std::size_t node_count() const { return sinks_.size(); }
    [[nodiscard]] TraceSink& of(NodeId node) const { return *sinks_[node]; }

  private:
    PerNode<TraceSink*> sinks_;
};

}  // namespace weir::hw
