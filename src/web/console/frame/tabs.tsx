import type { ReactElement } from "react";

/** One of the views that a page offers. */
export interface Tab {
  title: string;
  href: string;
  isCurrent: boolean;
}

/** A row of links, one of which is current; shows nothing if there is no choice. */
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
