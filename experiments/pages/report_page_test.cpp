#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "experiments/pages/testing/browser.h"
#include "experiments/records/stored_result.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using weir::testing::Names;

constexpr const char* kNoBrowser = "chromium is not installed";

/// `weir report` on results of small runs, checked in a browser.
class ReportPageTest : public ProgramTest {
  protected:
    static constexpr const char* kHops = R"(
[run]
seeds = [1, 2]

[models]
compare = ["logp", "lopc"]

[[point]]
label = "hops & <1>"
network.hop_cycles = 1
published.cycles_per_iteration = { value = 400, source = "nobody", tolerance = 0.5 }

[[point]]
label = "2"
network.hop_cycles = 2

[[point]]
label = "4"
network.hop_cycles = 4
published.cycles_per_iteration = { value = 1, source = "nobody", within = 1 }
)";
    static constexpr const char* kTiny = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]
[workload]
kernel = "remap"
iterations = 20
[models]
compare = ["lopc"]
[run]
seeds = [1, 2, 3]
)";

    void run_hops() {
        write("hops.toml", std::string(kSmallRemap) + kHops);
        static_cast<void>(output_of({"run", "hops.toml", "--out", "hops"}));
    }
    void sweep(const std::string& axes) {
        write("study.toml", std::string(kTiny) + axes);
        const ProgramEnd end = weir({"sweep", "study.toml", "--out", "study.db"});
        ASSERT_EQ(end.status, 0) << end.error;
    }
    [[nodiscard]] std::optional<BrowsedPage> browsed(const std::string& page,
                                                     const std::string& fragment = "") const {
        return browse("file://" + file(page).string() + fragment,
                      folder().parent_path() / "output");
    }
    /// Numbers that SQL returns, by the number in their row's first column.
    [[nodiscard]] std::map<double, double> by_point(const std::string& sql) const {
        const running::SweepConnection connection(file("study.db"),
                                                  running::SweepConnection::Access::kRead);
        connection.allow_views();
        running::Query query(connection, sql);
        std::map<double, double> found;
        while (query.step()) {
            found[query.real(0)] = query.real(1);
        }
        return found;
    }
    /// Numbers of the last figure whose name has this ending.
    [[nodiscard]] std::string csv_of(const std::string& ending) const {
        std::string found;
        for (const std::string& name : names_in("csv")) {
            found = name.ends_with(ending + ".csv") ? name : found;
        }
        EXPECT_NE(found, "") << "there is no figure " << ending;
        return found.empty() ? found : read("csv/" + found);
    }
    /// Column of all rows, by the number in the first column.
    [[nodiscard]] static std::map<double, double> shown(
        const std::vector<std::vector<BrowsedCell>>& rows, std::size_t column) {
        std::map<double, double> found;
        for (const std::vector<BrowsedCell>& row : rows) {
            found[std::stod(row.front().attributes.at("data-value"))] =
                std::stod(row.at(column).attributes.at("data-value"));
        }
        return found;
    }
};

TEST_F(ReportPageTest, NumbersOfARunAreThoseOfItsResult) {
    run_hops();
    EXPECT_THAT(output_of({"report", "hops"}), HasSubstr("hops/report.html: "));
    const auto page = browsed("hops/report.html");
    if (!page) {
        GTEST_SKIP() << kNoBrowser;
    }
    EXPECT_THAT(page->console, IsEmpty());
    const records::StoredResult stored = records::read_stored_result(file("hops"));
    const auto rows = table_of(page->document, 0);
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const records::PointResult& point = stored.experiments.front().points[i];
        const records::Estimate* measured = records::find_estimate(point, "cycles_per_iteration");
        ASSERT_NE(measured, nullptr);
        EXPECT_EQ(std::stod(rows[i].at(1).attributes.at("data-value")), measured->mean);
        EXPECT_EQ(std::stod(rows[i].at(1).attributes.at("data-half-width")), *measured->half_width);
        EXPECT_EQ(std::stod(rows[i].at(2).attributes.at("data-value")),
                  *records::find_metric(point.predictions.front().metrics, "cycles_per_iteration"));
    }
    EXPECT_EQ(rows[0].at(0).text, "hops &amp; &lt;1&gt;");
}

