#include "firmware/kernels/memory_transfer/memory_transfer.h"

#include <algorithm>
#include <bit>
#include <span>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr hw::NodeId kCopyingNode(0);
constexpr std::int64_t kAddressAlignment = 8;
constexpr std::int64_t kDestinationAlignment = 4096;

std::string sentence_of(TransferKind kind) {
    switch (kind) {
        case TransferKind::kCopy:
            return "memcpy: a strided array copied to an array with the same stride";
        case TransferKind::kPack:
            return "pack: a strided array copied to a contiguous array";
        case TransferKind::kUnpack:
            return "unpack: a contiguous array copied to a strided array";
    }
    return {};
}

std::optional<hw::ParameterGroup::Fault> multiples_fault(const hw::ParameterBase& parameter,
                                                         const std::vector<std::int64_t>& values,
                                                         std::int64_t divisor) {
    for (const std::int64_t value : values) {
        if (value % divisor != 0) {
            return hw::ParameterGroup::Fault{parameter.name(), "found " + std::to_string(value),
                                             "multiples of " + std::to_string(divisor)};
        }
    }
    return std::nullopt;
}

[[noreturn]] void refuse(const std::string& parameter, const std::string& found,
                         const std::string& accepted) {
    throw InputFault("workload." + parameter, found, accepted);
}

}  // namespace

MemoryTransfer::Parameters::Parameters(TransferKind kind)
    : ParameterGroup("workload", sentence_of(kind)) {}

std::optional<hw::ParameterGroup::Fault> MemoryTransfer::Parameters::check() const {
    if (auto fault = multiples_fault(sizes_bytes, sizes_bytes.value(), element_bytes())) {
        return fault;
    }
    if (auto fault = multiples_fault(strides_bytes, strides_bytes.value(), element_bytes())) {
        return fault;
    }
    for (const auto* address : {&source_address, &destination_address}) {
        const std::vector<std::int64_t> value(1, address->value().count());
        if (auto fault = multiples_fault(*address, value, kAddressAlignment)) {
            return fault;
        }
    }
    return std::nullopt;
}

class MemoryTransfer::Program final : public ProgramOf<MemoryTransfer> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        if (processor().node() != kCopyingNode) {
            co_return;
        }
        for (std::size_t index = 0; index < kernel_.transfers_.size(); ++index) {
            const Transfer& transfer = kernel_.transfers_[index];
            for (std::int64_t repetition = 1; repetition <= transfer.repetitions; ++repetition) {
                const bool is_last = repetition == transfer.repetitions;
                const bool is_marked = is_last || repetition == 1;
                mark(is_marked, is_last ? kBegin : kFirstBegin, index);
                sum_ = 0;
                if (processor().loads_in_flight() > 1) {
                    co_await move_ahead(transfer);
                } else if (transfer.element_bytes == WEIR_WORD_BYTES) {
                    co_await move_words(transfer);
                } else {
                    co_await move_doubles(transfer);
                }
                mark(is_marked, is_last ? kEnd : kFirstEnd, index);
                kernel_.note_repetition(index, repetition, sum_);
            }
        }
    }

  private:
    Task move_words(const Transfer& transfer) {
        nodes::Processor& core = processor();
        const auto load_stride = static_cast<std::uint32_t>(transfer.source_stride_bytes());
        const auto store_stride = static_cast<std::uint32_t>(transfer.destination_stride_bytes());
        auto from = static_cast<std::uint32_t>(transfer.source_address);
        auto to = static_cast<std::uint32_t>(transfer.destination_address);
        for (std::int64_t i = 0; i < transfer.elements; ++i) {
            const std::uint32_t word = co_await core.load(from);
            co_await core.store(to, word);
            co_await core.compute(loop_cycles_);
            sum_ += word;
            from += load_stride;
            to += store_stride;
        }
    }

    Task move_doubles(const Transfer& transfer) {
        nodes::Processor& core = processor();
        const auto load_stride = static_cast<std::uint32_t>(transfer.source_stride_bytes());
        const auto store_stride = static_cast<std::uint32_t>(transfer.destination_stride_bytes());
        auto from = static_cast<std::uint32_t>(transfer.source_address);
        auto to = static_cast<std::uint32_t>(transfer.destination_address);
        for (std::int64_t i = 0; i < transfer.elements; ++i) {
            const double value = co_await core.load_real(from);
            co_await core.store_real(to, value);
            co_await core.compute(loop_cycles_);
            sum_ += std::bit_cast<std::uint64_t>(value);
            from += load_stride;
            to += store_stride;
        }
    }

    // A load is begun `loads_in_flight` elements ahead of the store of its element.
    Task move_ahead(const Transfer& transfer) {
        nodes::Processor& core = processor();
        const bool has_words = transfer.element_bytes == WEIR_WORD_BYTES;
        const auto load_stride = static_cast<std::uint32_t>(transfer.source_stride_bytes());
        const auto store_stride = static_cast<std::uint32_t>(transfer.destination_stride_bytes());
        auto from = static_cast<std::uint32_t>(transfer.source_address);
        auto to = static_cast<std::uint32_t>(transfer.destination_address);
        const std::int64_t in_flight =
            std::min<std::int64_t>(core.loads_in_flight(), transfer.elements);
        for (std::int64_t i = 0; i < transfer.elements + in_flight; ++i) {
            const auto place = static_cast<std::int32_t>(i % in_flight);
            if (i >= in_flight && has_words) {
                const std::uint32_t word = co_await core.loaded(place);
                co_await core.store(to, word);
                sum_ += word;
                to += store_stride;
            } else if (i >= in_flight) {
                const double value = co_await core.loaded_real(place);
                co_await core.store_real(to, value);
                sum_ += std::bit_cast<std::uint64_t>(value);
                to += store_stride;
            }
            if (i >= transfer.elements) {
                continue;
            }
            if (has_words) {
                co_await core.begin_load(from, place);
            } else {
                co_await core.begin_load_real(from, place);
            }
            from += load_stride;
            co_await core.compute(loop_cycles_);
        }
    }

    void mark(bool is_marked, const char* name, std::size_t index) {
        if (is_marked) {
            processor().trace_mark(name, static_cast<std::int64_t>(index));
        }
    }

    hw::Cycles loop_cycles_ = kernel_.parameters_.loop_cycles.value();
    std::uint64_t sum_ = 0;  // sum of the bit patterns that the current repetition has loaded
};

