#include "firmware/sparcle/elf_image.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "hw/input_limits.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

// Names for the likely mistakes; other machines are given by number.
std::string machine_name(unsigned machine) {
    switch (machine) {
        case EM_SPARC32PLUS:
            return "SPARC V8+ (an object of the compiler's library, or -mcpu=v9)";
        case EM_SPARCV9:
            return "SPARC V9 (without -m32)";
        case EM_386:
            return "Intel 80386";
        case EM_X86_64:
            return "x86-64";
        case EM_AARCH64:
            return "AArch64";
        case EM_RISCV:
            return "RISC-V";
        default:
            return "machine " + std::to_string(machine);
    }
}

std::string type_name(unsigned type) {
    switch (type) {
        case ET_REL:
            return "an object file that is not linked";
        case ET_DYN:
            return "a shared object or position-independent program";
        case ET_CORE:
            return "a core dump";
        default:
            return "a file of type " + std::to_string(type);
    }
}

constexpr int kOutLink = 15;
constexpr int kInLink = 31;

// Place of a caller's register according to .debug_frame.
struct RegisterRule {
    enum class Kind : std::uint8_t { kSame, kUndefined, kRegister, kMemory, kOther };
    Kind kind = Kind::kSame;
    int value = 0;  // kRegister: number of a register; kMemory: offset from the frame's address
};

RegisterRule rule_of(Dwarf_Frame* frame, int number) {
    using Kind = RegisterRule::Kind;
    std::array<Dwarf_Op, 3> room{};
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(frame, number, room.data(), &operations, &count) != 0) {
        return {Kind::kOther};
    }
    if (count == 0) {
        return {operations == nullptr ? Kind::kSame : Kind::kUndefined};
    }
    const Dwarf_Op& first = operations[0];
    if (count == 1 && first.atom == DW_OP_regx) {
        return {Kind::kRegister, static_cast<int>(first.number)};
    }
    if (count == 1 && first.atom >= DW_OP_reg0 && first.atom <= DW_OP_reg31) {
        return {Kind::kRegister, first.atom - DW_OP_reg0};
    }
    const bool is_in_frame = first.atom == DW_OP_call_frame_cfa;
    if (is_in_frame && count == 1) {
        return {Kind::kMemory, 0};
    }
    if (is_in_frame && count == 2 && operations[1].atom == DW_OP_plus_uconst) {
        return {Kind::kMemory, static_cast<int>(operations[1].number)};
    }
    return {Kind::kOther};
}

}  // namespace

struct ElfImage::Lines {
    struct EndElf {
        void operator()(Elf* ended) const { elf_end(ended); }
    };
    struct EndDwarf {
        void operator()(Dwarf* ended) const { dwarf_end(ended); }
    };
    std::unique_ptr<Elf, EndElf> elf;
    std::unique_ptr<Dwarf, EndDwarf> dwarf;  // null without line information

    [[nodiscard]] static bool is_dropped(Dwarf_Die& unit, std::uint32_t address);
};

std::string ElfImage::Place::text() const {
    hw::TextWriter text;
    if (symbol != nullptr) {
        text << symbol->name << "+0x" << std::hex << offset << std::dec;
    }
    if (!file.empty()) {
        text << (symbol != nullptr ? " (" : "(") << file << ":" << line << ")";
    }
    return text.str();
}

ElfImage ElfImage::read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) {
        throw ImageFault(path, "cannot be read", "a program for Sparcle (ELF)");
    }
    const std::string bytes = hw::text_of(file, hw::kImageLimits);
    if (const auto fault = hw::limit_fault(bytes, hw::kImageLimits)) {
        throw ImageFault(path, fault->found, fault->accepted);
    }
    return {path, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}};
}

ElfImage::ElfImage(std::string name, std::span<const std::uint8_t> bytes)
    : name_(std::move(name)),
      bytes_(bytes.begin(), bytes.end()),
      lines_(std::make_unique<Lines>()) {
    elf_version(EV_CURRENT);
    lines_->elf.reset(elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size()));
    Elf* const elf = lines_->elf.get();
    GElf_Ehdr header{};
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
        fail("is not an ELF file");
    }
    if (header.e_machine != EM_SPARC) {
        fail("is for " + machine_name(header.e_machine));
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2MSB) {
        fail("is not a 32-bit big-endian file");
    }
    if (header.e_type != ET_EXEC) {
        fail("is " + type_name(header.e_type));
    }
    entry_ = static_cast<std::uint32_t>(header.e_entry);
    read_segments(elf);
    read_symbols(elf);
    lines_->dwarf.reset(dwarf_begin_elf(elf, DWARF_C_READ, nullptr));
}

