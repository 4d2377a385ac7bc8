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
#include "firmware/sparcle/thread_waits.h"

namespace weir::firmware {

/// Contents of a node's weir_shared_memory (shared_memory.h): the number of bytes allocated at each
/// node, and the directories' memory. The node's own memory has words for both from `used` to
/// `end`. If a program has atomic operations, its last lines of shared memory hold their locks.
[[nodiscard]] std::vector<std::uint32_t> words_of_shared_memory(const ElfImage& image,
                                                                const nodes::MachineShape& machine,
                                                                std::uint32_t used,
                                                                std::uint32_t end);

/// A kernel that Sparcle nodes run as compiled code. prepare() writes its program, parameters and
/// data to the nodes' memories, from which the cores execute. The twin, the same kernel on the
/// behavioural core, has the parameters and checks the answer.
class CompiledKernel : public Kernel {
  public:
    /// Host services that a program may use (host_call.h).
    struct HostAccess {
        std::filesystem::path folder;  ///< folder for files to be read
        std::filesystem::path input;   ///< file for standard input; empty: no input
        std::int64_t call_cycles = 0;
        /// Cycles for each byte read or written, in addition to call_cycles.
        double cycles_per_byte = 0;
        /// All nodes are one process, with the same files (host_call.h).
        bool is_one_process = false;
        std::int32_t processes_per_node = 1;  ///< each has files of its own
    };

