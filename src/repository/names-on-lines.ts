import { firstIndex } from "../system/binary-search.ts";
import { languageOf } from "./languages/languages.ts";

/**
 * Returns the names of what a file defines on some of its lines: `open` of `Store.open`, and `Store`.
 *
 * @param lines sorted
 */
export function namesOnLines(path: string, text: string, lines: readonly number[]): string[] {
  const definitions = languageOf(path)?.read(text, path).definitions ?? [];
  const isOn = (from: number, to: number) => {
    const line = lines[firstIndex(lines, (each) => each >= from)];
    return line !== undefined && line <= to;
  };
  const names = definitions.flatMap(({ name, from, to }) =>
    isOn(from, to) ? name.split(".").slice(-1) : [],
  );
  return [...new Set(names)];
}
