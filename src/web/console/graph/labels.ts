interface Circle {
  node: { name: string };
  x: number;
  y: number;
  radius: number;
}

export interface Label {
  name: string;
  x: number;
  y: number;
  /** Whether the text ends at this point instead of starting there. */
  end: boolean;
}

const MAX_LABELS = 60;
const MAX_LENGTH = 28;
/** The size of text, in units of the drawing. A letter is about half as wide as high. */
const HEIGHT = 28;
const LETTER = 14.5;

/** Returns labels for as many circles as possible without overlaps. Earlier circles take precedence. */
export function labelsOf(circles: readonly Circle[], width: number): Label[] {
  const boxes: { left: number; right: number; top: number; bottom: number }[] = [];
  const labels: Label[] = [];
  for (const { node, x, y, radius } of circles) {
    if (labels.length === MAX_LABELS) break;
    const name = shortened(node.name);
    const length = name.length * LETTER;
    const end = x + radius + length > width;
    const left = end ? x - radius - 6 - length : x + radius + 6;
    const box = { left, right: left + length, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
    const covers = boxes.some(
      (other) =>
        box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
    );
    if (covers || left < 0) continue;
    boxes.push(box);
    labels.push({ name, x: Math.round(end ? x - radius - 6 : left), y: y + 8, end });
  }
  return labels;
}

/** Shortens a name. Of a path, the end is kept, which says more. */
function shortened(name: string): string {
  if (name.length <= MAX_LENGTH) return name;
  return name.includes("/")
    ? `…${name.slice(1 - MAX_LENGTH).toWellFormed()}`
    : `${name.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