    /// Sets the properties of the machine that concern the programs; call before prepare().
    void configure(nodes::ReceiveMode receive_mode, bool has_floating_point_unit,
                   bool has_overflow_trap, const ActiveMessages::Parameters& parameters);
    /// Sets the folder of the experiment's own files; call before prepare().
    virtual void set_experiment_folder(const std::filesystem::path& /*folder*/) {}
    /// Host services that the programs use; nothing if they use none. is_one_process is known after
    /// prepare().
    [[nodiscard]] virtual std::optional<HostAccess> host_access() const { return std::nullopt; }
    /// Notes the end of a node's program (WEIR_HOST_EXIT).
    void exit_status(hw::NodeId node, std::uint32_t status);
    /// First program that ended with a status other than 0, and the reason.
    [[nodiscard]] std::optional<std::string> failed_program();
    /// For a deadlocked run: messages that MPI ranks wait for; nothing without MPI.
    [[nodiscard]] std::optional<MpiWaits> mpi_waits();
    /// For a run that stands still: for what the program's threads wait; nothing without threads.
    [[nodiscard]] std::optional<ThreadWaits> thread_waits();
    /// Name of a program's mark: from marks.h, or a phase (phases.h) or the program's own mark if
    /// `number` is the address of a text. Empty if there is no such mark; call after prepare().
    [[nodiscard]] std::string mark_name(std::uint32_t number) const;
    /// Number of processes on a node: 1, or its ranks, each with a copy of the program. 1 before
    /// prepare().
    [[nodiscard]] std::int32_t processes_per_node() const {
        return image_ == nullptr ? 1 : static_cast<std::int32_t>(image_->copies().count);
    }
    /// The program's image; call after prepare().
    [[nodiscard]] const ElfImage& image() const { return *image_; }
    /// Size of the main program's stack, at the end of memory. Zero for a program without this
    /// firmware, whose stack may be anywhere; call after prepare().
    [[nodiscard]] hw::Bytes known_stack() const;

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    /// Never called: compiled kernels have no behavioural program.
    [[nodiscard]] std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) final;
    [[nodiscard]] std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] double progress() const override;

  protected:
    /// Whether the program's nodes are one process; false before prepare().
    [[nodiscard]] bool is_one_process() const {
        return image_ != nullptr && image_->find_symbol("weir_one_process") != nullptr;
    }
    /// Whether programs poll: messages do not interrupt.
    [[nodiscard]] bool polls() const { return polling_; }
    /// AM_BLOCKING, AM_STATUS or AM_INTERRUPT of the C side.
    [[nodiscard]] std::uint32_t body_send() const { return body_send_; }
    static constexpr std::uint32_t kInterrupt = 2;  ///< the number AM_INTERRUPT of the C side
    [[nodiscard]] std::uint32_t body_receive() const { return body_receive_; }
    /// Arguments of main(): numbers, except in a program with the C library.
    [[nodiscard]] virtual std::vector<std::string> arguments() const { return {}; }
    /// Environment variables, NAME=VALUE, of a program with the C library.
    [[nodiscard]] virtual std::vector<std::string> environment() const { return {}; }
    /// Bytes of each node's stack.
    [[nodiscard]] virtual std::uint32_t stack_bytes() const { return kStackBytes; }

    /// Weir's own program of this name; compiled without floating-point instructions if the machine
    /// has no floating-point unit.
    [[nodiscard]] ElfImage built_in_program(const std::string& name) const;
    /// Whether the text names a mark of this program, in addition to those of marks.h.
    [[nodiscard]] virtual bool is_mark(const std::string& /*text*/) const { return false; }
    /// Loads the program's image; called before any node has started.
    [[nodiscard]] virtual ElfImage load_image() = 0;
    /// Makes parameters and data and writes them to memory. Throws InputFault if they are refused.
    virtual void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                            ImageMemory& memory) = 0;
    [[nodiscard]] virtual std::optional<std::string> check_answer(ImageMemory& memory) = 0;

    static constexpr std::uint32_t kStackBytes = 64 * 1024;

  private:
    /// Writes every node's weir_boot, the branches of a context switch, and the C library's
    /// settings.
    void write_boot(std::int32_t node_count, double processor_mhz);
    /// Writes the environment's variables, if the program can read them. Throws InputFault for a
    /// program without the C library.
    void write_environment(std::int32_t node_count);
    void write_branches_to_poll(hw::NodeId node);
    void write_call_of_software(hw::NodeId node);
    /// Writes every node's weir_shared_memory; the directory's software has memory below the stack.
    /// Throws InputFault if a user's image lacks this software.
    void write_shared_memory(const nodes::MachineShape& machine);
    /// Bytes of the stack and of the memory reserved directly below it.
    [[nodiscard]] std::uint32_t bytes_at_end() const {
        return stack_bytes() + (shares_memory() ? directory_bytes_ : 0);
    }
    /// Distances from the image to its copies in a node's memory; the first is 0.
    [[nodiscard]] std::vector<std::uint32_t> distances_of_copies() const;
    /// Throws InputFault for several threads of a user's image that has only one.
    void check_contexts() const;
    /// Throws InputFault if a user's image needs a floating-point unit that the machine lacks.
    void check_float_unit() const;
    [[nodiscard]] std::string describe_status(hw::NodeId node, std::uint32_t status);

    bool polling_ = false;
    bool has_floating_point_unit_ = true;
    bool has_overflow_trap_ = false;
    std::uint32_t body_send_ = 1;
    std::uint32_t body_receive_ = 2;
    std::uint32_t overflow_bytes_ = 64 * 1024;
    std::uint32_t directory_bytes_ = 0;
    std::unique_ptr<ElfImage> image_;
    std::unique_ptr<ImageMemory> memory_;
    std::map<std::int32_t, std::uint32_t> statuses_;
};

/// A compiled kernel with a twin on the behavioural core. The twin has the parameters and describes
/// the communication.
template <class Twin>
class TwinKernel : public CompiledKernel {
  public:
    hw::ParameterGroup& parameters() override { return twin_.parameters(); }
    [[nodiscard]] Communication communication() const override { return twin_.communication(); }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override {
        return twin_.steady_state_length();
    }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return twin_.size_parameters();
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

/// Memory that keeps nothing, for a twin's data that are needed in the twin object only.
class NoMemory final : public nodes::MemoryAccess {
  public:
    void write_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                      std::span<const std::uint8_t> /*data*/) override {}
    void read_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                     std::span<std::uint8_t> /*data*/) override {}
};

}  // namespace weir::firmware
