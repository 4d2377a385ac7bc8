#pragma once

#include <memory>
#include <optional>
#include <string>

namespace weir::experiments::debug {

/// Source of a session's commands: a terminal, a pipe or a file on standard input. Lines are read
/// byte by byte, so that forked processes continue behind the last line.
class StepTerminal {
  public:
    StepTerminal();
    StepTerminal(const StepTerminal&) = delete;
    StepTerminal& operator=(const StepTerminal&) = delete;
    ~StepTerminal();

    /// True if commands are typed: a prompt is printed, and Ctrl-C stops the machine.
    [[nodiscard]] bool is_interactive() const { return is_interactive_; }
    /// Next line without its end; nullopt at the end of the input.
    [[nodiscard]] std::optional<std::string> next_line();
    /// True if SIGINT (Ctrl-C) has arrived since the last call.
    [[nodiscard]] static bool is_interrupted();

  private:
    struct Before;
    bool is_interactive_;
    std::unique_ptr<Before> before_;  // earlier action of SIGINT
};

}  // namespace weir::experiments::debug
