#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// A file or a block of memory that cannot be used as a node's program. Names the file, the fault
/// and the accepted values.
class ImageFault : public InputFault {
  public:
    using InputFault::InputFault;
};

/// An executable for Sparcle: ELF32, big-endian, for SPARC V7 or V8. Read by libelf; the line table
/// by libdw.
///
/// The constructor checks all parts that are used: segments must lie in the 4 GB of addresses and
/// must not overlap. check_fits() compares them with a node's memory.
class ElfImage {
  public:
    /// First address of shared memory in every node's address space.
    static constexpr std::uint32_t kSharedBegin = 0x80000000;

    struct Segment {
        std::uint32_t address = 0;
        std::uint32_t memory_bytes = 0;  ///< size in memory, where bytes after the data are zeros
        std::vector<std::uint8_t> data;  ///< contents from the file, at most memory_bytes bytes
        bool executable = false;
        bool writable = false;

        /// Whether the segment is in shared memory: in a program with threads, its statics.
        [[nodiscard]] bool is_shared() const { return address >= kSharedBegin; }
    };
    struct Symbol {
        std::string name;
        std::uint32_t address = 0;
        /// Size of the function or object; 0 if the assembler did not set it.
        std::uint32_t bytes = 0;
        bool is_function = false;
    };
    /// Position of an instruction in the program's source.
    struct Place {
        const Symbol* symbol = nullptr;  ///< last function or label at or before the instruction
        std::uint32_t offset = 0;        ///< bytes from the symbol to the instruction
        /// Name of the source file; empty without line information.
        std::string file;
        int line = 0;

        /// "function+0x10 (file.c:12)", as far as known.
        [[nodiscard]] std::string text() const;
    };

    /// An address in the file's contents that the linker has filled in, if it was asked to keep
    /// them (--emit-relocs).
    struct Relocation {
        std::uint32_t address = 0;   ///< address of the instruction or word
        unsigned type = 0;           ///< R_SPARC_...
        std::uint32_t symbol = 0;    ///< value of the symbol
        bool is_in_section = false;  ///< the symbol stands for a section of the image
    };
    /// Copies of the image in a node's memory: the bytes from `begin` on, at equal distances, the
    /// first one in place (rank_copies.h).
    struct Copies {
        std::uint32_t begin = 0;
        std::uint32_t stride = 0;
        std::uint32_t count = 1;

        [[nodiscard]] bool holds(std::uint32_t address) const {
            return address >= begin && (address - begin) / std::max(stride, 1U) < count;
        }
    };

    /// Rules that find the caller's frame and registers from a place in the code (.debug_frame).
    struct FrameRules {
        enum class Kind : std::uint8_t {
            kOutermost,    ///< outermost frame: no caller
            kInterrupted,  ///< trap's window: the interrupted address is %l1; the caller has the
                           ///< next window
            kWindow,       ///< own window: the call's address is %i7; the caller has the next
                           ///< window
            kFlat,         ///< caller's window: `saved` lists the registers in the function's frame
        };
        struct Saved {
            unsigned number = 0;  ///< number of the register
            /// Offset of the saved register from the caller's stack pointer, in bytes.
            std::int32_t offset = 0;
        };
        Kind kind = Kind::kFlat;
        unsigned stack_register = 14;   ///< register from which the caller's %sp is computed: %sp,
                                        ///< %fp or another
        std::int32_t stack_offset = 0;  ///< bytes added to stack_register
        unsigned return_register = 15;  ///< register with the address of the call
        std::vector<Saved> saved;
    };

    /// Reads an executable; throws ImageFault if it cannot be a node's program.
    static ElfImage read_file(const std::string& path);
    /// Reads an executable in memory. `name` stands for the file in faults. Throws ImageFault.
    ElfImage(std::string name, std::span<const std::uint8_t> bytes);
    ~ElfImage();
    ElfImage(ElfImage&&) noexcept;
    ElfImage& operator=(ElfImage&&) noexcept;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Segments, sorted by address.
    [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
    [[nodiscard]] std::uint32_t entry() const { return entry_; }
    /// Contents of the whole file.
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    /// Contents of the file for gdb, in which no section begins at address 0. The linker gives this
    /// address to dropped functions and variables in the debug information. gdb ignores them unless
    /// a section begins there. The section at 0, with the trap table, begins kResetBytes later.
    [[nodiscard]] std::vector<std::uint8_t> bytes_for_debuggers() const;
    /// Bytes of the trap table's first entry.
    static constexpr std::uint32_t kResetBytes = 16;

    /// Relocations of the sections that are loaded, if the file has any.
    [[nodiscard]] std::vector<Relocation> relocations() const;
    /// Declares copies of the image. The functions below then take addresses in any copy.
    void set_copies(const Copies& copies) { copies_ = copies; }
    [[nodiscard]] const Copies& copies() const { return copies_; }
    /// The address in the image of an address in a copy.
    [[nodiscard]] std::uint32_t original(std::uint32_t address) const {
        return copies_.count > 1 && copies_.holds(address)
                   ? copies_.begin + (address - copies_.begin) % copies_.stride
                   : address;
    }

    /// Functions, objects and labels, sorted by address.
    [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
    /// Symbol with this name; null if there is none.
    [[nodiscard]] const Symbol* find_symbol(std::string_view name) const;
    /// Address of the symbol with this name. Throws ImageFault if there is none.
    [[nodiscard]] std::uint32_t address_of(std::string_view name) const;
    /// Last code symbol at or before an address; null outside the program's code.
    [[nodiscard]] const Symbol* symbol_at(std::uint32_t address) const;
    /// The word at an address, if the file contains it.
    [[nodiscard]] std::optional<std::uint32_t> word_at(std::uint32_t address) const;
    /// Rules for the code at an address; nothing if the compiler has given none.
    [[nodiscard]] std::optional<FrameRules> frame_rules(std::uint32_t address) const;
    /// Source position of the code at an address. Lines of dropped functions do not count.
    [[nodiscard]] Place place(std::uint32_t address) const;

    /// The constant text that begins at an address, up to its terminating zero; empty if there is
    /// none.
    [[nodiscard]] std::string text_at(std::uint32_t address) const;

    /// Throws ImageFault if a segment of private memory ends beyond `bytes`; `key` names the
    /// parameter to change.
    void check_fits(std::uint64_t bytes, std::string_view key) const;

  private:
    struct Lines;  // libdw's line tables, which keep the file's bytes

    void read_segments(const void* elf);
    void read_symbols(const void* elf);
    [[noreturn]] void fail(const std::string& what) const;

    std::string name_;
    std::vector<std::uint8_t> bytes_;
    std::uint32_t entry_ = 0;
    Copies copies_;
    std::vector<Segment> segments_;
    std::vector<Symbol> symbols_;
    std::vector<std::size_t> code_symbols_;  // indices into symbols_, sorted by address
    std::unique_ptr<Lines> lines_;
};

}  // namespace weir::firmware
