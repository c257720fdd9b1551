import type { ReactElement } from "react";

/** One of a few ways to look at a page. */
export interface Tab {
  title: string;
  href: string;
  isCurrent: boolean;
}

/** Links in a row, of which one is where the reader is; nothing where there is no choice. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactElement | null {
  if (tabs.length < 2) return null;
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ title, href, isCurrent }) => (
        <a key={title} className="target" href={href} aria-current={isCurrent ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