TEST_F(ReportPageTest, FiguresAreDrawn) {
    run_hops();
    static_cast<void>(output_of(
        {"report", "hops", "-o", "page.html", "--csv", "csv", "--pdf", "pdf", "--png", "png"}));
    const auto page = browsed("page.html");
    if (!page) {
        GTEST_SKIP() << kNoBrowser;
    }
    const std::size_t figures = count_of(page->document, "<figure ");
    EXPECT_GE(figures, 5U);  // one of the metric, one of the cycles' parts, three of networks
    EXPECT_EQ(count_of(page->document, "<svg"), figures);
    EXPECT_GT(count_of(page->document, "<path"), 20 * figures);
    for (const auto& [of, ending] :
         {std::pair{"csv", ".csv"}, std::pair{"pdf", ".pdf"}, std::pair{"png", ".png"}}) {
        const std::vector<std::string> names = names_in(of);
        ASSERT_EQ(names.size(), figures) << of;
        EXPECT_TRUE(names.front().starts_with("figure-01-")) << names.front();
        EXPECT_TRUE(names.front().ends_with(ending)) << names.front();
    }
    EXPECT_THAT(read("csv/" + names_in("csv").front()),
                HasSubstr("who,network.hop_cycles,cycles_per_iteration,confidence_half_width_95\n"
                          "measured,1,"));
}

TEST_F(ReportPageTest, ThePageIsPrintedAndItsNumbersLieBesideIt) {
    run_hops();
    static_cast<void>(output_of({"report", "hops"}));
    EXPECT_FALSE(names_in("hops/report-csv").empty());
    if (!browsed("hops/report.html")) {
        EXPECT_THAT(refused({"report", "hops", "--pdf", "hops.pdf"}), Names("--pdf", "chromium"));
        GTEST_SKIP() << kNoBrowser;
    }
    static_cast<void>(output_of({"report", "hops", "--pdf", "hops.pdf"}));
    EXPECT_TRUE(read("hops.pdf").starts_with("%PDF-"));
}

// At both widths texts stay inside their figures. Only tables and figures that scroll are wider
// than the page.
TEST_F(ReportPageTest, NoTextLeavesItsBox) {
    sweep(
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2, 16]\n"
        "[[sweep.axis]]\nname = \"network with a name of its own\"\n"
        "network.topology = [\"mesh\", \"torus\"]\n");
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html"}));
    const std::string page = read("page.html");
    const std::size_t end = page.rfind("</body>");
    ASSERT_NE(end, std::string::npos);
    write("measured.html", page.substr(0, end) + R"(<script>
const out = [];
document.querySelectorAll("figure svg").forEach(svg => {
  const box = svg.getBoundingClientRect();
  svg.querySelectorAll("text").forEach(text => {
    const r = text.getBoundingClientRect();
    if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 ||
        r.bottom > box.bottom + 1) out.push(text.textContent);
  });
});
if (document.documentElement.scrollWidth > window.innerWidth) out.push("the page");
// Size of letters on the screen, after scaling.
let least = Infinity;
document.querySelectorAll("figure svg").forEach(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  svg.querySelectorAll("text, tspan").forEach(text => {
    least = Math.min(least, scale * parseFloat(getComputedStyle(text).fontSize));
  });
});
const faces = new Set(Array.from(document.querySelectorAll('body *:not(pre, script, style)'))
  .map(element => getComputedStyle(element).fontFamily));
document.body.dataset.legible = least >= 9;
document.body.dataset.faces = faces.size;
const folded = () => document.querySelectorAll('details:not([open])').length;
const before = folded();
window.dispatchEvent(new Event("beforeprint"));
const printed = folded();
window.dispatchEvent(new Event("afterprint"));
document.body.dataset.folded = before + " " + printed + " " + folded();
document.body.dataset.outside = out.join("; ");
document.body.dataset.width = window.innerWidth;
</script>)" + page.substr(end));
    for (const int width : {1200, 600}) {
        const auto shown = browse("file://" + file("measured.html").string(),
                                  folder().parent_path() / "output", width);
        if (!shown) {
            GTEST_SKIP() << kNoBrowser;
        }
        EXPECT_THAT(shown->document, HasSubstr("data-outside=\"\"")) << width;
        EXPECT_THAT(shown->document, HasSubstr("data-legible=\"true\"")) << width;
        EXPECT_THAT(shown->document, HasSubstr("data-faces=\"1\"")) << width;
        EXPECT_THAT(shown->document, HasSubstr("data-folded=\"1 0 1\"")) << width;
        EXPECT_THAT(shown->document, HasSubstr(fmt::format("data-width=\"{}\"", width)));
    }
}

