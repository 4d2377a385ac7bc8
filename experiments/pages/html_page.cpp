#include "experiments/pages/html_page.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <string_view>

#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/playback/playback_element.h"
#include "experiments/setup/text/xml_text.h"

namespace weir::experiments::pages {

namespace {

using setup::xml_escaped;

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1d1d1f;--paper:#fff;--quiet:#6b6b70;--rule:#d8d8dc;
--link:#0b5394;--shade:#f6f6f8;--good:#00663f;--bad:#b3261e}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,"Helvetica Neue",Arial,
sans-serif}
main{max-width:1080px;margin:0 auto;padding:2.5rem 1.5rem 5rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .6rem}
h2{font-size:1.3rem;margin:3rem 0 .8rem;padding-bottom:.3rem;border-bottom:2px solid var(--ink)}
h3{font-size:1.08rem;margin:2.2rem 0 .6rem}
h4{font-size:1rem;margin:1.6rem 0 .5rem}
p{margin:.6rem 0;max-width:46rem}
a{color:var(--link)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:1.2rem 0;
font-size:.9rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
.finding ul{margin:.3rem 0 1rem;padding-left:1.3rem;max-width:52rem}
.finding li{margin:.2rem 0;overflow-wrap:anywhere}
.about{font-weight:600;margin:1.2rem 0 .3rem}
nav{font-size:.9rem;margin:1.5rem 0;padding:.9rem 1.2rem;background:var(--shade)}
nav ol{margin:0;padding-left:1.4rem;columns:2 20rem}
figure{margin:1.4rem 0 2rem;break-inside:avoid;overflow-x:auto}
figure svg *{font-family:inherit}
figure svg{display:block;max-width:100%;height:auto;margin:0 auto}
figure canvas{display:block;width:100%;touch-action:none}
.playback .controls{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;font-size:.85rem;
margin:.5rem 0}
.playback .controls :is(button,select){font:inherit}
.playback [hidden]{display:none}
.playback input[type=range]{flex:1 1 12rem;min-width:8rem}
.playback output{min-width:15rem;font-variant-numeric:tabular-nums}
.playback .colours{display:flex;flex-wrap:wrap;gap:.2rem 2rem;font-size:.8rem;margin:.3rem 0}
.playback .colours i{display:inline-block;width:10rem;height:.8em;border:1px solid #8c8c8c;vertical-align:baseline}
.playback .over-time{height:84px;margin-top:.6rem;cursor:crosshair}
.playback .pointed{font-size:.85rem;min-height:4.4em;
max-width:none;margin:.3rem 0;overflow-wrap:anywhere}
figure svg .curve{cursor:pointer}
figure svg .curve:focus-visible{outline:2px solid #0b5394}
figure svg .off{opacity:.12}
figure svg circle.off{pointer-events:none}
figcaption{font-size:.9rem;max-width:46rem;margin:.4rem auto 0}
.tools{font-size:.8rem;white-space:nowrap}
.tools a{margin-right:.6rem}
.table{overflow-x:auto;margin:1rem 0 1.6rem}
table{border-collapse:collapse;font-size:.85rem;line-height:1.35;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.2rem 0 .5rem}
thead th{border-bottom:1.5px solid var(--ink);vertical-align:bottom;text-align:left}
thead tr:first-child th{border-top:1.5px solid var(--ink)}
th,td{padding:.28rem .7rem;font-weight:400;vertical-align:top}
thead th{font-weight:600}
th:first-child,td:first-child{padding-left:.2rem}
tbody tr:last-child>*{border-bottom:1.5px solid var(--ink)}
tbody tr:nth-child(even){background:var(--shade)}
tbody th{text-align:left;min-width:5.5rem}
tbody th.short{white-space:nowrap}
.n{text-align:right}
.n[data-value]{white-space:nowrap}
thead th.n{text-align:right;white-space:normal}
.long{min-width:16rem}
.good{color:var(--good)}
.bad{color:var(--bad);font-weight:600}
.quiet{color:var(--quiet)}
th button{all:unset;cursor:pointer;font:inherit}
th button:hover{text-decoration:underline}
th button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" ▲";font-size:.7em}
th[aria-sort=descending] button::after{content:" ▼";font-size:.7em}
details{margin:1.2rem 0}
summary{cursor:pointer;font-weight:600}
pre{font-size:.8rem;line-height:1.4;padding:.9rem 1.1rem;background:var(--shade);overflow-x:auto}
@media (max-width:600px){main{padding:1.2rem .8rem 3rem}dl{grid-template-columns:1fr}
dd{margin-bottom:.4rem}}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8e8ea;--paper:#121212;--quiet:#a0a0a8;
--rule:#3a3a40;--link:#8ab8f0;--shade:#1e1e22;--good:#5fd39a;--bad:#ff8a80}
figure svg,figure canvas,.playback .colours i{filter:invert(.93) hue-rotate(180deg)}}
@media print{:root{color-scheme:light}body{font-size:10.5pt}main{max-width:none;padding:0}nav,.tools{display:none}
h2,h3,h4{break-after:avoid}tr{break-inside:avoid}.table,figure{overflow:visible}
figure svg{min-width:0!important}details::details-content{content-visibility:visible;height:auto}}
)css";

constexpr std::string_view kScript = R"js(
(() => {
  "use strict";
  const number = cell =>
    cell && cell.dataset.value !== undefined ? Number(cell.dataset.value) : null;
  const compare = (a, b, column) => {
    const x = a.cells[column], y = b.cells[column], m = number(x), n = number(y);
    if (m !== null && n !== null) return m - n;
    if (m !== null || n !== null) return m !== null ? -1 : 1;
    return x.textContent.localeCompare(y.textContent, undefined, {numeric: true});
  };
  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    rows.sort((a, b) => {
      const order = compare(a, b, column);
      const missing = (number(a.cells[column]) === null) !== (number(b.cells[column]) === null);
      return down && !missing ? -order : order;
    });
    rows.forEach(row => body.appendChild(row));
    Array.from(table.tHead.rows[0].cells).forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  const tables = Array.from(document.querySelectorAll("table"));
  tables.forEach((table, t) => Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) button.appendChild(head.firstChild);
    head.appendChild(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      sort(table, column, down);
      history.replaceState(null, "", "#sort=" + (t + 1) + "," + (down ? "-" : "") + (column + 1));
    });
  }));
  const asked = /^#sort=(\d+),(-?)(\d+)$/.exec(location.hash);
  if (asked) {
    const table = tables[Number(asked[1]) - 1], column = Number(asked[3]) - 1;
    if (table && table.tHead.rows[0].cells[column]) sort(table, column, asked[2] === "-");
  }
  // A click on a curve or its name hides or shows the curve with its band and points. Panels, whose
  // groups end in a letter, always show all curves.
  const curvesOf = svg => {
    const drawn = Array.from(svg.querySelectorAll("g[id*=gnuplot_plot_]"));
    const isNamed = group =>
      !group.classList.contains("band") && /gnuplot_plot_\d+$/.test(group.id);
    if (drawn.filter(isNamed).length < 2) return;
    drawn.forEach((group, i) => {
      if (!isNamed(group)) return;
      const curve = /gnuplot_plot_(\d+)$/.exec(group.id)[1];
      const points = Array.from(svg.querySelectorAll('circle[data-curve="' + curve + '"]'));
      const parts = [group, ...points];
      if (i > 0 && !isNamed(drawn[i - 1])) parts.push(drawn[i - 1]);
      const toggle = () => {
        const off = !group.classList.contains("off");
        parts.forEach(part => part.classList.toggle("off", off));
        group.setAttribute("aria-pressed", String(!off));
      };
      group.classList.add("curve");
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "0");
      group.setAttribute("aria-pressed", "true");
      [group, ...points].forEach(part => part.addEventListener("click", toggle));
      group.addEventListener("keydown", event => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          toggle();
        }
      });
    });
  };
  // Printing unfolds all folded sections.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach(details => { details.open = true; });
  });
  window.addEventListener("afterprint", () => {
    opened.forEach(details => { details.open = false; });
    opened = [];
  });
  document.querySelectorAll("figure:not(.playback)").forEach(figure => {
    curvesOf(figure.querySelector("svg"));
    const link = figure.querySelector("a[data-svg]"), svg = figure.querySelector("svg");
    link.hidden = false;
    link.addEventListener("click", () => {
      const text = '<?xml version="1.0" encoding="utf-8"?>\n' +
        new XMLSerializer().serializeToString(svg);
      link.href = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
    });
  });
})();
)js";

