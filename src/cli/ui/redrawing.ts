import { useStdout } from "ink";
import { useEffect, useState } from "react";
import type { Clock } from "../../system/clock.ts";

/** Ten times a second is the most that anything is redrawn; a spinner needs less. */
const FRAME_MS = 125;

export function useTick(clock: Clock): number {
  const [tick, setTick] = useState(0);
  useEffect(() => clock.every(FRAME_MS, () => setTick((count) => count + 1)), [clock]);
  return tick;
}

/** Draws anew at once when the terminal changes its size. */
export function useResize(): void {
  const { stdout } = useStdout();
  const [, redraw] = useState(0);
  useEffect(() => {
    const resized = () => redraw((count) => count + 1);
    stdout.on("resize", resized);
    return () => {
      stdout.off("resize", resized);
    };
  }, [stdout]);
}
