#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/sparcle/elf_image.h"
#include "firmware/sparcle/image_memory.h"

namespace weir::firmware {

/// Loader of a program with a rank in each context of a node (library/ranks.h). Each rank of the
/// node has a copy of the program.
///
/// The nodes have no address translation, so the loader changes the addresses in each copy. It
/// knows them by the relocations that the linker has left in the file. The trap table and the code
/// of traps, from address 0, exist once. The copies divide the rest of memory into equal slots:
/// program, heap, and stack at the slot's end. Unless memory is scarce, the slots begin at
/// different places of the cache.
class RankCopies {
  public:
    struct Settings {
        std::int64_t ranks_per_node = 1;
        bool shares_memory = false;      ///< workload.shares_memory
        bool has_overflow_trap = false;  ///< controller.overflow_trap
        std::uint32_t stack_bytes = 0;
    };

    /// Whether the image is such a program.
    [[nodiscard]] static bool is(const ElfImage& image);

    /// Throws InputFault if the machine does not fit such programs, or if the copies do not fit
    /// into a node's memory.
    RankCopies(const ElfImage& image, const nodes::MachineShape& machine, const Settings& settings);

    [[nodiscard]] ElfImage::Copies copies() const { return copies_; }
    /// Writes the copies to each node, beside the image's own segments, and each copy's place.
    void write(ImageMemory& memory) const;

  private:
    // Contents of the copy at this distance from the image, up to the end of its initialised data.
    [[nodiscard]] std::vector<std::uint8_t> copy_at(std::uint32_t distance) const;

    const ElfImage& image_;
    ElfImage::Copies copies_;
};

}  // namespace weir::firmware
