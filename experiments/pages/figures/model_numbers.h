#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace weir::experiments::pages {

/// Numbers that give each model its colour and mark. A model that results are compared with has the
/// same number in every chart; other names take the numbers that are free in their chart.
class ModelNumbers {
  public:
    void add(const std::string& model);
    /// Number of a model that was added.
    [[nodiscard]] std::size_t number_of(const std::string& model) const {
        return numbers_.at(model);
    }
    [[nodiscard]] bool is_empty() const { return numbers_.empty(); }

  private:
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace weir::experiments::pages
