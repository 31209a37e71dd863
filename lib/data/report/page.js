// Draws the page of a scan report from the data in it (report/pages/scan_html.cpp). Rows are in report order: the first
// is the first overflow. What was chosen is in the address, so that a link or a reload shows the same.
"use strict";
(() => {
  const root = document.documentElement;
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const words = read("words"), data = read("data"), count = data.rows.length;
  const rows = Object.fromEntries(data.columns.map((name, column) => [name, data.rows.map((row) => row[column])]));
  const base = rows.time[0] || 0;  // times are distances from the first
  rows.time = rows.time.map((time) => time === null ? null : time - base);

  const state = new URLSearchParams();
  const readState = () => {
    for (const name of [...state.keys()]) state.delete(name);
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) state.set(name, value);
  };
  const remember = (name, value) => {
    if (value) state.set(name, value);
    else state.delete(name);
    history.replaceState(null, "", "#" + state.toString().replaceAll("%2C", ","));
  };

  // Texts.
  const both = (pair) => pair[root.lang === "zh" ? 1 : 0];
  // {} is the next value, {1} the second, {one|many} a word for the value before it.
  const word = (key, ...values) => {
    let next = 0, last = "";
    return both(words[key] || [key, key]).replace(/\{(\d)?(?:([^|}]*)\|([^}]*))?\}/g, (_, index, one, many) =>
      one === undefined ? (last = String(values[index || next++])) : last === "1" ? one : many);
  };
  const show = (number) => number === null ? "" : number.toLocaleString("en-US");
  const range = (low, high) => low === Infinity ? "" : low === high ? String(low) : low + "–" + high;
  // As remarks/durations.hpp: from a minute on the two largest units.
  const duration = (us) => {
    const seconds = Math.floor(us / 1e6);
    const two = (unit, one, part, other) => Math.floor(seconds / unit) + one + Math.floor(seconds % unit / part) + other;
    return seconds < 60 ? (us / 1e6).toFixed(3) + " s" : seconds < 3600 ? two(60, " min ", 1, " s")
      : seconds < 86400 ? two(3600, " h ", 60, " min") : two(86400, " d ", 3600, " h");
  };
  const after = (us) => us === null ? "—" : us === 0 ? "0 s" : (us < 0 ? "−" : "+") + duration(Math.abs(us));
  const zone = (data.offset < 0 ? "-" : "+") + new Date(Math.abs(data.offset) * 6e4).toISOString().slice(11, 16);
  const clock = (us) => us === null ? "" : !Number.isSafeInteger(us) ? us + " us"
    : new Date(us / 1000 + data.offset * 6e4).toISOString().slice(0, 23).replace("T", " ") + " (" + zone + ")";
  const timeOf = (row) => rows.time[row] === null ? "" : clock(base + rows.time[row]);
  const nameOf = (op) => data.ops[op] || word("operator_unknown");
  const causeOf = (cause) => data.causes[cause][root.lang === "zh" ? 2 : 1];
  const shortCausesOf = (causes) => causes.map((cause) => data.causes[cause][3]).join(", ");
  const fileOf = (row) => data.folders[rows.folder[row]] + rows.name[row];

  const make = (tag, style, ...content) => {
    const element = document.createElement(tag);
    if (style) element.className = style;
    element.append(...content);
    return element;
  };
  // Names and paths are cut in the middle: their ends tell them apart.
  const long_columns = ["operator", "first_operator", "first_bad", "call_or_operator", "file"], end_shown = 22;
  const cutInMiddle = (text) => {
    const cut = Math.max(0, text.length - end_shown);
    return make("bdi", "middle", make("span", "", text.slice(0, cut)), make("span", "", text.slice(cut)));
  };
  const button = (text, act) => {
    const element = make("button", "", text);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };

  // A list whose visible rows alone are in the document. A row has a key, cells, and children (rows) or a detail (pairs
  // of name and text), which it opens.
  const lists = [];
  const listOf = (name, columns, cellOf = {}) => {
    const opened = new Set((state.get(name + ".open") || "").split(",").filter(Boolean));
    const box = make("div", "list " + name), head = make("div", "row head"), body = make("div", "rows");
    let top = [], items = [], tops = [0], active = 0, printing = false;
    box.tabIndex = 0;
    box.setAttribute("role", "treegrid");
    head.setAttribute("role", "row");
    for (const column of columns) {
      const cell = make("span", "c-" + column, ...[cellOf[column] ? cellOf[column]() : word(column)]);
      cell.setAttribute("role", "columnheader");
      head.append(cell);
    }
    box.append(head, body);

    const flatten = (list, level) => {
      for (const row of list) {
        row.level = level;
        items.push(row);
        if (row.open && opened.has(row.key)) flatten(row.open(), level + 1);
      }
    };
    const layout = () => {
      const height = parseFloat(getComputedStyle(box).getPropertyValue("--row"));
      tops = new Float64Array(items.length + 1);
      items.forEach((row, i) => { tops[i + 1] = tops[i] + (row.height || height); });
      body.style.height = tops[items.length] + "px";
    };
    const rowAt = (y) => {
      let low = 0, high = items.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (tops[middle] <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    };
    const element = (row, i) => {
      const line = make("div", "row level" + row.level + (row.style ? " " + row.style : "") + (i === active ? " active" : ""));
      line.id = name + "-" + i;
      line.dataset.index = i;
      line.setAttribute("role", "row");
      line.setAttribute("aria-level", row.level);
      line.setAttribute("aria-rowindex", i + 2);
      line.style.top = tops[i] + "px";
      if (row.open) line.setAttribute("aria-expanded", opened.has(row.key));
      if (row.detail) {
        const terms = make("dl", "");
        for (const [term, text] of row.detail()) if (text) terms.append(make("dt", "", term), make("dd", "", text));
        line.classList.add("detail");
        line.append(make("div", "", terms));
        line.firstChild.setAttribute("role", "gridcell");
        return line;
      }
      for (const [column, content] of row.cells()) {
        const cell = make("span", "c-" + column, typeof content !== "string" ? content
          : long_columns.includes(column) ? cutInMiddle(content) : make("bdi", "", content));
        cell.setAttribute("role", "gridcell");
        if (typeof content === "string" && content.length > 12) cell.title = content;
        line.append(cell);
      }
      return line;
    };
    const draw = () => {
      const from = printing ? 0 : rowAt(box.scrollTop);
      const to = printing ? Math.min(items.length, 500) : Math.min(items.length, rowAt(box.scrollTop + box.clientHeight) + 1);
      body.replaceChildren(...items.slice(from, to).map((row, i) => element(row, from + i)));
      let changed = false;
      for (const line of body.querySelectorAll(".detail")) {  // only the browser knows how high its texts are
        const row = items[line.dataset.index], height = line.offsetHeight;
        changed = changed || row.height !== height;
        row.height = height;
      }
      box.setAttribute("aria-activedescendant", name + "-" + active);
      if (changed) {
        layout();
        draw();
      }
    };
    const refresh = () => {
      items = [];
      flatten(top, 1);
      active = Math.min(active, Math.max(0, items.length - 1));
      box.setAttribute("aria-rowcount", items.length + 1);
      layout();
      draw();
    };
    const go = (index) => {
      active = Math.max(0, Math.min(items.length - 1, index));
      const room = box.clientHeight - head.offsetHeight;
      if (tops[active] < box.scrollTop) box.scrollTop = tops[active];
      else if (tops[active + 1] > box.scrollTop + room) box.scrollTop = tops[active + 1] - room;
      draw();
    };
    const toggle = (index, wanted) => {
      const row = items[index];
      active = index;
      if (row && row.open && wanted !== opened.has(row.key)) {
        if (!opened.delete(row.key)) opened.add(row.key);
        remember(name + ".open", [...opened].join(","));
      }
      refresh();
    };
    box.addEventListener("scroll", draw);
    box.addEventListener("click", (event) => {
      const line = event.target.closest("[data-index]");
      if (line && !String(getSelection())) toggle(Number(line.dataset.index));
    });
    box.addEventListener("keydown", (event) => {
      if (event.target !== box) return;
      const page = Math.max(1, rowAt(box.scrollTop + box.clientHeight) - rowAt(box.scrollTop) - 2);
      const act = {
        ArrowDown: () => go(active + 1), ArrowUp: () => go(active - 1), PageDown: () => go(active + page),
        PageUp: () => go(active - page), Home: () => go(0), End: () => go(items.length - 1),
        Enter: () => toggle(active), " ": () => toggle(active), ArrowRight: () => toggle(active, true),
        ArrowLeft: () => toggle(active, false),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    const list = {
      box,
      set: (list) => { top = list; refresh(); },
      redraw: () => { if (box.isConnected) refresh(); },
      print: (value) => { printing = value; if (box.isConnected) draw(); body.style.height = tops[value ? Math.min(items.length, 500) : items.length] + "px"; },
    };
    lists.push(list);
    return list;
  };

  const section = (title, ...content) => make("section", "", make("h2", "", title), ...content);
  // Each host numbers its devices from 0.
  const hostOf = (column, row) => column === "device" && data.hosts.length > 1 ? data.hosts[rows.host[row]] + " " : "";
  const placeOf = (column, row) => hostOf(column, row) + word(column + "_of", rows[column][row]);
  const detailOf = (pairs) => [{ detail: () => pairs }];
  const dumpRow = (row) => ({
    key: "d" + row, style: "dump",
    cells: () => [["after_first", after(rows.time[row])],
      ...["step", "rank", "device"].map((column) => [column, rows[column][row] === null ? "" : placeOf(column, row)]),
      ["causes", shortCausesOf(rows.causes[row])], ["file", fileOf(row)]],
    open: () => detailOf([
      [word("file"), fileOf(row)], [word("operator"), nameOf(rows.op[row])], [word("model"), data.models[rows.model[row]]],
      [word("causes"), rows.causes[row].map((cause) => causeOf(cause) + " [" + data.causes[cause][0] + "]").join("\n")],
      [word("origin"), rows.origin[row] === null ? "" : word(rows.origin[row])],
      [word("rank"), show(rows.rank[row])], [word("device"), show(rows.device[row])], [word("step"), show(rows.step[row])],
      [word("time"), timeOf(row)], [word("after_first"), after(rows.time[row])]]),
  });

  // How it spread: a lane for each rank, or device where the first overflow has no rank.
  const lane_of = ["rank", "device"].find((column) => count !== 0 && rows[column][0] !== null) ||
    ["rank", "device"].find((column) => rows[column].some((value) => value !== null));
  const own_place = lane_of || "rank", own_places = own_place + "s";
  const lanesIn = (later) => {
    const lanes = new Map();
    for (let row = 0; row < count; ++row) {
      const key = placeOf(lane_of, row), time = rows.time[row], step = rows.step[row];
      if (rows[lane_of][row] === null || (!later && step !== rows.step[0])) continue;
      if (!lanes.has(key)) lanes.set(key, { key, row, time, dumps: [], marks: new Map() });
      const lane = lanes.get(key);
      lane.dumps.push(row);
      if (time === null) continue;
      if (lane.time === null || (time < lane.time && lane.row !== 0)) Object.assign(lane, { time, row });
      if (!(lane.marks.get(step) <= time)) lane.marks.set(step, time);
    }
    const place = (lane) => lane.row === 0 ? -Infinity : lane.time === null ? Infinity : lane.time;
    return [...lanes.values()].sort((a, b) => place(a) === place(b) ? 0 : place(a) - place(b));
  };
  const barOf = (lane, span) => {
    const bar = make("span", "bar"), seen = new Set();
    for (const [step, time] of lane.marks) {
      const left = Math.round(Math.max(0, Math.min(1, time / span)) * 400) / 4;
      if (seen.has(left)) continue;  // a mark that another one hides
      seen.add(left);
      const mark = make("i", "");
      mark.style.left = left + "%";
      mark.title = (step === null ? "" : word("step_of", step) + " · ") + after(time);
      bar.append(mark);
    }
    return bar;
  };
  const spread = () => {
    if (!lane_of || count === 0) return;
    const later = state.has("later"), all = state.has("lanes"), few = 9, lanes = lanesIn(later);
    // A clock that is far off must not press all others together.
    const times = lanes.flatMap((lane) => [...lane.marks.values()]).sort((a, b) => a - b);
    const span = Math.max(1, times[Math.floor(times.length * 0.98)] || times[times.length - 1] || 1);
    const list = listOf("lanes", ["number", lane_of, "after_first", "step", "first_operator", "bar"], { bar: () => word("time") });
    const note = make("p", "note");
    if (lanes.length > few && !all) note.append(word("lanes_more", lanes.length - few, after(lanes[lanes.length - 1].time)) + " ");
    const flip = (name, on, off) => button(word(state.has(name) ? off : on), () => { remember(name, state.has(name) ? "" : "1"); draw(); });
    if (lanes.length > few) note.append(flip("lanes", "show_all", "show_fewer"), " ");
    if (rows.step.some((step) => step !== rows.step[0])) note.append(flip("later", "later_steps", "one_step"), " ");
    note.append(word("clock_note"));
    const title = later || rows.step[0] === null ? word("spread_all") : word("spread", rows.step[0]);
    drawn.append(section(title, list.box, note));
    list.set(lanes.slice(0, all ? lanes.length : few).map((lane, i) => ({
      key: lane.key, style: i === 0 ? "hit" : "",
      cells: () => [["number", show(i + 1)], [lane_of, lane.key], ["after_first", after(lane.time)],
        ["step", show(rows.step[lane.row])], ["first_operator", nameOf(rows.op[lane.row])], ["bar", barOf(lane, span)]],
      open: () => lane.dumps.map(dumpRow),
    })));
  };

  // Operators with filters.
  const inRanges = (text) => {
    const parts = text.split(/[,，\s]+/).filter(Boolean).map((part) => part.split(/[-–]/).map(Number));
    return (value) => parts.length === 0 || (value !== null && parts.some(([low, high = low]) => value >= low && value <= high));
  };
  const chosenRows = () => {
    const text = (state.get("text") || "").toLowerCase(), cause = state.get("cause");
    const of_place = inRanges(state.get(own_place) || ""), step = inRanges(state.get("step") || "");
    const op_fits = data.ops.map((name) => name.toLowerCase().includes(text));
    const fits = (row) => (!cause || rows.causes[row].some((one) => data.causes[one][0] === cause)) && of_place(rows[own_place][row]) && step(rows.step[row]) &&
      (op_fits[rows.op[row]] || fileOf(row).toLowerCase().includes(text));
    return Array.from({ length: count }, (_, row) => row).filter(fits);
  };
  const operatorsOf = (chosen) => {
    const operators = new Map();
    for (const row of chosen) {
      const op = rows.op[row], step = rows.step[row];
      if (!operators.has(op)) operators.set(op, { op, first: row, dumps: [], places: new Set(), causes: new Set(), low: Infinity, high: -Infinity });
      const found = operators.get(op);
      found.dumps.push(row);
      if (rows[own_place][row] !== null) found.places.add(placeOf(own_place, row));
      for (const cause of rows.causes[row]) found.causes.add(cause);
      if (step !== null) {
        found.low = Math.min(found.low, step);
        found.high = Math.max(found.high, step);
      }
    }
    return [...operators.values()];
  };
  const sort_keys = { operator: (one) => nameOf(one.op), dumps: (one) => one.dumps.length, [own_places]: (one) => one.places.size, steps: (one) => one.low, first: (one) => one.first };
  const operatorRow = (one) => ({
    key: String(one.op),
    cells: () => [["operator", nameOf(one.op)], ["causes", shortCausesOf([...one.causes])],
      ["pattern", (data.patterns[one.op] || []).map((code) => word(code)).join(root.lang === "zh" ? "、" : ", ")],
      ["dumps", show(one.dumps.length)], [own_places, show(one.places.size)], ["steps", range(one.low, one.high)], ["first", after(rows.time[one.first])]],
    open: () => one.dumps.map(dumpRow),
  });
  const operators = () => {
    if (count === 0) return;
    const result = make("output", ""), filters = make("div", "filters");
    const [, down, key] = /^(-?)(\w*)$/.exec(state.get("sort") || "first") || ["", "", "first"];
    const heading = (name) => () => {
      const head = button(word(name), () => { remember("sort", name === key && !down ? "-" + name : name); draw(); });
      if (name === key) head.dataset.sorted = down ? "down" : "up";
      return head;
    };
    const list = listOf("operators", ["operator", "causes", "pattern", "dumps", own_places, "steps", "first"],
      Object.fromEntries(Object.keys(sort_keys).map((name) => [name, heading(name)])));
    const update = () => {
      const chosen = chosenRows(), found = operatorsOf(chosen), value = sort_keys[key] || sort_keys.first, sign = down ? -1 : 1;
      found.sort((a, b) => { const x = value(a), y = value(b); return x < y ? -sign : x > y ? sign : a.first - b.first; });
      result.textContent = word("operators_count", show(found.length), show(chosen.length));
      list.set(found.map(operatorRow));
    };
    const filter = (name, title, field) => {
      field.value = state.get(name) || "";
      field.name = name;
      field.addEventListener("input", () => { remember(name, field.value); update(); });
      filters.append(make("label", "", title + " ", field));
      return field;
    };
    for (const name of [own_place, "step"]) Object.assign(filter(name, word(name), make("input", "")), { placeholder: word("any"), title: word("filter_hint") });
    const option = (value, text) => Object.assign(make("option", "", text), { value });
    filter("cause", word("cause"), make("select", "", option("", word("any")), ...data.causes.map((cause, i) => option(cause[0], causeOf(i)))));
    Object.assign(filter("text", "⌕", make("input", "wide")), { type: "search", placeholder: word("search") }).setAttribute("aria-label", word("search"));
    filters.append(result, button(word("clear"), () => { for (const name of [own_place, "step", "cause", "text"]) remember(name, ""); draw(); }));
    drawn.append(section(word("operators"), filters, list.box));
    update();
  };

  const table = ({ name, columns, rows: lines, more }) => {
    const textOf = (value, column) => Array.isArray(value) ? both(value) : value === null ? "" : column === "time" ? clock(value) : typeof value === "number" ? show(value) : value;
    const used = columns.map((_, i) => i).filter((i) => lines.some((line) => textOf(line[i], columns[i])));
    const list = listOf(name, used.map((i) => columns[i]));
    const content = section(word(name), list.box);
    if (more) content.append(make("p", "note", word("rows_more", show(more))));
    drawn.append(content);
    list.set(lines.map((line, number) => ({
      key: String(number),
      cells: () => used.map((i) => [columns[i], textOf(line[i], columns[i])]),
      open: () => detailOf(used.map((i) => [word(columns[i]), textOf(line[i], columns[i])])),
    })));
  };

  // The head: what was counted, the first overflow, the training log, API dumps.
  const listing = (tag, style, items) => items.length === 0 ? "" : make(tag, style, ...items.map((item) => make("li", "", ...[item].flat())));
  const terms = (pairs) => make("dl", "", ...pairs.flatMap(([name, ...content]) => [make("dt", "", name), make("dd", "", ...content)]));
  const text = (style, content) => content ? make("p", style, content) : "";
  const folded = (name, content) => content ? make("details", "", make("summary", "", word(name)), content) : "";
  const remarksOf = (remarks) => listing("ul", "remarks", remarks.map(([message, code]) => [message + " ", make("code", "", code)]));
  const titleOf = ({ kind, name, location }) => [make("p", "kind", kind), make("h1", "", name), make("p", "sub", location)];
  const counted = ({ title }) => {
    const counts = data.counts, parts = [...data.inputs], numbers = (column) => new Set(rows[column].map((value, row) =>
      value === null ? null : hostOf(column, row) + value).filter((value) => value !== null)).size;
    const steps = rows.step.filter((step) => step !== null), of = (key, number) => { if (number) parts.push(word(key, show(number))); };
    parts.push(counts.dumps === 0 ? title : word("overflowed_of", show(counts.overflowed), show(counts.dumps)));
    if (numbers("rank")) of("ranks_count", numbers("rank"));
    else of("devices_count", numbers("device"));
    if (steps.length) {
      const [low, high] = steps.reduce(([low, high], step) => [Math.min(low, step), Math.max(high, step)], [Infinity, -Infinity]);
      parts.push(low === high ? word("step_of", low) : word("steps_range", low, high));
    }
    of("clean_count", counts.clean);
    of("failed_count", counts.failed);
    of("op_dumps_count", counts.op_dumps);
    return parts.join(" · ");
  };
  // Options as "--tensors" stay in one line.
  const withOptions = (step) => step.split(/(--[a-z-]+)/).map((part, i) => i % 2 ? make("span", "option", part) : part);
  const firstOverflow = (first) => {
    const title = titleOf(first), sure = first.remarks.length === 0;
    if (first.margin) title[2].append(make("span", sure ? "sure" : "unsure", " — " + first.margin));
    const origin = first.origin || word(first.has_op_dump ? "origin_not_measured" : "origin_unknown");
    const causes = first.causes.map(([name, meaning]) => make("div", "", name + " ", make("span", "quiet", meaning)));
    return make("section", "", ...title, text("sub", first.confidence), ...first.warnings.map((warning) => text("sub unsure", warning)),
      text("sub unsure", first.doubts),
      make("div", "grid", terms([[word("cause"), ...causes], [word("origin"), origin], [word("dump"), make("span", "file", first.file)]]),
        make("div", "", make("h2", "", word("next")), listing("ol", "", first.next.map(withOptions)))),
      folded("is_it_first", remarksOf(first.remarks)), folded("evidence", first.evidence && make("pre", "", first.evidence)));
  };
  const head = () => {
    const { notice, first, none, training, api, remarks, ...page } = data.head[root.lang];
    drawn.append(make("p", "top", counted(page)), text("notice", notice));
    if (first) drawn.append(firstOverflow(first));
    if (none) drawn.append(make("section", "", make("p", "", none)));
    if (training) drawn.append(make("section", "columns", make("h2", "", word("training")), listing("ul", "", training.lines), make("pre", "", training.text)));
    if (api) drawn.append(make("section", "columns api", ...(api.name ? titleOf(api) : [make("h2", "", word("api"))]), make("pre", "", api.text),
      folded("remarks", remarksOf(api.remarks))));
    document.getElementById("foot").replaceChildren(...(remarks.length ? [section(word("remarks"), remarksOf(remarks))] : []),
      make("p", "note", word("written_by", data.version)));
  };

  const drawn = document.getElementById("drawn");
  const draw = () => {
    drawn.replaceChildren();
    lists.length = 0;
    head();
    spread();
    operators();
    data.tables.forEach(table);
  };
  const speak = (language) => {
    root.lang = language;
    for (const choice of document.querySelectorAll("button[data-language]")) choice.setAttribute("aria-pressed", choice.dataset.language === language);
    draw();
  };
  const written_in = root.lang;
  const start = () => {
    readState();
    speak(["en", "zh"].includes(state.get("language")) ? state.get("language") : written_in);
  };
  for (const choice of document.querySelectorAll("button[data-language]"))
    choice.addEventListener("click", () => { remember("language", choice.dataset.language); speak(choice.dataset.language); });
  addEventListener("hashchange", start);
  addEventListener("resize", () => lists.forEach((list) => list.redraw()));
  addEventListener("beforeprint", () => lists.forEach((list) => list.print(true)));
  addEventListener("afterprint", () => lists.forEach((list) => list.print(false)));
  document.querySelector(".languages").hidden = false;
  start();
  root.dataset.ready = "1";
})();
