#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// A workpile (LoPC Section 5): the first nodes are servers, which have the chunks, dealt out to
/// them in turn; the others are clients. A client asks a random server for a chunk, waits for the
/// reply, works on the chunk, and asks again. A server runs handlers only, and a client is
/// interrupted by nothing but its reply. A server whose chunks are gone says so, and the client
/// asks it no more; a client that knows of none with chunks ends.
///
/// A chunk is a number to be stirred as often as its work is long in cycles; the check: every chunk
/// was given out once, and its result is what the same stirring gives on one machine.
class Workpile final : public Kernel {
  public:
    enum class Work : std::uint8_t { kConstant, kExponential, kFile };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "workpile: clients take chunks from servers") {}

        hw::Parameter<std::int64_t> servers{
            *this, "servers", 4, {1, 16'383}, "Nodes that serve; the others are clients"};
        hw::Parameter<std::int64_t> chunks{
            *this, "chunks", 6'200, {1, 100'000'000}, "Chunks of work"};
        hw::Choice<Work> work{*this,
                              "work",
                              Work::kConstant,
                              {{Work::kConstant, "constant"},
                               {Work::kExponential, "exponential"},
                               {Work::kFile, "file"}},
                              "Cycles of work of a chunk: all alike, exponentially distributed, or "
                              "from a file"};
        hw::Parameter<double> work_cycles{*this,
                                          "work_cycles",
                                          1000.0,
                                          {0.0, 1e9},
                                          "Mean work of a chunk (W)",
                                          "not published; assumed",
                                          hw::when("workload.work").is_not("file")};
        hw::Parameter<hw::FilePath> work_file{
            *this,
            "work_file",
            "",
            {},
            "Cycles of each chunk's work, a whole number a line; taken again from its begin while "
            "there are chunks left",
            hw::when("workload.work").is("file")};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Cycles each handler works beyond what the message itself costs"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override { return &parameters_.chunks; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"ask"}; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        const std::int64_t servers = parameters_.servers.value();
        return {.clients = static_cast<double>(node_count_ - servers),
                .servers = static_cast<double>(servers)};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) / static_cast<double>(chunks_.size());
    }

  private:
    class Program;
    struct Chunk {
        std::int64_t work_cycles = 0;
        std::uint32_t number = 0;
        std::uint32_t result = 0;
        std::int32_t times_done = 0;
    };

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    std::uint64_t seed_ = 0;
    std::vector<Chunk> chunks_;
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
