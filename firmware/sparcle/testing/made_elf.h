#pragma once

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace weir::firmware {

template <class T>
[[nodiscard]] T big_endian(T value) {
    static_assert(std::endian::native == std::endian::little);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&value);
    std::reverse(bytes, bytes + sizeof(T));
    return value;
}

/// Builds a file of a header and segments only.
class MadeElf {
  public:
    MadeElf() {
        std::memcpy(header_.e_ident, ELFMAG, SELFMAG);
        header_.e_ident[EI_CLASS] = ELFCLASS32;
        header_.e_ident[EI_DATA] = ELFDATA2MSB;
        header_.e_ident[EI_VERSION] = EV_CURRENT;
        header_.e_type = big_endian<std::uint16_t>(ET_EXEC);
        header_.e_machine = big_endian<std::uint16_t>(EM_SPARC);
        header_.e_version = big_endian<std::uint32_t>(EV_CURRENT);
        header_.e_ehsize = big_endian<std::uint16_t>(sizeof(Elf32_Ehdr));
        header_.e_phoff = big_endian<std::uint32_t>(sizeof(Elf32_Ehdr));
        header_.e_phentsize = big_endian<std::uint16_t>(sizeof(Elf32_Phdr));
    }
    MadeElf& type(std::uint16_t type) {
        header_.e_type = big_endian(type);
        return *this;
    }
    MadeElf& machine(std::uint16_t machine) {
        header_.e_machine = big_endian(machine);
        return *this;
    }
    MadeElf& segment(std::uint32_t address, std::uint32_t file_bytes, std::uint32_t memory_bytes) {
        Elf32_Phdr segment{};
        segment.p_type = big_endian<std::uint32_t>(PT_LOAD);
        segment.p_offset = big_endian(std::uint32_t{0});
        segment.p_vaddr = segment.p_paddr = big_endian(address);
        segment.p_filesz = big_endian(file_bytes);
        segment.p_memsz = big_endian(memory_bytes);
        segment.p_flags = big_endian<std::uint32_t>(PF_R | PF_X);
        segments_.push_back(segment);
        return *this;
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes() {
        header_.e_phnum = big_endian(static_cast<std::uint16_t>(segments_.size()));
        std::vector<std::uint8_t> bytes(sizeof header_ + segments_.size() * sizeof(Elf32_Phdr));
        std::memcpy(bytes.data(), &header_, sizeof header_);
        if (!segments_.empty()) {
            std::memcpy(bytes.data() + sizeof header_, segments_.data(),
                        segments_.size() * sizeof(Elf32_Phdr));
        }
        return bytes;
    }

  private:
    Elf32_Ehdr header_{};
    std::vector<Elf32_Phdr> segments_;
};

}  // namespace weir::firmware
