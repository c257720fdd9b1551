import type { ReactElement, ReactNode } from "react";

/** Shows the subset of Markdown that declarations use: paragraphs, lists and `code`. */
export function Prose({ children }: { children: string }): ReactElement {
  return (
    <>
      {children.split(/\n{2,}/).map((block, index) => {
        const lines = block.split("\n");
        const from = lines.findIndex((line) => line.startsWith("- "));
        const [before, items] = from < 0 ? [lines, []] : [lines.slice(0, from), lines.slice(from)];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once, so nothing moves
          <div key={index} className="stack tight">
            {before.length > 0 && <p>{inline(before.join(" "))}</p>}
            {items.length > 0 && (
              <ul className="bullets">
                {items.map((item) => (
                  <li key={item}>{inline(item.replace(/^- /, ""))}</li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </>
  );
}

export function inline(text: string): ReactNode[] {
  return (
    text
      .split("`")
      // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once, so nothing moves
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
  );
}
