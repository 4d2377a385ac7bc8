#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// A file or piece of memory can't be used as a node's program: says which, what is wrong with it
/// and what is accepted.
class ImageFault : public InputFault {
  public:
    using InputFault::InputFault;
};

/// A program for Sparcle as its compiler left it: an executable of ELF32, big-endian, for SPARC V7
/// or V8 (libelf's reading, libdw's of the line table).
///
/// Everything that is needed of it is checked when it is read: its segments lie in the 4 GB of
/// addresses and do not overlap. Whether they fit into a node's memory is known later.
class ElfImage {
  public:
    struct Segment {
        std::uint32_t address = 0;
        std::uint32_t memory_bytes = 0;  ///< beyond the data there are zeros
        std::vector<std::uint8_t> data;  ///< at most memory_bytes of them
        bool executable = false;
        bool writable = false;
    };
    struct Symbol {
        std::string name;
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;  ///< 0 where the assembler was not told
        bool is_function = false;
    };
    /// A place in the program's source.
    struct Place {
        const Symbol* symbol = nullptr;  ///< the function or label before it
        std::uint32_t offset = 0;        ///< from there
        std::string file;                ///< empty where there is no line information
        int line = 0;

        /// "function+0x10 (file.c:12)", as far as it is known.
        [[nodiscard]] std::string text() const;
    };

    /// Where what a place's caller has in its registers is found (.debug_frame).
    struct FrameRules {
        enum class Kind : std::uint8_t {
            kOutermost,    ///< nobody has called it
            kInterrupted,  ///< a trap's window: %l1 is where it came, in the next window
            kWindow,       ///< it has a window of its own: %i7 is the call, in the next window
            kFlat,         ///< the caller's window; `saved` says what lies in the frame
        };
        struct Saved {
            unsigned number = 0;      ///< of the register
            std::int32_t offset = 0;  ///< from the caller's stack pointer
        };
        Kind kind = Kind::kFlat;
        unsigned stack_register = 14;   ///< %sp, %fp, or what else the caller's %sp is made of
        std::int32_t stack_offset = 0;  ///< added to it
        unsigned return_register = 15;  ///< where the call's address is
        std::vector<Saved> saved;
    };

    /// Throws ImageFault.
    static ElfImage read_file(const std::string& path);
    /// `name` is what faults call it.
    ElfImage(std::string name, std::span<const std::uint8_t> bytes);
    ~ElfImage();
    ElfImage(ElfImage&&) noexcept;
    ElfImage& operator=(ElfImage&&) noexcept;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// By address.
    [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
    [[nodiscard]] std::uint32_t entry() const { return entry_; }
    /// The whole file.
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

    /// Functions, objects and labels, by address.
    [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
    /// Null when there is none of that name.
    [[nodiscard]] const Symbol* find_symbol(std::string_view name) const;
    /// Throws ImageFault when there is none.
    [[nodiscard]] std::uint32_t address_of(std::string_view name) const;
    /// The last symbol of the program's code at or before an address; null outside of it.
    [[nodiscard]] const Symbol* symbol_at(std::uint32_t address) const;
    /// The word that the file has at an address.
    [[nodiscard]] std::optional<std::uint32_t> word_at(std::uint32_t address) const;
    /// Nothing where the compiler has said nothing.
    [[nodiscard]] std::optional<FrameRules> frame_rules(std::uint32_t address) const;
    /// What stands at an address of code.
    [[nodiscard]] Place place(std::uint32_t address) const;

    /// The text constant that begins at an address, up to its zero; empty where no such text is.
    [[nodiscard]] std::string text_at(std::uint32_t address) const;

    /// Throws ImageFault when a segment ends beyond `bytes`; `key` is the parameter to change.
    void check_fits(std::uint64_t bytes, std::string_view key) const;

  private:
    struct Lines;  // libdw's, which keep the file's bytes

    void read_segments(const void* elf);
    void read_symbols(const void* elf);
    [[noreturn]] void fail(const std::string& what) const;

    std::string name_;
    std::vector<std::uint8_t> bytes_;
    std::uint32_t entry_ = 0;
    std::vector<Segment> segments_;
    std::vector<Symbol> symbols_;
    std::vector<std::size_t> code_symbols_;  // of symbols_, by address
    std::unique_ptr<Lines> lines_;
};

}  // namespace weir::firmware
