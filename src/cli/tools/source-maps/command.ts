import { type Define, examples } from "../../command.ts";
import { wholeNumber } from "../../options.ts";
import { list, remove } from "./source-maps.ts";

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List the bundles of source maps that sentry-cli uploaded, the latest first.")
    .option("--limit <n>", "At most this many", wholeNumber(1, 200), 20)
    .option("--cursor <cursor>", "Go on behind an earlier page")
    .addHelpText("after", examples("tool sourcemaps list"))
    .action(run(list));
  command
    .command("delete <bundleId>")
    .description("Delete a bundle of source maps.")
    .addHelpText("after", examples("tool sourcemaps delete 60ebc9223202d56017e8a6d9eab8942f1762887f"))
    .action(run(remove));
};
