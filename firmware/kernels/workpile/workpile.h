#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// A workpile (LoPC Section 5). The first nodes are servers, which have the chunks, distributed
/// cyclically; the others are clients. A client asks a random server for a chunk, waits for the
/// reply, works on the chunk, and asks again. A server runs handlers only, and only replies
/// interrupt a client. A server without chunks says so, and the client does not ask it again. A
/// client ends when all servers are out of chunks.
///
/// The result of a chunk is a number, scrambled once for each cycle of work. The check: every chunk
/// was handed out once, and its result equals that of one machine.
class Workpile final : public BuiltInKernel {
  public:
    enum class Work : std::uint8_t { kConstant, kExponential, kFile };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "workpile: clients take chunks of work from servers") {}

        hw::Parameter<std::int64_t> servers{
            *this, "servers", 4, {1, 16'383}, "Number of servers; the other nodes are clients"};
        hw::Parameter<std::int64_t> chunks{
            *this, "chunks", 6'200, {1, 100'000'000}, "Number of chunks of work"};
        hw::Choice<Work> work{*this,
                              "work",
                              Work::kConstant,
                              {{Work::kConstant, "constant"},
                               {Work::kExponential, "exponential"},
                               {Work::kFile, "file"}},
                              "Distribution of the work of a chunk. constant: always work_cycles. "
                              "exponential: with the mean work_cycles. file: read from work_file"};
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
            "File with the work of each chunk in cycles, a whole number on each line. The file "
            "is read again from the beginning while chunks are left",
            hw::when("workload.work").is("file")};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Work of a handler, in addition to the cost of the message itself"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override { return &parameters_.chunks; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override {
        return Communication::kRequestReply;
    }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"ask"}; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        const std::int64_t servers = parameters_.servers.value();
        return {.clients = static_cast<double>(node_count_ - servers),
                .servers = static_cast<double>(servers)};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(chunks_.size()); }

  private:
    class Program;
    struct Chunk {
        std::int64_t work_cycles = 0;
        std::uint32_t number = 0;
        std::uint32_t result = 0;
        std::int32_t times_done = 0;
    };

    Parameters parameters_;
    std::vector<Chunk> chunks_;
};

}  // namespace weir::firmware
