import type { ReactElement } from "react";

const STROKES = "M4 18 12 6M8 18 16 6M12 18 20 6";

/** Shows the icon, three parallel strokes, in the colour of the surrounding text. */
export function Icon(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={STROKES} stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" fill="none" />
    </svg>
  );
}

/** The icon as a file. A browser tab has no text colour, but a dark or light scheme. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{stroke:#2139ca}@media(prefers-color-scheme:dark){path{stroke:#8e9efa}}</style><path d="${STROKES}" stroke-width="2.5" stroke-linecap="round" fill="none"/></svg>
`;
