#include "experiments/pages/playback/playback_element.h"

namespace weir::experiments::pages {

namespace {

// Script that plays the figures. Lengths are in units of the map's grid until draw() scales them. A
// channel is drawn on the right-hand side of its direction.
constexpr std::string_view kPlaybackScript = R"js(
(() => {
  "use strict";
  const unpacked = async text => {
    const raw = atob(text), packed = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) packed[i] = raw.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const numbers = async text => {
    const bytes = await unpacked(text), n = bytes.length / 4, all = new Uint32Array(n);
    for (let i = 0; i < n; ++i)
      all[i] = bytes[i] | bytes[n + i] << 8 | bytes[2 * n + i] << 16 | bytes[3 * n + i] << 24;
    return all;
  };
  const most = all => all.reduce((a, b) => Math.max(a, b), 0);
  const shown = value => value.toLocaleString("en", {maximumSignificantDigits: 4});
  const whole = value => value.toLocaleString("en");

  // Colour scale from light to dark, as on the other maps.
  const stops = [[239, 239, 239], [252, 197, 69], [243, 120, 25], [187, 55, 84], [106, 23, 110],
                 [22, 11, 57]];
  const levels = 40;
  const colours = Array.from({length: levels + 1}, (unused, level) => {
    const at = level / levels * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
    return "rgb(" + stops[i].map((from, c) =>
      Math.round(from + (at - i) * (stops[i + 1][c] - from))).join(",") + ")";
  });

  class Messages {
    constructor(columns, begin) {
      Object.assign(this, columns);
      this.count = this.launch.length;
      this.at = new Float64Array(this.count);
      this.longest = 0;
      let cycle = begin;
      for (let i = 0; i < this.count; ++i) {
        cycle += this.launch[i];
        this.at[i] = cycle;
        this.longest = Math.max(this.longest, this.entry[i] + this.arrival[i] + this.disposal[i]);
      }
    }
    firstFrom(cycle) {
      let low = 0, high = this.count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.at[middle] < cycle) low = middle + 1; else high = middle;
      }
      return low;
    }
    // Calls look(i, is at its source, is in the network, is at its destination) for each message
    // that is in the machine in these cycles.
    visit(begin, end, look) {
      for (let i = this.firstFrom(begin - this.longest); i < this.count && this.at[i] < end; ++i) {
        const entry = this.at[i] + this.entry[i], arrival = entry + this.arrival[i];
        const disposal = arrival + this.disposal[i];
        if (disposal < begin) continue;
        look(i, entry > begin, entry < end && arrival >= begin, arrival < end);
      }
    }
    name(i) {
      return "message " + whole(this.sequence[i]) + " of node " + this.source[i] + " to node " +
        this.destination[i];
    }
  }

  class MachineMap {
    constructor(data) {
      const gap = 3.2, node = 9;
      this.channels = data.channels.map(([name, x1, y1, x2, y2]) => {
        const length = Math.hypot(x2 - x1, y2 - y1);
        if (length === 0) return null;
        const ux = (x2 - x1) / length, uy = (y2 - y1) / length;
        const inset = Math.min(node + 3, length / 3);
        return {x1: x1 + inset * ux - gap * uy, y1: y1 + inset * uy + gap * ux,
                x2: x2 - inset * ux - gap * uy, y2: y2 - inset * uy + gap * ux,
                straight: Math.abs(ux) < 1e-6 || Math.abs(uy) < 1e-6};
      });
      this.nodes = data.nodes;
      this.switches = data.switches;
      this.node = node;
      const xs = [...data.nodes, ...data.switches].map(place => place[0]);
      const ys = [...data.nodes, ...data.switches].map(place => place[1]);
      this.channels.forEach(line => { if (line) { xs.push(line.x1, line.x2); ys.push(line.y1, line.y2); } });
      const least = all => all.reduce((a, b) => Math.min(a, b), Infinity);
      const greatest = all => all.reduce((a, b) => Math.max(a, b), -Infinity);
      const margin = 16;
      this.left = least(xs) - margin;
      this.top = least(ys) - margin;
      this.width = greatest(xs) + margin - this.left;
      this.height = greatest(ys) + margin - this.top;
    }
    // Node or channel at a position, as {node: 3} or {channel: 7}.
    at(x, y) {
      for (let i = 0; i < this.nodes.length; ++i) {
        const [nx, ny] = this.nodes[i];
        if (Math.abs(nx - x) <= this.node && Math.abs(ny - y) <= this.node) return {node: i};
      }
      let best = null, near = 6;
      this.channels.forEach((line, i) => {
        if (!line) return;
        const dx = line.x2 - line.x1, dy = line.y2 - line.y1;
        const along = Math.max(0, Math.min(1, ((x - line.x1) * dx + (y - line.y1) * dy) /
                                              (dx * dx + dy * dy)));
        const away = Math.hypot(line.x1 + along * dx - x, line.y1 + along * dy - y);
        if (away < near) { near = away; best = {channel: i}; }
      });
      return best;
    }
  }

