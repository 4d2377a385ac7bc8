#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "hw/access_tag.h"
#include "hw/controller/message_controller.h"
#include "hw/dma/memory_port.h"
#include "hw/per_node.h"
#include "hw/testing/bus_initiator.h"
#include "memory/cache_hierarchy.h"
#include "memory/coherence/coherence_controller.h"
#include "memory/node_memory.h"
#include "memory/testing/cache_bench.h"

namespace weir::memory::testing {

/// An ideal network. It takes a packet from an output queue in the first cycle in which all of the
/// packet is visible there. It puts the packet into the destination's input queue `cycles` cycles
/// later.
class Wire final : public hw::ClockedPart {
  public:
    Wire(hw::ClockDomain& domain, hw::MessagePool& messages, hw::Cycles cycles)
        : ClockedPart(domain), messages_(messages), cycles_(cycles) {}

    /// Adds the message controller of the next node.
    void add(hw::MessageController& controller) {
        ends_.push_back(&controller);
        wake_at(hw::Cycles(0));
    }
    void tick(hw::Cycles now) override {
        for (hw::MessageController* end : ends_) {
            take(end->output_queue(), now);
        }
        while (!flying_.empty() && flying_.front().due <= now && deliver(now)) {
            flying_.pop_front();
        }
        if (!flying_.empty()) {
            wake_at(std::max(flying_.front().due, now + hw::Cycles(1)));
        }
    }

  private:
    struct Flying {
        hw::MessageSlot message;
        hw::Cycles due;
    };

    void take(hw::ByteQueue& queue, hw::Cycles now) {
        constexpr hw::Bytes kShortest{2 * WEIR_WORD_BYTES};
        if (!queue.has_message(now)) {
            queue.expect_bytes(*this, kShortest, now);
            return;
        }
        const hw::MessageSlot message = queue.front();
        queue.pop(messages_[message].bytes, now);  // the message is in the queue as a whole
        queue.end_message(now);
        flying_.push_back({message, now + cycles_});
        wake_at(now + hw::Cycles(1));
    }
    bool deliver(hw::Cycles now) {
        hw::Message& message = messages_[flying_.front().message];
        hw::MessageController& end = *ends_[message.destination];
        if (end.input_queue().room(now) < message.bytes) {
            return false;
        }
        end.input_queue().begin_message(flying_.front().message, now);
        end.input_queue().push(message.bytes, now);
        end.header_arrived(message, now);
        return true;
    }

    hw::MessagePool& messages_;
    hw::Cycles cycles_;
    hw::PerNode<hw::MessageController*> ends_;
    std::deque<Flying> flying_;
};

/// Nodes with one coherent memory and ideal cores, on an ideal network. Parameters are Alewife's,
/// unless a test changes them before it first accesses a part. Each node has kSharedBytes of shared
/// memory, in a contiguous range of addresses.
class CoherenceBench {
  public:
    static constexpr std::int64_t kSharedBytes = 4096;
    static constexpr std::int64_t kPrivateBytes = 1 << 16;
    static constexpr std::int64_t kWire = 10;
    /// Cycles of a packet from node to node: it enters the output queue in the cycle after the
    /// sending, and is visible in the next. In the input queue it is visible in the cycle after its
    /// arrival.
    static constexpr std::int64_t kWay = 3 + kWire;

    explicit CoherenceBench(std::int32_t nodes = 4, std::int64_t wire_cycles = kWire)
        : node_count(nodes), wire(domain, messages, hw::Cycles(wire_cycles)) {
        CacheBench::set(coherence.shared_bytes, kSharedBytes);
        CacheBench::set(memory.bytes, kPrivateBytes);
    }

