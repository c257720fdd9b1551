/** A duration as one whole number and its unit: `45 s`, `12 min`, `3 h`, `6 days`. Rounds down. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? "1 day" : `${days} days`;
}

/** Digits in groups of three: `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
