/** A range of token indexes: `from` is inclusive, `to` exclusive. */
export interface Range {
  from: number;
  to: number;
}
