#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace weir::experiments::random_machines {

/// How a process of one's own has ended.
struct ProcessEnd {
    std::string output;   ///< what its work returned
    std::string failure;  ///< why it returned nothing: a signal, an exception; else empty
};

/// Work in a process of its own, since SystemC elaborates one machine a process, and what crashes
/// there is to be told here.
class OwnProcess {
  public:
    /// Forks. More than so much processor time, its children's not counted, ends it.
    OwnProcess(const std::function<std::string()>& work, int most_processor_seconds);
    OwnProcess(const OwnProcess&) = delete;
    OwnProcess& operator=(const OwnProcess&) = delete;
    /// Kills it, if it has not been waited for.
    ~OwnProcess();

    /// Can be polled: there is something to read, or it has ended.
    [[nodiscard]] int output() const { return output_; }
    /// Takes what is there; false once it has ended.
    [[nodiscard]] bool read_on();
    /// Reads to the end and waits for it.
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
