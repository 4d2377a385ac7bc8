#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// A memory as a plain program sees it, without time: pages that exist once something was put into
/// them, all else zero. As large as what is touched, however far apart.
class MemoryImage {
  public:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// Puts a value at a multiple of its size.
    template <class T>
    void put(std::uint32_t address, T value) {
        std::memcpy(pages_[address / kPageBytes].data() + address % kPageBytes, &value, sizeof(T));
    }
    template <class T>
    [[nodiscard]] T get(std::uint32_t address) const {
        T value{};
        const auto page = pages_.find(address / kPageBytes);
        if (page != pages_.end()) {
            std::memcpy(&value, page->second.data() + address % kPageBytes, sizeof(T));
        }
        return value;
    }

    /// By their address divided by kPageBytes; what was not put there is zero.
    [[nodiscard]] const std::map<std::uint32_t, Page>& pages() const { return pages_; }

  private:
    std::map<std::uint32_t, Page> pages_;
};

/// The three ways to copy an array that memory logP measures (Cameron and Sun, 2003, Sections 6 and
/// 7; Figure 3 is kUnpack).
enum class TransferKind : std::uint8_t {
    kCopy,    ///< loads at the stride, stores at the stride
    kPack,    ///< loads at the stride, stores contiguous
    kUnpack,  ///< loads contiguous, stores at the stride
};

/// One array copied to another: what it does to memory, known before it runs.
struct Transfer {
    TransferKind kind = TransferKind::kCopy;
    std::int64_t element_bytes = 0;  ///< 4 or 8
    std::int64_t stride_bytes = 0;   ///< from one element's first byte to the next one's
    std::int64_t elements = 0;       ///< moved in a repetition
    std::int64_t repetitions = 1;    ///< over the same data, one after the other
    std::int64_t source_address = 0;
    std::int64_t destination_address = 0;

    [[nodiscard]] std::int64_t bytes() const { return elements * element_bytes; }
    [[nodiscard]] std::int64_t source_stride_bytes() const {
        return kind == TransferKind::kUnpack ? element_bytes : stride_bytes;
    }
    [[nodiscard]] std::int64_t destination_stride_bytes() const {
        return kind == TransferKind::kPack ? element_bytes : stride_bytes;
    }
    /// The first byte behind the array.
    [[nodiscard]] std::int64_t source_end() const {
        return source_address + (elements - 1) * source_stride_bytes() + element_bytes;
    }
    [[nodiscard]] std::int64_t destination_end() const {
        return destination_address + (elements - 1) * destination_stride_bytes() + element_bytes;
    }
};

/// Memory logP's measurement, as three kernels: "memcpy", "pack" and "unpack". Node 0 copies one
/// array to another, element by element: a load, a store, and the loop's own cycles. There is a
/// transfer for each stride and size, one after the other, sizes innermost; all begin at the same
/// two addresses. Other nodes do nothing, and no message is sent.
///
/// A core that can have several loads in flight (core.loads_in_flight) begins as many before it
/// stores the first one's element, and then one an element, as a processor that looks ahead in its
/// instructions does: no address depends on what was loaded.
///
/// Each transfer is repeated over the same data. Between the marks kBegin and kEnd, which carry the
/// transfer's index, lies its last repetition: from the fourth on a hierarchy of three levels
/// repeats what it did in the one before. Between kFirstBegin and kFirstEnd lies the first, where
/// there is another; it finds in the hierarchy what the transfer before has left there (the very
/// first transfer: nothing).
///
/// The sources' elements depend on the seed and their addresses. Every repetition must have loaded
/// them, and after the run both arrays are, byte by byte and with what lies between their elements,
/// what a plain program makes of them.
class MemoryTransfer final : public Kernel {
  public:
    static constexpr const char* kBegin = "transfer_begin";
    static constexpr const char* kEnd = "transfer_end";
    static constexpr const char* kFirstBegin = "first_repetition_begin";
    static constexpr const char* kFirstEnd = "first_repetition_end";

