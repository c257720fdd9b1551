import { UnexpectedAnswer } from "./errors.ts";

/** One event of a stream (HTML §9.2, server-sent events), with `data` parsed from JSON. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** In UTF-16 code units. Leaves room for a file of a pair session with every character escaped. */
const MAX_EVENT_LENGTH = 8 << 20;

/**
 * Returns a parser that takes the pieces of a stream as they arrive. It throws `UnexpectedAnswer` for invalid input.
 */
export function eventParser(onEvent: (event: ReceivedEvent) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];
  let length = 0;

  function take(line: string): void {
    if (line === "") {
      const received = data.length > 0 && { id, event: event || "message", data: parsed(data.join("\n")) };
      event = "";
      data = [];
      length = 0;
      if (received) onEvent(received);
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string];
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id") id = value;
    length += line.length;
  }

  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    rest += text;
    // Splits only when a line ends, so that a long line in small pieces is scanned once.
    if (text.includes("\n")) {
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() as string;
      for (const line of lines) take(line);
    }
    if (length + rest.length > MAX_EVENT_LENGTH) {
      throw new UnexpectedAnswer(200, `An event of the stream has more than ${MAX_EVENT_LENGTH >> 20} MiB.`);
    }
  };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UnexpectedAnswer(200, "An event of the stream is not valid JSON.");
  }
}
