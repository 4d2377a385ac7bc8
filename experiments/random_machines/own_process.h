#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace weir::experiments::random_machines {

/// End of an OwnProcess.
struct ProcessEnd {
    std::string output;   ///< return value of its work
    std::string failure;  ///< why there is no output: a signal or an exception; else empty
};

/// Work in a process of its own. SystemC elaborates only one machine per process, and the parent
/// must survive and report a crash.
class OwnProcess {
  public:
    /// Forks. The process is ended after `most_processor_seconds` of processor time, without its
    /// children's.
    OwnProcess(const std::function<std::string()>& work, int most_processor_seconds);
    OwnProcess(const OwnProcess&) = delete;
    OwnProcess& operator=(const OwnProcess&) = delete;
    /// Kills the process if wait() has not been called.
    ~OwnProcess();

    /// File descriptor to poll: readable if there is output or the process has ended.
    [[nodiscard]] int output() const { return output_; }
    /// Reads the available output; false once the process has ended.
    [[nodiscard]] bool read_on();
    /// Reads all output and waits for the end.
    [[nodiscard]] ProcessEnd wait();

  private:
    pid_t process_ = -1;
    int output_ = -1;
    int most_processor_seconds_;
    std::string text_;
};

[[nodiscard]] ProcessEnd in_own_process(const std::function<std::string()>& work,
                                        int most_processor_seconds);

}  // namespace weir::experiments::random_machines
