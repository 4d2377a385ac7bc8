#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/effect.h"

namespace weir::hw {

/// The unit that a name ends with, as a person writes it: "cycles" of hop_cycles, "MHz" of
/// processor_mhz, "cycles per byte" of gap_cycles_per_byte; empty where the name has none: what it
/// counts, it says.
[[nodiscard]] std::string unit_of_name(std::string_view name);

/// What can be given, for programs: checks, schemas, messages.
struct AcceptedValues {
    enum class Type : std::uint8_t {
        kFlag,
        kWholeNumber,
        kNumber,
        kText,
        kFilePath,      ///< a string
        kName,          ///< one of `names`
        kWholeNumbers,  ///< a list that is not empty; the limits hold for each entry
        kWords,         ///< a string, or a list of whole numbers without limits
        kNumbers,       ///< the same
        kRows,          ///< lists of equal length; the limits hold for each entry
    };
    Type type;
    std::optional<ParameterValue> least;     ///< of numbers; nothing without a limit
    std::optional<ParameterValue> greatest;  ///< the same
    std::vector<std::string> names;

    /// For a person: "a whole number from 1 to 4096".
    [[nodiscard]] std::string text() const;
};

/// What is said once of whatever takes a value: a parameter of the machine or of a program
/// (parameter.h), an input of an analytic model (experiments/models/catalogue/model.h).
class Declaration {
  public:
    Declaration(const Declaration&) = delete;
    Declaration& operator=(const Declaration&) = delete;
    virtual ~Declaration() = default;

    /// As files and the command line have it; it ends with the unit.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string unit() const { return unit_of_name(name_); }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Paper and table or section, or "assumed" with the reason.
    [[nodiscard]] const std::string& source() const { return source_; }

    [[nodiscard]] virtual AcceptedValues accepted_values() const = 0;
    /// What is accepted, for a person: "a whole number from 1 to 4096".
    [[nodiscard]] std::string accepted() const { return accepted_values().text(); }

  protected:
    Declaration(std::string name, std::string sentence, std::string source)
        : name_(std::move(name)), sentence_(std::move(sentence)), source_(std::move(source)) {}

  private:
    std::string name_;
    std::string sentence_;
    std::string source_;
};

}  // namespace weir::hw
