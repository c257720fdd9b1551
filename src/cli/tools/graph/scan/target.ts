/** What an import leads to; `missing` is a file that is named and not there. */
export type Target =
  | { kind: "file"; id: string }
  | { kind: "package"; id: string; name: string }
  | { kind: "missing"; specifier: string };
