#pragma once

// With sanitizers, GCC 12 wrongly reports parts of <regex>, which Valijson uses, as uninitialized.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace weir::experiments {

/// A JSON schema as the program prints it.
class JsonSchema {
  public:
    explicit JsonSchema(const std::string& text) {
        const nlohmann::json json = nlohmann::json::parse(text);
        valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(json),
                                                schema_);
    }

    /// Violations of the schema in the document; empty if there are none.
    [[nodiscard]] std::string faults(const nlohmann::json& document) const {
        valijson::Validator validator;
        valijson::ValidationResults found;
        if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document),
                               &found)) {
            return {};
        }
        std::string text;
        for (valijson::ValidationResults::Error error; found.popError(error);) {
            for (const std::string& step : error.context) {
                text += step;
            }
            text += ": " + error.description + "\n";
        }
        return text.empty() ? "refused" : text;
    }

  private:
    valijson::Schema schema_;
};

}  // namespace weir::experiments
