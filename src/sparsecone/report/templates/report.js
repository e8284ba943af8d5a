"use strict";
// Everything can be read without this script: it adds what the pointer shows, search and sorting.
const tip = document.getElementById("tip");

function showTip(text, event) {
  tip.textContent = text;
  tip.hidden = !text;
  const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const above = event.clientY - tip.offsetHeight - 12;
  tip.style.left = Math.max(8, left) + "px";
  tip.style.top = (above > 8 ? above : event.clientY + 16) + "px";
}

// A grid keeps its values in one attribute; the cell follows from the place of the pointer.
function cellText(grid, event) {
  const columns = Number(grid.dataset.columns);
  grid.cells ??= grid.dataset.values.split(" ");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(grid.getScreenCTM().inverse());
  const row = Math.floor(at.y), column = Math.floor(at.x);
  const value = grid.cells[row * columns + column];
  if (row < 0 || column < 0 || column >= columns || value === undefined) return "";
  const side = Number(grid.dataset.side);
  if (side) return `row ${side * row}, column ${side * column}\n${grid.dataset.what} ${value}`;
  grid.names ??= JSON.parse(grid.dataset.names);
  return `${grid.names[row]}\n${grid.names[column]}\n${grid.dataset.what} ${value}`;
}

document.addEventListener("pointermove", (event) => {
  const mark = event.target.closest("[data-tip], [data-values]");
  if (!mark) tip.hidden = true;
  else showTip(mark.dataset.tip ?? cellText(mark, event), event);
});
document.addEventListener("pointerleave", () => { tip.hidden = true; });

const table = document.getElementById("features");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const search = document.getElementById("search");
const found = document.getElementById("found");
const nameOf = (row) => row.cells[1].title || row.cells[1].textContent;

search.hidden = false;
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    row.hidden = !nameOf(row).toLowerCase().includes(wanted);
    count += !row.hidden;
  }
  found.textContent = wanted ? `${count} of ${rows.length}` : "";
});

function sortBy(head) {
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  const sign = ascending ? 1 : -1;
  const numeric = head.dataset.sort === "number";
  const text = (row) => (head.cellIndex === 1 ? nameOf(row) : row.cells[head.cellIndex].textContent);
  const compare = numeric
    ? (a, b) => parseFloat(text(a)) - parseFloat(text(b))
    : (a, b) => text(a).localeCompare(text(b), undefined, { numeric: true });
  rows.sort((a, b) => sign * compare(a, b));
  body.append(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
}

for (const head of table.tHead.rows[0].cells) {
  head.tabIndex = 0;
  head.addEventListener("click", () => sortBy(head));
  head.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      sortBy(head);
    }
  });
}
