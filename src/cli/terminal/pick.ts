import { emitKeypressEvents, type Key } from "node:readline";
import type { Choice } from "../choice-sources.ts";
import { CLEAR_BELOW, LINE_UP } from "../ui/terminal-text.ts";
import { shorten } from "../ui/width.ts";
import type { Io } from "./io.ts";

const MAX_ROWS = 10;
/** The lines around the choices: question, hint, the line of the cursor. */
const FRAME_ROWS = 3;

/** The state of a list of choices. */
export interface Picker {
  typed: string;
  at: number;
}

/**
 * Lets the user choose: arrows move, letters filter, Enter selects. Returns undefined if they press Esc or
 * Ctrl-C, or the program is interrupted.
 */
export async function pick(
  io: Io,
  question: string,
  choices: readonly Choice[],
): Promise<string | undefined> {
  const { stream } = io.input;
  const picker: Picker = { typed: "", at: 0 };
  let drawn = 0;
  const erase = () => {
    io.err.relay(`\r${LINE_UP.repeat(drawn)}${CLEAR_BELOW}`);
    drawn = 0;
  };
  const draw = () => {
    erase();
    const lines = pickerLines(picker, question, choices, io.err);
    for (const line of lines) io.err.line(line);
    drawn = lines.length;
  };
  emitKeypressEvents(stream);
  stream.setRawMode?.(true);
  stream.resume();
  try {
    return await new Promise((resolve) => {
      const hear = (text: string | undefined, key: Key) => {
        const picked = press(picker, choices, text, key);
        if (picked === undefined) return draw();
        stream.off("keypress", hear);
        resolve(picked === false ? undefined : picked);
      };
      stream.on("keypress", hear);
      stream.once("end", () => resolve(undefined));
      io.interrupted.addEventListener("abort", () => resolve(undefined), { once: true });
      draw();
    });
  } finally {
    erase();
    stream.setRawMode?.(false);
    stream.pause();
  }
}

/** Updates the picker for a key. Returns the selected choice, or false if the user cancels. */
export function press(
  picker: Picker,
  choices: readonly Choice[],
  text: string | undefined,
  { name, ctrl }: Pick<Key, "name" | "ctrl">,
): string | false | undefined {
  if (name === "escape" || (ctrl && (name === "c" || name === "d"))) return false;
  const left = matching(choices, picker.typed);
  if (name === "return" || name === "enter") return left[picker.at]?.value;
  if (name === "up") picker.at = Math.max(0, picker.at - 1);
  else if (name === "down") picker.at = Math.min(Math.max(0, left.length - 1), picker.at + 1);
  else if (name === "backspace") retype(picker, picker.typed.slice(0, -1));
  else if (!ctrl && text !== undefined && /^[^\p{Control}]$/u.test(text)) retype(picker, picker.typed + text);
  return undefined;
}

function retype(picker: Picker, typed: string): void {
  picker.typed = typed;
  picker.at = 0;
}

export function pickerLines(
  { typed, at }: Picker,
  question: string,
  choices: readonly Choice[],
  output: Io["err"],
): string[] {
  const { style, symbols, columns, rows } = output;
  const room = Math.max(1, Math.min(MAX_ROWS, rows - FRAME_ROWS));
  const left = matching(choices, typed);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), left.length - room));
  const shown = left.slice(first, first + room);
  const line = (text: string) => shorten(`  ${text}`, columns - 1, symbols.ellipsis);
  const more = left.length - shown.length;
  return [
    line(`${style.bold(question)} ${typed === "" ? style.dim("type to narrow down") : style.cyan(typed)}`),
    ...shown.map(({ value, description }, index) => {
      const isAt = first + index === at;
      const name = isAt ? style.cyan(`${symbols.pointer} ${value}`) : `  ${value}`;
      return line(description === "" ? name : `${name}  ${style.dim(description)}`);
    }),
    ...(left.length === 0 ? [line(style.yellow("  Nothing matches."))] : []),
    line(style.dim(`${more > 0 ? `${more} more, ` : ""}enter takes, esc cancels`)),
  ];
}

function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const part = typed.toLowerCase();
  return choices.filter(({ value, description }) => `${value} ${description}`.toLowerCase().includes(part));
}
