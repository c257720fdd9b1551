export type Point = number | { at: string | number; value: number };
/** By name, as a file has them: before the engine has looked at them. */
export type Metrics = Record<string, Point[]>;
