#include "experiments/commands/meant_setting.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::commands {

std::optional<std::string> meant_setting(const std::string& key) {
    std::vector<std::string> keys;
    std::vector<std::string> whole_keys;
    for (const std::unique_ptr<kinds::Setup>& setup : kinds::default_setups()) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            for (const hw::ParameterBase* parameter : group->parameters()) {
                keys.push_back(parameter->name());
                whole_keys.push_back(group->table() + "." + parameter->name());
            }
        }
    }
    const std::optional<std::string> nearest = setup::nearest_name(key, keys);
    if (!nearest) {
        return std::nullopt;
    }
    const auto place = std::find(keys.begin(), keys.end(), *nearest) - keys.begin();
    return "--set " + whole_keys[place] + "=VALUE";
}

}  // namespace weir::experiments::commands
