#include "experiments/kinds/kernel/described_kernel.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "experiments/kinds/kernel/json_size_parameter.h"
#include "experiments/records/json_input.h"

namespace weir::experiments::kinds {

namespace {

using Json = nlohmann::ordered_json;
using Type = hw::AcceptedValues::Type;
using records::whole_number;

[[noreturn]] void refuse(const Json& json, const std::string& what) {
    throw nlohmann::json::other_error::create(501, what, &json);
}

// Names become keys of files, so they have only the letters of TOML's bare keys.
std::string name_from(const Json& json) {
    auto name = json.get<std::string>();
    const bool is_key = std::all_of(name.begin(), name.end(), [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
               letter == '-';
    });
    if (name.empty() || !is_key) {
        refuse(json, "is no name of a parameter");
    }
    return name;
}

Json description_of(const hw::ParameterBase& parameter) {
    const hw::AcceptedValues accepted = parameter.accepted_values();
    Json json{{"name", parameter.name()},
              {"type", static_cast<int>(accepted.type)},
              {"default", records::json_of(parameter.default_as_variant())},
              {"sentence", parameter.sentence()},
              {"source", parameter.source()}};
    if (accepted.least) {
        json["least"] = records::json_of(*accepted.least);
    }
    if (accepted.greatest) {
        json["greatest"] = records::json_of(*accepted.greatest);
    }
    if (!accepted.names.empty()) {
        json["names"] = accepted.names;
    }
    return json;
}

template <class Limit>
hw::ParameterRange<Limit> range_from(const Json& json) {
    const auto limit = [&json](const char* key, Limit otherwise) {
        if (!json.contains(key)) {
            return otherwise;
        }
        if constexpr (std::is_same_v<Limit, double>) {
            return json.at(key).get<double>();
        } else {
            return whole_number<Limit>(json.at(key));
        }
    };
    constexpr hw::ParameterRange<Limit> kAll;
    return {limit("least", kAll.low), limit("greatest", kAll.high)};
}

}  // namespace

/// The kernel's parameters, which own their declarations.
class DescribedKernel::Group final : public hw::ParameterGroup {
  public:
    explicit Group(const Json& json)
        : ParameterGroup(name_from(json.at("table")), json.at("sentence").get<std::string>()) {
        for (const Json& parameter : json.at("list")) {
            add(parameter);
        }
    }

  private:
    void add(const Json& json) {
        const std::string name = name_from(json.at("name"));
        if (find(name) != nullptr) {
            refuse(json, "is a second parameter of this name");
        }
        const Json& value = json.at("default");
        const auto sentence = json.at("sentence").get<std::string>();
        const auto source = json.at("source").get<std::string>();
        const auto keep = [&]<class T>(std::type_identity<T>, auto default_value, auto range) {
            owned_.push_back(std::make_unique<hw::Parameter<T>>(*this, name, default_value, range,
                                                                sentence, source));
        };
        switch (records::enumerator(json.at("type"), Type::kRows)) {
            case Type::kFlag:
                return keep(std::type_identity<bool>(), value.get<bool>(),
                            hw::ParameterRange<std::int64_t>());
            case Type::kWholeNumber:
                return keep(std::type_identity<std::int64_t>(), whole_number<std::int64_t>(value),
                            range_from<std::int64_t>(json));
            case Type::kNumber:
                return keep(std::type_identity<double>(), value.get<double>(),
                            range_from<double>(json));
            case Type::kText:
                return keep(std::type_identity<std::string>(), value.get<std::string>(),
                            hw::ParameterRange<std::int64_t>());
            case Type::kFilePath:
                return keep(std::type_identity<hw::FilePath>(), value.get<std::string>(),
                            hw::ParameterRange<std::int64_t>());
            case Type::kWholeNumbers:
                return keep(std::type_identity<std::vector<std::int64_t>>(),
                            records::whole_numbers_in<std::int64_t>(value),
                            range_from<std::int64_t>(json));
            case Type::kName:
                return add_choice(json, name, sentence, source);
            case Type::kWords:
                owned_.push_back(std::make_unique<hw::Parameter<hw::Words>>(*this, name, sentence));
                return;
            default:
                refuse(json, "is of a type that no parameter has");
        }
    }