    enum class Element : std::uint8_t { kWord, kDouble };

    struct Parameters : hw::ParameterGroup {
        explicit Parameters(TransferKind kind);

        hw::Choice<Element> element{
            *this,
            "element",
            Element::kDouble,
            {{Element::kWord, "word"}, {Element::kDouble, "double"}},
            "What a load or store moves: a word of 4 bytes or a double of 8",
            "memory logP Section 7 has integers and doubles; Section 2 doubles"};
        hw::Parameter<std::vector<std::int64_t>> sizes_bytes{
            *this,
            "sizes_bytes",
            {1024, 16'384, 131'072},
            {4, 1 << 25},
            "Bytes moved, each a multiple of an element; every one at every stride",
            "memory logP Section 7: word size to 128 kB; Section 2: an array of 8 MB"};
        hw::Parameter<std::vector<std::int64_t>> strides_bytes{
            *this,
            "strides_bytes",
            {8, 32, 256},
            {4, 131'072},
            "From an element to the next where they are not contiguous, each a multiple of one",
            "memory logP Section 7: word size to 128 kB, shown up to 2048 bytes"};
        hw::Parameter<bool> leave_out_what_does_not_fit{
            *this,
            "leave_out_what_does_not_fit",
            false,
            {},
            "Leaves out the sizes at a stride whose arrays do not fit into memory; else they are "
            "refused"};
        hw::Parameter<std::int64_t> repetitions{
            *this,
            "repetitions",
            4,
            {1, 1'000'000},
            "Passes over the same data; the last one is measured",
            "three levels of cache repeat themselves from the fourth on"};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {1, 1'000'000},
            "Cycles of the loop an element beyond its load and store",
            "assumed: index, compare and branch of a compiled loop"};
        hw::Parameter<hw::Bytes> source_address{*this,
                                                "source_address",
                                                0,
                                                {0, std::int64_t{1} << 31},
                                                "Where the source array begins, a multiple of 8",
                                                "assumed: at the begin of a page"};
        hw::Parameter<hw::Bytes> destination_address{
            *this,
            "destination_address",
            0,
            {0, std::int64_t{1} << 31},
            "Where the destination array begins, a multiple of 8; 0: in the middle of memory, at "
            "the begin of a page of 4096 bytes",
            "assumed: at the begin of a page"};

        [[nodiscard]] std::int64_t element_bytes() const {
            return element.value() == Element::kWord ? 4 : 8;
        }
        [[nodiscard]] std::optional<Fault> check() const override;
    };

    explicit MemoryTransfer(TransferKind kind) : kind_(kind), parameters_(kind) {}

    /// In the order in which they are made; after prepare().
    [[nodiscard]] const std::vector<Transfer>& transfers() const { return transfers_; }

    [[nodiscard]] hw::Cycles loop_cycles() const { return parameters_.loop_cycles.value(); }

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kNone; }
    [[nodiscard]] std::int64_t least_nodes() const override { return 1; }
    struct Facts {
        double transfers = 0.0;
        double transfers_left_out = 0.0;  ///< that do not fit into the memory
        double bytes_moved = 0.0;
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override;

  private:
    class Program;

    void lay_out();
    /// The sum of its elements, their bit patterns taken as whole numbers.
    std::uint64_t put_source(const Transfer& transfer, MemoryImage& image) const;
    void note_repetition(std::size_t index, std::int64_t repetition, std::uint64_t sum);
    /// Less than a page where memory ends in it.
    [[nodiscard]] std::uint32_t bytes_of_page(std::uint32_t number) const;

    TransferKind kind_;
    Parameters parameters_;
    std::vector<Transfer> transfers_;
    std::size_t left_out_ = 0;
    std::int64_t memory_bytes_ = 0;
    std::uint64_t data_key_ = 0;
    std::vector<std::uint64_t> sums_;  // by transfer, of its source's elements
    std::optional<std::string> first_wrong_;
    SharedCount elements_moved_ = 0;
    std::int64_t elements_to_move_ = 0;
};

}  // namespace weir::firmware
