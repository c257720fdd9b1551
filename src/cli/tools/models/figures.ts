/** Formats a number of tokens as `128 k` or `1 M`; a question mark if it is unknown. */
export function tokens(value: number | undefined): string {
  if (value === undefined) return "?";
  if (value < 1000) return String(value);
  return value < 999_500 ? `${Math.round(value / 1000)} k` : `${Math.round(value / 10_000) / 100} M`;
}

/** Formats an amount with three significant digits: `0.15`, `0.000021`. */
export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return "?";
  const digits = Number(value.toPrecision(3));
  return digits !== 0 && Math.abs(digits) < 1e-6 ? digits.toFixed(12).replace(/0+$/, "") : String(digits);
}
