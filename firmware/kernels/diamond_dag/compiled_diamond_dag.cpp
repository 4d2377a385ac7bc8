#include "firmware/kernels/diamond_dag/compiled_diamond_dag.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weir::firmware {

namespace {

std::vector<std::uint8_t> letters(std::string_view text) { return {text.begin(), text.end()}; }

std::uint32_t upper_word(double value) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32);
}
std::uint32_t lower_word(double value) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value));
}

}  // namespace

ElfImage CompiledDiamondDag::load_image() { return built_in_program("diamond-dag"); }

void CompiledDiamondDag::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                    ImageMemory& memory) {
    NoMemory nowhere;
    DiamondDag& dag = twin();
    dag.prepare(machine, seed, nowhere);
    constexpr std::uint32_t kValue = DiamondDag::kValueBytes;
    const std::uint32_t bytes = dag.message_bytes_;
    buffers_.clear();
    for (std::size_t stripe = 0; stripe < dag.nodes_.size(); ++stripe) {
        const hw::NodeId node = dag.nodes_[stripe];
        const std::vector<std::uint8_t> own = letters(dag.stripe_letters(stripe));
        const std::vector<std::uint8_t> columns = letters(dag.second_);
        const std::uint32_t own_at = memory.allot(node, own.size(), 1, "the sequences");
        const std::uint32_t columns_at = memory.allot(node, columns.size(), 1, "the sequences");
        const std::uint32_t left = memory.allot(node, own.size() + 1, kValue, "a stripe's edge");
        const std::uint32_t stored =
            memory.allot_zeros(node, dag.blocks_, WEIR_WORD_BYTES, "the buffers");
        buffers_.push_back({.receive = memory.allot(node, dag.blocks_, bytes, "the buffers",
                                                    ImageMemory::kBurstAlignment),
                            .send = memory.allot(node, dag.blocks_, bytes, "the buffers",
                                                 ImageMemory::kBurstAlignment)});
        memory.write_bytes(node, own_at, own);
        memory.write_bytes(node, columns_at, columns);
        // NaN, so that a value that was not received or computed is recognised.
        const std::vector<double> unset(dag.block_columns_,
                                        std::numeric_limits<double>::quiet_NaN());
        for (std::size_t block = 0; block < dag.blocks_; ++block) {
            const auto offset = static_cast<std::uint32_t>(block) * bytes;
            memory.write_doubles(node, buffers_.back().receive + offset, unset);
            memory.write_doubles(node, buffers_.back().send + offset, unset);
            std::vector<std::uint32_t> padding;
            for (const std::uint64_t words : dag.padding(stripe, block)) {
                padding.push_back(static_cast<std::uint32_t>(words >> 32));
                padding.push_back(static_cast<std::uint32_t>(words));
            }
            memory.write_words(node, buffers_.back().send + offset + dag.edge_bytes(), padding);
        }
        const bool is_last = dag.is_last(stripe);
        std::vector<std::uint32_t> parameters{
            static_cast<std::uint32_t>(stripe),
            is_last ? 1U : 0U,
            static_cast<std::uint32_t>(is_last ? 0 : dag.nodes_[stripe + 1].index()),
            static_cast<std::uint32_t>(dag.blocks_),
            static_cast<std::uint32_t>(dag.stripe_rows_),
            static_cast<std::uint32_t>(dag.block_columns_),
            bytes,
            body_send(),
            body_receive(),
            own_at,
            columns_at,
            left,
            buffers_.back().receive,
            buffers_.back().send,
            stored,
            0};  // padding: doubles begin at a multiple of 8
        for (const double score : {dag.scores_.match, dag.scores_.mismatch, dag.scores_.gap}) {
            parameters.push_back(upper_word(score));
            parameters.push_back(lower_word(score));
        }
        memory.write_words(node, "weir_parameters", parameters);
    }
}

std::optional<std::string> CompiledDiamondDag::check_answer(ImageMemory& memory) {
    for (std::size_t stripe = 0; stripe < buffers_.size(); ++stripe) {
        if (auto wrong = check_stripe(stripe, memory)) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> CompiledDiamondDag::check_stripe(std::size_t stripe,
                                                            ImageMemory& memory) {
    const DiamondDag& dag = twin();
    for (std::size_t block = 0; block < dag.blocks_; ++block) {
        const auto offset = static_cast<std::uint32_t>(block) * dag.message_bytes_;
        const std::uint32_t sent_at = buffers_[stripe].send + offset;
        const std::vector<double> edge =
            memory.read_doubles(dag.nodes_[stripe], sent_at, dag.block_columns_);
        for (std::size_t i = 0; i < edge.size(); ++i) {
            const std::size_t column = block * dag.block_columns_ + i;
            const double expected = dag.upper_edges_[stripe][column];
            if (edge[i] != expected) {
                return "column " + std::to_string(column) + " of the upper edge of stripe " +
                       std::to_string(stripe) + " is " + std::to_string(edge[i]) +
                       ", the sequential program gives " + std::to_string(expected);
            }
        }
        if (dag.is_last(stripe)) {
            continue;
        }
        const std::vector<std::uint8_t> sent =
            memory.read_bytes(dag.nodes_[stripe], sent_at, dag.message_bytes_);
        const std::vector<std::uint8_t> received = memory.read_bytes(
            dag.nodes_[stripe + 1], buffers_[stripe + 1].receive + offset, dag.message_bytes_);
        const auto [in_sent, in_received] =
            std::mismatch(sent.begin(), sent.end(), received.begin());
        if (in_sent != sent.end()) {
            return "the body of block " + std::to_string(block) + " that stripe " +
                   std::to_string(stripe + 1) + " received differs from byte " +
                   std::to_string(in_sent - sent.begin()) + " on from what was sent";
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
