import { UnexpectedAnswer } from "./errors.ts";

/** One of the events of a stream (HTML §9.2, server-sent events); `data` was JSON. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** In UTF-16 code units: a file of a session whose every character is escaped, and some more. */
const MAX_EVENT_LENGTH = 8 << 20;

/** Reads a stream in pieces, as they come; what it returns throws `UnexpectedAnswer` for what is no such stream. */
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
    // Looked through once, however small the pieces of a long line are.
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