ElfImage::~ElfImage() = default;
ElfImage::ElfImage(ElfImage&&) noexcept = default;
ElfImage& ElfImage::operator=(ElfImage&&) noexcept = default;

void ElfImage::fail(const std::string& what) const {
    throw ImageFault(name_, what,
                     "an executable for SPARC V7 (sparc64-linux-gnu-gcc -m32 -mcpu=v7 -nostdlib "
                     "-static -fno-pic -fno-pie)");
}

void ElfImage::read_segments(const void* elf_handle) {
    auto* const elf = static_cast<Elf*>(const_cast<void*>(elf_handle));
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) {
        fail("has a damaged table of segments");
    }
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header{};
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) {
            fail("has a damaged table of segments");
        }
        if (header.p_type != PT_LOAD || header.p_memsz == 0) {
            continue;
        }
        if (header.p_offset > bytes_.size() || header.p_filesz > bytes_.size() - header.p_offset ||
            header.p_filesz > header.p_memsz) {
            fail("is cut off: segment " + std::to_string(i) + " has " +
                 std::to_string(header.p_filesz) + " bytes from byte " +
                 std::to_string(header.p_offset) + " on, the file " +
                 std::to_string(bytes_.size()));
        }
        if (header.p_paddr + header.p_memsz > std::uint64_t{1} << 32) {
            fail("has a segment of " + std::to_string(header.p_memsz) + " bytes at " +
                 hw::hexadecimal(header.p_paddr) + ", which ends beyond 4 GB");
        }
        const auto data = bytes_.begin() + static_cast<std::ptrdiff_t>(header.p_offset);
        segments_.push_back({.address = static_cast<std::uint32_t>(header.p_paddr),
                             .memory_bytes = static_cast<std::uint32_t>(header.p_memsz),
                             .data = {data, data + static_cast<std::ptrdiff_t>(header.p_filesz)},
                             .executable = (header.p_flags & PF_X) != 0,
                             .writable = (header.p_flags & PF_W) != 0});
    }
    if (segments_.empty()) {
        fail("has nothing to load");
    }
    std::sort(segments_.begin(), segments_.end(),
              [](const Segment& a, const Segment& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < segments_.size(); ++i) {
        const std::uint64_t end =
            std::uint64_t{segments_[i - 1].address} + segments_[i - 1].memory_bytes;
        if (end > segments_[i].address) {
            fail("has segments that overlap: " + hw::hexadecimal(segments_[i - 1].address) +
                 " to " + hw::hexadecimal(end) + ", and another from " +
                 hw::hexadecimal(segments_[i].address));
        }
    }
}

void ElfImage::read_symbols(const void* elf_handle) {
    auto* const elf = static_cast<Elf*>(const_cast<void*>(elf_handle));
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB ||
            header.sh_entsize == 0) {
            continue;
        }
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        for (int i = 0; i < count; ++i) {
            GElf_Sym symbol{};
            if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) {
                continue;
            }
            const unsigned type = GELF_ST_TYPE(symbol.st_info);
            const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name == nullptr || *name == '\0' || type == STT_SECTION || type == STT_FILE) {
                continue;
            }
            symbols_.push_back({.name = name,
                                .address = static_cast<std::uint32_t>(symbol.st_value),
                                .bytes = static_cast<std::uint32_t>(symbol.st_size),
                                .is_function = type == STT_FUNC});
        }
    }
    // Among several symbols at one address, the most specific is sorted last and wins: functions,
    // and symbols with a size.
    std::stable_sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
        return std::tuple(a.address, a.is_function, a.bytes) <
               std::tuple(b.address, b.is_function, b.bytes);
    });
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
        const std::uint32_t address = symbols_[i].address;
        const bool is_code =
            std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
                return segment.executable && address >= segment.address &&
                       address - segment.address < segment.memory_bytes;
            });
        if (is_code) {
            code_symbols_.push_back(i);
        }
    }
}