void MemoryTransfer::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                             nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    if (const auto fault = parameters_.check()) {
        refuse(fault->key, fault->found, fault->accepted);
    }
    memory_bytes_ = machine.memory_bytes.count();
    lay_out();
    data_key_ = hw::RandomStream(seed, kCopyingNode, "memory transfer's source").next();
    MemoryImage source;
    for (const Transfer& transfer : transfers_) {
        sums_.push_back(put_source(transfer, source));
        elements_to_move_ += transfer.elements * transfer.repetitions;
    }
    for (const auto& [number, page] : source.pages()) {
        memory.write<std::uint8_t>(kCopyingNode, number * MemoryImage::kPageBytes,
                                   std::span(page).first(bytes_of_page(number)));
    }
}

// Every pair of a stride and a size is run. An experiment file therefore cannot leave out a single
// pair.
void MemoryTransfer::lay_out() {
    const std::int64_t middle = memory_bytes_ / 2 / kDestinationAlignment * kDestinationAlignment;
    const std::int64_t source = parameters_.source_address.value().count();
    const std::int64_t chosen = parameters_.destination_address.value().count();
    const std::int64_t destination = chosen != 0 ? chosen : middle;
    if (source == destination) {
        refuse("destination_address",
               "source and destination both begin at " + std::to_string(source),
               "source and destination at different addresses");
    }
    // An array ends where the other one begins, or at the end of memory.
    const std::int64_t source_end = source < destination ? destination : memory_bytes_;
    const std::int64_t destination_end = source < destination ? memory_bytes_ : source;
    for (const std::int64_t stride : parameters_.strides_bytes.value()) {
        for (const std::int64_t size : parameters_.sizes_bytes.value()) {
            const Transfer transfer{.kind = kind_,
                                    .element_bytes = parameters_.element_bytes(),
                                    .stride_bytes = stride,
                                    .elements = size / parameters_.element_bytes(),
                                    .repetitions = parameters_.repetitions.value(),
                                    .source_address = source,
                                    .destination_address = destination};
            if (transfer.source_end() <= source_end &&
                transfer.destination_end() <= destination_end) {
                transfers_.push_back(transfer);
                continue;
            }
            ++left_out_;
            if (parameters_.leave_out_what_does_not_fit.value()) {
                continue;
            }
            refuse("sizes_bytes",
                   std::to_string(size) + " bytes at a stride of " + std::to_string(stride) +
                       " do not fit: the arrays take bytes " + std::to_string(source) + " to " +
                       std::to_string(transfer.source_end()) + " and " +
                       std::to_string(destination) + " to " +
                       std::to_string(transfer.destination_end()) + " of a memory of " +
                       std::to_string(memory_bytes_),
                   "smaller ones, a larger memory.bytes, or "
                   "workload.leave_out_what_does_not_fit = true");
        }
    }
    if (transfers_.empty()) {
        refuse(
            "sizes_bytes",
            "none fits at any stride into a memory of " + std::to_string(memory_bytes_) + " bytes",
            "smaller ones, or a larger memory.bytes");
    }
}

