#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/active_messages.h"
#include "firmware/limitless.h"
#include "firmware/node_loads.h"
#include "firmware/shared_findings.h"
#include "firmware/size_parameter.h"
#include "hw/parameter.h"
#include "hw/refusal.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

inline constexpr std::uint32_t kWordBytes = 4;  ///< bytes in a word
inline constexpr std::uint32_t kRealBytes = 8;  ///< bytes in a double-precision number

/// Refusal of a user's data: names the key, or file and line, the value found and the accepted
/// values.
class InputFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

/// A node's program on the active-message layer: a kernel derives from it and writes thread().
class ActiveMessageProgram : public nodes::NodeProgram {
  public:
    ActiveMessageProgram(nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : processor_(processor),
          messages_(processor, parameters),
          directories_(processor, parameters.limitless, parameters.overflow_buffer()) {}

    nodes::Task interrupt() final { return messages_.interrupt(); }
    nodes::Task dma_interrupt() final { return messages_.dma_interrupt(); }
    nodes::Task overflow_trap() final { return messages_.overflow_trap(directories_); }
    nodes::Task coherence_trap() final { return directories_.trap(); }
    [[nodiscard]] nodes::TrapWork coherence_trap_work() const final {
        return directories_.longest_work();
    }

  protected:
    [[nodiscard]] nodes::Processor& processor() { return processor_; }
    [[nodiscard]] ActiveMessages& messages() { return messages_; }

  private:
    nodes::Processor& processor_;
    ActiveMessages messages_;
    Limitless directories_;
};

/// Communication pattern of a kernel's threads in the steady state.
enum class Communication : std::uint8_t {
    kRequestReply,  ///< each thread sends a request and waits for its reply
    kOneWay,        ///< each thread sends and waits for nothing
    kSingle,        ///< one thread sends a message while nothing else is at work
    kPipeline,      ///< each thread waits for another's message, works and sends on: no steady
                    ///< state
    kProgram,       ///< a complete program, whose time from kProgramBegins to kProgramEnds is
                    ///< measured
    kNone,          ///< no node sends a message
};

/// Description of a kernel's messages for analytic models. A value of 0 means "does not apply".
struct MessagePattern {
    double body_bytes = 0.0;          ///< length of each message's body
    double span_nodes = 0.0;          ///< largest difference between the node numbers of source
                                      ///< and destination
    double clients = 0.0;             ///< number of requesting nodes, if not all nodes send
                                      ///< requests to all
    double servers = 0.0;             ///< number of nodes that serve these requests
    double visits_per_request = 1.0;  ///< number of nodes that a request visits before its reply
    /// Number of messages of each node, if the whole run is measured.
    double iterations = 0.0;
    bool has_fixed_order = false;  ///< destinations come in a fixed order
    bool has_same_order = false;   ///< all nodes use the same order, and therefore meet at each
                                   ///< destination
    /// Number of operations of each node, by which a program's time is divided.
    double operations_per_node = 0.0;
    /// Number of times that a node of a program waits for the messages of a phase before it goes
    /// on.
    double phases = 1.0;
    /// Number of requests that a thread may have sent before it waits for a reply.
    double outstanding_requests = 1.0;
    double work_squared_cv = 0.0;  ///< squared coefficient of variation of a thread's work
};

/// Names of the marks around a program with Communication::kProgram. The program's time is from the
/// first begin mark to the last end mark.
inline constexpr const char* kProgramBegins = "program begins";
inline constexpr const char* kProgramEnds = "program ends";

/// A kernel: its parameters, its data, the program of each node, and the check of its answer. One
/// object serves one run; the nodes' programs may share the data that the check needs.
class Kernel {
  public:
    Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    virtual ~Kernel() = default;

    /// The [workload] table of the experiment file.
    [[nodiscard]] virtual hw::ParameterGroup& parameters() = 0;

    /// Makes the data and writes it to the nodes' memories. Throws InputFault if parameters, data
    /// or machine are refused.
    virtual void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                         nodes::MemoryAccess& memory) = 0;
    [[nodiscard]] virtual std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) = 0;

    /// Checks the answer after a finished run: a description of the fault, or nothing.
    [[nodiscard]] virtual std::optional<std::string> check(nodes::MemoryAccess& memory) = 0;

    [[nodiscard]] virtual Communication communication() const {
        return Communication::kRequestReply;
    }
    /// For kernels whose threads repeat the same work: the whole-number parameter with the number
    /// of repetitions. Twice the value gives a steady state of twice the length. Null for kernels
    /// that solve a problem of one size, or only measure the machine.
    [[nodiscard]] virtual hw::ParameterBase* steady_state_length() { return nullptr; }
    /// Parameters that set the size of the problem. The list is empty if each node's work does not
    /// depend on the number of nodes.
    [[nodiscard]] virtual std::vector<SizeParameter> size_parameters() { return {}; }
    /// Loads of the nodes with these parameters, on a machine of this shape; prepare() is not
    /// needed. The result is nullopt if the kernel does not count them, or if it refuses the
    /// machine.
    [[nodiscard]] virtual std::optional<NodeLoads> node_loads(
        const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/) const {
        return std::nullopt;
    }
    /// Whether messages have bodies, which require a machine with DMA engines.
    [[nodiscard]] virtual bool sends_bodies() const { return false; }
    /// Names of the handlers that send messages. With finite queues, such handlers make a node's
    /// output depend on its input, which no deadlock proof of the network's routing covers.
    [[nodiscard]] virtual std::vector<std::string> sending_handlers() const { return {}; }
    /// Whether nodes share memory, which requires caches and a coherence protocol.
    [[nodiscard]] virtual bool shares_memory() const { return false; }
    /// Whether the program uses fetch-and-op at homes.
    [[nodiscard]] virtual bool fetches_at_homes() const { return false; }
    /// Whether the program uses the hardware barrier.
    [[nodiscard]] virtual bool needs_barrier() const { return false; }
    /// Whether programs of different nodes may run at the same time on several cores of the host
    /// (network.tiles). Such programs share only objects of shared_findings.h and the machine's
    /// memory.
    [[nodiscard]] virtual bool runs_in_tiles() const { return true; }
    /// Number of threads in each node's program; each needs a hardware context.
    [[nodiscard]] virtual std::int64_t threads_per_node() const { return 1; }
    /// Properties of the messages that models need; call after prepare().
    [[nodiscard]] virtual MessagePattern message_pattern() const { return {}; }
    /// Smallest number of nodes on which the kernel runs.
    [[nodiscard]] virtual std::int64_t least_nodes() const { return 2; }
    /// Kernel whose parameters and data a compiled kernel uses: its behavioural twin.
    [[nodiscard]] virtual const Kernel& described() const { return *this; }

    /// Finished share of the kernel's work, 0 to 1, for the progress line.
    [[nodiscard]] virtual double progress() const = 0;
};

}  // namespace weir::firmware