/// Text as the data of a link: characters other than letters, digits and a few signs become %XX.
std::string percent_encoded(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0 ||
            std::string_view("-_.,()").find(letter) != std::string::npos) {
            out += letter;
        } else {
            out += fmt::format("%{:02X}", byte);
        }
    }
    return out;
}

const char* class_of(records::TableCell::Mark mark) {
    switch (mark) {
        case records::TableCell::Mark::kGood:
            return "good";
        case records::TableCell::Mark::kBad:
            return "bad";
        case records::TableCell::Mark::kQuiet:
            return "quiet";
        default:
            return "";
    }
}

/// Writes the page from top to bottom, and numbers its figures and tables.
class PageWriter {
  public:
    std::string write(const records::Document& document) {
        page_ +=
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
        if (document.refresh_seconds > 0) {
            page_ += fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n",
                                 document.refresh_seconds);
        }
        page_ += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
                             xml_escaped(document.title), kStyle);
        page_ += fmt::format("<h1>{}</h1>\n", xml_escaped(document.title));
        if (!document.description.empty()) {
            page_ += fmt::format("<p>{}</p>\n", xml_escaped(document.description));
        }
        write_findings(document);
        write_facts(document);
        write_contents(document);
        for (const records::Section& section : document.sections) {
            write(section, 2);
        }
        page_ += fmt::format("</main>\n<script>{}</script>\n", kScript);
        if (has_playback_) {
            page_ += fmt::format("<script>{}</script>\n", playback_script());
        }
        page_ += "</body>\n</html>\n";
        return std::move(page_);
    }

  private:
    void write_findings(const records::Document& document) {
        for (const records::Finding& finding : document.findings) {
            page_ += "<section class=\"finding\">\n";
            if (!finding.about.empty()) {
                page_ += fmt::format("<p class=\"about\">{}</p>\n", xml_escaped(finding.about));
            }
            page_ += "<ul>\n";
            for (const std::string& sentence : finding.sentences) {
                page_ += fmt::format("<li>{}</li>\n", xml_escaped(sentence));
            }
            page_ += "</ul>\n</section>\n";
        }
    }

    void write_facts(const records::Document& document) {
        if (document.facts.empty()) {
            return;
        }
        page_ += "<dl>\n";
        for (const auto& [name, value] : document.facts) {
            page_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_escaped(name), xml_escaped(value));
        }
        page_ += "</dl>\n";
    }

    void write_contents(const records::Document& document) {
        constexpr std::size_t kLeastSections = 3;
        if (document.sections.size() < kLeastSections) {
            return;
        }
        page_ += "<nav aria-label=\"Contents\">\n<ol>\n";
        for (const records::Section& section : document.sections) {
            page_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor_of(section),
                                 xml_escaped(section.title));
        }
        page_ += "</ol>\n</nav>\n";
    }

    /// Anchor of a section; equal at each call.
    const std::string& anchor_of(const records::Section& section) {
        std::string& anchor = anchors_[&section];
        if (anchor.empty()) {
            const std::string name = "section-" + records::hyphenated(section.title);
            const std::size_t before = anchor_counts_[name]++;
            anchor = before == 0 ? name : fmt::format("{}-{}", name, before + 1);
        }
        return anchor;
    }

    void write(const records::Section& section, int level) {
        constexpr int kDeepest = 4;
        page_ += fmt::format("<section id=\"{}\">\n", anchor_of(section));
        if (section.is_folded) {
            page_ += fmt::format("<details>\n<summary>{}</summary>\n", xml_escaped(section.title));
        } else {
            page_ += fmt::format("<h{0}>{1}</h{0}>\n", level, xml_escaped(section.title));
        }
        for (const records::Block& block : section.blocks) {
            std::visit([this](const auto& each) { write(each); }, block);
        }
        for (const records::Section& part : section.parts) {
            write(part, std::min(level + 1, kDeepest));
        }
        page_ += section.is_folded ? "</details>\n</section>\n" : "</section>\n";
    }

    void write(const records::Paragraph& paragraph) {
        page_ += fmt::format("<p>{}</p>\n", xml_escaped(paragraph.text));
    }

    void write(const records::Listing& listing) {
        page_ += fmt::format("<pre>{}</pre>\n", xml_escaped(listing.text));
    }

    void write(const records::Figure& figure) {
        const Drawing drawing = drawing_of(figure);
        page_ += fmt::format("<figure id=\"{}\">\n{}", figure.name, svg_element(figure, drawing));
        page_ += fmt::format("<figcaption><b>Figure {}.</b> {}", ++figures_,
                             xml_escaped(figure.title()));
        const bool ends = figure.title().ends_with('.') || figure.title().ends_with('?');
        page_ += ends ? " " : ". ";
        page_ += xml_escaped(figure.caption());
        page_ += fmt::format(
            " <span class=\"tools\"><a download=\"{0}.csv\" href=\"data:text/csv;charset=utf-8,{1}"
            "\">CSV</a><a data-svg hidden download=\"{0}.svg\" href=\"#{0}\">SVG</a></span>"
            "</figcaption>\n</figure>\n",
            figure.name, percent_encoded(records::csv_text(drawing.data)));
    }

    void write(const records::PlaybackFigure& figure) {
        if (const std::optional<records::Playback> playback = figure.read()) {
            page_ += playback_element(figure, *playback, ++figures_);
            has_playback_ = true;
        }
    }

    void write(const records::Table& table) {
        page_ += "<div class=\"table\">\n<table>\n";
        if (!table.caption.empty()) {
            page_ += fmt::format("<caption>{}</caption>\n", xml_escaped(table.caption));
        }
        page_ += "<thead><tr>";
        for (const records::TableColumn& column : table.columns) {
            page_ +=
                fmt::format("<th scope=\"col\"{}{}>{}</th>", column.is_number ? " class=\"n\"" : "",
                            column.explanation.empty()
                                ? ""
                                : fmt::format(" title=\"{}\"", xml_escaped(column.explanation)),
                            xml_escaped(column.name));
        }
        page_ += "</tr></thead>\n<tbody>\n";
        for (const std::vector<records::TableCell>& row : table.rows) {
            page_ += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i) {
                write(row[i], table.columns[i].is_number, i == 0);
            }
            page_ += "</tr>\n";
        }
        page_ += "</tbody>\n</table>\n</div>\n";
    }

    void write(const records::TableCell& cell, bool is_number, bool is_first) {
        std::string attributes = is_first ? " scope=\"row\"" : "";
        std::string classes = is_number ? "n" : "";
        if (cell.mark != records::TableCell::Mark::kNone) {
            classes += classes.empty() ? "" : " ";
            classes += class_of(cell.mark);
        }
        constexpr std::size_t kShort = 32;
        if (is_first && !is_number && cell.text.size() <= kShort) {
            classes += classes.empty() ? "short" : " short";
        }
        constexpr std::size_t kLong = 60;
        if (cell.text.size() > kLong) {
            classes += classes.empty() ? "long" : " long";
        }
        attributes += classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
        if (cell.value) {
            attributes += fmt::format(" data-value=\"{}\"", *cell.value);
        }
        if (cell.half_width) {
            attributes += fmt::format(" data-half-width=\"{}\"", *cell.half_width);
        }
        page_ += fmt::format("<{0}{1}>{2}</{0}>", is_first ? "th" : "td", attributes,
                             xml_escaped(cell.text));
    }

    std::string page_;
    std::size_t figures_ = 0;
    bool has_playback_ = false;
    std::map<const records::Section*, std::string> anchors_;
    std::map<std::string, std::size_t> anchor_counts_;
};

}  // namespace

std::string html_page(const records::Document& document) { return PageWriter().write(document); }

}  // namespace weir::experiments::pages