// A point's numbers are shown at the point. A click hides a curve, another click shows it.
TEST_F(ReportPageTest, PointsSayTheirNumbersAndCurvesCanBeTakenAway) {
    run_hops();
    static_cast<void>(output_of({"report", "hops", "-o", "page.html"}));
    const std::string page = read("page.html");
    const std::size_t end = page.rfind("</body>");
    ASSERT_NE(end, std::string::npos);
    write("clicked.html", page.substr(0, end) + R"(<script>
const svg = document.querySelector("figure svg");
const curves = Array.from(svg.querySelectorAll("g.curve"));
const name = curve => curve.querySelector("title").textContent;
document.body.dataset.curves = curves.map(name).join("; ");
const measured = curves.find(curve => name(curve) === "measured");
const number = /gnuplot_plot_(\d+)$/.exec(measured.id)[1];
const hints = Array.from(svg.querySelectorAll('circle[data-curve="' + number + '"]'));
document.body.dataset.hints = hints.map(hint => hint.textContent).join("; ");
// Each hint lies on a mark of its curve.
document.body.dataset.beside = hints.filter(hint => {
  const apart = mark => {
    const [, x, y] = /\((-?[\d.]+),(-?[\d.]+)\)/.exec(mark.getAttribute("transform"));
    return Math.hypot(x - hint.getAttribute("cx"), y - hint.getAttribute("cy"));
  };
  return !Array.from(measured.querySelectorAll("use")).some(mark => apart(mark) < 0.1);
}).length;
function press() { measured.dispatchEvent(new MouseEvent("click")); }
press();
document.body.dataset.off = svg.querySelectorAll(".off").length - hints.length;
press();
document.body.dataset.on = svg.querySelectorAll(".off").length;
</script>)" + page.substr(end));
    const auto shown = browsed("clicked.html");
    if (!shown) {
        GTEST_SKIP() << kNoBrowser;
    }
    EXPECT_THAT(shown->document, HasSubstr("data-curves=\""));
    EXPECT_THAT(shown->document, HasSubstr("data-hints=\"measured: "));
    EXPECT_THAT(shown->document, HasSubstr(" at 1; measured: "));
    EXPECT_THAT(shown->document, HasSubstr("data-beside=\"0\""));
    EXPECT_THAT(shown->document, HasSubstr("data-off=\"2\""));  // the curve and its band are hidden
    EXPECT_THAT(shown->document, HasSubstr("data-on=\"0\""));
    EXPECT_THAT(shown->console, testing::IsEmpty());
}

