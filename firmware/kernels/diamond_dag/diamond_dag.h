#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/diamond_dag/alignment.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/units.h"
#include "nodes/programming/machine_shape.h"

namespace weir::firmware {

/// Mapping of a Diamond DAG's stripes to nodes (LoGPC Section 5.2.2).
enum class StripeMapping : std::uint8_t {
    kSnake,      ///< consecutive stripes are on neighbouring nodes of the mesh
    kNodeOrder,  ///< stripe i on node i
    kRandom,     ///< a permutation drawn from the seed
};

/// The node of each stripe; there is one stripe for each node.
///
/// The snake goes along x, one step along y, back along x, and so on; then through planes and
/// higher dimensions in the same way. Every step is one hop in a mesh of any dimensions.
std::vector<hw::NodeId> map_stripes(StripeMapping mapping, const nodes::MachineShape& machine,
                                    std::uint64_t seed);

/// Comparison of two DNA sequences by dynamic programming: the Diamond DAG of LoGPC Section 5.2.
///
/// The first sequence's letters are the rows of the tasks, the second's the columns. Task (i, j)
/// needs the tasks to its left, below it, and below it to the left. Each node has one of P stripes
/// of rows, which it computes in b blocks of columns from left to right. A block needs the upper
/// edge of the block below it. The node of the stripe below sends this edge as the body of a
/// message, with padding if messages are longer than the edge. Each received value is unpacked with
/// a load. Each value of the block's own upper edge is packed with a store and sent on. A task's
/// other inputs (two letters, the value to its left) are part of task_cycles.
///
/// A node's memory holds b receive buffers, so that a sender may be any number of blocks ahead.
/// After them are b send buffers, whose padding is written before the run. No buffer is used twice.
///
/// The last task's value is the score of the best alignment. The check compares it, the upper edges
/// of all stripes and every byte of every message with the plain sequential program.
class DiamondDag final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup(
                  "workload",
                  "diamond-dag: comparison of two DNA sequences, a stripe on each node") {}

        hw::Parameter<hw::FilePath> first_sequence{
            *this,
            "first_sequence",
            "",
            {},
            "FASTA file with the row sequence: one record (A, C, G, T, N), whose length is a "
            "multiple of the number of nodes. Empty: a sequence made from the seed"};
        hw::Parameter<hw::FilePath> second_sequence{
            *this,
            "second_sequence",
            "",
            {},
            "FASTA file with the column sequence: one record, whose length is a multiple of "
            "workload.blocks. Empty: a sequence made from the seed"};
        hw::Parameter<std::int64_t> tasks_per_side{
            *this,
            "tasks_per_side",
            1024,
            {1, 1'000'000},
            "Length of a sequence made from the seed, in letters (n). It is a multiple of the "
            "number of nodes for rows, and of workload.blocks for columns",
            "LoGPC Section 5.2.2: n = 1024"};
        hw::Parameter<std::int64_t> blocks{
            *this,
            "blocks",
            64,
            {1, 1'000'000},
            "Number of blocks in a stripe (b); the node sends one message for each block",
            "LoGPC Section 5.2.2: b = 64"};
        hw::Choice<StripeMapping> mapping{
            *this,
            "mapping",
            StripeMapping::kSnake,
            {{StripeMapping::kSnake, "snake"},
             {StripeMapping::kNodeOrder, "node_order"},
             {StripeMapping::kRandom, "random"}},
            "Mapping of stripes to nodes. snake: consecutive stripes on neighbours in the mesh. "
            "node_order: stripe i on node i. random: a permutation drawn from the seed",
            "LoGPC Section 5.2.2 has all three; Alewife's own node order is not published"};
        hw::Parameter<hw::Bytes> message_bytes{
            *this,
            "message_bytes",
            0,
            {0, std::int64_t{1} << 30},
            "Size of a message's body, a multiple of 8: the block's upper edge (8 bytes for each "
            "column) and padding. 0: the edge alone",
            "LoGPC Section 5.2.2: the amount of data of a block can be varied"};
        hw::Parameter<hw::Cycles> task_cycles{*this,
                                              "task_cycles",
                                              100,
                                              {0, 1'000'000},
                                              "Time of a task, the step for one pair of letters",
                                              "LoGPC Section 5.2.2: each task takes 100 cycles",
                                              hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> pack_cycles_per_value{
            *this,
            "pack_cycles_per_value",
            0,
            {0, 1'000'000},
            "Time to pack a value in addition to its store, and time to unpack it in addition to "
            "its load. LoGPC's alpha is the sum of both",
            "LoGPC Section 5.2.1; not published",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<double> match_score{*this,
                                          "match_score",
                                          1.0,
                                          {-1e6, 1e6},
                                          "Score of two equal letters; N is equal to no letter",
                                          "assumed",
                                          hw::when("core.kind").is("sparcle")};
        hw::Parameter<double> mismatch_score{*this,
                                             "mismatch_score",
                                             -1.0,
                                             {-1e6, 1e6},
                                             "Score of two different letters",
                                             "assumed",
                                             hw::when("core.kind").is("sparcle")};
        hw::Parameter<double> gap_score{*this,
                                        "gap_score",
                                        -2.0,
                                        {-1e6, 1e6},
                                        "Score of a letter opposite a gap",
                                        "assumed",
                                        hw::when("core.kind").is("sparcle")};

        [[nodiscard]] std::optional<Fault> check() const override;
        /// Faults of blocks or message_bytes with a second sequence of `columns` letters.
        [[nodiscard]] std::optional<Fault> check_columns(std::int64_t columns) const;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kPipeline; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.body_bytes = static_cast<double>(message_bytes_)};
    }
    struct Facts {
        double rows = 0.0;
        double columns = 0.0;
        double blocks = 0.0;
        double task_cycles = 0.0;
        double aggregation_cycles_per_value = 0.0;  ///< time to pack and unpack a value
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;
    /// Score of the alignment; call after check().
    [[nodiscard]] std::optional<double> score() const { return score_; }
    [[nodiscard]] bool sends_bodies() const override { return true; }
    [[nodiscard]] double work() const override {
        return static_cast<double>(nodes_.size() * blocks_);
    }

