#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::records {

class MetricGroup;

/// In the name of a metric of which each program has its own: "phase_NAME_cycles" stands for
/// "phase_exchange_cycles" and all others, with letters, digits and underscores for NAME.
inline constexpr std::string_view kProgramsName = "NAME";

/// A number that a run gives. It is declared once, as a member of the MetricGroup beside the code
/// that measures it. The check of [published] and of --metric, headings, units, `weir list metrics`
/// and the schema of results read it from there.
class Metric {
  public:
    Metric(MetricGroup& group, std::string name, std::string unit, std::string sentence,
           std::string source = {});
    Metric(const Metric&) = delete;
    Metric& operator=(const Metric&) = delete;
    ~Metric() = default;

    /// As files and tables name it; it ends with its unit. It may hold kProgramsName.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// With what the program has for kProgramsName; every character that no name may have becomes
    /// an underscore.
    [[nodiscard]] std::string name_of(std::string_view programs_name) const;
    /// Whether results name it so.
    [[nodiscard]] bool is_named(std::string_view name) const;
    /// A regular expression of all its names; empty where it has only one.
    [[nodiscard]] std::string pattern() const;
    /// "cycles", "bytes/cycle", "%"; "1" for a count or a ratio.
    [[nodiscard]] const std::string& unit() const { return unit_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Paper and section; empty where it is Weir's own.
    [[nodiscard]] const std::string& source() const { return source_; }

  private:
    std::string name_;
    std::string unit_;
    std::string sentence_;
    std::string source_;
};

/// What one piece of code measures.
class MetricGroup {
  public:
    MetricGroup(const MetricGroup&) = delete;
    MetricGroup& operator=(const MetricGroup&) = delete;
    virtual ~MetricGroup() = default;

    [[nodiscard]] const std::vector<const Metric*>& metrics() const { return metrics_; }

  protected:
    MetricGroup() = default;

  private:
    friend class Metric;
    std::vector<const Metric*> metrics_;
};

/// Metrics that differ in a part of their name alone: "send_overhead_cycles_0" to "_14".
class MetricFamily {
  public:
    using Text = std::function<std::string(const std::string& part)>;
    /// One for each part, with what `name` and `sentence` make of it.
    MetricFamily(MetricGroup& group, const std::vector<std::string>& parts, const Text& name,
                 std::string unit, const Text& sentence, const std::string& source = {});

    [[nodiscard]] const Metric& operator[](std::size_t index) const { return members_[index]; }
    [[nodiscard]] std::size_t size() const { return members_.size(); }

  private:
    std::deque<Metric> members_;
};

/// "0", "1", ... up to and with the last.
[[nodiscard]] std::vector<std::string> whole_numbers(int first, int last);

using MetricList = std::vector<const Metric*>;

/// The first of each name, in the order given.
[[nodiscard]] MetricList named_once(const MetricList& metrics);
/// All of them, every name once.
[[nodiscard]] MetricList metrics_of(const std::vector<const MetricGroup*>& groups);
[[nodiscard]] std::vector<std::string> names_of(const MetricList& metrics);
/// Which one results name so; null: none.
[[nodiscard]] const Metric* find_metric(const MetricList& metrics, std::string_view name);

}  // namespace weir::experiments::records
