import { Argument } from "commander";
import { addOptions, type Define, examples } from "../command.ts";
import { TRACK_OPTIONS, trackUse } from "./track-use.ts";
import { USAGE_TYPES } from "./usage-types.ts";

export const define: Define = (command, run) => {
  command
    .addArgument(new Argument("<type>", "What happened").choices(USAGE_TYPES))
    .addHelpText(
      "after",
      `${examples("tool track agents_invoked", "tool track api_calls --count 12 --metadata source=ci")}

If no answer comes within 1.5 s, the event stays queued and is sent in the background: exit code 0,
and --json says queued.`,
    )
    .action(run(trackUse));
  addOptions(command, TRACK_OPTIONS);
};
