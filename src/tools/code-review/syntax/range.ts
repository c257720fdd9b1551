/** Tokens from `from` on, up to but without `to`. */
export interface Range {
  from: number;
  to: number;
}
