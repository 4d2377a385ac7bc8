#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/sparcle/elf_image.h"
#include "firmware/sparcle/image_memory.h"
#include "firmware/sparcle/mpi_waits.h"

namespace weir::firmware {

/// What a node's weir_shared_memory (shared_memory.h) holds, where the node's own memory has words
/// for it from `used` to `end`: how much is allocated at each node, and what directories keep. A
/// program with atomic operations has its last lines of shared memory for their locks.
[[nodiscard]] std::vector<std::uint32_t> words_of_shared_memory(const ElfImage& image,
                                                                const nodes::MachineShape& machine,
                                                                std::uint32_t used,
                                                                std::uint32_t end);

/// A kernel that Sparcle nodes run as compiled code. prepare() puts its program, parameters and
/// data into the nodes' memories, from where the cores take it; the check is that of the same
/// kernel on the behavioural core, its twin, whose parameters it has, too.
class CompiledKernel : public Kernel {
  public:
    /// What a program may ask its host for (host_call.h).
    struct HostAccess {
        std::filesystem::path folder;  ///< files are read there
        std::int64_t call_cycles = 0;
        double cycles_per_byte = 0;  ///< more
    };

    /// What the machine's configuration has the programs do; before prepare().
    void configure(nodes::ReceiveMode receive_mode, bool has_floating_point_unit,
                   const ActiveMessages::Parameters& parameters);
    /// Where the experiment's own files are; before prepare().
    virtual void set_experiment_folder(const std::filesystem::path& /*folder*/) {}
    /// Nothing where its programs ask for nothing.
    [[nodiscard]] virtual std::optional<HostAccess> host_access() const { return std::nullopt; }
    /// A node's program has ended (WEIR_HOST_EXIT).
    void exit_status(hw::NodeId node, std::uint32_t status);
    /// Which program ended with another status than 0, and why; the first of them.
    [[nodiscard]] std::optional<std::string> failed_program();
    /// Messages that its MPI ranks wait for in a run that stands still; nothing without MPI.
    [[nodiscard]] std::optional<MpiWaits> mpi_waits();
    /// A mark of a program: one of marks.h, or, where the number is the address of its text, one
    /// of phases.h or of its own; empty where it is none. After prepare().
    [[nodiscard]] std::string mark_name(std::uint32_t number) const;
    /// After prepare().
    [[nodiscard]] const ElfImage& image() const { return *image_; }
    /// Of a node's main program, at the end of memory, after prepare(); none for a program without
    /// this firmware, which has its stack anywhere.
    [[nodiscard]] hw::Bytes known_stack() const;

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    /// Compiled code needs none: a fault of ours.
    [[nodiscard]] std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) final;
    [[nodiscard]] std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] double progress() const override;

  protected:
    /// Messages do not interrupt.
    [[nodiscard]] bool polls() const { return polling_; }
    /// What the C side calls AM_BLOCKING, AM_STATUS and AM_INTERRUPT.
    [[nodiscard]] std::uint32_t body_send() const { return body_send_; }
    static constexpr std::uint32_t kInterrupt = 2;  ///< AM_INTERRUPT
    [[nodiscard]] std::uint32_t body_receive() const { return body_receive_; }
    /// What main() gets; numbers, but for a program with the C library.
    [[nodiscard]] virtual std::vector<std::string> arguments() const { return {}; }
    /// Of each node's stack.
    [[nodiscard]] virtual std::uint32_t stack_bytes() const { return kStackBytes; }

    /// The project's own program of that name, without floating-point instructions for a machine
    /// that has not the unit.
    [[nodiscard]] ElfImage built_in_program(const std::string& name) const;
    /// Whether that text is the name of a mark of this program, beside those of marks.h.
    [[nodiscard]] virtual bool is_mark(const std::string& /*text*/) const { return false; }
    /// Which program; it has started at no node yet.
    [[nodiscard]] virtual ElfImage load_image() = 0;
    /// Makes parameters and data and writes them. Throws InputFault.
    virtual void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                            ImageMemory& memory) = 0;
    [[nodiscard]] virtual std::optional<std::string> check_answer(ImageMemory& memory) = 0;

    static constexpr std::uint32_t kStackBytes = 64 * 1024;

  private:
    /// weir_boot, the branches of a switch of contexts, and what the C library gets, of every node.
    void write_boot(std::int32_t node_count, double processor_mhz);
    void write_branches_to_poll(hw::NodeId node);
    void write_call_of_software(hw::NodeId node);
    /// weir_shared_memory, of every node; for the software of its directory there is room below the
    /// stack. Throws InputFault when the image, which the user names, has no such software.
    void write_shared_memory(const nodes::MachineShape& machine);
    /// Of the stack, and of what lies directly below it.
    [[nodiscard]] std::uint32_t bytes_at_end() const {
        return stack_bytes() + (shares_memory() ? directory_bytes_ : 0);
    }
    /// Throws InputFault when the image, which the user names, needs a unit that is not there.
    void check_float_unit() const;
    [[nodiscard]] std::string describe_status(hw::NodeId node, std::uint32_t status);

    bool polling_ = false;
    bool has_floating_point_unit_ = true;
    std::uint32_t body_send_ = 1;
    std::uint32_t body_receive_ = 2;
    std::uint32_t overflow_bytes_ = 64 * 1024;
    std::uint32_t directory_bytes_ = 0;
    std::unique_ptr<ElfImage> image_;
    std::unique_ptr<ImageMemory> memory_;
    std::map<std::int32_t, std::uint32_t> statuses_;
};

/// A compiled kernel with a twin on the behavioural core, which has the parameters, and says how
/// its nodes communicate.
template <class Twin>
class TwinKernel : public CompiledKernel {
  public:
    hw::ParameterGroup& parameters() override { return twin_.parameters(); }
    [[nodiscard]] Communication communication() const override { return twin_.communication(); }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return twin_.steady_state_length();
    }
    [[nodiscard]] bool sends_bodies() const override { return twin_.sends_bodies(); }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return twin_.sending_handlers();
    }
    [[nodiscard]] bool shares_memory() const override { return twin_.shares_memory(); }
    [[nodiscard]] bool fetches_at_homes() const override { return twin_.fetches_at_homes(); }
    [[nodiscard]] bool needs_barrier() const override { return twin_.needs_barrier(); }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return twin_.threads_per_node();
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return twin_.message_pattern();
    }
    [[nodiscard]] const Kernel& described() const override { return twin_; }

  protected:
    [[nodiscard]] const typename Twin::Parameters& workload() {
        return static_cast<const typename Twin::Parameters&>(twin_.parameters());
    }
    [[nodiscard]] Twin& twin() { return twin_; }

  private:
    Twin twin_;
};

/// Memory that keeps nothing: where a twin may put data that is only wanted from the twin itself.
class NoMemory final : public nodes::MemoryAccess {
  public:
    void write_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                      std::span<const std::uint8_t> /*data*/) override {}
    void read_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                     std::span<std::uint8_t> /*data*/) override {}
};

}  // namespace weir::firmware
