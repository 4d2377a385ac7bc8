#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <string>
#include <systemc>

#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller.h"
#include "hw/controller/controller_registers.h"
#include "hw/controller/message_controller.h"
#include "hw/dma/memory_port.h"
#include "hw/target_socket.h"
#include "memory/cache_hierarchy.h"
#include "memory/coherence/coherence_controller.h"
#include "memory/node_memory.h"
#include "nodes/behavioural_core.h"
#include "nodes/sparcle/sparcle_core.h"

namespace weir::nodes {

/// Bus of a node: routes each access by its address to the message controller, the hardware barrier
/// or memory. The bus adds no cycles.
///
/// The core and the protocol processor, if present, each have their own socket, and their own
/// connection to a controller port and to memory. Only the core can reach the barrier, if present.
class NodeBus final : public sc_core::sc_module {
  public:
    using Target = hw::TargetSocket<NodeBus, int>;
    using Initiator = tlm_utils::simple_initiator_socket_tagged<NodeBus>;

    NodeBus(const sc_core::sc_module_name& name, bool has_protocol_processor, bool has_barrier)
        : sc_module(name) {
        core_socket.register_nb_transport_fw(this, &NodeBus::nb_transport_fw, kCore);
        core_socket.register_transport_dbg(this, &NodeBus::transport_dbg, kCore);
        core_port_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        memory_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        if (has_barrier) {
            barrier_socket = std::make_unique<Initiator>("barrier_socket");
            barrier_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        }
        if (has_protocol_processor) {
            handler_socket = std::make_unique<Target>("handler_socket");
            handler_socket->register_nb_transport_fw(this, &NodeBus::nb_transport_fw, kHandler);
            handler_socket->register_transport_dbg(this, &NodeBus::transport_dbg, kHandler);
            handler_port_socket = std::make_unique<Initiator>("handler_port_socket");
            handler_port_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw,
                                                          kHandler);
            handler_memory_socket = std::make_unique<Initiator>("handler_memory_socket");
            handler_memory_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw,
                                                            kHandler);
        }
    }

    Target core_socket{"core_socket"};
    std::unique_ptr<Target> handler_socket;
    Initiator core_port_socket{"core_port_socket"};
    std::unique_ptr<Initiator> handler_port_socket;
    Initiator memory_socket{"memory_socket"};
    std::unique_ptr<Initiator> handler_memory_socket;
    std::unique_ptr<Initiator> barrier_socket;

  private:
    static constexpr int kCore = 0;
    static constexpr int kHandler = 1;

    // Returns the socket that an access of this requester (kCore or kHandler) is routed to.
    auto& destination_class(int way, const tlm::tlm_generic_payload& payload) {
        const auto offset = payload.get_address() - WEIR_CONTROLLER_BASE;
        if (barrier_socket && way == kCore && WEIR_IS_BARRIER_REGISTER(payload.get_address())) {
            return *barrier_socket;
        }
        if (payload.get_address() < WEIR_CONTROLLER_BASE || offset >= WEIR_CONTROLLER_BYTES) {
            return way == kCore ? memory_socket : *handler_memory_socket;
        }
        return way == kCore ? core_port_socket : *handler_port_socket;
    }
    tlm::tlm_sync_enum nb_transport_fw(int way, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return destination_class(way, payload)->nb_transport_fw(payload, phase, delay);
    }
    unsigned transport_dbg(int way, tlm::tlm_generic_payload& payload) {
        return destination_class(way, payload)->transport_dbg(payload);
    }
    tlm::tlm_sync_enum nb_transport_bw(int way, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return (way == kCore ? core_socket : *handler_socket)
            ->nb_transport_bw(payload, phase, delay);
    }
};

/// One node, wired in the order in which a message passes its parts. The core's bus leads to the
/// message controller, and through the caches to memory. Caches and DMA engines share one memory
/// port.
///
/// Without caches every access of the core hits and bypasses the memory port. The machine connects
/// the controller to the network.
class Node final : public sc_core::sc_module {
  public:
    using MakeController = std::function<std::unique_ptr<hw::Controller>(hw::NodeId)>;

