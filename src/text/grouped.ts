/**
 * Formats a number with the digits of its whole part in groups of three: `12,345`, `1,234.5`. Without Intl, whose first
 * use takes 10 ms.
 */
export function grouped(value: number): string {
  return String(value).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}