  // Values of the whole machine over time, in a window of frames that zooms.
  class Timeline {
    constructor(canvas, data) {
      this.canvas = canvas;
      this.context = canvas.getContext("2d");
      this.cycleOf = frame => Math.min(data.end, data.begin + frame * data.frameCycles);
      this.showAll(data.frameCount);
    }
    showAll(count) {
      this.count = count;
      this.first = 0;
      this.end = count;
    }
    show(first, end) {
      const least = Math.min(this.count, 4);
      const frames = Math.min(this.count, Math.max(least, Math.round(end - first)));
      this.first = Math.max(0, Math.min(this.count - frames, Math.round(first)));
      this.end = this.first + frames;
    }
    zoom(factor, frame) {
      this.show(frame - (frame - this.first) * factor, frame + (this.end - frame) * factor);
    }
    // Frame at a horizontal position in the page.
    frameAt(clientX) {
      const box = this.canvas.getBoundingClientRect();
      const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
      return this.first + share * (this.end - this.first);
    }
    // Each curve is {means, colour, text}; `text` formats the greatest mean that is shown.
    draw(curves, frame, marked) {
      const dense = window.devicePixelRatio || 1, context = this.context;
      const wide = this.canvas.clientWidth, high = 84, top = 18, bottom = high - 16;
      this.canvas.width = Math.round(wide * dense);
      this.canvas.height = Math.round(high * dense);
      context.setTransform(dense, 0, 0, dense, 0, 0);
      context.font = "12px system-ui, sans-serif";
      const x = at => (at - this.first) / (this.end - this.first) * wide;
      if (marked) {
        context.fillStyle = "#dde6f2";
        context.fillRect(x(marked[0]), top, x(marked[1]) - x(marked[0]), bottom - top);
      }
      context.fillStyle = "#e4e4e4";
      context.fillRect(x(frame), top, Math.max(2, x(frame + 1) - x(frame)), bottom - top);
      let left = 0;
      for (const {means, colour, text} of curves) {
        let greatest = 0;
        for (let i = this.first; i < this.end; ++i) greatest = Math.max(greatest, means[i]);
        // A pixel with several frames shows their greatest value.
        context.beginPath();
        const frames = (this.end - this.first) / wide;
        for (let pixel = 0; pixel < wide; ++pixel) {
          let i = Math.floor(this.first + pixel * frames), mean = means[i];
          for (; i < Math.min(this.end, this.first + (pixel + 1) * frames); ++i)
            mean = Math.max(mean, means[i]);
          context.lineTo(pixel, bottom - (greatest > 0 ? mean / greatest * (bottom - top - 2) : 0));
        }
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = 1.2;
        context.stroke();
        context.fillText(text(greatest), left, 11);
        left += context.measureText(text(greatest)).width + 18;
      }
      context.strokeStyle = context.fillStyle = "#555";
      context.lineWidth = 1;
      context.strokeRect(0.5, top, wide - 1, bottom - top);
      context.fillText(whole(this.cycleOf(this.first)), 0, high - 3);
      const end = whole(this.cycleOf(this.end)) + " cycles";
      context.fillText(end, wide - context.measureText(end).width, high - 3);
    }
  }