std::uint64_t MemoryTransfer::put_source(const Transfer& transfer, MemoryImage& image) const {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < transfer.elements; ++i) {
        const auto address = static_cast<std::uint32_t>(transfer.source_address +
                                                        i * transfer.source_stride_bytes());
        hw::RandomStream stream(data_key_ ^ address, kCopyingNode, "");
        if (transfer.element_bytes == WEIR_WORD_BYTES) {
            const auto word = static_cast<std::uint32_t>(stream.next());
            image.put(address, word);
            sum += word;
        } else {
            const double value = stream.unit();
            image.put(address, value);
            sum += std::bit_cast<std::uint64_t>(value);
        }
    }
    return sum;
}

void MemoryTransfer::note_repetition(std::size_t index, std::int64_t repetition,
                                     std::uint64_t sum) {
    done_ += transfers_[index].elements;
    if (sum != sums_[index] && !first_wrong_) {
        first_wrong_ = "repetition " + std::to_string(repetition) + " of transfer " +
                       std::to_string(index) + " has not loaded what its source holds";
    }
}

std::uint32_t MemoryTransfer::bytes_of_page(std::uint32_t number) const {
    const std::int64_t begin = std::int64_t{number} * MemoryImage::kPageBytes;
    return static_cast<std::uint32_t>(
        std::min<std::int64_t>(MemoryImage::kPageBytes, memory_bytes_ - begin));
}

// A source never changes, so every repetition leaves the same result.
std::optional<std::string> MemoryTransfer::check(nodes::MemoryAccess& memory) {
    if (first_wrong_) {
        return first_wrong_;
    }
    MemoryImage expected;
    for (const Transfer& transfer : transfers_) {
        put_source(transfer, expected);
    }
    for (const Transfer& transfer : transfers_) {
        for (std::int64_t i = 0; i < transfer.elements; ++i) {
            const auto from = static_cast<std::uint32_t>(transfer.source_address +
                                                         i * transfer.source_stride_bytes());
            const auto to = static_cast<std::uint32_t>(transfer.destination_address +
                                                       i * transfer.destination_stride_bytes());
            if (transfer.element_bytes == WEIR_WORD_BYTES) {
                expected.put(to, expected.get<std::uint32_t>(from));
            } else {
                expected.put(to, expected.get<double>(from));
            }
        }
    }
    MemoryImage::Page page_found{};
    for (const auto& [number, page] : expected.pages()) {
        const std::uint32_t address = number * MemoryImage::kPageBytes;
        const auto found = std::span(page_found).first(bytes_of_page(number));
        memory.read<std::uint8_t>(kCopyingNode, address, found);
        const auto [in_found, in_page] = std::mismatch(found.begin(), found.end(), page.begin());
        if (in_found != found.end()) {
            return "byte " + std::to_string(address + (in_found - found.begin())) +
                   " of node 0's memory is " + std::to_string(*in_found) + ", a plain copy gives " +
                   std::to_string(*in_page);
        }
    }
    return std::nullopt;
}

MemoryTransfer::Facts MemoryTransfer::facts() const {
    double bytes = 0.0;
    for (const Transfer& transfer : transfers_) {
        bytes += static_cast<double>(transfer.bytes());
    }
    return {static_cast<double>(transfers_.size()), static_cast<double>(left_out_), bytes};
}

}  // namespace weir::firmware