    void add_choice(const Json& json, const std::string& name, const std::string& sentence,
                    const std::string& source) {
        const auto names = json.at("names").get<std::vector<std::string>>();
        const auto chosen =
            std::find(names.begin(), names.end(), json.at("default").get<std::string>());
        if (chosen == names.end()) {
            refuse(json, "has a default that is none of its names");
        }
        std::vector<hw::Choice<std::size_t>::Option> options;
        for (std::size_t i = 0; i < names.size(); ++i) {
            options.push_back({i, names[i]});
        }
        owned_.push_back(std::make_unique<hw::Choice<std::size_t>>(
            *this, name, static_cast<std::size_t>(chosen - names.begin()), std::move(options),
            sentence, source));
    }

    std::vector<std::unique_ptr<hw::ParameterBase>> owned_;
};

DescribedKernel::DescribedKernel(const Json& description)
    : group_(std::make_unique<Group>(description.at("parameters"))),
      communication_(
          records::enumerator(description.at("communication"), firmware::Communication::kNone)),
      sends_bodies_(description.at("sends_bodies").get<bool>()),
      sending_handlers_(description.at("sending_handlers").get<std::vector<std::string>>()),
      shares_memory_(description.at("shares_memory").get<bool>()),
      fetches_at_homes_(description.at("fetches_at_homes").get<bool>()),
      needs_barrier_(description.at("needs_barrier").get<bool>()),
      runs_in_tiles_(description.at("runs_in_tiles").get<bool>()),
      threads_per_node_(records::count_from(description.at("threads_per_node"))),
      least_nodes_(records::count_from(description.at("least_nodes"))) {
    const Json& length = description.at("steady_state_length");
    if (!length.is_null()) {
        steady_state_length_ = whole_parameter(length);
    }
    for (const Json& size : description.at("size_parameters")) {
        size_parameters_.push_back(size.get<firmware::SizeParameter>());
        static_cast<void>(whole_parameter(size.at("name")));
        if (size_parameters_.back().power < 1 || size_parameters_.back().multiple_of_nodes < 0) {
            refuse(size, "has a power below 1 or a multiple below 0");
        }
    }
}

hw::ParameterBase* DescribedKernel::whole_parameter(const Json& name) {
    hw::ParameterBase* const parameter = group_->find(name.get<std::string>());
    if (parameter == nullptr || parameter->accepted_values().type != Type::kWholeNumber) {
        refuse(name, "is no parameter with a whole number");
    }
    return parameter;
}

DescribedKernel::~DescribedKernel() = default;

bool DescribedKernel::has_known_properties() const {
    return std::none_of(group_->parameters().begin(), group_->parameters().end(),
                        [](const hw::ParameterBase* parameter) { return parameter->is_given(); });
}

namespace {
[[noreturn]] void fail() { throw std::logic_error("a described kernel has no code to run"); }
}  // namespace

void DescribedKernel::prepare(const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/,
                              nodes::MemoryAccess& /*memory*/) {
    fail();
}

std::unique_ptr<nodes::NodeProgram> DescribedKernel::program(
    nodes::Processor& /*processor*/, const firmware::ActiveMessages::Parameters& /*parameters*/) {
    fail();
}

std::optional<std::string> DescribedKernel::check(nodes::MemoryAccess& /*memory*/) { fail(); }

Json description_of(const firmware::KernelEntry& entry) {
    const std::unique_ptr<firmware::Kernel> kernel = entry.make();
    const hw::ParameterGroup& group = kernel->parameters();
    Json list = Json::array();
    for (const hw::ParameterBase* parameter : group.parameters()) {
        list.push_back(description_of(*parameter));
    }
    const hw::ParameterBase* length = kernel->steady_state_length();
    return {{"name", entry.name},
            {"sentence", entry.sentence},
            {"parameters",
             {{"table", group.table()}, {"sentence", group.sentence()}, {"list", std::move(list)}}},
            {"communication", static_cast<int>(kernel->communication())},
            {"steady_state_length", length != nullptr ? Json(length->name()) : Json()},
            {"size_parameters", kernel->size_parameters()},
            {"sends_bodies", kernel->sends_bodies()},
            {"sending_handlers", kernel->sending_handlers()},
            {"shares_memory", kernel->shares_memory()},
            {"fetches_at_homes", kernel->fetches_at_homes()},
            {"needs_barrier", kernel->needs_barrier()},
            {"runs_in_tiles", kernel->runs_in_tiles()},
            {"threads_per_node", kernel->threads_per_node()},
            {"least_nodes", kernel->least_nodes()}};
}

}  // namespace weir::experiments::kinds
