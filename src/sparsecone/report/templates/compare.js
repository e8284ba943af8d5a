// The page of a comparison: every method cut at the same number of features.
const { methods, ranks } = known;
const rowsOf = (id) => Array.from($(id).tBodies[0].rows);
const isKept = (method, row) => ranks[method][row] <= cut;
const keepers = (row) => methods.reduce((count, _, method) => count + isKept(method, row), 0);
const percent = (thousandths) => `${(thousandths / 10).toFixed(1)} %`;

function common(first, second) {
  let count = 0;
  for (let row = 0; row < known.names.length; row++) count += isKept(first, row) && isKept(second, row);
  return count / cut;
}

function verdict() {
  const shares = known.explained.map((curve) => curve[cut - 1]), most = Math.max(...shares);
  return `With ${commas(cut)} ${cut === 1 ? "feature" : "features"} ${methods[shares.indexOf(most)]} explains most, ` +
    `${percent(most)} of the variance of all; no ${commas(cut)} can explain more than ${percent(known.ceiling[cut - 1])}.`;
}

const columns = [
  { number: true, moves: true, value: (row) => keepers(row), text: (row) => `${keepers(row)} of ${methods.length}` },
  { value: (row) => known.names[row], text: (row) => known.names[row], fill: (cell, row) => { cell.title = known.names[row]; } },
  ...methods.map((_, method) => ({ number: true, value: (row) => ranks[method][row], text: (row) => commas(ranks[method][row]) })),
];

const table = new LongTable($("all"), columns, known.names.length, {
  nameOf: (row) => known.names[row],
  onRow: (line, row) => {
    line.classList.toggle("kept", keepers(row) > 0);
    methods.forEach((_, method) => line.cells[method + 2].classList.toggle("taken", isKept(method, row)));
  },
});

startTools(table, {
  keptNames: () => known.names.filter((_, row) => keepers(row) === methods.length),
  file: "comparison.csv",
  heads: ["feature", "column", "kept_by", ...methods.map((name) => `rank_${name}`)],
  csvRow: (row) => [known.names[row], known.columns[row], keepers(row), ...ranks.map((rank) => rank[row])],
});

listeners.push(() => {
  $("verdict").textContent = verdict();
  $("cut").setAttribute("aria-valuetext", verdict());
  rowsOf("compared").forEach((line, method) => {
    const share = known.explained[method][cut - 1];
    line.cells[1].textContent = percent(share);
    line.cells[1].style.setProperty("--share", share / 1000);
    line.cells[2].textContent = `${Math.round(100 * common(0, method))} %`;
  });
  rowsOf("common").forEach((line, first) => methods.forEach((_, second) => {
    const share = common(first, second), cell = line.cells[second + 1];
    cell.textContent = `${Math.round(100 * share)} %`;
    cell.style.setProperty("--share", share);
  }));
  table.refresh();
});
startCut();
setCut(known.selected);
