#include "experiments/random_machines/shrink.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace weir::experiments::random_machines {

namespace {

using hw::ParameterValue;

std::vector<ParameterValue> smaller(const ParameterValue& value) {
    std::vector<ParameterValue> values;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        for (const std::int64_t less : {*number / 4, *number / 2, *number - 1}) {
            if (less >= 0 && less < *number) {
                values.emplace_back(less);
            }
        }
    } else if (const auto* real = std::get_if<double>(&value)) {
        for (const double less : {0.0, static_cast<double>(static_cast<std::int64_t>(*real / 2))}) {
            if (less < *real) {
                values.emplace_back(less);
            }
        }
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        for (std::size_t i = 0; i < list->size() && list->size() > 1; ++i) {
            std::vector<std::int64_t> shorter = *list;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
            values.emplace_back(std::move(shorter));
        }
        for (std::size_t i = 0; i < list->size(); ++i) {
            for (const std::int64_t less : {(*list)[i] / 2, (*list)[i] - 1}) {
                if (less >= 0 && less < (*list)[i]) {
                    std::vector<std::int64_t> lower = *list;
                    lower[i] = less;
                    values.emplace_back(std::move(lower));
                }
            }
        }
    }
    return values;
}

class Shrinking {
  public:
    using Clock = std::chrono::steady_clock;

    Shrinking(Settings settings, const std::filesystem::path& folder,
              const std::function<bool(const Settings&)>& is_like, double most_seconds)
        : smallest_(std::move(settings)),
          folder_(folder),
          is_like_(is_like),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(most_seconds))) {}

    Settings smallest() {
        bool is_smaller = true;
        while (is_smaller && Clock::now() < end_) {
            is_smaller = leave_out() || lower();
        }
        return smallest_;
    }

  private:
    // Tries the change. Parameters that have no effect without the changed setting are reset, and
    // the number of nodes follows the network.
    bool take(const Settings& changed) {
        if (Clock::now() >= end_) {
            return false;
        }
        const Settings tidy = OpenSetup(changed, folder_).settings();
        if (tidy == smallest_ || !is_like_(tidy)) {
            return false;
        }
        smallest_ = tidy;
        return true;
    }

    bool leave_out() {
        bool is_smaller = false;
        for (const Setting& setting : Settings(smallest_)) {
            if (setting.key == kProgramKey || setting.key == kCoreKey || setting.key == kEndKey ||
                setting.key == kWatchdogKey) {
                continue;
            }
            Settings without = smallest_;
            std::erase_if(without,
                          [&setting](const Setting& other) { return other.key == setting.key; });
            is_smaller = (without.size() < smallest_.size() && take(without)) || is_smaller;
        }
        return is_smaller;
    }

    bool lower() {
        bool is_smaller = false;
        for (const Setting& setting : Settings(smallest_)) {
            if (setting.key == kEndKey || setting.key == kWatchdogKey) {
                continue;
            }
            for (const ParameterValue& value : smaller(setting.value)) {
                Settings changed = smallest_;
                const auto at = std::find(changed.begin(), changed.end(), setting);
                if (at == changed.end()) {
                    break;
                }
                at->value = value;
                if (take(changed)) {
                    is_smaller = true;
                    break;
                }
            }
        }
        return is_smaller;
    }

    Settings smallest_;
    const std::filesystem::path& folder_;
    const std::function<bool(const Settings&)>& is_like_;
    Clock::time_point end_;
};

}  // namespace

Settings shrunk(const Settings& settings, const std::filesystem::path& folder,
                const std::function<bool(const Settings&)>& is_like, double most_seconds) {
    return Shrinking(settings, folder, is_like, most_seconds).smallest();
}

}  // namespace weir::experiments::random_machines
