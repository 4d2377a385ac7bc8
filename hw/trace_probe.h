#pragma once

#include <cstdint>
#include <string_view>

#include "hw/message.h"
#include "hw/units.h"

namespace weir::hw {

/// What a core is doing; the intervals of one core don't overlap and leave no gap.
enum class CoreState : std::uint8_t {
    kCompute,  ///< the thread computes, or loads and stores memory
    kSend,     ///< the thread stores to the output descriptor or launches
    kBlocked,  ///< the thread's access waits for room in the output queue
    kDma,      ///< the thread waits for a DMA engine of its node
    kWait,     ///< the thread waits, for a message or for a time
    kHandler,  ///< an interrupt, from entry to exit
    kTrap,     ///< an overflow trap, which drains the input queue to memory
    kDone,     ///< the thread has ended
    kSwitch,   ///< the core goes from one context's thread to the next one's
};

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
};

}  // namespace weir::hw
