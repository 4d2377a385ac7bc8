#include "hw/parameter.h"

#include <sstream>

namespace weir::hw {

ParameterBase* ParameterGroup::find(std::string_view name) const {
    for (ParameterBase* parameter : parameters_) {
        if (parameter->name() == name) {
            return parameter;
        }
    }
    return nullptr;
}

namespace {

/// "a whole number from 1 to 4096".
template <class T>
std::string in_range(const char* noun, const AcceptedValues& values) {
    std::ostringstream text;
    text << noun;
    if (values.least && values.greatest) {
        text << " from " << std::get<T>(*values.least) << " to " << std::get<T>(*values.greatest);
    } else if (values.least) {
        text << " of at least " << std::get<T>(*values.least);
    } else if (values.greatest) {
        text << " of at most " << std::get<T>(*values.greatest);
    }
    return text.str();
}

std::string one_of(const std::vector<std::string>& names) {
    std::string text = "one of";
    for (const std::string& name : names) {
        text += (&name == names.data() ? " \"" : ", \"") + name + "\"";
    }
    return text;
}

}  // namespace

std::string AcceptedValues::text() const {
    switch (type) {
        case Type::kFlag:
            return "true or false";
        case Type::kWholeNumber:
            return in_range<std::int64_t>("a whole number", *this);
        case Type::kNumber:
            return in_range<double>("a number", *this);
        case Type::kText:
            return "a string";
        case Type::kFilePath:
            return "a file's path";
        case Type::kName:
            return one_of(names);
        case Type::kWholeNumbers:
            return in_range<std::int64_t>("a list, each entry a whole number", *this);
    }
    return {};
}

}  // namespace weir::hw
