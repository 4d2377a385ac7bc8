#include <fstream>

#include "experiments/running/sweeps/database/merge_sweeps.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_difference.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "experiments/trace/testing/fuzzed_database.h"

namespace weir::experiments::running {
namespace {

using hw::testing::InputFile;

// Sweep of two points with two seeds each.
class SweptStudy final : public SweepTest {
  public:
    [[nodiscard]] std::filesystem::path record(const std::string& name, int cycles) const {
        const SweepPlan study = plan(
            "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n[[sweep.figure]]\nkind = \"lines\"\n"
            "metric = \"cycles_per_iteration\"\nx = \"hop_cycles\"\n");
        const SweepDatabase database = SweepDatabase::create(file(name), file("new.db"), study);
        for (const PlannedPoint& point : study.points) {
            database.record(study, point, 1, outcome(cycles));
            database.record(study, point, 2, outcome(2 * cycles));
        }
        return file(name);
    }
    void TestBody() override {}
};

// Reads a database as `weir sweep show`, `diff` and `merge` do: compares it with the same sweep of
// another machine, and merges it with itself.
void read_sweep_file(const std::string& input) {
    static const InputFile file("a.db");
    static const SweptStudy study;
    static const std::filesystem::path other = study.record("other.db", 11);
    trace::write_database(file, input);
    try {
        const SweepDatabase database =
            SweepDatabase::open(file.path(), SweepConnection::Access::kRead);
        static_cast<void>(read_sweep(database, {"cycles_per_iteration"}));
        static_cast<void>(database.metric_names());
        static_cast<void>(database.done(true));
        const SweepDatabase second = SweepDatabase::open(other, SweepConnection::Access::kRead);
        static_cast<void>(difference_of(database, second, ""));
        static_cast<void>(difference_of(second, database, "cycles_per_iteration"));
        const std::filesystem::path merged = file.folder() / "merged.db";
        std::filesystem::remove(merged);
        static_cast<void>(merge_sweeps(std::array{file.path(), file.path()}, merged));
    } catch (const SweepError& fault) {
        hw::testing::require_sound_message(fault.what());
        throw hw::Refusal(fault.what());
    }
}

const hw::testing::FuzzTarget kSweepDatabaseFuzz({
    .name = "sweep-database",
    .sources = {"experiments/running/sweeps/database/sweep_database.cpp",
                "experiments/running/sweeps/database/sweep_connection.cpp",
                "experiments/running/sweeps/database/sweep_difference.cpp",
                "experiments/running/sweeps/database/merge_sweeps.cpp"},
    .read = read_sweep_file,
    .seeds =
        [] {
            const SweptStudy study;
            const std::filesystem::path path = study.record("a.db", 10);
            const std::string sql = trace::sql_of(path);
            std::ifstream bytes(path, std::ios::binary);
            return std::vector<std::string>{
                sql, std::string(std::istreambuf_iterator<char>(bytes), {}),
                sql + "UPDATE points SET configuration = '[1]'",
                sql + "UPDATE meta SET value = '[{\"kind\": 1}]' WHERE key = 'figures'"};
        },
    .words = {"UPDATE points SET configuration = '", "UPDATE meta SET value = ", "DELETE FROM ",
              "UPDATE runs SET ", "UPDATE axes SET ", "x'00'", "NULL", "[[[[[[",
              "{\"a\":", "1e999"},
});

}  // namespace
}  // namespace weir::experiments::running
