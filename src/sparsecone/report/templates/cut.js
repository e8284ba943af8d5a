// The cut: how many of the first features are kept. Slider, number and charts move it together.
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const commas = (number) => number.toLocaleString("en-US");
const listeners = [];
let cut = known.selected;

// Groups that are kept as a whole leave out some numbers: the largest one below is taken.
function allowed(wanted) {
  const number = Math.min(Math.max(Math.round(wanted), known.least), known.most);
  if (!known.sizes) return number;
  return known.sizes.findLast((size) => size <= number) ?? known.least;
}

function setCut(wanted) {
  if (!Number.isFinite(wanted)) return;
  cut = allowed(wanted);
  $("cut").value = cut;
  // The slider tells its value itself: nothing is said twice.
  $("verdict").setAttribute("aria-live", document.activeElement === $("cut") ? "off" : "polite");
  if (document.activeElement !== $("number")) $("number").value = cut;
  $("reset").hidden = cut === known.selected;
  for (const listener of listeners) listener(cut);
}

function moveCut(plot, number) {
  const low = Number(plot.dataset.low), high = Number(plot.dataset.high);
  const at = Math.min((number - low) / (high - low), 1);
  plot.querySelector(".cut").setAttribute("transform", `translate(${(WIDTH * at).toFixed(1)})`);
  const note = plot.querySelector(".note.moving");
  note.textContent = number > high ? `${commas(number)} kept, beyond` : `${commas(number)} kept`;
  note.setAttribute("x", `${100 * at}%`);
  note.setAttribute("dx", at <= 0.6 ? 6 : -6);
  note.setAttribute("text-anchor", at <= 0.6 ? "start" : "end");
  plot.querySelector("svg.kept")?.setAttribute("width", WIDTH * at);
  plot.bars ??= plot.querySelectorAll(".bar");
  plot.bars.forEach((bar, place) => bar.classList.toggle("selected", place < number));
}

function startCut() {
  const range = $("cut"), number = $("number");
  for (const input of [range, number]) {
    input.min = known.least;
    input.max = known.most;
    input.addEventListener("input", () => input.value && setCut(Number(input.value)));
  }
  number.addEventListener("change", () => { number.value = cut; });
  $("reset").addEventListener("click", () => { setCut(known.selected); range.focus(); });
  document.querySelector(".cut-controls").hidden = known.least === known.most;
  for (const plot of document.querySelectorAll(".exploring .plot[data-low]")) {
    listeners.push((wanted) => moveCut(plot, wanted));
    const body = plot.querySelector("svg");
    plot.classList.add("clickable");
    plot.addEventListener("click", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(body.getScreenCTM().inverse());
      const low = Number(plot.dataset.low), high = Number(plot.dataset.high);
      const place = low + (at.x / WIDTH) * (high - low);
      setCut(low === 0 ? Math.ceil(place) : place);
    });
  }
}