    struct Parameters {
        const Core::Parameters& core;
        const sparcle::Timing& sparcle;
        const memory::NodeMemory::Parameters& memory;
        const memory::CacheParameters& caches;
        const hw::MemoryPort::Parameters& memory_port;
        std::uint64_t seed = 1;
        bool has_barrier = false;
        /// Parameters of the protocol; null unless memory is shared.
        const memory::CoherenceParameters* coherence = nullptr;
        memory::GoldenMemory* golden = nullptr;  ///< reference that every load is compared with;
                                                 ///< null without the check
        memory::CoherenceObservers observers{};
    };

    Node(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
         std::int32_t node_count, const MakeController& make_controller,
         const Parameters& parameters, hw::MessagePool& messages, hw::TraceSink* trace)
        : sc_module(name),
          node_(node),
          controller_(make_controller(node)),
          core_(make_core(domain, parameters,
                          {.node = node,
                           .node_count = node_count,
                           .controller = *controller_,
                           .messages = messages,
                           .trace = trace,
                           .memory_bytes = parameters.memory.bytes.value(),
                           .shares_memory = parameters.coherence != nullptr,
                           .has_trap_turns = parameters.coherence != nullptr &&
                                             parameters.coherence->trap_turns.value(),
                           .load_cycles = parameters.memory.load_cycles.value(),
                           .double_cycles = parameters.memory.double_cycles.value()})),
          core(*core_),
          bus("bus", core.handler_bus_socket != nullptr, parameters.has_barrier),
          memory("memory", domain, parameters.memory, core.handler_bus_socket != nullptr,
                 parameters.coherence == nullptr ? hw::Bytes(0)
                                                 : parameters.coherence->shared_bytes.value()) {
        core.bus_socket.bind(bus.core_socket);
        // The controller numbers its ports in the order of binding: the core's is the first.
        bus.core_port_socket.bind(controller_->bus_socket);
        if (core.handler_bus_socket) {
            core.handler_bus_socket->bind(*bus.handler_socket);
            bus.handler_port_socket->bind(controller_->bus_socket);
        }
        // An ideal controller has no DMA engines.
        auto* with_engines = dynamic_cast<hw::MessageController*>(controller_.get());
        const std::size_t levels = parameters.memory.caches.value();
        if (with_engines != nullptr || levels > 0) {
            memory_port_ =
                std::make_unique<hw::MemoryPort>("memory_port", domain, parameters.memory_port);
        }
        if (with_engines != nullptr) {
            with_engines->connect_memory(*memory_port_, parameters.memory.bytes.value());
        }
        if (levels > 0) {
            caches_ = std::make_unique<memory::CacheHierarchy>(
                "caches", domain,
                memory::CacheHierarchy::PartParameters{parameters.caches, levels, parameters.memory,
                                                       parameters.memory.instruction_cache.value()
                                                           ? &parameters.caches.instructions
                                                           : nullptr},
                parameters.seed, node);
            connect_caches();
            if (parameters.coherence != nullptr) {
                connect_shared_memory(
                    *with_engines, parameters,
                    {.node = node,
                     .seed = parameters.seed,
                     .node_count = node_count,
                     .contexts = parameters.core.contexts.value(),
                     .memory = parameters.memory,
                     .miss_cycles = parameters.caches.levels.front().miss_cycles.value(),
                     .is_big_endian = parameters.core.kind.value() == CoreKind::kSparcle,
                     .golden = parameters.golden,
                     .observers = parameters.observers});
                misses_ = parameters.observers.misses;
            }
        } else {
            bus.memory_socket.bind(memory.bus_socket);
            if (bus.handler_memory_socket) {
                bus.handler_memory_socket->bind(*memory.handler_bus_socket);
            }
            if (memory_port_) {
                memory_port_->dram_socket.bind(memory.dram_socket);
            }
        }
        if (auto* executing = dynamic_cast<sparcle::SparcleCore*>(core_.get())) {
            connect_instructions(*executing);
        }
    }