    struct Node {
        Node(CoherenceBench& bench, std::int32_t number)
            : core(name("core", number).c_str(), bench.domain),
              program(name("program", number).c_str(), bench.domain),
              dma(name("dma", number).c_str(), bench.domain),
              controller(name("controller", number).c_str(), bench.domain, bench.controller,
                         bench.engines, hw::NodeId(number), bench.node_count, bench.messages, {}),
              port(name("port", number).c_str(), bench.domain, bench.memory_port),
              dram(name("dram", number).c_str(), bench.domain, bench.memory, false,
                   bench.coherence.shared_bytes.value()),
              caches(name("caches", number).c_str(), bench.domain,
                     {bench.caches, 1, bench.memory, nullptr}, bench.seed, hw::NodeId(number)),
              coherence(name("coherence", number).c_str(), caches, bench.coherence,
                        {.node = hw::NodeId(number),
                         .seed = bench.seed,
                         .node_count = bench.node_count,
                         .contexts = bench.contexts,
                         .memory = bench.memory,
                         .miss_cycles = bench.caches.levels.front().miss_cycles.value(),
                         .is_big_endian = bench.is_big_endian,
                         .golden = bench.golden,
                         .observers = bench.observers}) {
            core.bus_socket.bind(caches.bus_socket);
            program.bus_socket.bind(controller.bus_socket);
            controller.set_core(core);
            controller.connect_memory(port, bench.memory.bytes.value());
            caches.port_socket.bind(port.requester_socket);
            port.dram_socket.bind(caches.snoop_socket);
            caches.dram_socket.bind(dram.dram_socket);
            coherence.port_socket.bind(port.requester_socket);
            dma.socket.bind(port.requester_socket);
            coherence.connect_messages(controller);
            controller.connect_protocol(coherence);
            caches.connect_shared(coherence, bench.coherence.shared_bytes.value());
            bench.wire.add(controller);
        }
        hw::testing::BusInitiator core;
        hw::testing::BusInitiator program;  ///< core's accesses to the message controller
        BurstRequester dma;
        hw::MessageController controller;
        hw::MemoryPort port;
        NodeMemory dram;
        CacheHierarchy caches;
        CoherenceController coherence;

      private:
        static std::string name(const char* part, std::int32_t number) {
            return part + std::string("_") + std::to_string(number);
        }
    };

    /// Shared address of the byte at `offset` of the node's part.
    static std::uint64_t shared(std::int64_t node, std::int64_t offset = 0) {
        return static_cast<std::uint64_t>(kSharedBase + node * kSharedBytes + offset);
    }
    Node& node(std::int32_t number) {
        while (std::ssize(nodes_) < node_count) {
            nodes_.push_back(
                std::make_unique<Node>(*this, static_cast<std::int32_t>(nodes_.size())));
        }
        return *nodes_[number];
    }
    /// Scripts an access that begins long after all earlier ones have ended, in any node.
    const hw::testing::BusAccess& load(std::int32_t number, std::uint64_t address,
                                       hw::AccessTag* tag = nullptr) {
        return next(number, {tlm::TLM_READ_COMMAND, address, 0, 4, turn(), tag});
    }
    const hw::testing::BusAccess& store(std::int32_t number, std::uint64_t address,
                                        std::uint64_t data, hw::AccessTag* tag = nullptr) {
        return next(number, {tlm::TLM_WRITE_COMMAND, address, data, 4, turn(), tag});
    }
    const hw::testing::BusAccess& next(std::int32_t number, const hw::testing::BusAccess& access) {
        return node(number).core.append(access);
    }
    /// Cycle in which the next scripted access may begin.
    hw::Cycles turn() { return hw::Cycles(kTurn * ++turns_); }
    void run() {
        node(0);
        domain.run_until(hw::Cycles(kTurn * (turns_ + 2)));
        for (const auto& one : nodes_) {
            if (one->coherence.fault()) {
                std::rethrow_exception(one->coherence.fault());
            }
        }
    }
    using Counter = hw::Counter CoherenceController::Statistics::*;
    std::int64_t count(std::int32_t number, Counter counter) {
        return (node(number).coherence.statistics().*counter).value();
    }

    static constexpr std::int64_t kTurn = 1000;

    std::int32_t node_count;
    std::uint64_t seed = 1;
    std::int64_t contexts = 1;
    bool is_big_endian = false;
    hw::ClockDomainParameters clock;
    hw::ClockDomain domain{"clock", clock};
    hw::MessagePool messages;
    hw::ControllerParameters controller;
    hw::DmaParameters engines;
    hw::MemoryPort::Parameters memory_port;
    NodeMemory::Parameters memory;
    CacheParameters caches;
    CoherenceParameters coherence;
    GoldenMemory* golden = nullptr;
    CoherenceObservers observers;
    Wire wire;

  private:
    std::int64_t turns_ = 0;
    std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace weir::memory::testing
