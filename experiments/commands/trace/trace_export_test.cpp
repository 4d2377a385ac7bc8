#include "experiments/commands/trace/trace_export.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/testing/exported_file.h"
#include "hw/testing/names.h"

namespace weir::experiments::commands {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::UnorderedElementsAre;
using weir::testing::Names;

class TraceExportTest : public ProgramTest {
  protected:
    TraceExportTest() { write("remap.toml", kSmallRemap); }

    void run_remap(Arguments options) const {
        options.insert(options.begin(), {"run", "remap.toml", "--out", "run"});
        static_cast<void>(output_of(options));
    }
    [[nodiscard]] json timeline(const std::string& name) const {
        return json::parse(trace::text_of_export(file(name)));
    }
};

// Attaches arrows as a trace viewer does. Events are ordered by time, and those of equal times by
// their order in the file. An arrow's end belongs to the innermost open slice of its thread.
struct OpenSlice {
    std::int64_t begin;
    std::int64_t end;
    std::string name;
};

struct Drawn {
    std::int64_t slices = 0;
    std::int64_t arrows = 0;
};

std::int64_t nanoseconds(const json& microseconds) {
    return static_cast<std::int64_t>(microseconds.get<double>() * 1000.0);
}

Drawn draw(const json& timeline) {
    std::vector<json> events;
    for (const json& event : timeline.at("traceEvents")) {
        if (event.contains("ts") && event.contains("tid")) {
            events.push_back(event);
        }
    }
    std::stable_sort(events.begin(), events.end(), [](const json& a, const json& b) {
        return nanoseconds(a.at("ts")) < nanoseconds(b.at("ts"));
    });
    Drawn drawn;
    std::map<int, std::vector<OpenSlice>> open;
    std::map<std::int64_t, std::string> leaving;
    for (const json& event : events) {
        const std::int64_t now = nanoseconds(event.at("ts"));
        std::vector<OpenSlice>& slices = open[event.at("tid")];
        while (!slices.empty() && slices.back().end <= now) {
            slices.pop_back();
        }
        if (event.at("ph") == "X") {
            const std::int64_t end = now + nanoseconds(event.at("dur"));
            EXPECT_GT(end, now) << event;
            if (!slices.empty()) {  // only a send is inside another slice, that of its handler
                EXPECT_EQ(slices.back().name, "handler") << event;
                EXPECT_EQ(event.at("name"), "send");
                EXPECT_LE(end, slices.back().end) << event;
            }
            slices.push_back({now, end, event.at("name")});
            drawn.slices += 1;
        } else if (event.at("ph") == "s" || event.at("ph") == "f") {
            if (slices.empty()) {
                ADD_FAILURE() << "no slice at " << event;
                continue;
            }
            const bool leaves = event.at("ph") == "s";
            const bool is_message = event.at("name") == "message";
            EXPECT_EQ(slices.back().name, leaves == is_message ? "send" : "handler") << event;
            if (leaves) {
                EXPECT_TRUE(leaving.emplace(event.at("id"), event.at("name")).second) << event;
            } else {
                EXPECT_EQ(slices.back().begin, now) << event;
                EXPECT_EQ(leaving.erase(event.at("id")), 1) << event;
                drawn.arrows += 1;
            }
        }
    }
    EXPECT_TRUE(leaving.empty()) << leaving.size() << " arrows lead nowhere";
    return drawn;
}

TEST_F(TraceExportTest, SlicesNeverOverlapAndEveryArrowHasBothEnds) {
    // 8 nodes send 40 requests and get 40 replies each; a reply also has an arrow from its
    // request's handler.
    constexpr int kArrows = 8 * 40 * 3;
    run_remap({});
    static_cast<void>(output_of({"trace", "export", "run", "-o", "all.json.gz"}));
    const Drawn all = draw(timeline("all.json.gz"));
    EXPECT_EQ(all.arrows, kArrows);
    EXPECT_GT(all.slices, kArrows);
    static_cast<void>(output_of(
        {"trace", "export", "run", "-o", "part.json", "--begin", "2000", "--end", "5000"}));
    const Drawn part = draw(timeline("part.json"));
    EXPECT_GT(part.arrows, 0);
    EXPECT_LT(part.slices, all.slices);
}

TEST_F(TraceExportTest, NorWithAnyClockWayToReceiveOrFullQueue) {
    const std::vector<Arguments> machines{
        {"--set", "clock.processor_mhz=33.3"},
        {"--set", "clock.processor_mhz=700"},
        {"--set", "core.receive_mode=polling"},
        {"--set", "core.receive_mode=protocol_processor"},
        {"--set", "workload.style=asynchronous"},
        {"--set", "workload.style=asynchronous", "--set", "controller.output_queue_bytes=64",
         "--set", "controller.input_queue_bytes=64"},
    };
    int number = 0;
    for (Arguments options : machines) {
        const std::string name = fmt::format("run-{}", number++);
        options.insert(options.begin(), {"run", "remap.toml", "--out", name});
        // Small queues end in a deadlock; the trace up to that cycle is drawn.
        const ProgramEnd end = weir(options);
        EXPECT_THAT(end.status, testing::AnyOf(0, 3)) << end.error;
        static_cast<void>(output_of({"trace", "export", name, "-o", name + ".json"}));
        EXPECT_GT(draw(timeline(name + ".json")).arrows, 0) << name;
    }
}

TEST_F(TraceExportTest, TheSameTraceGivesTheSameBytes) {
    run_remap({"--set", "trace.queue_levels=true"});
    for (const char* name : {"one", "two"}) {
        static_cast<void>(output_of({"trace", "export", "run", "-o", std::string(name) + ".json.gz",
                                     "--vcd", std::string(name) + ".vcd"}));
    }
    EXPECT_EQ(read("one.json.gz"), read("two.json.gz"));
    EXPECT_EQ(read("one.vcd"), read("two.vcd"));
}

TEST_F(TraceExportTest, SaysHowManyEventsOfWhichCyclesAndHowLongACycleIs) {
    run_remap({});
    EXPECT_THAT(
        output_of({"trace", "export", "run", "-o", "a.json", "--vcd", "a.vcd", "--begin", "100",
                   "--end", "300"}),
        MatchesRegex(
            "a.json: [0-9]+ [^\n]* 100 [^\n]* 300, 1 cycle = 0.05 us [^\n]*clock.processor_mhz = "
            "20 [^\n]*\na.vcd: [0-9]+ [^\n]* 100 [^\n]* 300, 1 cycle = 0.05 us [^\n]*\n"));
    const trace::ValueChangeDump dump(read("a.vcd"));
    EXPECT_EQ(dump.timescale(), "10 ns");
    EXPECT_EQ(dump.first_time(), 500);
    EXPECT_EQ(dump.last_time(), 1500);
}

TEST_F(TraceExportTest, TheWaveformOfQueuesIsThatOfTheTimeline) {
    run_remap({"--set", "trace.queue_levels=true"});
    static_cast<void>(output_of({"trace", "export", "run", "-o", "a.json", "--vcd", "a.vcd"}));
    const trace::ValueChangeDump dump(read("a.vcd"));
    int levels = 0;
    const json shown = timeline("a.json");
    for (const json& event : shown.at("traceEvents")) {
        if (event.at("ph") == "C") {
            std::string queue = event.at("name");
            queue.replace(queue.find(' '), 1, "_");
            ASSERT_EQ(dump.number(fmt::format("machine.node_{}.{}_bytes",
                                              event.at("pid").get<int>() - 1, queue),
                                  nanoseconds(event.at("ts")) / 10),
                      event.at("args").at("bytes"))
                << event;
            levels += 1;
        }
    }
    EXPECT_GT(levels, 8 * 40 * 2);
}

TEST_F(TraceExportTest, WithoutTheConfigurationACycleIsAMicrosecond) {
    run_remap({});
    std::filesystem::copy_file(file("run/point-01-seed-1/trace.weir"), file("alone.weir"));
    EXPECT_THAT(output_of({"trace", "export", "alone.weir", "-o", "a.json"}),
                Names("1 cycle = 1 us", "configuration.toml"));
    write("configuration.toml", "[network]\nhop_cycles = 1\n");
    EXPECT_THAT(output_of({"trace", "export", "alone.weir", "-o", "a.json"}),
                Names("1 cycle = 1 us", "clock.processor_mhz"));
    write("configuration.toml", "[clock]\nprocessor_mhz = 0\n");
    EXPECT_THAT(refused({"trace", "export", "alone.weir", "-o", "a.json"}),
                Names("weir", "configuration.toml:2:17", "0", "0.001", "100000"));
}

TEST_F(TraceExportTest, AFileThatExistsIsReplacedWhole) {
    run_remap({});
    write("a.json", "old");
    static_cast<void>(output_of({"trace", "export", "run", "-o", "a.json"}));
    EXPECT_GT(draw(timeline("a.json")).slices, 0);
    EXPECT_THAT(names_in("."), UnorderedElementsAre("a.json", "remap.toml", "run"));
}

TEST_F(TraceExportTest, RefusesWhatItCanNotDoInOneMessage) {
    run_remap({"--set", "run.seeds=[1, 2]"});
    const std::string one = "run/point-01-seed-1/trace.weir";
    write("notes.txt", std::string(500, 'w'));
    EXPECT_THAT(refused({"trace", "export", "no.sqlite", "-o", "a.json"}),
                Names("weir", "no.sqlite", "database"));
    EXPECT_THAT(refused({"trace", "export", "notes.txt", "-o", "a.json"}),
                Names("notes.txt", "trace"));
    EXPECT_THAT(refused({"trace", "export", "run", "-o", "a.json"}),
                Names("weir", "run", "2", "run/point-01-seed-1/trace.weir",
                      "run/point-01-seed-2/trace.weir"));
    std::filesystem::create_directory(file("empty"));
    EXPECT_THAT(refused({"trace", "export", "empty", "-o", "a.json"}),
                Names("weir", "empty", "trace.weir"));
    EXPECT_THAT(
        refused({"trace", "export", one}),
        Names("weir", "trace", "export", "-o FILE.json.gz", "-o FILE.json", "--vcd FILE.vcd"));
    EXPECT_THAT(refused({"trace", "export", one, "-o", "a.vcd"}),
                Names("weir", "-o a.vcd", ".json.gz", ".json"));
    EXPECT_THAT(refused({"trace", "export", one, "--vcd", "a.json"}),
                Names("weir", "--vcd a.json", ".vcd"));
    EXPECT_THAT(refused({"trace", "export", one, "-o", "a.json", "--begin", "7", "--end", "7"}),
                Names("weir", "--begin 7 --end 7", "window"));
    EXPECT_THAT(refused({"trace", "export", one, "-o", "a.json", "--begin", "100000000"}),
                MatchesRegex("weir: run/point-01-seed-1/trace.weir: .* 100000000 .* 0 .*[0-9]+\n"));
    EXPECT_THAT(refused({"trace", "export", one, "-o", "a.json", "--begin", "-1"}),
                HasSubstr("--begin"));
    // The first file is not created either, although it could be written.
    EXPECT_THAT(refused({"trace", "export", one, "-o", "a.json", "--vcd", "no/a.vcd"}),
                Names("weir", "--vcd no/a.vcd", std::strerror(ENOENT)));
}

TEST_F(TraceExportTest, AWindowBetweenTheRowsOfATraceIsRefused) {
    run_remap({});
    static_cast<void>(output_of({"trace", "sqlite", "run"}));
    const std::string trace = "run/point-01-seed-1/trace.sqlite";
    {
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(file(trace).c_str(), &connection), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(connection, "DELETE FROM core_intervals; DELETE FROM messages",
                               nullptr, nullptr, nullptr),
                  SQLITE_OK);
        sqlite3_close(connection);
    }
    for (const char* option : {"-o", "--vcd"}) {
        const std::string name = std::string(option) == "-o" ? "a.json" : "a.vcd";
        EXPECT_THAT(
            refused({"trace", "export", trace, option, name, "--begin", "100", "--end", "200"}),
            Names("weir", std::string(option) + " " + name, "100", "200"));
    }
}

}  // namespace
}  // namespace weir::experiments::commands