    /// The core of a machine with behavioural cores. Throws std::bad_cast for another kind of core.
    [[nodiscard]] BehaviouralCore& behavioural_core() {
        return dynamic_cast<BehaviouralCore&>(*core_);
    }
    [[nodiscard]] sparcle::SparcleCore& sparcle_core() {
        return dynamic_cast<sparcle::SparcleCore&>(*core_);
    }

    /// The coherence controller; null in a machine without shared memory.
    [[nodiscard]] memory::CoherenceController* coherence() { return coherence_.get(); }
    [[nodiscard]] const memory::CoherenceController* coherence() const { return coherence_.get(); }

    [[nodiscard]] hw::Controller& controller() { return *controller_; }
    [[nodiscard]] const hw::Controller& controller() const { return *controller_; }
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const {
        controller_->add_statistics(statistics);
        if (memory_port_) {
            statistics.push_back({memory_port_->name(), &memory_port_->statistics()});
        }
        if (caches_) {
            caches_->add_statistics(statistics);
        }
        if (coherence_) {
            statistics.push_back({coherence_->name(), &coherence_->statistics()});
        }
        if (misses_ != nullptr) {
            statistics.push_back(
                {coherence_->name() + std::string(".misses"), &misses_->statistics(node_)});
        }
        core.add_statistics(statistics);
    }

  private:
    static std::unique_ptr<Core> make_core(hw::ClockDomain& domain, const Parameters& parameters,
                                           const Core::Surroundings& surroundings) {
        if (parameters.core.kind.value() == CoreKind::kSparcle) {
            return std::make_unique<sparcle::SparcleCore>("core", domain, parameters.core,
                                                          parameters.sparcle, parameters.memory,
                                                          surroundings);
        }
        return std::make_unique<BehaviouralCore>("core", domain, parameters.core, surroundings);
    }
    void connect_instructions(sparcle::SparcleCore& executing) {
        if (caches_) {
            executing.instruction_socket.bind(caches_->instruction_socket);
            executing.connect(*caches_);
        } else {
            executing.connect(memory);
        }
    }
    void connect_caches() {
        bus.memory_socket.bind(caches_->bus_socket);
        if (bus.handler_memory_socket) {
            bus.handler_memory_socket->bind(caches_->handler_bus_socket);
        }
        caches_->port_socket.bind(memory_port_->requester_socket);
        memory_port_->dram_socket.bind(caches_->snoop_socket);
        caches_->dram_socket.bind(memory.dram_socket);
    }

    // The coherence controller binds last, and so is the memory port's last requester.
    void connect_shared_memory(hw::MessageController& messages, const Parameters& parameters,
                               const memory::CoherenceController::Surroundings& surroundings) {
        coherence_ = std::make_unique<memory::CoherenceController>(
            "coherence", *caches_, *parameters.coherence, surroundings);
        coherence_->port_socket.bind(memory_port_->requester_socket);
        coherence_->connect_messages(messages);
        messages.connect_protocol(*coherence_);
        messages.connect_shared(*coherence_);
        caches_->connect_shared(*coherence_, parameters.coherence->shared_bytes.value());
    }

    hw::NodeId node_;
    // Classes of misses; null if misses are not classified.
    const memory::MissClasses* misses_ = nullptr;
    std::unique_ptr<hw::Controller> controller_;
    std::unique_ptr<Core> core_;
    std::unique_ptr<hw::MemoryPort> memory_port_;
    std::unique_ptr<memory::CacheHierarchy> caches_;
    std::unique_ptr<memory::CoherenceController> coherence_;

  public:
    Core& core;
    NodeBus bus;
    memory::NodeMemory memory;
};

}  // namespace weir::nodes
