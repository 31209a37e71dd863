
// The page of a scan report: language, sorted tables, a filter. The page is complete without it. What was chosen stands
// behind the # of the address, so that a link or a reload shows the same: #language=zh&groups=2,descending
"use strict";
(() => {
  const root = document.documentElement;
  const chosen = new URLSearchParams(location.hash.slice(1));
  const remember = (name, value) => {
    chosen.set(name, value);
    history.replaceState(null, "", "#" + chosen.toString().replaceAll("%2C", ","));
  };

  const nameFilters = () => {
    const name = root.lang === "zh" ? "\u7b5b\u9009" : "filter";
    for (const input of document.querySelectorAll(".filter input")) {
      input.placeholder = "\u2315 " + name;
      input.setAttribute("aria-label", name);
    }
  };

  const show = (language) => {
    root.lang = language;
    nameFilters();
    for (const button of document.querySelectorAll("button[data-language]"))
      button.setAttribute("aria-pressed", String(button.dataset.language === language));
  };
  for (const button of document.querySelectorAll("button[data-language]"))
    button.addEventListener("click", () => { show(button.dataset.language); remember("language", button.dataset.language); });
  document.querySelector(".languages").hidden = false;
  show(["en", "zh"].includes(chosen.get("language")) ? chosen.get("language") : root.lang);

  // Numbers by value, texts by their letters; cells without a value come last in both directions.
  const keyOf = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent;
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? (a < b ? -1 : a > b ? 1 : 0) : x - y;
  };
  const sort = (table, column, direction) => {
    const sign = direction === "descending" ? -1 : 1;
    const rows = Array.from(table.tBodies[0].rows, (row) => ({ row, key: keyOf(row, column) }));
    rows.sort((a, b) => (a.key === "") - (b.key === "") || sign * compare(a.key, b.key));
    table.tBodies[0].append(...rows.map((item) => item.row));
    Array.from(table.tHead.rows[0].cells).forEach((cell, i) => {
      if (i === column) cell.setAttribute("aria-sort", direction);
      else cell.removeAttribute("aria-sort");
    });
  };

  const addFilter = (table) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    label.className = "filter";
    input.type = "search";
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    label.append(input);
    table.parentElement.before(label);
    nameFilters();
  };

  for (const table of document.querySelectorAll("table[data-sortable]")) {
    Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      button.addEventListener("click", () => {
        const direction = cell.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        sort(table, column, direction);
        remember(table.id, column + "," + direction);
      });
      cell.append(button);
    });
    if (table.tBodies[0].rows.length > 5) addFilter(table);
    const [column, direction] = (chosen.get(table.id) ?? "").split(",");
    if (/^\d+$/.test(column) && Number(column) < table.tHead.rows[0].cells.length)
      sort(table, Number(column), direction === "descending" ? "descending" : "ascending");
  }
  root.dataset.ready = "1";
})();
