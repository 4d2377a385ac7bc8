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

/// What a core is doing; the intervals of one core don't overlap and leave no gap.
enum class CoreState : std::uint8_t {
    kCompute,     ///< the thread computes, or loads and stores memory
    kSend,        ///< the thread stores to the output descriptor or launches
    kBlocked,     ///< the thread's access waits for room in the output queue
    kDma,         ///< the thread waits for a DMA engine of its node
    kWait,        ///< the thread waits, for a message or for a time
    kHandler,     ///< an interrupt, from entry to exit
    kTrap,        ///< an overflow trap, which drains the input queue to memory
    kDone,        ///< the thread has ended
    kSwitch,      ///< the core goes from one context's thread to the next one's
    kMemoryWait,  ///< the thread's access to shared memory waits for a line
};
constexpr std::size_t kCoreStates = 10;

std::string_view core_state_name(CoreState state);

/// Which of a node's queues.
enum class QueueKind : std::uint8_t { kOutput, kInput };

/// A node's DMA engines.
enum class DmaKind : std::uint8_t { kSend, kReceive };
std::string_view dma_name(DmaKind engine);

/// What one DMA engine did for one message, from its start to its last byte.
struct DmaTransfer {
    NodeId node;
    DmaKind engine = DmaKind::kSend;
    MessageId message;
    Cycles begin;
    Cycles end;
    Bytes bytes;
    Cycles port_wait;   ///< bursts waited for the memory port
    Cycles queue_wait;  ///< waited for room in the output queue, or bytes in the input queue
};

/// Where something had to stop for want of room.
enum class StallPlace : std::uint8_t {
    kLaunch,      ///< a launch, for room in the output queue or the end of another gather
    kInputQueue,  ///< an arrived flit, for room in the input queue: the network behind it stops
};
std::string_view stall_place_name(StallPlace place);

/// One stop: the message that waited, and whom for. A launch waits for the message its node
/// launched before, an arrived flit for the one at the head of the input queue. A launch given up
/// for an interrupt, or by the end of the run, has no message yet.
struct Stall {
    NodeId node;
    StallPlace place = StallPlace::kLaunch;
    Cycles begin;
    Cycles end;
    MessageId waiting;
    MessageId holder;
};

/// What a node asks a shared line's home for, or tells it.
enum class SharedRequest : std::uint8_t {
    kRead,    ///< a copy to read
    kWrite,   ///< the only copy
    kModify,  ///< that the copy to read that it has becomes the only one
    // What homes hand to software that knows all copies, and no node asks for.
    kReplace,      ///< nothing: it gives up the only copy
    kAcknowledge,  ///< nothing: its copy was taken
};
std::string_view shared_request_name(SharedRequest request);

/// What became of a node's request for a line of shared memory: kNever where a stage was not
/// reached. A home that is too busy is asked again; what it did counts for the last time.
struct SharedTransaction {
    NodeId node;            ///< that asked
    Cycles begin;           ///< no copy would do, and a transaction buffer was free
    std::int64_t line = 0;  ///< its address
    NodeId home;
    SharedRequest request = SharedRequest::kRead;
    bool is_prefetch = false;              ///< no access waited when it began
    std::int64_t busy_replies = 0;         ///< the home was too busy so often
    std::int64_t invalidations = 0;        ///< copies taken for it
    bool is_trapped = false;               ///< the home's software helped
    Cycles first_asked = kNever;           ///< the request waits for the output queue, or the home
    Cycles asked = kNever;                 ///< the same of the request that the home served
    Cycles home_arrival = kNever;          ///< that has left the home's input queue
    Cycles home_begin = kNever;            ///< the home begins with it
    Cycles first_invalidation = kNever;    ///< waits for the output queue
    Cycles last_acknowledgement = kNever;  ///< the home begins with it
    Cycles reply = kNever;                 ///< waits for the output queue
    Cycles fill = kNever;                  ///< the reply is there
    Cycles use = kNever;                   ///< the first access is performed, and ends with a hit
};

/// A packet of the coherence protocol that a home handed to its software.
struct CoherenceTrap {
    NodeId node;  ///< the home
    Cycles raised;
    std::int64_t line = 0;
    NodeId requester;  ///< that sent it
    SharedRequest request = SharedRequest::kRead;
    Cycles begin = kNever;     ///< software asks which line it is
    Cycles end = kNever;       ///< software has done with it
    std::int64_t packets = 0;  ///< that software sends for it
};

