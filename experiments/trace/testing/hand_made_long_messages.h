#pragma once

#include <vector>

#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/tracing/trace_probe.h"

namespace weir::experiments::trace {

/// Two nodes for 700 cycles with long messages, small enough to count every number by hand. Node 0
/// sends bodies of 64, 128 and 64 bytes to node 1.
/// - First message: its handler sends a short reply and ends before its receiving DMA transfer.
/// - Second message: its handler waits for the transfer; both nodes find their queues full.
/// - Third message: an interrupt falls between its first store and its launch. The third message's
///   flits wait at node 1 until the second message has left the input queue.
///
/// After these messages, node 0's input queue overflows.
struct HandMadeLongMessages {
    std::vector<hw::Message> messages;
    std::vector<HandMadeTrace::Interval> intervals;
    std::vector<hw::DmaTransfer> transfers;
    std::vector<hw::Stall> stalls;

    HandMadeLongMessages() {
        using enum hw::CoreState;
        using enum hw::StallPlace;
        add(id(0, 0), {}, 64,
            {.compose = hw::Cycles(20),
             .launch = hw::Cycles(45),
             .network_entry = hw::Cycles(46),
             .send_dma_end = hw::Cycles(90),
             .tail_entry = hw::Cycles(100),
             .first_arrival = hw::Cycles(51),
             .header_arrival = hw::Cycles(54),
             .tail_arrival = hw::Cycles(121),
             .notify = hw::Cycles(64),
             .handler_begin = hw::Cycles(70),
             .code_begin = hw::Cycles(90),
             .receive_dma_begin = hw::Cycles(100),
             .code_end = hw::Cycles(110),
             .receive_dma_end = hw::Cycles(150),
             .dispose = hw::Cycles(151),
             .handler_end = hw::Cycles(130)});
        add(id(1, 0), id(0, 0), 0,
            {.compose = hw::Cycles(101),
             .launch = hw::Cycles(109),
             .network_entry = hw::Cycles(109),
             .tail_entry = hw::Cycles(113),
             .first_arrival = hw::Cycles(114),
             .header_arrival = hw::Cycles(117),
             .tail_arrival = hw::Cycles(117),
             .notify = hw::Cycles(127),
             .handler_begin = hw::Cycles(140),
             .code_begin = hw::Cycles(160),
             .code_end = hw::Cycles(164),
             .dispose = hw::Cycles(165),
             .handler_end = hw::Cycles(190)});
        add(id(0, 1), {}, 128,
            {.compose = hw::Cycles(200),
             .launch = hw::Cycles(235),
             .network_entry = hw::Cycles(236),
             .send_dma_end = hw::Cycles(290),
             .tail_entry = hw::Cycles(300),
             .first_arrival = hw::Cycles(240),
             .header_arrival = hw::Cycles(243),
             .tail_arrival = hw::Cycles(402),
             .notify = hw::Cycles(253),
             .handler_begin = hw::Cycles(260),
             .code_begin = hw::Cycles(280),
             .receive_dma_begin = hw::Cycles(300),
             .code_end = hw::Cycles(480),
             .receive_dma_end = hw::Cycles(460),
             .dispose = hw::Cycles(461),
             .handler_end = hw::Cycles(500)});
        messages.back().launch_blocked = hw::Cycles(10);
        add(id(1, 1), {}, 0,
            {.compose = hw::Cycles(240),
             .launch = hw::Cycles(249),
             .network_entry = hw::Cycles(249),
             .tail_entry = hw::Cycles(253),
             .first_arrival = hw::Cycles(312),
             .header_arrival = hw::Cycles(315),
             .tail_arrival = hw::Cycles(315),
             .notify = hw::Cycles(325),
             .handler_begin = hw::Cycles(330),
             .code_begin = hw::Cycles(340),
             .code_end = hw::Cycles(342),
             .dispose = hw::Cycles(343),
             .handler_end = hw::Cycles(350)});
        add(id(0, 2), {}, 64,
            {.compose = hw::Cycles(320),
             .launch = hw::Cycles(365),
             .network_entry = hw::Cycles(365),
             .send_dma_end = hw::Cycles(400),
             .tail_entry = hw::Cycles(410),
             .first_arrival = hw::Cycles(370),
             .header_arrival = hw::Cycles(373),
             .tail_arrival = hw::Cycles(520),
             .notify = hw::Cycles(471),
             .handler_begin = hw::Cycles(510),
             .code_begin = hw::Cycles(530),
             .receive_dma_begin = hw::Cycles(540),
             .code_end = hw::Cycles(550),
             .receive_dma_end = hw::Cycles(590),
             .dispose = hw::Cycles(591),
             .handler_end = hw::Cycles(570)});
        messages.back().restored_words = 2;

        intervals = {
            {0, kCompute, 0, 20, {}},          {0, kSend, 20, 45, {}},
            {0, kWait, 45, 140, {}},           {0, kHandler, 140, 190, id(1, 0)},
            {0, kCompute, 190, 200, {}},       {0, kSend, 200, 225, {}},
            {0, kBlocked, 225, 235, {}},       {0, kDma, 235, 290, {}},
            {0, kCompute, 290, 320, {}},       {0, kSend, 320, 330, {}},
            {0, kHandler, 330, 350, id(1, 1)}, {0, kSend, 350, 365, {}},
            {0, kWait, 365, 600, {}},          {0, kTrap, 600, 640, {}},
            {0, kDone, 640, 700, {}},

            {1, kCompute, 0, 70, {}},          {1, kHandler, 70, 130, id(0, 0)},
            {1, kCompute, 130, 240, {}},       {1, kSend, 240, 249, {}},
            {1, kCompute, 249, 260, {}},       {1, kHandler, 260, 500, id(0, 1)},
            {1, kCompute, 500, 510, {}},       {1, kHandler, 510, 570, id(0, 2)},
            {1, kDma, 570, 590, {}},           {1, kDone, 590, 700, {}},
        };

        constexpr auto kGather = hw::DmaKind::kSend;
        constexpr auto kScatter = hw::DmaKind::kReceive;
        // arguments: node, engine, message, begin, end, bytes, cycles that waited for the memory
        // port and for the queue
        add_transfer(0, kGather, id(0, 0), 46, 90, 64, 3, 5);
        add_transfer(1, kScatter, id(0, 0), 100, 150, 64, 7, 11);
        add_transfer(0, kGather, id(0, 1), 236, 290, 128, 13, 2);
        add_transfer(1, kScatter, id(0, 1), 300, 460, 128, 17, 60);
        add_transfer(0, kGather, id(0, 2), 366, 400, 64, 4, 0);
        add_transfer(1, kScatter, id(0, 2), 540, 590, 64, 2, 1);

        // arguments: node, place, begin, end, waiting message, message at the head of the full
        // queue
        add_stall(0, kLaunch, 225, 235, id(0, 1), id(0, 0));
        add_stall(1, kInputQueue, 260, 290, id(0, 1), id(0, 1));
        add_stall(1, kInputQueue, 295, 300, id(0, 1), {});
        add_stall(1, kInputQueue, 380, 450, id(0, 2), id(0, 1));
    }

