// The page of a selection: what every cut explains, who stands for whom, and where features lie.
const image = JSON.parse($("image").textContent);
const constant = new Set(known.constant);
const CHIPS = 24, ALIKE = 70, DOTS = 300, PLACES = 500;
for (const [lists, step] of [[known.near, 2], [known.reached, 1]]) {
  for (const list of lists) for (let at = step; at < list.length; at += step) list[at] += list[at - step];
}
const seen = known.explained.length;
const percent = (thousandths) => `${(thousandths / 10).toFixed(1)} %`;

function ordinal(number) {
  const teen = number % 100 >= 10 && number % 100 <= 20;
  return commas(number) + ((!teen && { 1: "st", 2: "nd", 3: "rd" }[number % 10]) || "th");
}

function verdict(number) {
  if (number > seen) {
    return `${commas(number)} features kept; the first ${commas(seen)} of them explain ` +
      `${percent(known.explained[seen - 1])} of the variance of all.`;
  }
  const these = number === 1 ? "1 feature explains" : `${commas(number)} features explain`;
  return `${these} ${percent(known.explained[number - 1])} of the variance of all; ` +
    `no ${commas(number)} can explain more than ${percent(known.ceiling[number - 1])}.`;
}

// The kept feature nearest to another one, as [its rank, the correlation in percent].
function nearest(row) {
  const pairs = known.near[row];
  let found = [0, 0];
  for (let at = 0; at < pairs.length && pairs[at] <= cut; at += 2) found = [pairs[at], pairs[at + 1]];
  return found;
}

const explained = (row) => 10 * known.reached[row].filter((number) => number <= cut).length;

function reason(row) {
  if (row < cut) return `kept, chosen ${ordinal(row + 1)}`;
  if (constant.has(row)) return "constant";
  if (row >= known.eligible) return "excluded, or one of its group comes first";
  const [rank, r] = nearest(row), share = explained(row);
  const whom = rank ? `${known.names[rank - 1]}, chosen ${ordinal(rank)}` : "";
  if (Math.abs(r) === 100) return `copy of ${whom}${r < 0 ? ", with the opposite sign" : ""}`;
  if (Math.abs(r) >= ALIKE) return `${(r / 100).toFixed(2)} like ${whom}`;
  if (share >= ALIKE) return `at least ${share} % explained by the kept together`;
  if (known.scores[row] === 0) return "below the noise: no score";
  return rank ? `came later; ${(r / 100).toFixed(2)} like ${known.names[rank - 1]}` : "came later";
}

const shares = (() => {
  const finite = known.scores.filter((score) => score !== null);
  const low = finite.reduce((a, b) => Math.min(a, b), 0), high = finite.reduce((a, b) => Math.max(a, b), low);
  return known.scores.map((score) => (score === null || high === low ? 0 : (score - low) / (high - low)));
})();

const columns = [
  { number: true, value: (row) => row, text: (row) => commas(row + 1) },
  { value: (row) => known.names[row], text: (row) => known.names[row], fill: (cell, row) => { cell.title = known.names[row]; } },
  {
    number: true, kind: "score", value: (row) => known.scores[row],
    text: (row) => (known.scores[row] === null ? "none" : Number(known.scores[row].toPrecision(4))),
    fill: (cell, row) => cell.style.setProperty("--share", shares[row].toFixed(3)),
  },
  ...(known.stability
    ? [{ number: true, value: (row) => known.stability[row], text: (row) => `${known.stability[row]} %`, kind: "stable" }]
    : []),
  { number: true, moves: true, kind: "share", value: explained, text: (row) => (row < cut || constant.has(row) ? "" : `${explained(row)} %`) },
  {
    moves: true, kind: "why", value: reason, text: reason,
    fill: (cell) => { cell.title = cell.textContent; },
  },
];

const table = new LongTable($("all"), columns, known.names.length, {
  nameOf: (row) => known.names[row],
  onRow: (line, row) => line.classList.toggle("kept", row < cut),
});

startTools(table, {
  keptNames: () => known.names.slice(0, cut),
  file: "features.csv",
  heads: ["rank", "feature", "column", "score", ...(known.stability ? ["stability_percent"] : []),
    "kept", "closest", "correlation", "explained_percent_at_least", "reason"],
  csvRow: (row) => {
    const [rank, r] = nearest(row);
    return [row + 1, known.names[row], known.columns[row], known.scores[row],
      ...(known.stability ? [known.stability[row]] : []), row < cut, rank ? known.names[rank - 1] : null,
      rank ? r / 100 : null, explained(row), reason(row)];
  },
});

function showChips(number) {
  const list = $("kept"), chips = known.names.slice(0, Math.min(number, CHIPS)).map((name) => {
    const item = document.createElement("li"), text = document.createElement("bdi");
    text.textContent = name;
    item.append(text);
    return item;
  });
  if (number > CHIPS) {
    const more = document.createElement("li"), link = document.createElement("a");
    more.className = "more";
    link.href = "#features";
    link.textContent = `${commas(number - CHIPS)} more`;
    more.append(link);
    chips.push(more);
  }
  list.replaceChildren(...chips);
}

// The border between the kept pixels and the others.
function outline(number) {
  const { columns: width, ranks } = image, height = ranks.length / width, pieces = [];
  const inside = (row, column) =>
    row >= 0 && column >= 0 && row < height && column < width && ranks[row * width + column] <= number;
  for (let row = 0; row <= height; row++) {
    for (let column = 0; column <= width; column++) {
      const here = inside(row, column);
      if (here !== inside(row - 1, column)) pieces.push(`M${column} ${row}h1`);
      if (here !== inside(row, column - 1)) pieces.push(`M${column} ${row}v1`);
    }
  }
  return pieces.join("") || "M0 0";
}

function placed(group, number) {
  const { bottom, top, height, count } = group.dataset, tall = Number(height);
  const at = (row) => {
    const share = ((known.scores[row] ?? Number(bottom)) - bottom) / (top - bottom);
    return [(WIDTH * (known.columns[row] + 0.5)) / count, tall * (1 - share)];
  };
  const highest = new Map(), dots = [];
  for (let row = 0; row < Math.min(number, known.names.length); row++) {
    const [x, y] = at(row), place = Math.floor((x * PLACES) / WIDTH);
    if (!(highest.get(place)?.[1] <= y)) highest.set(place, [x, y]);
    if (row < DOTS) {
      const dot = document.createElementNS(SVG, "path");
      dot.setAttribute("d", `M${x.toFixed(1)} ${y.toFixed(1)}h0`);
      dot.setAttribute("class", "dot selected");
      dot.dataset.tip = `Column ${known.columns[row]}: ${known.names[row]}\n${known.scores[row]}`;
      dots.push(dot);
    }
  }
  const stems = document.createElementNS(SVG, "path");
  stems.setAttribute("class", "stem selected");
  stems.setAttribute("d", [...highest.values()].map(([x, y]) => `M${x.toFixed(1)} ${tall}V${y.toFixed(1)}`).join("") || "M0 0");
  group.replaceChildren(stems, ...dots);
}

listeners.push((number) => {
  $("verdict").textContent = verdict(number);
  $("cut").setAttribute("aria-valuetext", verdict(number));
  showChips(number);
  table.refresh();
  if (image) {
    const border = outline(number);
    for (const path of document.querySelectorAll(".grid .outline")) path.setAttribute("d", border);
  }
  const group = document.querySelector("g.kept");
  if (group) placed(group, number);
});
startCut();
setCut(known.selected);
