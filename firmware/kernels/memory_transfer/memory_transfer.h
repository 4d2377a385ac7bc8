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

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Untimed model of a memory, for the expected result: pages exist after the first write, and all
/// other bytes are zero. Its size follows from the touched pages.
class MemoryImage {
  public:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// Writes a value at a multiple of its size.
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

    /// Written pages, by address divided by kPageBytes; unwritten bytes are zero.
    [[nodiscard]] const std::map<std::uint32_t, Page>& pages() const { return pages_; }

  private:
    std::map<std::uint32_t, Page> pages_;
};

/// Kinds of array copies that memory logP measures (Cameron and Sun, 2003, Sections 6 and 7; Figure
/// 3 is kUnpack).
enum class TransferKind : std::uint8_t {
    kCopy,    ///< loads and stores both at the stride
    kPack,    ///< loads at the stride, stores contiguous
    kUnpack,  ///< loads contiguous, stores at the stride
};

/// Copy of one array to another, described by its accesses.
struct Transfer {
    TransferKind kind = TransferKind::kCopy;
    std::int64_t element_bytes = 0;  ///< size of an element: 4 or 8
    std::int64_t stride_bytes = 0;   ///< distance between the first bytes of consecutive elements
    std::int64_t elements = 0;       ///< number of elements moved in each repetition
    std::int64_t repetitions = 1;    ///< number of passes over the same data
    std::int64_t source_address = 0;
    std::int64_t destination_address = 0;

    [[nodiscard]] std::int64_t bytes() const { return elements * element_bytes; }
    [[nodiscard]] std::int64_t source_stride_bytes() const {
        return kind == TransferKind::kUnpack ? element_bytes : stride_bytes;
    }
    [[nodiscard]] std::int64_t destination_stride_bytes() const {
        return kind == TransferKind::kPack ? element_bytes : stride_bytes;
    }
    /// First address after the array.
    [[nodiscard]] std::int64_t source_end() const {
        return source_address + (elements - 1) * source_stride_bytes() + element_bytes;
    }
    [[nodiscard]] std::int64_t destination_end() const {
        return destination_address + (elements - 1) * destination_stride_bytes() + element_bytes;
    }
};

/// Measurement of memory logP, as three kernels: "memcpy", "pack" and "unpack". Node 0 copies one
/// array to another, element by element: a load, a store, and the loop's own cycles. There is one
/// transfer for each stride and size, sizes innermost; all use the same two addresses. Other nodes
/// are idle, and no message is sent.
///
/// A core with several loads in flight (core.loads_in_flight) begins that many loads before it
/// stores the first element, and then one for each store. A processor with out-of-order execution
/// behaves likewise: no address depends on a loaded value.
///
/// Each transfer is repeated over the same data. The marks kBegin and kEnd, with the transfer's
/// index, enclose its last repetition: from the fourth on, a hierarchy of three levels repeats its
/// behaviour. kFirstBegin and kFirstEnd enclose the first repetition, if there are several. A
/// transfer begins with the caches as the previous transfer has left them; the very first one with
/// empty caches.
///
/// The sources' elements depend on the seed and their addresses. The check: every repetition has
/// loaded these elements. After the run both arrays, with the bytes between their elements, equal
/// the result of a plain program, byte by byte.
class MemoryTransfer final : public BuiltInKernel {
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
            "Size of each load and store. word: 4 bytes. double: 8 bytes",
            "memory logP Section 7 has integers and doubles; Section 2 doubles"};
        hw::Parameter<std::vector<std::int64_t>> sizes_bytes{
            *this,
            "sizes_bytes",
            {1024, 16'384, 131'072},
            {4, 1 << 25},
            "Sizes of the transfers, multiples of an element's size; each size is run at every "
            "stride",
            "memory logP Section 7: word size to 128 kB; Section 2: an array of 8 MB"};
        hw::Parameter<std::vector<std::int64_t>> strides_bytes{
            *this,
            "strides_bytes",
            {8, 32, 256},
            {4, 131'072},
            "Distances between consecutive elements of a strided array, from first byte to first "
            "byte; multiples of an element's size",
            "memory logP Section 7: word size to 128 kB, shown up to 2048 bytes"};
        hw::Parameter<bool> leave_out_what_does_not_fit{
            *this,
            "leave_out_what_does_not_fit",
            false,
            {},
            "Whether transfers whose arrays do not fit into memory are left out. If false, a "
            "transfer that does not fit is refused"};
        hw::Parameter<std::int64_t> repetitions{
            *this,
            "repetitions",
            4,
            {1, 1'000'000},
            "Number of passes over the same data; the last pass is measured",
            "three levels of cache behave alike from the fourth pass on"};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {1, 1'000'000},
            "Time of the loop for each element, in addition to its load and store",
            "assumed: index, compare and branch of a compiled loop"};
        hw::Parameter<hw::Bytes> source_address{*this,
                                                "source_address",
                                                0,
                                                {0, std::int64_t{1} << 31},
                                                "Address of the source array, a multiple of 8",
                                                "assumed: at the beginning of a page"};
        hw::Parameter<hw::Bytes> destination_address{
            *this,
            "destination_address",
            0,
            {0, std::int64_t{1} << 31},
            "Address of the destination array, a multiple of 8. 0: the beginning of a page of 4096 "
            "bytes in the middle of memory",
            "assumed: at the beginning of a page"};

        [[nodiscard]] std::int64_t element_bytes() const {
            return element.value() == Element::kWord ? 4 : 8;
        }
        [[nodiscard]] std::optional<Fault> check() const override;
    };

    explicit MemoryTransfer(TransferKind kind) : kind_(kind), parameters_(kind) {}

    /// Transfers in the order of execution; call after prepare().
    [[nodiscard]] const std::vector<Transfer>& transfers() const { return transfers_; }

    [[nodiscard]] hw::Cycles loop_cycles() const { return parameters_.loop_cycles.value(); }

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kNone; }
    [[nodiscard]] std::int64_t least_nodes() const override { return 1; }
    struct Facts {
        double transfers = 0.0;
        /// Number of transfers that are not run because they do not fit into memory.
        double transfers_left_out = 0.0;
        double bytes_moved = 0.0;
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double work() const override { return static_cast<double>(elements_to_move_); }

  private:
    class Program;

    void lay_out();
    /// Writes a transfer's source; returns the sum of its elements' bit patterns.
    std::uint64_t put_source(const Transfer& transfer, MemoryImage& image) const;
    void note_repetition(std::size_t index, std::int64_t repetition, std::uint64_t sum);
    /// Size of a page: 4096 bytes, or less for the last page of memory.
    [[nodiscard]] std::uint32_t bytes_of_page(std::uint32_t number) const;

    TransferKind kind_;
    Parameters parameters_;
    std::vector<Transfer> transfers_;
    std::size_t left_out_ = 0;
    std::int64_t memory_bytes_ = 0;
    std::uint64_t data_key_ = 0;
    std::vector<std::uint64_t> sums_;  // sum of the bit patterns of each transfer's source
    std::optional<std::string> first_wrong_;
    std::int64_t elements_to_move_ = 0;
};

}  // namespace weir::firmware
