/** The time of an operation on a store by the number of documents, as a multiple of that with the fewest. */
export interface Line {
  store: string;
  operation: string;
  points: { documents: number; multiple: number }[];
}

const WIDTH = 720;
const PANEL = { left: 52, top: 44, width: 280, height: 190 };
const GAP = 64;
const COLOURS = ["#2563eb", "#d97706", "#059669", "#9333ea"];
/** The highest multiple on the axis. */
const TOP = 2;

/** Draws an SVG with a panel for each store and a line for each operation. */
export function picture(lines: readonly Line[]): string {
  const stores = [...new Set(lines.map(({ store }) => store))];
  const panels = stores.map((store, index) =>
    panel(
      lines.filter((line) => line.store === store),
      store,
      index,
    ),
  );
  const height = PANEL.top + PANEL.height + 64;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>How long one operation takes, as a multiple of what it takes with ${stores.length > 0 ? label(lines[0]?.points[0]?.documents ?? 0) : 0} documents</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${panels.join("\n")}
</svg>
`;
}

function panel(lines: readonly Line[], store: string, index: number): string {
  const left = PANEL.left + index * (PANEL.width + GAP);
  const { top, width, height } = PANEL;
  const all = lines.flatMap(({ points }) => points.map(({ documents }) => Math.log10(documents)));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x = (documents: number) => left + ((Math.log10(documents) - least) / (most - least || 1)) * width;
  const y = (multiple: number) => top + height - (Math.min(multiple, TOP) / TOP) * height;
  const grid = [0, 0.5, 1, 1.5, 2].map(
    (multiple) =>
      `<line x1="${left}" x2="${left + width}" y1="${y(multiple)}" y2="${y(multiple)}" stroke="#e5e7eb"/>` +
      `<text x="${left - 8}" y="${y(multiple) + 4}" text-anchor="end" fill="#4b5563">${multiple} ×</text>`,
  );
  const ticks = [...new Set(lines.flatMap(({ points }) => points.map(({ documents }) => documents)))].map(
    (documents) =>
      `<text x="${x(documents)}" y="${top + height + 18}" text-anchor="middle" fill="#4b5563">${label(documents)}</text>`,
  );
  const drawn = lines.map(({ operation, points }, at) => {
    const path = points.map(
      ({ documents, multiple }) => `${x(documents).toFixed(1)},${y(multiple).toFixed(1)}`,
    );
    const legend = left + at * 72;
    return (
      `<polyline points="${path.join(" ")}" fill="none" stroke="${COLOURS[at]}" stroke-width="2"/>` +
      `<rect x="${legend}" y="${top + height + 34}" width="10" height="10" fill="${COLOURS[at]}"/>` +
      `<text x="${legend + 14}" y="${top + height + 43}" fill="#111827">${operation}</text>`
    );
  });
  const title = `<text x="${left}" y="24" font-size="14" font-weight="600" fill="#111827">${store}, by documents</text>`;
  return [title, ...grid, ...ticks, ...drawn].join("\n");
}

function label(documents: number): string {
  return documents >= 1e6
    ? `${documents / 1e6} M`
    : documents >= 1000
      ? `${documents / 1000} k`
      : `${documents}`;
}
