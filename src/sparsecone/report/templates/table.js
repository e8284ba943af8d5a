// A table of any length: only the rows in view are in the page.
const SPARE = 8;

class LongTable {
  // columns: {number, value(row), text(row), fill?(cell, row), moves}; rows are 0 ... count - 1.
  // Only columns that move change with the cut.
  constructor(table, columns, count, { nameOf, onRow }) {
    Object.assign(this, { table, columns, nameOf, onRow });
    this.body = table.tBodies[0];
    this.region = table.closest(".table");
    this.all = Array.from({ length: count }, (_, row) => row);
    this.rows = this.all;
    this.lower = this.all.map((row) => nameOf(row).toLowerCase());
    this.spaces = [0, 1].map(() => {
      const space = document.createElement("tr");
      space.className = "space";
      space.setAttribute("aria-hidden", "true");
      space.append(document.createElement("td"));
      return space;
    });
    table.setAttribute("aria-rowcount", count + 1);
    this.region.addEventListener("scroll", () => this.render(), { passive: true });
    window.addEventListener("resize", () => { this.height = 0; this.render(true); });
    // A page on paper has the first rows.
    window.addEventListener("beforeprint", () => this.render(true, 60));
    window.addEventListener("afterprint", () => this.render(true));
    Array.from(table.tHead.rows[0].cells).forEach((head, place) => {
      const button = document.createElement("button");
      button.append(...head.childNodes);
      button.addEventListener("click", () => this.sortBy(head, place));
      head.append(button);
    });
    this.render(true);
  }

  search(text) {
    const wanted = text.trim().toLowerCase();
    this.rows = wanted ? this.all.filter((row) => this.lower[row].includes(wanted)) : this.all;
    this.region.scrollTop = 0;
    this.render(true);
    return wanted ? this.rows.length : null;
  }

  sortBy(head, place) {
    const ascending = head.getAttribute("aria-sort") !== "ascending";
    const sign = ascending ? 1 : -1, { value, number } = this.columns[place];
    const keys = this.all.map((_, row) => value(row));
    const texts = new Intl.Collator(undefined, { numeric: true });
    const compare = number
      ? (a, b) => (keys[a] ?? -Infinity) - (keys[b] ?? -Infinity) || 0
      : (a, b) => texts.compare(keys[a], keys[b]);
    const chosen = new Set(this.rows);
    this.all.sort((a, b) => sign * compare(a, b) || a - b);
    this.rows = this.all.filter((row) => chosen.has(row));
    for (const other of this.table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    this.region.scrollTop = 0;
    this.render(true);
  }

  render(anew = false, most = 0) {
    const view = this.region.clientHeight || 500, height = (this.height ||= this.measured());
    const first = most ? 0 : Math.max(0, Math.floor(this.region.scrollTop / height) - SPARE);
    const last = Math.min(this.rows.length, most || first + Math.ceil(view / height) + 2 * SPARE);
    if (!anew && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    this.spaces[0].cells[0].style.height = `${first * height}px`;
    this.spaces[1].cells[0].style.height = most ? "0" : `${(this.rows.length - last) * height}px`;
    this.lines = this.rows.slice(first, last).map((row, place) => [row, this.line(row, first + place + 2)]);
    this.body.replaceChildren(this.spaces[0], ...this.lines.map(([, line]) => line), this.spaces[1]);
  }

  refresh() {
    for (const [row, line] of this.lines) {
      this.columns.forEach((column, place) => column.moves && this.write(line.cells[place], column, row));
      this.onRow?.(line, row);
    }
  }

  write(cell, column, row) {
    const text = String(column.text(row));
    if (cell.firstChild.textContent === text) return;
    cell.firstChild.textContent = text;
    column.fill?.(cell, row);
  }

  measured() {
    if (!this.rows.length) return 0;
    const line = this.line(this.rows[0], 2);
    this.body.append(line);
    const { height } = line.getBoundingClientRect();
    line.remove();
    return height || 34;
  }

  line(row, index) {
    const line = document.createElement("tr");
    line.setAttribute("aria-rowindex", index);
    this.columns.forEach((column, place) => {
      const cell = document.createElement(place === 1 ? "th" : "td");
      if (place === 1) cell.scope = "row";
      if (column.kind) cell.className = column.kind;
      cell.append(document.createElement(place === 1 ? "bdi" : "span"));
      this.write(cell, column, row);
      line.append(cell);
    });
    this.onRow?.(line, row);
    return line;
  }
}

// As the files that the command writes: no cell runs as a formula in a spreadsheet.
function csvCell(value) {
  let text = value === null || value === undefined ? "" : String(value);
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text))) text = "'" + text;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function download(name, heads, rows) {
  const text = [heads, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text, "\r\n"], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
}

function startTools(table, { keptNames, file, heads, csvRow }) {
  document.querySelector(".tools").hidden = false;
  $("search").addEventListener("input", () => {
    const count = table.search($("search").value);
    $("found").textContent = count === null ? "" : `${commas(count)} of ${commas(table.all.length)}`;
  });
  $("copy").addEventListener("click", () => copy(keptNames().join("\n"), $("copy")));
  $("download").addEventListener("click", () => download(file, heads, table.rows.map(csvRow)));
}