/// A word of shared memory, as an access has found and left it. An access of two words is two of
/// them; one that is narrower than a word reads or writes the word around it.
struct SharedAccess {
    static constexpr std::int64_t kNothing = -1;
    // Behind those of programs: the contexts of a node's DMA engines.
    static constexpr std::int64_t kSendingEngine = 1000;
    static constexpr std::int64_t kReceivingEngine = 1001;
    /// What a home does for others' fetch-and-op.
    static constexpr std::int64_t kFetchUnit = 1002;

    NodeId node;
    std::int64_t sequence = 0;  ///< words that the node's accesses have moved before
    std::int64_t context = 0;   ///< whose program; handlers and traps come behind the threads',
                                ///< the DMA engines behind these
    Cycles cycle;               ///< in which it is performed
    std::int64_t address = 0;   ///< of the word; of its full/empty bit 1 more, in a row behind
    std::int64_t loaded = kNothing;  ///< by a load or an exchange
    std::int64_t stored = kNothing;  ///< by a store or an exchange
};

/// What a line of shared memory is to a node from a cycle on: to its cache, or to it as the line's
/// home. Of several changes in one cycle the last one holds.
struct LineState {
    static constexpr std::int64_t kOfCache = -1;

    NodeId node;
    std::int64_t sequence = 0;  ///< changes at the node before
    Cycles cycle;
    std::int64_t line = 0;             ///< its address
    std::int64_t state = 0;            ///< as memory/coherence/line_states.h numbers them
    std::int64_t pointers = kOfCache;  ///< nodes that the home's directory names in hardware
};

/// What a channel between routers has seen from one cycle to another.
struct ChannelInterval {
    std::int64_t channel = 0;  ///< its number among those that were named
    Cycles begin;
    Cycles end;
    Flits flits;          ///< sent into it
    Cycles header_waits;  ///< that headers at the front of its buffers have waited for an output
};

/// Where the parts report what the trace keeps. One call a fact, made when the fact is complete.
class TraceSink {
  public:
    TraceSink() = default;
    TraceSink(const TraceSink&) = delete;
    TraceSink& operator=(const TraceSink&) = delete;
    virtual ~TraceSink() = default;

    /// A message that was handled, or at the end of the run whatever had become of it.
    virtual void message(const Message& message) = 0;
    /// `message` is the one handled (kHandler) and invalid otherwise. begin < end.
    virtual void core_interval(NodeId node, CoreState state, Cycles begin, Cycles end,
                               MessageId message) = 0;
    /// A queue held `bytes` and `messages` from `cycle` on (only when queue tracing is on).
    virtual void queue_level(NodeId node, QueueKind queue, Cycles cycle, Bytes bytes,
                             std::int64_t messages) = 0;
    /// A DMA engine has ended its work on a message, or the run has.
    virtual void dma_transfer(const DmaTransfer& transfer) = 0;
    /// Something that had stopped goes on, or the run has ended. begin < end.
    virtual void stall(const Stall& stall) = 0;
    /// A kernel's thread passed a named point.
    virtual void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) = 0;

    // Of machines that share memory alone; who does not keep them need not say so.

    /// The line was used, or went unused, or the run has ended.
    virtual void transaction(const SharedTransaction& /*transaction*/) {}
    /// Software has done with a packet, or the run has ended.
    virtual void coherence_trap(const CoherenceTrap& /*trap*/) {}
    /// (Only when accesses are traced.)
    virtual void shared_access(const SharedAccess& /*access*/) {}
    /// (Only when the states of lines are traced.)
    virtual void line_state(const LineState& /*state*/) {}

    // Only when the network's use is traced by interval.

    /// Before the run, a network's channels in the order of their numbers, from 0.
    virtual void channel_name(std::string_view /*name*/) {}
    /// The next interval of a channel that has seen something in it.
    virtual void channel_interval(const ChannelInterval& /*interval*/) {}
    /// The run's last cycle is the one before `end`.
    virtual void intervals_end(Cycles /*end*/) {}
};

/// Whom the parts of each node tell what the trace keeps: of several tiles (ClockTiles) each its
/// own tile's sink.
class SinksOfNodes {
  public:
    explicit SinksOfNodes(std::vector<TraceSink*> sinks) : sinks_(std::move(sinks)) {}
    /// All the same one.
    SinksOfNodes(TraceSink& sink, std::int32_t node_count) : sinks_(node_count, &sink) {}

    [[nodiscard]] std::size_t node_count() const { return sinks_.size(); }
    [[nodiscard]] TraceSink& of(NodeId node) const { return *sinks_[node]; }

  private:
    PerNode<TraceSink*> sinks_;
};

}  // namespace weir::hw
