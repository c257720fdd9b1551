import { useStdout } from "ink";
import { useEffect, useState } from "react";
import type { Clock } from "../../system/clock.ts";

/** Eight frames a second; at most ten are allowed anywhere. */
const FRAME_MS = 125;

export function useTick(clock: Clock): number {
  const [tick, setTick] = useState(0);
  useEffect(() => clock.every(FRAME_MS, () => setTick((count) => count + 1)), [clock]);
  return tick;
}

/** Redraws at once when the terminal's size changes. */
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