std::vector<ElfImage::Relocation> ElfImage::relocations() const {
    Elf* const elf = lines_->elf.get();
    std::vector<Relocation> relocations;
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header{};
        GElf_Shdr changed{};
        GElf_Shdr table{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA ||
            header.sh_entsize == 0 ||
            gelf_getshdr(elf_getscn(elf, header.sh_info), &changed) == nullptr ||
            (changed.sh_flags & SHF_ALLOC) == 0) {
            continue;
        }
        Elf_Scn* const symbols = elf_getscn(elf, header.sh_link);
        if (gelf_getshdr(symbols, &table) == nullptr || table.sh_type != SHT_SYMTAB) {
            fail("has relocations without symbols");
        }
        Elf_Data* const data = elf_getdata(section, nullptr);
        Elf_Data* const of_symbols = elf_getdata(symbols, nullptr);
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        for (int i = 0; i < count; ++i) {
            GElf_Rela entry{};
            GElf_Sym symbol{};
            if (gelf_getrela(data, i, &entry) == nullptr ||
                gelf_getsym(of_symbols, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) ==
                    nullptr) {
                fail("has a damaged table of relocations");
            }
            relocations.push_back({.address = static_cast<std::uint32_t>(entry.r_offset),
                                   .type = static_cast<unsigned>(GELF_R_TYPE(entry.r_info) & 0xff),
                                   .symbol = static_cast<std::uint32_t>(symbol.st_value),
                                   .is_in_section = GELF_ST_TYPE(symbol.st_info) == STT_SECTION});
        }
    }
    return relocations;
}

const ElfImage::Symbol* ElfImage::find_symbol(std::string_view name) const {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(),
                                    [&](const Symbol& symbol) { return symbol.name == name; });
    return found == symbols_.end() ? nullptr : &*found;
}

std::uint32_t ElfImage::address_of(std::string_view name) const {
    const Symbol* const symbol = find_symbol(name);
    if (symbol == nullptr) {
        throw ImageFault(name_, "has no symbol " + std::string(name),
                         "a program that defines it, with its symbol table (not stripped)");
    }
    return symbol->address;
}

const ElfImage::Symbol* ElfImage::symbol_at(std::uint32_t address) const {
    address = original(address);
    const bool is_code =
        std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
            return segment.executable && address >= segment.address &&
                   address - segment.address < segment.memory_bytes;
        });
    const auto after = std::upper_bound(
        code_symbols_.begin(), code_symbols_.end(), address,
        [this](std::uint32_t where, std::size_t i) { return where < symbols_[i].address; });
    return !is_code || after == code_symbols_.begin() ? nullptr : &symbols_[*std::prev(after)];
}

std::vector<std::uint8_t> ElfImage::bytes_for_debuggers() const {
    std::vector<std::uint8_t> bytes = bytes_;
    Elf* const elf = lines_->elf.get();
    GElf_Ehdr file{};
    static_cast<void>(gelf_getehdr(elf, &file));
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_ALLOC) == 0 ||
            header.sh_addr != 0 || header.sh_size <= kResetBytes) {
            continue;
        }
        const std::size_t place = file.e_shoff + elf_ndxscn(section) * file.e_shentsize;
        const auto put = [&](std::size_t member, std::uint64_t value) {
            const std::uint32_t word = __builtin_bswap32(static_cast<std::uint32_t>(value));
            std::memcpy(bytes.data() + place + member, &word, sizeof word);
        };
        if (place + sizeof(Elf32_Shdr) > bytes.size()) {
            continue;
        }
        put(offsetof(Elf32_Shdr, sh_addr), kResetBytes);
        put(offsetof(Elf32_Shdr, sh_offset), header.sh_offset + kResetBytes);
        put(offsetof(Elf32_Shdr, sh_size), header.sh_size - kResetBytes);
    }
    return bytes;
}

// True if the unit's line for this address is one of a dropped function. Such functions begin at 0,
// and no linked function contains the address.
bool ElfImage::Lines::is_dropped(Dwarf_Die& unit, std::uint32_t address) {
    struct Found {
        std::uint32_t address;
        bool dropped = false;
        bool linked = false;
    } found{address};
    const auto look = [](Dwarf_Die* function, void* all) {
        Found& known = *static_cast<Found*>(all);
        Dwarf_Addr begin = 0;
        Dwarf_Addr behind = 0;
        if (dwarf_lowpc(function, &begin) == 0 && dwarf_highpc(function, &behind) == 0 &&
            begin <= known.address && known.address < behind) {
            (begin == 0 ? known.dropped : known.linked) = true;
        }
        return int{DWARF_CB_OK};
    };
    static_cast<void>(dwarf_getfuncs(&unit, look, &found, 0));
    return found.dropped && !found.linked;
}