// A trace with intervals is played: each frame shows its cycles, and values at the pointer.
TEST_F(ReportPageTest, TheNetworkCanBePlayed) {
    write("tiny.toml", std::string(kTiny) + "[trace]\ninterval_cycles = 100\n");
    static_cast<void>(output_of({"run", "tiny.toml", "--out", "tiny"}));
    static_cast<void>(output_of({"report", "tiny", "-o", "page.html"}));
    const std::string page = read("page.html");
    const std::size_t end = page.rfind("</body>");
    ASSERT_NE(end, std::string::npos);
    write("played.html", page.substr(0, end) + R"(<script>
const figure = document.querySelector("figure.playback");
const canvas = figure.querySelector("canvas"), slider = figure.querySelector("input");
const data = document.body.dataset, said = [];
function point(x, y) {
  const box = canvas.getBoundingClientRect(), scale = box.width / 76;
  canvas.dispatchEvent(new PointerEvent("pointermove",
    {clientX: box.left + scale * (16 + x), clientY: box.top + scale * (16 + y)}));
  said.push(figure.querySelector(".pointed").textContent);
}
function colours() {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const found = new Set();
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] === 255) found.add(pixels[i] * 65536 + pixels[i + 1] * 256 + pixels[i + 2]);
  return found.size;
}
const overTime = figure.querySelectorAll("canvas")[1];
overTime.setPointerCapture = function() {};
function press(type, share) {
  const box = overTime.getBoundingClientRect();
  overTime.dispatchEvent(new PointerEvent(type, {clientX: box.left + share * box.width}));
}
function shown() { return Number(slider.max) - Number(slider.min) + 1; }
function look() {
  if (figure.dataset.ready !== "yes") { setTimeout(look, 20); return; }
  const all = shown();
  slider.value = 3;
  slider.dispatchEvent(new Event("input"));
  data.time = figure.querySelector("output").textContent;
  point(22, 3);
  point(0, 0);
  data.said = said.join(" | ");
  const keys = Array.from(figure.querySelectorAll(".colours > span"));
  data.scales = keys.map(key => key.textContent).join(" | ");
  data.bars = keys.filter(key => key.querySelector("i").getBoundingClientRect().width > 50 &&
    getComputedStyle(key.querySelector("i")).backgroundImage.startsWith("linear-gradient")).length;
  data.colours = colours() > 3 ? "several" : "few";
  data.wide = document.documentElement.scrollWidth > window.innerWidth ? "too wide" : "fits";
  press("pointerdown", 0.25);
  press("pointerup", 0.75);
  const half = shown();
  data.zoomed = half >= all / 2 && half <= all / 2 + 2 ? "to a half" : half + " of " + all;
  press("pointerdown", 0);
  press("pointerup", 0);
  const first = Number(slider.min) * 100;
  data.first = figure.querySelector("output").textContent ===
    "cycles " + first.toLocaleString("en") + " to " + (first + 99).toLocaleString("en");
  overTime.dispatchEvent(new MouseEvent("dblclick"));
  data.whole = shown() === all;
}
look();
</script>)" + page.substr(end));
    for (const int width : {1200, 600}) {
        const auto shown = browse("file://" + file("played.html").string(),
                                  folder().parent_path() / "output", width);
        if (!shown) {
            GTEST_SKIP() << kNoBrowser;
        }
        EXPECT_THAT(shown->document, HasSubstr("data-time=\"cycles 300 to 399\""));
        EXPECT_THAT(shown->document, HasSubstr("data-said=\"(0,0) +x: "));
        EXPECT_THAT(shown->document, HasSubstr(" 100 cycles ("));
        EXPECT_THAT(shown->document, HasSubstr(" | node 0: "));
        EXPECT_THAT(shown->document, HasSubstr("data-colours=\"several\""));
        EXPECT_THAT(shown->document, HasSubstr("data-scales=\"channels: 0 "));
        EXPECT_THAT(shown->document, HasSubstr(" | nodes: 0 "));
        EXPECT_THAT(shown->document, HasSubstr("data-bars=\"2\""));
        EXPECT_THAT(shown->document, HasSubstr("data-wide=\"fits\""));
        EXPECT_THAT(shown->document, HasSubstr("data-zoomed=\"to a half\""));
        EXPECT_THAT(shown->document, HasSubstr("data-first=\"true\""));
        EXPECT_THAT(shown->document, HasSubstr("data-whole=\"true\""));
        EXPECT_THAT(shown->console, testing::IsEmpty());
    }
}

// The page loads nothing, and is the same each time.
TEST_F(ReportPageTest, NeedsNothingElse) {
    run_hops();
    static_cast<void>(output_of({"report", "hops", "-o", "one.html"}));
    static_cast<void>(output_of({"report", "hops", "-o", "two.html"}));
    const std::string page = read("one.html");
    EXPECT_EQ(page, read("two.html"));
    for (const char* load : {"src=", "<link", "@import", "href=\"http", "href='http", "url(http",
                             "fetch(", "XMLHttpRequest"}) {
        EXPECT_THAT(page, Not(HasSubstr(load)));
    }
}

TEST_F(ReportPageTest, ValidatesAsValidateDoes) {
    run_hops();
    static_cast<void>(output_of({"report", "hops", "-o", "page.html"}));
    const std::string page = read("page.html");
    EXPECT_THAT(page, Names("1 of 2", "0"));
    const ProgramEnd validated = weir({"validate", "hops.toml"});
    EXPECT_EQ(validated.status, 1);
    EXPECT_THAT(validated.output, Names("1 of 2", "0"));
    EXPECT_EQ(count_of(page, ">holds</td>"), 1U);
    EXPECT_EQ(count_of(page, ">missed</td>"), 1U);
}

