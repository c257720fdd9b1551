/** A store that was moved aside. */
export interface SetAside {
  /** Where it is now, for messages; undefined if there was none. */
  name?: string;
  /** Removes what replaced it, and moves it back. */
  putBack(): Promise<void>;
}
