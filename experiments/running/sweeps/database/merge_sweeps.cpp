#include "experiments/running/sweeps/database/merge_sweeps.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_lock.h"
#include "experiments/running/sweeps/database/sweep_schema.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using setup::UserFault;

// SQL for the merged database, with a part attached as `part`.
constexpr const char* kConflict = R"sql(
SELECT mine.digest, theirs_run.seed, mine_run.digest, theirs_run.digest
FROM part.runs AS theirs_run JOIN part.points AS theirs USING (point_id)
     JOIN main.points AS mine ON mine.digest = theirs.digest
     JOIN main.runs AS mine_run
          ON mine_run.point_id = mine.point_id AND mine_run.seed = theirs_run.seed
WHERE mine_run.digest IS NOT NULL AND theirs_run.digest IS NOT NULL
      AND mine_run.digest <> theirs_run.digest
ORDER BY mine.number, theirs_run.seed LIMIT 1
)sql";

constexpr const char* kCopy = R"sql(
INSERT INTO main.points (digest, number, label, kernel, main_metric, varied_axis, configuration)
    SELECT digest, number, label, kernel, main_metric, varied_axis, configuration FROM part.points
    WHERE digest NOT IN (SELECT digest FROM main.points) ORDER BY number;
INSERT INTO main.swept
    SELECT mine.point_id{columns}
    FROM part.swept AS swept JOIN part.points AS theirs USING (point_id)
         JOIN main.points AS mine ON mine.digest = theirs.digest
    WHERE mine.point_id NOT IN (SELECT point_id FROM main.swept);
DELETE FROM main.runs WHERE signal IS NOT NULL AND EXISTS
    (SELECT 1 FROM part.runs AS theirs_run JOIN part.points AS theirs USING (point_id)
              JOIN main.points AS mine ON mine.digest = theirs.digest
     WHERE theirs_run.signal IS NULL AND theirs_run.seed = main.runs.seed
           AND mine.point_id = main.runs.point_id);
CREATE TEMP TABLE copied AS
    SELECT theirs_run.run_id AS part_run_id, mine.point_id AS point_id, theirs_run.seed AS seed
    FROM part.runs AS theirs_run JOIN part.points AS theirs USING (point_id)
         JOIN main.points AS mine ON mine.digest = theirs.digest
    WHERE NOT EXISTS (SELECT 1 FROM main.runs WHERE main.runs.point_id = mine.point_id
                                                    AND main.runs.seed = theirs_run.seed);
INSERT INTO main.runs (point_id, seed, status, exit_status, signal, message, digest, cycles,
                       host_seconds, weir_build, result)
    SELECT copied.point_id, copied.seed, status, exit_status, signal, message, digest, cycles,
           host_seconds, weir_build, result
    FROM temp.copied AS copied JOIN part.runs AS theirs ON theirs.run_id = copied.part_run_id;
INSERT INTO main.metrics
    SELECT mine.run_id, source, metric, value, unit
    FROM temp.copied AS copied
         JOIN main.runs AS mine ON mine.point_id = copied.point_id AND mine.seed = copied.seed
         JOIN part.metrics AS theirs ON theirs.run_id = copied.part_run_id;
DROP TABLE temp.copied;
)sql";

void require_alike(const SweepDatabase& first, const SweepDatabase& part) {
    if (first.meta("weir_version") != part.meta("weir_version")) {
        throw UserFault(
            {part.path()},
            fmt::format("it was begun by weir {}, and {} by weir {}", part.meta("weir_version"),
                        first.path(), first.meta("weir_version")),
            "databases of one version; weir sweep diff compares two");
    }
    if (first.names() != part.names()) {
        throw UserFault({part.path()},
                        fmt::format("its axes are others than those of {}: it is another study's "
                                    "(\"{}\" and \"{}\")",
                                    first.path(), part.meta("title"), first.meta("title")),
                        "databases of one study");
    }
}

std::string description_in(const SweepDatabase& database, const std::string& digest) {
    const std::vector<SweptName> names = database.names();
    for (const StoredPoint& point : database.points()) {
        if (point.digest == digest) {
            return fmt::format("point {}{}", point.number.value_or(0),
                               point.values.empty() && point.label.empty()
                                   ? ""
                                   : " (" + description_of(point, database.design(), names) + ")");
        }
    }
    return "a point";
}

void add_part(const SweepDatabase& merged, const SweepDatabase& part) {
    Query attach(merged.connection(), "ATTACH ? AS part");
    attach.bind_path(part.path()).execute();
    {
        Query conflict(merged.connection(), kConflict);
        if (conflict.step()) {
            throw UserFault(
                {part.path()},
                fmt::format("{}, seed {}, has digest {} here and {} in a part before",
                            description_in(part, conflict.text(0)), conflict.text(1),
                            conflict.text(3).substr(0, 8), conflict.text(2).substr(0, 8)),
                "parts whose results agree; weir sweep diff shows where they do not");
        }
    }
    std::string columns;
    for (const SweptName& name : merged.names()) {
        columns += ", swept." + sql_name(name.column);
    }
    Transaction transaction(merged.connection());
    merged.connection().execute(fmt::format(fmt::runtime(kCopy), fmt::arg("columns", columns)));
    transaction.commit();
    merged.connection().execute("DETACH part");
}

}  // namespace

std::size_t merge_sweeps(std::span<const fs::path> parts, const fs::path& merged) {
    std::error_code unknown;
    if (fs::exists(merged, unknown)) {
        throw UserFault({merged.string()}, "the database exists already", "-o with a new one");
    }
    std::vector<SweepDatabase> opened;
    for (const fs::path& part : parts) {
        opened.push_back(SweepDatabase::open(part, SweepConnection::Access::kRead));
        opened.back().check_values();
        require_alike(opened.front(), opened.back());
    }
    const SweepLock lock(merged);
    const fs::path unfinished = lock.folder() / "new.db";
    std::size_t runs = 0;
    {
        const SweepDatabase database = SweepDatabase::create_like(opened.front(), unfinished);
        for (const SweepDatabase& part : opened) {
            add_part(database, part);
        }
        runs = database.count_of("runs");
    }
    fs::rename(unfinished, merged);
    return runs;
}

}  // namespace weir::experiments::running
