#include "firmware/sparcle/rank_copies.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

constexpr std::uint32_t kPage = 4096;         // copies lie at multiples, so %lo() stays
constexpr std::uint32_t kCacheBytes = 65536;  // Alewife's cache, over which the slots are spread

constexpr std::uint32_t rounded_up(std::uint64_t bytes, std::uint32_t to) {
    return static_cast<std::uint32_t>((bytes + to - 1) / to * to);
}

// Largest distance of slots of at most `bytes` at which `ranks` programs begin at places of the
// cache that lie apart as far as possible. 0 if there is none.
std::uint32_t spread_stride(std::uint64_t bytes, std::uint32_t ranks) {
    const std::uint32_t part = kCacheBytes / ranks / kPage * kPage;
    if (bytes < part) {
        return 0;
    }
    return static_cast<std::uint32_t>((bytes - part) / kCacheBytes * kCacheBytes + part);
}

// First address behind the image's private memory.
std::uint64_t end_of(const ElfImage& image) {
    std::uint64_t end = image.address_of("weir_data");
    for (const ElfImage::Segment& segment : image.segments()) {
        end = std::max(end, std::uint64_t{segment.address} + segment.memory_bytes);
    }
    return end;
}

void check_machine(const ElfImage& image, const RankCopies::Settings& settings) {
    if (settings.shares_memory) {
        throw InputFault(
            "workload.shares_memory",
            "found true, and " + image.name() + " runs as a process of its own in each context",
            "false");
    }
    if (settings.has_overflow_trap) {
        throw InputFault("controller.overflow_trap",
                         "found true, and programs compiled with --contexts have no overflow trap",
                         "false");
    }
}

std::uint32_t load(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes[at], sizeof word);
    return __builtin_bswap32(word);
}

void store(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint32_t word) {
    word = __builtin_bswap32(word);
    std::memcpy(&bytes[at], &word, sizeof word);
}

}  // namespace

bool RankCopies::is(const ElfImage& image) { return image.find_symbol("weir_rank") != nullptr; }

RankCopies::RankCopies(const ElfImage& image, const nodes::MachineShape& machine,
                       const Settings& settings)
    : image_(image) {
    check_machine(image, settings);
    const auto ranks = static_cast<std::uint32_t>(settings.ranks_per_node);
    const auto memory = static_cast<std::uint64_t>(machine.memory_bytes.count());
    const std::uint32_t begin = rounded_up(image.address_of("weir_end_of_traps"), kPage);
    // A heap of a page is the least that the C library can use.
    const std::uint64_t needed =
        std::max<std::uint64_t>(end_of(image), begin) - begin + kPage + settings.stack_bytes;
    const std::uint64_t space = memory < begin ? 0 : (memory - begin) / ranks;
    std::uint32_t stride = spread_stride(space, ranks);
    if (stride < needed) {
        stride = static_cast<std::uint32_t>(space / kPage * kPage);
    }
    if (stride < needed) {
        const std::uint64_t least = begin + std::uint64_t{ranks} * rounded_up(needed, kPage);
        throw InputFault("memory.bytes",
                         "found " + std::to_string(memory) + ", and " + std::to_string(ranks) +
                             " ranks of " + image.name() + " take " + std::to_string(needed) +
                             " bytes each for program and stack (workload.threads)",
                         "at least " + std::to_string(least) + ", or fewer ranks");
    }
    copies_ = {.begin = begin, .stride = stride, .count = ranks};
}

std::vector<std::uint8_t> RankCopies::copy_at(std::uint32_t distance) const {
    std::vector<std::uint8_t> bytes;
    for (const ElfImage::Segment& segment : image_.segments()) {
        const std::uint32_t end = segment.address + static_cast<std::uint32_t>(segment.data.size());
        if (end <= copies_.begin) {
            continue;
        }
        const std::uint32_t skipped = std::max(copies_.begin, segment.address) - segment.address;
        bytes.resize(std::max<std::size_t>(bytes.size(), end - copies_.begin));
        std::copy(segment.data.begin() + skipped, segment.data.end(),
                  bytes.begin() + (segment.address + skipped - copies_.begin));
    }
    const std::uint64_t end = end_of(image_);
    const auto fail = [&](const ElfImage::Relocation& relocation) {
        throw ImageFault(image_.name(),
                         "has an address at " + hw::hexadecimal(relocation.address) +
                             " that cannot be moved (relocation type " +
                             std::to_string(relocation.type) + ")",
                         "code that is compiled by weir compile or weir-cc with --contexts");
    };
    for (const ElfImage::Relocation& relocation : image_.relocations()) {
        const std::size_t at = relocation.address - copies_.begin;
        if (relocation.address < copies_.begin || at + sizeof(std::uint32_t) > bytes.size()) {
            continue;
        }
        const bool moves = relocation.is_in_section ||
                           (relocation.symbol >= copies_.begin && relocation.symbol <= end);
        const std::uint32_t word = load(bytes, at);
        switch (relocation.type) {
            case R_SPARC_NONE:
            case R_SPARC_LO10:  // the distance is a multiple of kPage
                break;
            case R_SPARC_32:
            case R_SPARC_UA32:
                store(bytes, at, word + (moves ? distance : 0));
                break;
            case R_SPARC_HI22: {
                constexpr std::uint32_t kImmediate = 0x3fffff;
                const std::uint32_t high = word + (moves ? distance >> 10 : 0);
                store(bytes, at, (word & ~kImmediate) | (high & kImmediate));
                break;
            }
            case R_SPARC_WDISP30: {
                constexpr std::uint32_t kDistance = 0x3fffffff;
                constexpr std::uint32_t kCall = 0x40000000;
                if (!moves && (word & ~kDistance) != kCall) {
                    fail(relocation);
                }
                const std::uint32_t from = word - (moves ? 0 : distance / 4);
                store(bytes, at, (word & ~kDistance) | (from & kDistance));
                break;
            }
            case R_SPARC_WDISP22:
            case R_SPARC_DISP32:
            case R_SPARC_PC10:
            case R_SPARC_PC22:
                if (!moves) {
                    fail(relocation);
                }
                break;
            default:
                fail(relocation);
        }
    }
    return bytes;
}

void RankCopies::write(ImageMemory& memory) const {
    const std::uint32_t place = image_.address_of("weir_rank");
    for (std::uint32_t slot = 0; slot < copies_.count; ++slot) {
        const std::uint32_t distance = slot * copies_.stride;
        const std::vector<std::uint8_t> copy =
            slot == 0 ? std::vector<std::uint8_t>() : copy_at(distance);
        for (std::int32_t i = 0; i < memory.node_count(); ++i) {
            const hw::NodeId node(i);
            memory.write_bytes(node, copies_.begin + distance, copy);
            memory.write_words(node, place + distance,
                               std::vector{slot, copies_.count, copies_.stride,
                                           copies_.begin + distance + copies_.stride});
        }
    }
}

}  // namespace weir::firmware
