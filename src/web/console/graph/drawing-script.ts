/**
 * The part of the console's script that moves and zooms drawings. They are drawn by changing the viewBox, and those that
 * are wider than the page can be scrolled as well.
 */
export const DRAWING_SCRIPT = `/* A drawing is moved by dragging or arrow keys, and made larger by its buttons, + and −, or the wheel with Ctrl. */
const zoomable = (frame) => {
  const svg = frame.querySelector("svg");
  const { x, y, width, height } = svg.viewBox.baseVal;
  const whole = { x, y, width, height };
  let box = { ...whole };
  const show = (next) => {
    box = next;
    svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].join(" "));
    frame.classList.toggle("zoomed", box.width < whole.width);
  };
  const zoom = (factor, at = [0.5, 0.5]) => {
    const width = Math.min(whole.width, Math.max(whole.width / 20, box.width / factor));
    if (width === whole.width) return show({ ...whole });
    const height = width * whole.height / whole.width;
    show({ x: box.x + (box.width - width) * at[0], y: box.y + (box.height - height) * at[1], width, height });
  };
  const move = (right, down) => show({ ...box, x: box.x + right, y: box.y + down });

  const larger = () => zoom(1.5);
  const smaller = () => zoom(1 / 1.5);
  const bar = document.createElement("p");
  bar.className = "zoom inline";
  for (const [text, name, press] of [["+", "Larger", larger], ["−", "Smaller", smaller], ["All", "All of the drawing", () => zoom(0)]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", press);
    bar.append(button);
  }
  frame.before(bar);

  /* One that is not zoomed is scrolled by the browser. */
  const STEPS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = box.width < whole.width ? STEPS[event.key] : undefined;
    if (step) move(step[0] * box.width, step[1] * box.height);
    else if (event.key === "+") larger();
    else if (event.key === "-") smaller();
    else return;
    event.preventDefault();
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top, width, height } = svg.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.25 : 0.8, [(event.clientX - left) / width, (event.clientY - top) / height]);
  }, { passive: false });
  let from;
  let moved = false;
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("pointerdown", ({ clientX, clientY, pointerType }) => {
    moved = false;
    if (box.width < whole.width || pointerType === "mouse") from = { clientX, clientY, box };
  });
  svg.addEventListener("pointermove", ({ clientX, clientY, pointerId }) => {
    if (!from) return;
    const scale = from.box.width / svg.getBoundingClientRect().width;
    const [right, down] = [clientX - from.clientX, clientY - from.clientY];
    if (!moved && Math.hypot(right, down) > 4) {
      moved = true;
      svg.setPointerCapture(pointerId);
    }
    if (moved) show({ ...from.box, x: from.box.x - right * scale, y: from.box.y - down * scale });
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, () => { from = undefined; });
  }
  svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);

  /* Where it is wider than the page, what it is about is in view: the entity, or the one with most relationships. */
  const { left, width: shown } = frame.getBoundingClientRect();
  const about = (svg.querySelector(".around") ?? svg.querySelector("circle")).getBoundingClientRect();
  frame.scrollLeft += about.left + about.width / 2 - left - shown / 2;
};`;
