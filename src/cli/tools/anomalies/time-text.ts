const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
export const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?) ?(Z|UTC|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/** As the engine takes it: a number, or ISO 8601 with what people leave out or write otherwise. */
export function timeOf(text: string): number | string | undefined {
  if (NUMBER.test(text)) return Number(text);
  const [, day, clock = "00:00", zone = ""] = TIME.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const offset = zone === "UTC" ? "Z" : zone.length === 3 ? `${zone}:00` : zone;
  return `${day}T${clock.replace(",", ".")}${offset}`;
}

/** No 30th of February, which would roll over. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