TEST_F(ReportPageTest, TablesSortByTheExactValue) {
    sweep("[[sweep.axis]]\nnetwork.hop_cycles = [4, 1, 2]\n");
    EXPECT_THAT(output_of({"report", "study.db"}), HasSubstr("study.html: "));
    const auto as_written = browsed("study.html");
    if (!as_written) {
        GTEST_SKIP() << kNoBrowser;
    }
    EXPECT_THAT(as_written->console, IsEmpty());
    const auto hops = [](const BrowsedPage& page) {
        std::vector<std::string> found;
        // Table 0 has the shares of the variance.
        for (const auto& row : table_of(page.document, 1)) {
            found.push_back(row.at(1).text);
        }
        return found;
    };
    EXPECT_THAT(hops(*as_written), ElementsAre("4", "1", "2"));
    EXPECT_THAT(hops(*browsed("study.html", "#sort=2,2")), ElementsAre("1", "2", "4"));
    EXPECT_THAT(hops(*browsed("study.html", "#sort=2,-2")), ElementsAre("4", "2", "1"));
    // A click on a column's head sorts by this column; a second click reverses the order.
    std::string page = read("study.html");
    const std::size_t end = page.rfind("</body>");
    ASSERT_NE(end, std::string::npos);
    const std::string click =
        "<script>document.querySelectorAll('table')[1].querySelectorAll('thead button')[1].click();"
        "</script>";
    write("clicked.html", page.substr(0, end) + click + page.substr(end));
    EXPECT_THAT(hops(*browsed("clicked.html")), ElementsAre("1", "2", "4"));
    write("twice.html", page.substr(0, end) + click + click + page.substr(end));
    EXPECT_THAT(hops(*browsed("twice.html")), ElementsAre("4", "2", "1"));
}

TEST_F(ReportPageTest, NumbersOfASweepAreThoseOfItsDatabase) {
    sweep(
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2, 4]\n"
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [64, 256]\n");
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html"}));
    const auto page = browsed("page.html");
    if (!page) {
        GTEST_SKIP() << kNoBrowser;
    }
    EXPECT_THAT(page->console, IsEmpty());
    EXPECT_THAT(page->document,
                Names("<p class=\"about\">", setup::spaced_name("cycles_per_iteration")));
    const auto rows = table_of(page->document, 1);  // table 0 has the shares of the variance
    ASSERT_EQ(rows.size(), 6U);
    const std::string of = " FROM means WHERE metric = 'cycles_per_iteration' AND source = ";
    // Columns: point, two axes, seeds, measured, LoPC. SQLite sums in another order.
    const auto measured = by_point("SELECT point, mean" + of + "'measured'");
    const auto lopc = by_point("SELECT point, mean" + of + "'lopc'");
    ASSERT_EQ(measured.size(), 6U);
    for (const auto& [point, mean] : shown(rows, 4)) {
        EXPECT_DOUBLE_EQ(mean, measured.at(point));
    }
    for (const auto& [point, mean] : shown(rows, 5)) {
        EXPECT_DOUBLE_EQ(mean, lopc.at(point));
    }
    EXPECT_EQ(shown(rows, 1),
              by_point("SELECT points.number, hop_cycles FROM swept JOIN points USING (point_id)"));
    EXPECT_THAT(rows.front().back().text, "ok");
}

TEST_F(ReportPageTest, AxesOneAtATimeMakeATornado) {
    sweep(
        "[sweep]\ndesign = \"one-at-a-time\"\n"
        "[[sweep.axis]]\nname = \"wires\"\nnetwork.hop_cycles = [2, 8]\n"
        "[[sweep.axis]]\ncontroller.input_queue_bytes = [64]\n");
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html", "--csv", "csv"}));
    ASSERT_EQ(names_in("csv").size(), 1U);
    const std::string csv = read("csv/" + names_in("csv").front());
    const auto means = by_point(
        "SELECT point, mean FROM means WHERE metric = 'cycles_per_iteration' AND source = "
        "'measured'");
    ASSERT_EQ(means.size(), 4U);
    const std::string change = fmt::format("{}", 100.0 * (means.at(3) / means.at(1) - 1.0));
    // The widest axis is first. Digits are compared as far as both orders of summing agree.
    EXPECT_THAT(csv, HasSubstr("factor,value,change_percent,change_half_width_95_percent,"
                               "swing_percent\nwires,2,"));
    EXPECT_THAT(csv, HasSubstr("\nwires,8," + change.substr(0, 8)));
}