    static constexpr std::uint32_t kValueBytes = 8;

  private:
    class Program;
    friend class CompiledDiamondDag;  // lays out this kernel's data for compiled code
    /// Unit of bodies, and of reads and writes of memory here: 8 bytes.
    using Words = std::vector<std::uint64_t>;

    void read_sequences(const nodes::MachineShape& machine);
    void lay_out(const nodes::MachineShape& machine);
    void fill_buffers(std::size_t stripe, nodes::MemoryAccess& memory) const;
    [[nodiscard]] std::optional<std::string> check_edges(std::size_t stripe,
                                                         nodes::MemoryAccess& memory) const;
    [[nodiscard]] std::optional<std::string> check_bodies(std::size_t stripe,
                                                          nodes::MemoryAccess& memory) const;

    [[nodiscard]] std::uint32_t receive_buffer(std::size_t block) const {
        return static_cast<std::uint32_t>(block) * message_bytes_;
    }
    [[nodiscard]] std::uint32_t send_buffer(std::size_t block) const {
        return static_cast<std::uint32_t>(blocks_ + block) * message_bytes_;
    }
    /// Address of the last value of the last stripe's last edge.
    [[nodiscard]] std::uint32_t score_address() const {
        return send_buffer(blocks_ - 1) + edge_bytes() - kValueBytes;
    }
    [[nodiscard]] double sequential_score() const { return upper_edges_.back().back(); }
    [[nodiscard]] std::uint32_t edge_bytes() const {
        return static_cast<std::uint32_t>(block_columns_) * kValueBytes;
    }
    [[nodiscard]] bool is_last(std::size_t stripe) const { return stripe + 1 == nodes_.size(); }
    [[nodiscard]] std::string_view stripe_letters(std::size_t stripe) const {
        return std::string_view(first_).substr(stripe * stripe_rows_, stripe_rows_);
    }
    [[nodiscard]] std::string_view block_letters(std::size_t block) const {
        return std::string_view(second_).substr(block * block_columns_, block_columns_);
    }
    /// Padding after the edge in a stripe's message for a block.
    [[nodiscard]] Words padding(std::size_t stripe, std::size_t block) const;

    Parameters parameters_;
    AlignmentScores scores_;
    std::string first_;
    std::string second_;
    std::vector<hw::NodeId> nodes_;  // node of each stripe
    std::size_t blocks_ = 0;         // number of blocks in a stripe
    std::size_t stripe_rows_ = 0;
    std::size_t block_columns_ = 0;
    std::uint32_t message_bytes_ = 0;
    // Upper edges that the sequential program computes, by stripe.
    std::vector<std::vector<double>> upper_edges_;
    std::optional<double> score_;
};

/// diamond_dag.c on Sparcle nodes, with its twin's sequences, stripes and messages. A task takes
/// the time of its instructions. The twin checks the score and the upper edges of all stripes
/// against the sequential program.
class CompiledDiamondDag final : public TwinKernel<DiamondDag> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    struct Buffers {
        std::uint32_t receive = 0;
        std::uint32_t send = 0;
    };
    [[nodiscard]] std::optional<std::string> check_stripe(std::size_t stripe, ImageMemory& memory);

    std::vector<Buffers> buffers_;  // addresses in the memory of each stripe's node, by stripe
};

}  // namespace weir::firmware
