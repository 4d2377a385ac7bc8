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

/// Placeholder in the name of a metric that each program names itself. "phase_NAME_cycles" stands
/// for names such as "phase_exchange_cycles", with letters, digits and underscores for NAME.
inline constexpr std::string_view kProgramsName = "NAME";

/// Number that a run measures. It is declared once, as a member of the MetricGroup beside the code
/// that measures it. The check of [published] and of --metric, headings, units, `weir list metrics`
/// and the schema of results read it from there.
class Metric {
  public:
    Metric(MetricGroup& group, std::string name, std::string unit, std::string sentence,
           std::string source = {});
    Metric(const Metric&) = delete;
    Metric& operator=(const Metric&) = delete;
    ~Metric() = default;

    /// Name in files and tables; it ends with its unit and may contain kProgramsName.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Name with `programs_name` in place of kProgramsName. Characters that names cannot contain
    /// become underscores.
    [[nodiscard]] std::string name_of(std::string_view programs_name) const;
    /// True if `name` is a name of this metric in results.
    [[nodiscard]] bool is_named(std::string_view name) const;
    /// Regular expression for all names of the metric; empty if the metric has only one name.
    [[nodiscard]] std::string pattern() const;
    /// Unit, for example "cycles", "bytes/cycle" or "%"; "1" for a count or a ratio.
    [[nodiscard]] const std::string& unit() const { return unit_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Source of the definition: paper and section; empty for Weir's own metrics.
    [[nodiscard]] const std::string& source() const { return source_; }

  private:
    std::string name_;
    std::string unit_;
    std::string sentence_;
    std::string source_;
};

/// Metrics that one piece of code measures.
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

/// The only object of the class Group, a group of metrics.
template <class Group>
[[nodiscard]] const Group& declared() {
    static const Group group;
    return group;
}

/// Metrics whose names differ in one part: "send_overhead_cycles_0" to "send_overhead_cycles_14".
class MetricFamily {
  public:
    using Text = std::function<std::string(const std::string& part)>;
    /// Declares a metric for each part, with the texts `name(part)` and `sentence(part)`.
    MetricFamily(MetricGroup& group, const std::vector<std::string>& parts, const Text& name,
                 std::string unit, const Text& sentence, const std::string& source = {});

    [[nodiscard]] const Metric& operator[](std::size_t index) const { return members_[index]; }
    [[nodiscard]] std::size_t size() const { return members_.size(); }

  private:
    std::deque<Metric> members_;
};

/// Texts of the whole numbers from `first` to `last`, inclusive.
[[nodiscard]] std::vector<std::string> whole_numbers(int first, int last);

using MetricList = std::vector<const Metric*>;

/// The first metric of each name, in the order given.
[[nodiscard]] MetricList named_once(const MetricList& metrics);
/// All metrics of the groups, each name once.
[[nodiscard]] MetricList metrics_of(const std::vector<const MetricGroup*>& groups);
[[nodiscard]] std::vector<std::string> names_of(const MetricList& metrics);
/// Metric with this name in results; null if there is none.
[[nodiscard]] const Metric* find_metric(const MetricList& metrics, std::string_view name);

}  // namespace weir::experiments::records