TEST_F(ReportPageTest, AStudyCanChooseItsFigures) {
    sweep(
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2, 4]\n"
        "[[sweep.axis]]\nnetwork.topology = [\"mesh\", \"torus\"]\n"
        "[[sweep.figure]]\nkind = \"lines\"\nx = \"hop_cycles\"\ntitle = \"Wires <& hops>\"\n"
        "metric = [\"cycles_per_iteration\", \"lopc.cycles_per_iteration\"]\n"
        "where = \"topology = 'mesh'\"\ncaption = \"As asked.\"\n"
        "[[sweep.figure]]\nkind = \"bars\"\nx = \"topology\"\nseries = [\"hop_cycles\"]\n"
        "[[sweep.figure]]\nkind = \"stacked\"\nx = \"hop_cycles\"\nseries = [\"topology\"]\n"
        "metric = [\"round_trip.request_send\", \"round_trip.request_handler\"]\n");
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html", "--csv", "csv"}));
    // Figures of effects come before the figures that the sweep's file requests.
    EXPECT_THAT(names_in("csv").front(), HasSubstr("figure-01-effect-of-each-parameter"));
    EXPECT_THAT(read("page.html"), HasSubstr("</b> Wires &lt;&amp;"));
    const auto means = by_point(
        "SELECT hop_cycles, mean FROM means WHERE metric = 'cycles_per_iteration' AND source = "
        "'measured' AND topology = 'mesh'");
    const std::string lines = csv_of("-wires-hops");
    EXPECT_EQ(count_of(lines, "\nmeasured,"), 3U);
    EXPECT_EQ(count_of(lines, "\nlopc,"), 3U);
    for (const auto& [hops, mean] : means) {
        // SQLite sums in another order: the last digits may differ.
        EXPECT_THAT(lines, HasSubstr(fmt::format("\nmeasured,{},{}", hops,
                                                 fmt::format("{}", mean).substr(0, 8))));
    }
    EXPECT_EQ(count_of(csv_of("-cycles-per-iteration"), "\n"), 7U);
    EXPECT_THAT(csv_of("-where-the-cycles-go"),
                HasSubstr("hop_cycles,who,request_send_cycles,request_handler_cycles\n"));
}

TEST_F(ReportPageTest, AFigureOfChanges) {
    sweep(
        "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2, 4]\n"
        "[[sweep.axis]]\nnetwork.topology = [\"mesh\", \"torus\"]\n"
        "[[sweep.figure]]\nkind = \"lines\"\nx = \"hop_cycles\"\nseries = [\"topology\"]\n"
        "against = { topology = \"mesh\" }\ntitle = \"Torus\"\n");
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html", "--csv", "csv"}));
    const std::string csv = csv_of("-torus");
    EXPECT_EQ(csv.find("mesh"), std::string::npos);
    const auto changes = by_point(
        "SELECT torus.hop_cycles, 100 * (torus.mean / mesh.mean - 1) FROM means AS torus "
        "JOIN means AS mesh USING (hop_cycles, metric, source) WHERE metric = "
        "'cycles_per_iteration' AND source = 'measured' AND torus.topology = 'torus' "
        "AND mesh.topology = 'mesh'");
    ASSERT_EQ(changes.size(), 3U);
    for (const auto& [hops, change] : changes) {
        EXPECT_THAT(csv,
                    HasSubstr(fmt::format(",{},{}", hops, fmt::format("{}", change).substr(0, 8))));
    }
}

TEST_F(ReportPageTest, RunsThatFailedAreShownWithWhatTheySaid) {
    write("study.toml",
          std::string(kTiny) + "[[sweep.axis]]\nrun.most_cycles = [1_000_000, 500]\n");
    EXPECT_EQ(weir({"sweep", "study.toml", "--out", "study.db"}).status, 3);
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html"}));
    EXPECT_THAT(read("page.html"), HasSubstr("run.most_cycles reached"));
    EXPECT_THAT(read("page.html"), HasSubstr("3 ok, 3 reached run.most_cycles"));
}

TEST_F(ReportPageTest, AnUnfinishedSweepHasAPageOfWhatIsThere) {
    write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    ASSERT_EQ(weir({"sweep", "study.toml", "--shard", "1/2", "--out", "study.db"}).status, 0);
    static_cast<void>(output_of({"report", "study.db", "-o", "page.html"}));
    EXPECT_THAT(read("page.html"), Names("finished", "3 of 6"));
}

