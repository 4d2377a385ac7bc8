#pragma once

#include <tlm.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "hw/controller/controller_registers.h"
#include "hw/units.h"

namespace weir::hw {

[[nodiscard]] inline std::uint32_t data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr(), sizeof word);
    return word;
}
inline void set_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
}
/// Of an access of two words, the second.
[[nodiscard]] inline std::uint32_t second_data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr() + sizeof word, sizeof word);
    return word;
}
inline void set_second_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr() + sizeof word, &word, sizeof word);
}

/// A load or store of a register, as the register's handler is given it.
struct RegisterAccess {
    int port;
    std::uint32_t word;  ///< of a register of several words: which one, from 0
    tlm::tlm_generic_payload& payload;
    Cycles now;

    /// The word that is stored.
    [[nodiscard]] std::uint32_t data() const { return data_word(payload); }
    [[nodiscard]] bool is_double() const { return payload.get_data_length() > WEIR_WORD_BYTES; }
};

/// A memory-mapped register of a part: where it is, what may be done with it and who does it.
///
/// A handler returns what the access costs. It returns nothing when it has answered the payload
/// with an error, or when the access waits and is answered later.
template <class Part>
struct Register {
    using Handler = std::optional<Cycles> (Part::*)(const RegisterAccess&);

    std::uint32_t address;
    std::uint32_t words;
    Handler read;                ///< null: the register is only written
    Handler write;               ///< null: the register is only read
    const char* sentence;        ///< what it holds, or what a store to it does
    bool takes_doubles = false;  ///< two of its words at once, too

    [[nodiscard]] constexpr Handler handler(tlm::tlm_command command) const {
        return command == tlm::TLM_WRITE_COMMAND ? write : read;
    }
};

/// All registers of a controller, found by their addresses in one step.
template <class Part>
class RegisterTable {
  public:
    constexpr explicit RegisterTable(std::span<const Register<Part>> registers)
        : registers_(registers) {
        for (const Register<Part>& entry : registers) {
            for (std::uint32_t word = 0; word < entry.words; ++word) {
                by_word_[place_of(entry.address) + word] = &entry;
            }
        }
    }

    [[nodiscard]] constexpr std::span<const Register<Part>> registers() const { return registers_; }
    /// The register there; null if there is none.
    [[nodiscard]] constexpr const Register<Part>* find(std::uint32_t address) const {
        const std::uint32_t place = place_of(address);
        return place < kWords ? by_word_[place] : nullptr;
    }

  private:
    static constexpr std::size_t kWords = WEIR_CONTROLLER_BYTES / WEIR_WORD_BYTES;

    static constexpr std::uint32_t place_of(std::uint32_t address) {
        return (address - WEIR_CONTROLLER_BASE) / WEIR_WORD_BYTES;
    }

    std::span<const Register<Part>> registers_;
    std::array<const Register<Part>*, kWords> by_word_{};
};

}  // namespace weir::hw
