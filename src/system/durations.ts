/** Durations, in milliseconds or in seconds as their names say. A day has 24 hours. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_S = 24 * 60 * 60;
