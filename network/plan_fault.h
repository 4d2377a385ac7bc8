#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace weir::network {

/// The parameters name a network that can't be made: what() says what was found and what is
/// accepted.
class PlanFault : public std::runtime_error {
  public:
    PlanFault(std::string parameter, const std::string& what)
        : runtime_error(what), parameter_(std::move(parameter)) {}
    [[nodiscard]] const std::string& parameter() const { return parameter_; }

  private:
    std::string parameter_;
};

}  // namespace weir::network
