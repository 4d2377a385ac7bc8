#pragma once

#include "hw/messages/message.h"
#include "hw/units.h"

namespace weir::hw {

/// Who has asked a LaunchGate; told at the end of a cycle, once for each time it has asked.
class LaunchRequester {
  public:
    LaunchRequester() = default;
    LaunchRequester(const LaunchRequester&) = delete;
    LaunchRequester& operator=(const LaunchRequester&) = delete;
    virtual ~LaunchRequester() = default;

    /// The launch on this port begins now. `holder`: the message it had to wait for first; invalid
    /// if that was one of its own node, or none.
    virtual void launch_granted(int port, MessageId holder, Cycles now) = 0;
    /// It was withdrawn, and has not begun.
    virtual void launch_withdrawn(int port, Cycles now) = 0;
};

/// What says in which cycle a launch may begin, where the network has no room for every message.
class LaunchGate {
  public:
    struct Request {
        NodeId node;
        int port = 0;
        NodeId destination;
    };

    LaunchGate() = default;
    LaunchGate(const LaunchGate&) = delete;
    LaunchGate& operator=(const LaunchGate&) = delete;
    virtual ~LaunchGate() = default;

    /// In a tick; the requester is told at the end of this cycle or of a later one.
    virtual void request(const Request& request, LaunchRequester& requester) = 0;
    /// In a tick: a launch that can't begin in this cycle is given up at its end.
    virtual void withdraw(NodeId node, int port) = 0;
};

}  // namespace weir::hw
