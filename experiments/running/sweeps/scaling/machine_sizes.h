#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/setup.h"

namespace weir::experiments::running {

/// Quantity that stays constant when a machine grows.
enum class ConstantSize : std::uint8_t {
    kAsWritten,  ///< the workload as the file has it
    kOfNode,     ///< the size of each node's part of the problem
    kTotal,      ///< the size of the whole problem
};

/// Number of nodes, and extents of the network.
struct MachineShape {
    std::int64_t nodes = 0;
    std::vector<std::int64_t> extents;
};

/// Shape from the text after `option`: "1024" has the two extents nearest to a square, "32x32" or
/// "4x4x4" its own. Throws setup::UserFault for any other text.
[[nodiscard]] MachineShape parse_shape(const std::string& option, const std::string& text);

/// Small machines for a prediction: rectangles cut out of the larger machine, so that the longest
/// ones have its distances and bisection. Their sides are 1 to 8, 12, 16, 24 or 32, and no side is
/// longer than the larger machine's. They have 4 to 64 nodes, and at least a 128th and at most a
/// quarter of the larger machine's nodes. They are in the order of their nodes, and those of equal
/// nodes from the longest to the nearest to a square.
[[nodiscard]] std::vector<MachineShape> usual_small_machines(const MachineShape& larger);

/// Parameter in [workload] with its value on some machine.
using SizeValue = std::pair<std::string, std::int64_t>;

/// Problem sizes of a study on machines of other sizes.
class StudySizes {
  public:
    /// Throws setup::UserFault if the kernel's size cannot follow: it has no size parameters, or
    /// has some, and the file's size is to stay as written.
    StudySizes(const setup::ExperimentFile& file, setup::SelectedRun run, ConstantSize constant);

    /// Values of the size parameters on a machine, rounded as the kernel demands. Throws
    /// setup::UserFault if rounding changes the size by more than a quarter.
    [[nodiscard]] std::vector<SizeValue> on(std::int64_t nodes) const;
    /// Size of a node's part, relative to that on the study's machine.
    [[nodiscard]] double size_of_node(std::int64_t nodes,
                                      const std::vector<SizeValue>& sizes) const;
    /// Description of the constant quantity, for pages.
    [[nodiscard]] std::string constant_text() const;

  private:
    struct Size {
        firmware::SizeParameter parameter;
        std::int64_t value = 0;  // on the study's machine
    };
    [[nodiscard]] std::int64_t value_on(const Size& size, std::int64_t nodes) const;

    ConstantSize constant_;
    std::int64_t nodes_ = 0;  // number of nodes of the study's machine
    std::vector<Size> sizes_;
};

}  // namespace weir::experiments::running
