export { byteSize, count, duration, number, relativeTime, span, wait } from "../../text/amounts.ts";

/** Formats a countdown: `14:32`, `1:02:03`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const padded = (part: number) => String(part).padStart(2, "0");
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}`
    : `${minutes}:${padded(seconds % 60)}`;
}

/** Lists at most `most` names: `a, b and 3 more`. */
export function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the lines of all groups, with an empty line between two groups. */
export function spaced(groups: readonly (readonly string[])[]): string[] {
  return groups.flatMap((lines, index) => (index > 0 ? ["", ...lines] : lines));
}