    void report_to(hw::TraceSink& sink) const {
        for (const hw::Message& message : messages) {
            sink.message(message);
        }
        for (const HandMadeTrace::Interval& interval : intervals) {
            sink.core_interval(hw::NodeId(interval.node), interval.state,
                               hw::Cycles(interval.begin), hw::Cycles(interval.end),
                               interval.message);
        }
        for (const hw::DmaTransfer& transfer : transfers) {
            sink.dma_transfer(transfer);
        }
        for (const hw::Stall& stall : stalls) {
            sink.stall(stall);
        }
        using enum hw::QueueKind;
        sink.queue_level(hw::NodeId(0), kOutput, hw::Cycles(45), hw::Bytes(8), 1);
        sink.queue_level(hw::NodeId(0), kOutput, hw::Cycles(60), hw::Bytes(40), 1);
        sink.queue_level(hw::NodeId(1), kInput, hw::Cycles(300), hw::Bytes(128), 1);
        sink.queue_level(hw::NodeId(1), kInput, hw::Cycles(461), hw::Bytes(8), 1);
        sink.mark(hw::NodeId(1), "start", hw::Cycles(3), 8);
    }

  private:
    static hw::MessageId id(int source, int sequence) {
        return HandMadeTrace::id(source, sequence);
    }

    void add(hw::MessageId id, hw::MessageId parent, int body_bytes,
             const hw::MessageTimes& times) {
        hw::Message message;
        message.id = id;
        message.parent = parent;
        message.source = id.source;
        message.destination = hw::NodeId(1 - id.source.index());
        message.word_count = 2;
        message.bytes = hw::Bytes(8 + body_bytes);
        message.body_bytes = hw::Bytes(body_bytes);
        message.hops = 1;
        message.unloaded = hw::Cycles(8);
        message.times = times;
        messages.push_back(message);
    }

    void add_transfer(int node, hw::DmaKind engine, hw::MessageId message, int begin, int end,
                      int bytes, int port_wait, int queue_wait) {
        transfers.push_back({.node = hw::NodeId(node),
                             .engine = engine,
                             .message = message,
                             .begin = hw::Cycles(begin),
                             .end = hw::Cycles(end),
                             .bytes = hw::Bytes(bytes),
                             .port_wait = hw::Cycles(port_wait),
                             .queue_wait = hw::Cycles(queue_wait)});
    }

    void add_stall(int node, hw::StallPlace place, int begin, int end, hw::MessageId waiting,
                   hw::MessageId holder) {
        stalls.push_back({.node = hw::NodeId(node),
                          .place = place,
                          .begin = hw::Cycles(begin),
                          .end = hw::Cycles(end),
                          .waiting = waiting,
                          .holder = holder});
    }
};

}  // namespace weir::experiments::trace
