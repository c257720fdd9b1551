import { Fragment, type ReactElement } from "react";
import type { RestoredStack } from "../../../tools/observability/source-maps/contract.ts";

/** Shows an error's stack. Frames restored by source maps have their surrounding lines. */
export function Stack(props: { stack: string; restored?: RestoredStack | undefined }): ReactElement {
  const { stack, restored } = props;
  if (!restored) {
    return (
      <>
        <h3>Stack</h3>
        <Text>{stack}</Text>
      </>
    );
  }
  const frames = new Map(restored.frames.map((frame) => [frame.at, frame]));
  return (
    <>
      <h3>Stack</h3>
      {restored.stack.split("\n").map((line, index) => {
        const source = frames.get(index)?.source;
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame is identified by its position
        if (!source) return <Fragment key={index}>{line !== "" && <Text>{line}</Text>}</Fragment>;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a frame is identified by its position
          <details key={index} open={index === restored.frames[0]?.at}>
            <summary>
              <code className="small">{line.trim()}</code>
            </summary>
            <Source from={source.from} lines={source.lines} line={frames.get(index)?.line ?? 0} />
          </details>
        );
      })}
      <details>
        <summary>As it was reported</summary>
        <Text>{stack}</Text>
      </details>
    </>
  );
}

function Source(props: { from: number; lines: readonly string[]; line: number }): ReactElement {
  const { from, lines, line } = props;
  const width = String(from + lines.length).length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className="scroll small" tabIndex={0}>
      {lines.map((text, index) => {
        const number = from + index;
        const shown = `${number === line ? ">" : " "} ${String(number).padStart(width)}  ${text}\n`;
        return number === line ? <strong key={number}>{shown}</strong> : shown;
      })}
    </pre>
  );
}

function Text({ children }: { children: string }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className="scroll small" tabIndex={0}>
      {children}
    </pre>
  );
}
