#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/active_messages.h"
#include "firmware/limitless.h"
#include "firmware/shared_findings.h"
#include "hw/parameter.h"
#include "hw/refusal.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

inline constexpr std::uint32_t kWordBytes = 4;  ///< of a word
inline constexpr std::uint32_t kRealBytes = 8;  ///< of a number in double precision

/// The user's data can't be used: a key, or a file and line, what was found, what is accepted.
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

/// What a kernel's threads do with their messages in the steady state.
enum class Communication : std::uint8_t {
    kRequestReply,  ///< each sends a request and waits for its reply
    kOneWay,        ///< each sends and waits for nothing
    kSingle,        ///< one sends a message, and nothing else is at work
    kPipeline,      ///< each waits for another's message, works and sends on: no steady state
    kProgram,       ///< a program of its own, marked kProgramBegins and kProgramEnds, whose whole
                    ///< time counts
    kNone,          ///< no node sends a message
};

/// What a kernel says of its messages to models that know nothing else of it. 0 is none.
struct MessagePattern {
    double body_bytes = 0.0;           ///< of a message
    double span_nodes = 0.0;           ///< destinations' numbers differ so much from a node's own
    double clients = 0.0;              ///< nodes that ask, where not all ask all
    double servers = 0.0;              ///< and those that they ask
    double visits_per_request = 1.0;   ///< nodes that a request visits before its reply
    double iterations = 0.0;           ///< messages of each node, where the whole run is measured
    bool has_fixed_order = false;      ///< of destinations
    bool has_same_order = false;       ///< at all nodes, which so meet at each destination
    double operations_per_node = 0.0;  ///< what a program's time is divided by
};

/// Marks of Communication::kProgram: its time is from the first of the one to the last of the
/// other.
inline constexpr const char* kProgramBegins = "program begins";
inline constexpr const char* kProgramEnds = "program ends";

/// A kernel: its parameters, its data, the program of each node, and the check of its answer.
/// One object serves one run; the programs of its nodes may share what the check needs.
class Kernel {
  public:
    Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    virtual ~Kernel() = default;

    /// The [workload] table of the experiment file.
    [[nodiscard]] virtual hw::ParameterGroup& parameters() = 0;

    /// Makes the data and puts it into the nodes' memories. Throws InputFault.
    virtual void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                         nodes::MemoryAccess& memory) = 0;
    [[nodiscard]] virtual std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) = 0;

    /// After a finished run: what is wrong with the answer, or nothing.
    [[nodiscard]] virtual std::optional<std::string> check(nodes::MemoryAccess& memory) = 0;

    [[nodiscard]] virtual Communication communication() const {
        return Communication::kRequestReply;
    }
    /// Of a kernel whose threads do the same over and over: the parameter, a whole number, that
    /// says how often. Twice as much of it is a run that is in the same steady state for twice as
    /// long. Null for a kernel that solves a problem of one size, or nothing but measures the
    /// machine.
    [[nodiscard]] virtual hw::ParameterBase* steady_state_length() { return nullptr; }
    /// Whether its messages have bodies, which only a machine with DMA engines moves.
    [[nodiscard]] virtual bool sends_bodies() const { return false; }
    /// Its handlers that send messages, by name: with queues that fill, they make what leaves a
    /// node depend on what arrives there, which no proof about the network's routing covers.
    [[nodiscard]] virtual std::vector<std::string> sending_handlers() const { return {}; }
    /// Whether its nodes share memory, which only a machine with caches and a coherence protocol
    /// keeps coherent.
    [[nodiscard]] virtual bool shares_memory() const { return false; }
    /// Whether it has words changed at their homes (fetch-and-op).
    [[nodiscard]] virtual bool fetches_at_homes() const { return false; }
    /// Whether its nodes meet at the hardware barrier.
    [[nodiscard]] virtual bool needs_barrier() const { return false; }
    /// Whether programs of different nodes may run at the same time, by several cores of the host
    /// (network.tiles): what they change together is of shared_findings.h, or in the machine.
    [[nodiscard]] virtual bool runs_in_tiles() const { return true; }
    /// Threads of each node's program: a machine with as many contexts runs it.
    [[nodiscard]] virtual std::int64_t threads_per_node() const { return 1; }
    /// What models need to know of its messages; after prepare().
    [[nodiscard]] virtual MessagePattern message_pattern() const { return {}; }
    /// On fewer nodes there is nobody to send to.
    [[nodiscard]] virtual std::int64_t least_nodes() const { return 2; }
    /// The kernel whose parameters and data these are: the twin of a compiled one.
    [[nodiscard]] virtual const Kernel& described() const { return *this; }

    /// What share of its work the kernel has done, 0 to 1, for the progress line.
    [[nodiscard]] virtual double progress() const = 0;
};

}  // namespace weir::firmware
