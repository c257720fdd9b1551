/**
 * Runs a named pure function on another thread: what can compute for longer than 50 ms must not stall
 * the rest. Input and output are structured clones. Rejects with what the function threw, or with
 * `Problem` `overloaded` where no thread gets to it in time.
 */
export type Compute = <Output>(task: string, input: unknown) => Promise<Output>;