  class Ways {
    constructor(data, next) {
      this.first = data.first;
      this.next = next;
      this.sender = data.channels.map(channel => channel[5]);
      this.receiver = data.channels.map(channel => channel[6]);
      this.rank = data.channels.map(channel => channel[7]);
      this.out = [];
      data.channels.forEach((channel, i) => {
        (this.out[channel[5]] = this.out[channel[5]] || [])[channel[7]] = i;
      });
      this.switches = data.switchCount;
    }
    leadsThrough(source, destination, channel) {
      const sender = this.sender[channel], ways = destination * this.switches;
      if (sender < this.switches && this.next[ways + sender] !== this.rank[channel]) return false;
      const injection = (this.out[this.switches + source] || [])[0];
      if (injection === channel) return true;
      let vertex = this.first[source];
      for (let hops = 0; vertex < this.switches && hops <= this.switches; ++hops) {
        const taken = (this.out[vertex] || [])[this.next[ways + vertex]];
        if (taken === channel) return true;
        if (taken === undefined) return false;
        vertex = this.receiver[taken];
      }
      return false;
    }
  }

  const start = async figure => {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const [canvas, overTime] = figure.querySelectorAll("canvas");
    const context = canvas.getContext("2d");
    const slider = figure.querySelector("input[type=range]");
    const time = figure.querySelector("output"), pointed = figure.querySelector(".pointed");
    const [ofChannels, ofQueues] = figure.querySelectorAll("select");
    const button = figure.querySelector("button");
    const frames = {}, columns = {};
    for (const name of Object.keys(data.frames)) {
      frames[name] = await numbers(data.frames[name]);
      frames[name].most = Math.max(1, most(frames[name]));
    }
    for (const name of Object.keys(data.messages)) columns[name] = await numbers(data.messages[name]);
    const messages = new Messages(columns, data.begin);
    const ways = data.next ? new Ways(data, await unpacked(data.next)) : null;
    const map = new MachineMap(data);
    data.frameCount = frames.flits.length / Math.max(1, map.channels.length);
    const timeline = new Timeline(overTime, data);
    let scale = 1, target = null, timer = null;

    const beginOf = frame => data.begin + frame * data.frameCycles;
    const endOf = frame => Math.min(data.end, beginOf(frame) + data.frameCycles);
    const fit = () => {
      const wide = Math.min(figure.clientWidth, 1.6 * map.width, 720 / map.height * map.width);
      const dense = window.devicePixelRatio || 1;
      scale = wide / map.width;
      canvas.style.width = wide + "px";
      canvas.style.margin = "0 auto";
      canvas.width = Math.round(wide * dense);
      canvas.height = Math.round(wide * dense * map.height / map.width);
      context.setTransform(scale * dense, 0, 0, scale * dense,
                           -map.left * scale * dense, -map.top * scale * dense);
    };
    // Means over all channels or all nodes, and the cycles of each frame.
    const means = {};
    for (const name of Object.keys(frames)) {
      const places = frames[name].length / data.frameCount;
      means[name] = Float64Array.from({length: data.frameCount}, (unused, frame) => {
        let sum = 0;
        for (let i = frame * places; i < (frame + 1) * places; ++i) sum += frames[name][i];
        return sum / places / (endOf(frame) - beginOf(frame));
      });
    }
    const sayings = {
      flits: mean => "channels: up to " + shown(100 * mean / data.flitsACycle) + " % busy",
      headerWaits: mean => "channels: up to " + shown(mean) + " headers wait at a channel",
      input: mean => "input queues: up to " + shown(mean) + " bytes",
      output: mean => "output queues: up to " + shown(mean) + " bytes"};
    // Colour scales, from 0 to the greatest value at any time.
    const scales = {
      flits: () => ["channels: ", shown(100 * frames.flits.most / data.frameCycles /
                                        data.flitsACycle) + " % of the cycles with a flit"],
      headerWaits: () => ["channels: ", whole(frames.headerWaits.most) +
                          " cycles that headers waited in an interval"],
      input: () => ["nodes: ", shown(frames.input.most / data.frameCycles) +
                    " bytes in the input queue"],
      output: () => ["nodes: ", shown(frames.output.most / data.frameCycles) +
                     " bytes in the output queue"]};
    const drawScales = () => {
      const keys = figure.querySelectorAll(".colours > span");
      [ofChannels, ofQueues].forEach((select, i) => {
        const [what, most] = scales[select.value](), bar = document.createElement("i");
        bar.style.background = "linear-gradient(to right," + colours.join(",") + ")";
        keys[i].replaceChildren(what + "0 ", bar, " " + most);
      });
    };
    const drawTimeline = marked => timeline.draw(
      [{means: means[ofChannels.value], colour: "#b5480f", text: sayings[ofChannels.value]},
       {means: means[ofQueues.value], colour: "#0b5394", text: sayings[ofQueues.value]}],
      Number(slider.value), marked);
    const showWindow = () => {
      slider.min = timeline.first;
      slider.max = timeline.end - 1;
      draw();
    };
    // Draws grouped by level, so that colours change seldom.
    const byLevel = (all, first, count, draw) => {
      const places = Array.from({length: levels + 1}, () => []);
      for (let i = 0; i < count; ++i) {
        const value = all[first + i];
        places[value === 0 ? 0 : Math.max(1, Math.round(levels * value / all.most))].push(i);
      }
      places.forEach((those, level) => { if (those.length) draw(those, colours[level]); });
    };
    const draw = () => {
      const frame = Number(slider.value), half = Math.max(1.1, 0.5 / scale), node = map.node;
      context.clearRect(map.left, map.top, map.width, map.height);
      byLevel(frames[ofChannels.value], frame * map.channels.length, map.channels.length,
              (those, colour) => {
        context.fillStyle = context.strokeStyle = colour;
        context.lineWidth = 2 * half;
        for (const i of those) {
          const line = map.channels[i];
          if (!line) continue;
          if (line.straight) {
            context.fillRect(Math.min(line.x1, line.x2) - half, Math.min(line.y1, line.y2) - half,
                             Math.abs(line.x2 - line.x1) + 2 * half,
                             Math.abs(line.y2 - line.y1) + 2 * half);
          } else {
            context.beginPath();
            context.moveTo(line.x1, line.y1);
            context.lineTo(line.x2, line.y2);
            context.stroke();
          }
        }
      });
      byLevel(frames[ofQueues.value], frame * map.nodes.length, map.nodes.length,
              (those, colour) => {
        context.fillStyle = colour;
        for (const i of those)
          context.fillRect(map.nodes[i][0] - node, map.nodes[i][1] - node, 2 * node, 2 * node);
      });
      context.strokeStyle = "#8c8c8c";
      context.lineWidth = Math.max(0.6, 0.5 / scale);
      if (scale > 0.6) {
        for (const [x, y] of map.nodes) context.strokeRect(x - node, y - node, 2 * node, 2 * node);
      }
      for (const [x, y] of map.switches) context.strokeRect(x - 4, y - 4, 8, 8);
      time.textContent = "cycles " + whole(beginOf(frame)) + " to " + whole(endOf(frame) - 1);
      drawTimeline();
      drawScales();
      explain();
    };

    const list = (what, found) => {
      if (found.length === 0) return "";
      const kept = found.slice(0, 3).map(i => messages.name(i));
      const left = found.length - kept.length;
      return " " + what + ": " + kept.join(", ") + (left ? " and " + whole(left) + " more" : "") + ".";
    };
    const channelText = (channel, frame) => {
      const begin = beginOf(frame), end = endOf(frame), at = frame * map.channels.length + channel;
      const flits = frames.flits[at], waits = frames.headerWaits[at];
      const found = [];
      if (ways) {
        messages.visit(begin, end, (i, waiting, moving) => {
          if (moving && ways.leadsThrough(messages.source[i], messages.destination[i], channel))
            found.push(i);
        });
      }
      return data.channels[channel][0] + ": " + whole(flits) + " flits in " + whole(end - begin) +
        " cycles (" + shown(100 * flits / (end - begin) / data.flitsACycle) +
        " %); headers waited " + whole(waits) + " cycles at its end." +
        list("Under way, and their way leads through it", found);
    };
    const nodeText = (node, frame) => {
      const begin = beginOf(frame), end = endOf(frame), at = frame * map.nodes.length + node;
      const out = [], into = [];
      messages.visit(begin, end, (i, waiting, moving, there) => {
        if (waiting && messages.source[i] === node) out.push(i);
        if (there && messages.destination[i] === node) into.push(i);
      });
      const mean = all => shown(all[at] / (end - begin));
      return "node " + node + ": in the mean " + mean(frames.input) + " bytes in its input queue, " +
        mean(frames.output) + " in its output queue." + list("In the output queue", out) +
        list("In the input queue", into);
    };
    const explain = () => {
      const frame = Number(slider.value);
      pointed.textContent = target === null ? "Point at a channel or a node."
        : target.node !== undefined ? nodeText(target.node, frame)
        : channelText(target.channel, frame);
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      button.textContent = "Play";
    };
    canvas.addEventListener("pointermove", event => {
      const box = canvas.getBoundingClientRect();
      const found = map.at(map.left + (event.clientX - box.left) / scale,
                           map.top + (event.clientY - box.top) / scale);
      if (found !== null) { target = found; explain(); }
    });
    // A click selects a frame, a drag zooms into a range.
    let pressed = null;
    const stretch = event => [pressed, timeline.frameAt(event.clientX)].sort((a, b) => a - b);
    overTime.addEventListener("pointerdown", event => {
      pressed = timeline.frameAt(event.clientX);
      overTime.setPointerCapture(event.pointerId);
    });
    overTime.addEventListener("pointermove", event => {
      if (pressed !== null) drawTimeline(stretch(event));
    });
    overTime.addEventListener("pointerup", event => {
      if (pressed === null) return;
      const [first, end] = stretch(event), span = timeline.end - timeline.first;
      pressed = null;
      if (end - first > span / 50) timeline.show(Math.floor(first), Math.ceil(end));
      else slider.value = Math.min(timeline.end - 1, Math.floor(first));
      showWindow();
    });
    overTime.addEventListener("wheel", event => {
      event.preventDefault();
      timeline.zoom(event.deltaY < 0 ? 0.7 : 1 / 0.7, timeline.frameAt(event.clientX));
      showWindow();
    }, {passive: false});
    overTime.addEventListener("dblclick", () => {
      timeline.showAll(data.frameCount);
      showWindow();
    });
    slider.addEventListener("input", draw);
    ofChannels.addEventListener("change", draw);
    ofQueues.addEventListener("change", draw);
    button.addEventListener("click", () => {
      if (timer !== null) { stop(); return; }
      if (slider.value === slider.max) slider.value = slider.min;
      button.textContent = "Stop";
      timer = setInterval(() => {
        slider.value = Number(slider.value) + 1;
        draw();
        if (slider.value === slider.max) stop();
      }, 100);
    });
    window.addEventListener("resize", () => { fit(); draw(); });
    const percent = 100 * frames.flits.most / data.frameCycles / data.flitsACycle;
    figure.querySelector(".scale").textContent = "A drag over the curves zooms in, a double click " +
      "shows all. The darkest is the most of any time: " +
      shown(percent) + " % of the cycles with a flit, " + whole(frames.headerWaits.most) +
      " cycles that headers waited, and in the mean " +
      shown(frames.input.most / data.frameCycles) + " bytes in an input queue, " +
      shown(frames.output.most / data.frameCycles) + " in an output queue.";
    figure.querySelectorAll("[hidden]").forEach(element => { element.hidden = false; });
    fit();
    showWindow();
    figure.dataset.ready = "yes";
  };
  document.querySelectorAll("figure.playback").forEach(figure => {
    start(figure).catch(fault => {
      figure.querySelector(".pointed").textContent = "This browser can't play it: " + fault.message;
    });
  });
})();
)js";

}  // namespace

std::string_view playback_script() { return kPlaybackScript; }

}  // namespace weir::experiments::pages
