"use strict";
// Everything can be read without this script: it adds what the pointer shows, the slider, search,
// sorting, copying and the download.
const $ = (id) => document.getElementById(id);
const known = JSON.parse($("data").textContent);
const tip = $("tip");

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
