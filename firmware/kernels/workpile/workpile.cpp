#include "firmware/kernels/workpile/workpile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "firmware/constant_work.h"
#include "firmware/kernels/workpile/work_file.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kNoChunk = 0xffffffff;

// Result of the work: one step for each cycle, up to a limit.
std::uint32_t stirred(std::uint32_t number, std::int64_t cycles) {
    constexpr std::int64_t kMostSteps = 1000;
    for (std::int64_t i = 0; i < std::min(cycles, kMostSteps); ++i) {
        number ^= number << 13;
        number ^= number >> 17;
        number ^= number << 5;
    }
    return number;
}

}  // namespace

std::optional<hw::ParameterGroup::Fault> Workpile::Parameters::check() const {
    if (work.value() == Work::kFile && work_file.value().empty()) {
        return Fault{"work_file", "is not given", "a file, or another workload.work than \"file\""};
    }
    return std::nullopt;
}

class Workpile::Program final : public ProgramOf<Workpile> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const std::int64_t servers = kernel_.parameters_.servers.value();
        if (processor().node().index() < servers) {
            co_return;  // servers run handlers only
        }
        const auto self = static_cast<std::uint32_t>(processor().node().index());
        std::vector<std::int32_t> with_chunks(servers);
        std::iota(with_chunks.begin(), with_chunks.end(), 0);
        while (!with_chunks.empty()) {
            const auto choice = with_chunks.begin() +
                                static_cast<std::ptrdiff_t>(choices_.below(with_chunks.size()));
            has_reply_ = false;
            co_await messages().send(hw::NodeId(*choice), ask_, {self});
            co_await processor().wait_for(has_reply_);
            if (given_ == kNoChunk) {
                processor().trace_mark("steady state ends", *choice);
                with_chunks.erase(choice);
                continue;
            }
            Chunk& chunk = kernel_.chunks_.at(given_);
            co_await processor().compute(hw::Cycles(chunk.work_cycles));
            chunk.result = stirred(number_, chunk.work_cycles);
            ++chunk.times_done;
            ++kernel_.done_;
        }
    }

  private:
    // Handler at the server: hands out its next chunk; a server has every servers-th chunk.
    Task ask() {
        const std::uint32_t client = co_await messages().argument(0);
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        const bool is_left = next_chunk_ < kernel_.chunks_.size();
        const std::uint32_t given = is_left ? static_cast<std::uint32_t>(next_chunk_) : kNoChunk;
        const std::uint32_t number = is_left ? kernel_.chunks_[next_chunk_].number : 0;
        next_chunk_ += kernel_.parameters_.servers.value();
        co_await messages().send(hw::NodeId(static_cast<std::int32_t>(client)), reply_,
                                 {given, number});
    }

    Task reply() {
        given_ = co_await messages().argument(0);
        number_ = co_await messages().argument(1);
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        has_reply_ = true;
    }

    std::size_t next_chunk_ = self_;
    hw::RandomStream choices_{kernel_.seed_, processor().node(), "workpile servers"};
    ActiveMessages::HandlerAddress ask_ = messages().add_handler([this] { return ask(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
    std::uint32_t given_ = kNoChunk;
    std::uint32_t number_ = 0;
    bool has_reply_ = false;
};

void Workpile::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                       nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine, seed);
    if (parameters_.servers.value() >= node_count_) {
        throw InputFault("workload.servers",
                         "found " + std::to_string(parameters_.servers.value()) + " on " +
                             std::to_string(node_count_) + " nodes, which leaves no client",
                         "1 to " + std::to_string(node_count_ - 1));
    }
    const Work kind = parameters_.work.value();
    const std::vector<std::int64_t> given = kind == Work::kFile
                                                ? read_work_file(parameters_.work_file.value())
                                                : std::vector<std::int64_t>{};
    const double mean = parameters_.work_cycles.value();
    ConstantWork constant(mean);
    hw::RandomStream stream(seed, hw::NodeId(0), "workpile chunks");
    chunks_.resize(parameters_.chunks.value());
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        chunks_[i].work_cycles = kind == Work::kFile ? given[i % given.size()]
                                 : kind == Work::kExponential
                                     ? std::llround(stream.exponential(mean))
                                     : constant.next().count();
        chunks_[i].number = static_cast<std::uint32_t>(stream.next()) | 1U;
    }
}

std::optional<std::string> Workpile::check(nodes::MemoryAccess& /*memory*/) {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        const Chunk& chunk = chunks_[i];
        const std::uint32_t expected = stirred(chunk.number, chunk.work_cycles);
        if (chunk.times_done != 1 || chunk.result != expected) {
            return "chunk " + std::to_string(i) + " was done " + std::to_string(chunk.times_done) +
                   " times, its result is " + std::to_string(chunk.result) +
                   "; one machine gives " + std::to_string(expected);
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
