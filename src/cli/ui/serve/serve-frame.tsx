import { Box } from "ink";
import { useEffect, useState } from "react";
import type { Clock } from "../../../system/clock.ts";
import type { Output } from "../../terminal/io.ts";
import { byteSize, count } from "../format.ts";
import { Text, useWrite } from "../ink.tsx";
import type { Measure, Traffic } from "./traffic.ts";
import { footerText, requestLine } from "./traffic-text.ts";

const FRAME_MS = 250;
const MEASURE_MS = 2000;

interface ServeFrameProps {
  output: Output;
  clock: Clock;
  traffic: Traffic;
  notes: string[];
  measure: Measure;
}

export function ServeFrame({ output, clock, traffic, notes, measure }: ServeFrameProps) {
  const write = useWrite();
  const [footer, setFooter] = useState("");
  const [measured, setMeasured] = useState<Awaited<ReturnType<Measure>>>();
  useEffect(
    () =>
      clock.every(FRAME_MS, () => {
        const { lines, skipped } = traffic.drain();
        const text = [
          ...notes.splice(0),
          ...(skipped > 0
            ? [output.style.dim(`  ${output.symbols.ellipsis} ${count(skipped, "more request")}`)]
            : []),
          ...lines.map((served) => requestLine(served, output)),
        ];
        if (text.length > 0) write(`${text.join("\n")}\n`);
        setFooter(footerText(traffic.rate(clock.now()), output));
      }),
    [clock, traffic, notes, output, write],
  );
  useEffect(() => {
    const look = () => void measure().then(setMeasured, () => {});
    look();
    return clock.every(MEASURE_MS, look);
  }, [clock, measure]);
  const dot = ` ${output.symbols.dot} `;
  return (
    <Box paddingLeft={2} marginTop={1}>
      <Text dimColor>
        {footer}
        {measured &&
          measured.devicesWaiting > 0 &&
          `${dot}${count(measured.devicesWaiting, "device")} waiting`}
        {measured && `${dot}store ${byteSize(measured.storeBytes)}`}
        {`${dot}ctrl+c stops`}
      </Text>
    </Box>
  );
}
