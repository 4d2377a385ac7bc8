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
    kWait,     ///< the thread waits, for a message or for a time
    kHandler,  ///< an interrupt, from entry to exit
    kDone,     ///< the thread has ended
};

std::string_view core_state_name(CoreState state);

/// Which of a node's queues.
enum class QueueKind : std::uint8_t { kOutput, kInput };

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
    /// A kernel's thread passed a named point.
    virtual void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) = 0;
};

}  // namespace weir::hw