ElfImage::Place ElfImage::place(std::uint32_t address) const {
    address = original(address);
    Place place;
    place.symbol = symbol_at(address);
    place.offset = place.symbol != nullptr ? address - place.symbol->address : 0;
    if (lines_->dwarf == nullptr) {
        return place;
    }
    // dwarf_addrdie() finds no units of assembly, which have no address ranges: search each unit's
    // lines.
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    std::size_t header_bytes = 0;
    while (dwarf_nextcu(lines_->dwarf.get(), offset, &next, &header_bytes, nullptr, nullptr,
                        nullptr) == 0) {
        Dwarf_Die unit{};
        Dwarf_Line* line = nullptr;
        if (dwarf_offdie(lines_->dwarf.get(), offset + header_bytes, &unit) != nullptr &&
            (line = dwarf_getsrc_die(&unit, address)) != nullptr &&
            !Lines::is_dropped(unit, address)) {
            const char* const file = dwarf_linesrc(line, nullptr, nullptr);
            place.file = file != nullptr ? file : "";
            dwarf_lineno(line, &place.line);
            return place;
        }
        offset = next;
    }
    return place;
}

std::optional<std::uint32_t> ElfImage::word_at(std::uint32_t address) const {
    address = original(address);
    for (const Segment& segment : segments_) {
        const std::uint32_t offset = address - segment.address;
        if (address >= segment.address && segment.data.size() >= sizeof(std::uint32_t) &&
            offset <= segment.data.size() - sizeof(std::uint32_t)) {
            std::uint32_t word = 0;
            std::memcpy(&word, segment.data.data() + offset, sizeof word);
            return __builtin_bswap32(word);
        }
    }
    return std::nullopt;
}

std::optional<ElfImage::FrameRules> ElfImage::frame_rules(std::uint32_t address) const {
    using Kind = RegisterRule::Kind;
    Dwarf_CFI* const table = lines_->dwarf == nullptr ? nullptr : dwarf_getcfi(lines_->dwarf.get());
    Dwarf_Frame* found = nullptr;
    if (table == nullptr || dwarf_cfi_addrframe(table, original(address), &found) != 0) {
        return std::nullopt;
    }
    struct EndFrame {
        void operator()(Dwarf_Frame* ended) const { std::free(ended); }
    };
    const std::unique_ptr<Dwarf_Frame, EndFrame> frame(found);
    FrameRules rules;
    bool is_interrupted = false;
    static_cast<void>(dwarf_frame_info(found, nullptr, nullptr, &is_interrupted));
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(found, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_bregx) {
        return std::nullopt;
    }
    rules.stack_register = static_cast<unsigned>(operations[0].number);
    rules.stack_offset = static_cast<std::int32_t>(operations[0].number2);
    const RegisterRule link = rule_of(found, kOutLink);
    if (is_interrupted) {
        rules.kind = FrameRules::Kind::kInterrupted;
    } else if (link.kind == Kind::kUndefined) {
        rules.kind = FrameRules::Kind::kOutermost;
    } else if (rule_of(found, kOutLink - 1).kind == Kind::kRegister) {
        rules.kind = FrameRules::Kind::kWindow;  // the caller's %o6 is this function's %i6
    } else {
        rules.return_register =
            link.kind == Kind::kRegister ? static_cast<unsigned>(link.value) : kOutLink;
        constexpr int kFirstOut = 8;
        for (int number = kFirstOut; number <= kInLink; ++number) {
            const RegisterRule rule = rule_of(found, number);
            if (rule.kind == Kind::kMemory) {
                rules.saved.push_back({static_cast<unsigned>(number), rule.value});
            }
        }
    }
    return rules;
}

std::string ElfImage::text_at(std::uint32_t address) const {
    address = original(address);
    for (const Segment& segment : segments_) {
        const std::uint32_t offset = address - segment.address;
        if (offset >= segment.data.size()) {
            continue;
        }
        const auto begin = segment.data.begin() + offset;
        const auto end = std::find(begin, segment.data.end(), 0);
        const auto is_shown = [](std::uint8_t byte) { return byte >= ' ' && byte <= '~'; };
        if (end != segment.data.end() && std::all_of(begin, end, is_shown)) {
            return {begin, end};
        }
    }
    return {};
}

void ElfImage::check_fits(std::uint64_t bytes, std::string_view key) const {
    std::uint64_t end = 0;
    for (const Segment& segment : segments_) {
        end = segment.is_shared() ? end : std::uint64_t{segment.address} + segment.memory_bytes;
    }
    if (end > bytes) {
        throw ImageFault(
            name_,
            "ends at " + hw::hexadecimal(end) +
                ", beyond the memory for programs, which ends below stack and buffers at " +
                hw::hexadecimal(bytes),
            "a smaller program, or " + std::to_string(end - bytes) + " more " + std::string(key));
    }
}

}  // namespace weir::firmware
