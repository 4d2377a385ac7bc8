#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
class Option;
}  // namespace CLI

namespace weir::experiments::commands {

/// Check of an option's value. The function may replace the value, and returns a fault's text or an
/// empty text.
struct ValueCheck {
    std::function<std::string(std::string&)> fault_of;
    std::string description;  ///< addition to the option's type in the help; may be empty
};

/// Fault of an option's value, for functions of CommandSyntax::add_option_function(). The message
/// begins with the option's name.
class InvalidValue : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A declared option or argument. This handle compiles without CLI11, which takes seconds.
class Option {
  public:
    Option() = default;
    explicit Option(CLI::Option* option) : option_(option) {}

    Option type_name(const std::string& name) const;
    Option required() const;
    Option check(const ValueCheck& check) const;
    /// Check of a value that it does not replace.
    Option check(const std::function<std::string(const std::string&)>& fault_of) const;
    /// Check that may replace the value.
    Option transform(const ValueCheck& check) const;
    /// Each occurrence of a repeatable option takes one value.
    Option takes_one_value() const;
    /// Splits each value of the option.
    Option delimiter(char separator) const;
    Option excludes(Option other) const;
    /// Leaves the option out of the help.
    Option hidden() const;

    /// True if the parsed command line has the option.
    [[nodiscard]] bool is_given() const;

  private:
    CLI::Option* option_ = nullptr;
};

/// Options, arguments and subcommands of a command, as declared to CLI11. The variables that get
/// values must outlive the parsing. `names` of an option: "-o,--out"; of an argument: "FILE".
class CommandSyntax {
  public:
    CommandSyntax() = default;
    explicit CommandSyntax(CLI::App& command) : command_(&command) {}

    /// T is one of the types for which command_syntax.cpp instantiates it.
    template <class T>
    Option add_option(const std::string& names, T& value, const std::string& sentence = {}) const;
    /// Option whose value `read` takes; `read` may throw InvalidValue.
    Option add_option_function(const std::string& names,
                               const std::function<void(const std::string&)>& read,
                               const std::string& sentence) const;
    Option add_flag(const std::string& names, bool& value, const std::string& sentence) const;

    [[nodiscard]] CommandSyntax add_subcommand(const std::string& name,
                                               const std::string& sentence) const;
    void require_subcommand(std::size_t least, std::size_t most) const;
    void footer(const std::string& text) const;
    /// Removes CLI11's own --help.
    void remove_help() const;

    /// Text of --help.
    [[nodiscard]] std::string help(const std::string& program) const;
    /// True if the parsed command line names the command.
    [[nodiscard]] bool is_named() const;
    /// The program or command that has this command as a subcommand.
    [[nodiscard]] const CLI::App* parent() const;

  private:
    CLI::App* command_ = nullptr;
};

}  // namespace weir::experiments::commands