// The page of a sweep in progress is written again after each run, and the browser reloads it.
TEST_F(ReportPageTest, AWatchedSweepHasAPageUntilItsEnd) {
    write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    ASSERT_EQ(weir({"sweep", "study.toml", "--shard", "1/2", "--out", "study.db"}).status, 0);
    const auto page_has = [this](const std::string& text) {
        for (int i = 0; i < 300; ++i) {
            if (std::filesystem::exists(file("page.html")) &&
                read("page.html").find(text) != std::string::npos) {
                return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return false;
    };
    const std::string refresh = "<meta http-equiv=\"refresh\" content=\"2\">";
    RunningProgram watching = start({"report", "study.db", "-o", "page.html", "--watch"});
    EXPECT_TRUE(page_has(refresh));
    EXPECT_THAT(read("page.html"), Names("finished", "3 of 6"));
    ASSERT_EQ(weir({"sweep", "study.toml", "--out", "study.db", "--resume"}).status, 0);
    const ProgramEnd end = watching.wait();
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(read("page.html"), Not(HasSubstr(refresh)));
    EXPECT_THAT(read("page.html"), Not(HasSubstr("Not finished")));
}

TEST_F(ReportPageTest, AnInterruptEndsAWatch) {
    write("study.toml", std::string(kTiny) + "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n");
    ASSERT_EQ(weir({"sweep", "study.toml", "--shard", "1/2", "--out", "study.db"}).status, 0);
    RunningProgram watching = start({"report", "study.db", "-o", "page.html", "--watch"});
    while (!std::filesystem::exists(file("page.html"))) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    watching.press_control_c();
    EXPECT_EQ(watching.wait().status, 130);
}

TEST_F(ReportPageTest, ARunsPageBeginsWithWhatWasMeasuredAndWhatIsSaidOfIt) {
    run_hops();
    static_cast<void>(output_of({"report", "hops", "-o", "page.html"}));
    const std::string page = read("page.html");
    const std::size_t begin = page.find("<li>Measured: ");
    ASSERT_NE(begin, std::string::npos);
    EXPECT_LT(begin, page.find("<dl>"));
    const std::string sentence = page.substr(begin, page.find("</li>", begin) - begin);
    EXPECT_THAT(sentence, HasSubstr(setup::spaced_name("cycles_per_iteration") +
                                    " (hops &amp; &lt;1&gt;) to "));
    EXPECT_THAT(sentence, ContainsRegex("published[a-z ]* -[0-9]"));
    EXPECT_THAT(sentence, ContainsRegex("lopc[a-z ]* [+][0-9]"));
    EXPECT_THAT(page, HasSubstr(" at 4: "));
}

TEST_F(ReportPageTest, WhatIsNoRunIsRefusedAndNothingIsWritten) {
    write("note.txt", "no database");
    std::filesystem::create_directory(file("empty"));
    const auto fault = [this](const Arguments& arguments) {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2);
        EXPECT_EQ(end.output, "");
        return end.error;
    };
    EXPECT_THAT(fault({"report", "absent"}), Names("weir", "absent", "folder"));
    EXPECT_THAT(fault({"report", "empty"}), Names("weir", "empty", "run's"));
    EXPECT_THAT(fault({"report", "note.txt"}), HasSubstr("note.txt"));
    EXPECT_THAT(names_in("."), ElementsAre("empty", "note.txt"));
    write("remap.toml", kSmallRemap);
    static_cast<void>(output_of({"run", "remap.toml", "--out", "out"}));
    EXPECT_THAT(fault({"report", "out", "-o", "absent/page.html"}),
                Names("weir", "absent/page.html"));
    EXPECT_THAT(fault({"report", "out", "--pdf", "note.txt"}),
                Names("weir", "--pdf note.txt", "folder"));
    EXPECT_FALSE(std::filesystem::exists(file("out/report.html")));
}

// Proof that the check for a clean console can fail.
TEST_F(ReportPageTest, PlantedScriptErrorIsSeen) {
    write("page.html", "<!DOCTYPE html><title>x</title><script>throw Error('planted')</script>");
    const auto page = browsed("page.html");
    if (!page) {
        GTEST_SKIP() << kNoBrowser;
    }
    ASSERT_EQ(page->console.size(), 1U);
    EXPECT_THAT(page->console.front(), HasSubstr("planted"));
}

}  // namespace
}  // namespace weir::experiments::pages
