import { Text as InkText, render, type TextProps, useStdout } from "ink";
import { Children, type ReactElement, useCallback } from "react";
import type { Output } from "../terminal/io.ts";
import { LINE_UP, withEscapes } from "./terminal-text.ts";

/**
 * The interface to Ink. Ink writes to the terminal itself, so control characters are replaced here before text is
 * drawn, as `Output` does for all other text.
 */

export interface Drawing {
  rerender(frame: ReactElement): void;
  /** Stops, and leaves the frame on the screen. */
  unmount(): void;
  /** Stops, and erases the frame. */
  erase(): void;
}

/** Draws a frame live, at most ten times a second. */
export function draw(frame: ReactElement, output: Output): Drawing {
  const stdout = output.stream;
  // Where a terminal does not tell its size, Ink would draw one column, and clear all that it shows before each frame.
  stdout.columns ||= output.columns;
  stdout.rows ||= output.rows;
  const { rerender, unmount } = render(frame, {
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 10,
  });
  return {
    rerender,
    unmount,
    erase() {
      // Ink draws the pending frame when it ends. That is empty now and leaves one line.
      rerender(null);
      unmount();
      stdout.write(LINE_UP);
    },
  };
}

export function Text({ children, ...props }: TextProps) {
  return (
    <InkText {...props}>
      {Children.map(children, (child) => (typeof child === "string" ? withEscapes(child) : child))}
    </InkText>
  );
}

/** Returns a function that writes permanent lines above the frame. */
export function useWrite(): (text: string) => void {
  const { write } = useStdout();
  return useCallback((text) => write(withEscapes(text)), [write]);
}
