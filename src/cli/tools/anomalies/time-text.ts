const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
export const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?) ?(Z|UTC|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/** Converts a time to the engine's form: a number or complete ISO 8601. Undefined if the text is no time. */
export function timeOf(text: string): number | string | undefined {
  if (NUMBER.test(text)) return Number(text);
  const [, day, clock = "00:00", zone = ""] = TIME.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const offset = zone === "UTC" ? "Z" : zone.length === 3 ? `${zone}:00` : zone;
  const padded = clock.indexOf(":") === 1 ? `0${clock}` : clock;
  return `${day}T${padded.replace(",", ".")}${offset}`;
}

/** Whether a date exists. `Date.parse` would roll 30 February over to March. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
