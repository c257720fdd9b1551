import { Text as InkText, render, type TextProps, useStdout } from "ink";
import { Children, type ReactElement, useCallback } from "react";
import type { Output } from "../terminal/io.ts";
import { LINE_UP, rendered } from "./terminal-text.ts";

/**
 * Ink as the frames use it. It writes what it draws by itself, so that what others wrote is made harmless
 * here on its way in, as `Output` does for everything else.
 */

export interface Drawing {
  rerender(frame: ReactElement): void;
  /** Ends with the frame as it stands. */
  unmount(): void;
  /** Ends with nothing left of the frame. */
  erase(): void;
}

/** Draws a frame live, at most ten times a second. */
export function draw(frame: ReactElement, output: Output): Drawing {
  const { rerender, unmount } = render(frame, {
    stdout: output.stream,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 10,
  });
  return {
    rerender,
    unmount,
    erase() {
      // Ink draws what still waits to be drawn as it ends: that is nothing now, in a line of its own.
      rerender(null);
      unmount();
      output.stream.write(LINE_UP);
    },
  };
}

export function Text({ children, ...props }: TextProps) {
  return (
    <InkText {...props}>
      {Children.map(children, (child) => (typeof child === "string" ? rendered(child) : child))}
    </InkText>
  );
}

/** What writes lines that stay, above the frame. */
export function useWrite(): (text: string) => void {
  const { write } = useStdout();
  return useCallback((text) => write(rendered(text)), [write]);
}
