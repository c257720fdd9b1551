/** Ends a part that goes on by itself. */
export type End = () => unknown;

/** Starts several parts. If one fails, those that have begun are ended. @param start notes in `ends` how. */
export async function allOrNone<T>(start: (ends: End[]) => Promise<T>): Promise<T> {
  const ends: End[] = [];
  try {
    return await start(ends);
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

/** Ends several parts at the same time. */
export async function endAll(ends: readonly End[]): Promise<void> {
  await Promise.all(ends.map((end) => end()));
}
