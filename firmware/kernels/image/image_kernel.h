#pragma once

#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// A user's own program on Sparcle nodes, compiled with or without firmware/sparcle; every node has
/// the same image. Its main(count, words) gets the arguments as numbers, or, with the C library, as
/// texts after the program's name. The run is successful if every node's status is 0.
class ImageKernel final : public CompiledKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "image: a compiled program of the user's own") {}

        hw::Parameter<hw::FilePath> image{
            *this, "image", "", {}, "Program to run: an ELF file for SPARC V7"};
        hw::Parameter<hw::Words> arguments{*this, "arguments",
                                           "Arguments of main(count, words) on every node"};
        hw::Parameter<hw::Words> environment{
            *this, "environment",
            "Environment variables of a program with the C library, as NAME=VALUE. They also "
            "choose "
            "the algorithms of MPI's collectives: MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial"};
        hw::Parameter<hw::FilePath> files{*this,
                                          "files",
                                          "",
                                          {},
                                          "Folder from which a program with the C library reads "
                                          "files. Empty: the experiment's folder"};
        hw::Parameter<hw::FilePath> input{*this,
                                          "stdin",
                                          "",
                                          {},
                                          "File for standard input of a program with the C "
                                          "library. Each node reads it from its beginning; "
                                          "the nodes of a program with threads read it together. "
                                          "Empty: no input"};
        hw::Parameter<hw::Cycles> host_call_cycles{
            *this,
            "host_call_cycles",
            200,
            {0, 1'000'000'000},
            "Time in which a program with the C library opens, reads or writes a file",
            "assumed: 10 microseconds, a system call's"};
        hw::Parameter<double> host_cycles_per_byte{
            *this,
            "host_cycles_per_byte",
            2.0,
            {0.0, 1e6},
            "Time for each byte read or written, also on the console; a call's total is rounded up "
            "to whole cycles",
            "assumed: 10 MB/s, a workstation's bus"};
        hw::Parameter<hw::Bytes> stack_bytes{*this,
                                             "stack_bytes",
                                             kStackBytes,
                                             {4096, 1 << 30},
                                             "Size of each node's stack, at the end of memory",
                                             "assumed"};
        hw::Parameter<bool> shares_memory{
            *this,
            "shares_memory",
            false,
            {},
            "Whether the program uses shared memory; compile such a program with --shared-memory"};
        hw::Parameter<std::int64_t> threads{
            *this,
            "threads",
            1,
            {1, 4},
            "Number of threads of each node, or of ranks of MPI (core.contexts). The core switches "
            "contexts while a thread waits for a line of another node, and when a rank waits for "
            "a message. Compile a program for several threads or ranks with --contexts"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] std::int64_t least_nodes() const override { return 1; }
    [[nodiscard]] bool shares_memory() const override { return parameters_.shares_memory.value(); }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return parameters_.threads.value();
    }
    void set_experiment_folder(const std::filesystem::path& folder) override {
        experiment_folder_ = folder;
    }
    [[nodiscard]] std::optional<HostAccess> host_access() const override;

  protected:
    [[nodiscard]] ElfImage load_image() override;
    [[nodiscard]] std::vector<std::string> arguments() const override {
        return parameters_.arguments.value();
    }
    [[nodiscard]] std::vector<std::string> environment() const override {
        return parameters_.environment.value();
    }
    [[nodiscard]] std::uint32_t stack_bytes() const override {
        return static_cast<std::uint32_t>(parameters_.stack_bytes.value().count()) / 8 * 8;
    }
    void write_data(const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/,
                    ImageMemory& /*memory*/) override {}
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& /*memory*/) override {
        return std::nullopt;  // no check besides the nodes' exit statuses
    }

  private:
    Parameters parameters_;
    std::filesystem::path experiment_folder_;
};

}  // namespace weir::firmware
