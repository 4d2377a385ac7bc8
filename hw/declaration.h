#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/effect.h"

namespace weir::hw {

/// Unit in the suffix of a name, for display: "cycles" of hop_cycles, "MHz" of processor_mhz,
/// "cycles per byte" of gap_cycles_per_byte. Empty if the name has no unit; such a name says what
/// it counts.
[[nodiscard]] std::string unit_of_name(std::string_view name);

/// Accepted values of a declaration, for checks, schemas and messages.
struct AcceptedValues {
    enum class Type : std::uint8_t {
        kFlag,
        kWholeNumber,
        kNumber,
        kText,
        kFilePath,      ///< name of a file, as a string
        kName,          ///< a string, one of `names`
        kWholeNumbers,  ///< a list that is not empty; the limits hold for each entry
        kWords,         ///< a string, or whole numbers without limits: one, or a list
        kNumbers,       ///< a list of numbers; the limits hold for each entry
        kRows,          ///< lists of equal length; the limits hold for each entry
    };
    Type type;
    std::optional<ParameterValue> least;     ///< lower limit of numbers; empty: none
    std::optional<ParameterValue> greatest;  ///< upper limit of numbers; empty: none
    std::vector<std::string> names;

    /// Description for users: "a whole number from 1 to 4096".
    [[nodiscard]] std::string text() const;
};

/// Common part of everything that takes a value: parameters of the machine or of a program
/// (parameter.h), and inputs of an analytic model (experiments/models/catalogue/model.h).
class Declaration {
  public:
    Declaration(const Declaration&) = delete;
    Declaration& operator=(const Declaration&) = delete;
    virtual ~Declaration() = default;

    /// Key in files and on the command line; ends with the unit.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string unit() const { return unit_of_name(name_); }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Origin of the default: paper and table or section, or "assumed" with the reason.
    [[nodiscard]] const std::string& source() const { return source_; }

    [[nodiscard]] virtual AcceptedValues accepted_values() const = 0;
    /// Description of the accepted values for users: "a whole number from 1 to 4096".
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
