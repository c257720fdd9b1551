import type { Io } from "../../terminal/io.ts";
import { changeLines } from "./changed-lines.ts";
import { roles } from "./roles.ts";
import type { WatchView } from "./watch-view.ts";

/** Shows a session as lines for people or, with `json`, as one document per event. */
export function watchLines({ out, err }: Pick<Io, "out" | "err">, most: number, json: boolean): WatchView {
  let said = "";
  const say = (line: string) => {
    if (!json) out.line(line);
  };
  return {
    received({ event, id, data }) {
      if (json) out.json({ event, id, data });
    },
    session(session) {
      const line = session.state === "ended" ? "The session has ended." : roles(session, out);
      if (line !== said) say(line);
      said = line;
    },
    change(before, change) {
      for (const line of changeLines(before, change, out, most)) say(line);
    },
    trouble: (message) => err.line(message),
    end() {},
  };
}
