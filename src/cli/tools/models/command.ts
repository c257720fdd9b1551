import { Argument, Option } from "commander";
import { DAY_MS } from "../../../system/durations.ts";
import { recordOption } from "../../ask-tool.ts";
import { type Define, examples } from "../../command.ts";
import { amount, wholeNumber, words } from "../../options.ts";
import { list } from "./list.ts";
import { outcome } from "./outcome.ts";
import { select } from "./select.ts";

/** The kinds of tasks. Not imported from the contract, which would load all of its schemas. */
const KINDS = ["code", "reasoning", "chat", "extraction", "summarization", "vision", "embedding"] as const;
const CAPABILITIES = [
  "reasoning",
  "tool_call",
  "structured_output",
  "attachment",
  "vision",
  "embedding",
  "prompt_caching",
  "open_weights",
] as const;
const MAX_TOKENS = 1e9;

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List models with their prices and limits.")
    .option("--provider <provider>", "Of one provider")
    .addOption(new Option("--capability <capability>", "That have it").choices(CAPABILITIES))
    .option("--modality <modality>", "That take it in: text, image, audio, video, pdf")
    .option("--min-context <tokens>", "With at least this much context", wholeNumber(1, MAX_TOKENS))
    .option("--max-input-usd <usd>", "At most this price for a million input tokens", amount)
    .addOption(recordOption())
    .addHelpText(
      "after",
      examples(
        "tool models list --capability vision --max-input-usd 0.5",
        "tool models list --provider anthropic --json | jq -r '.items[].id'",
      ),
    )
    .action(run(list));
  command
    .command("select [prompt...]")
    .description("Select the model for a task; - reads the prompt from stdin.")
    .addOption(kind().default("chat"))
    .option("--input-tokens <n>", "Counted from the prompt if left out", wholeNumber(0, MAX_TOKENS))
    .option("--output-tokens <n>", "Presumed by the kind if left out", wholeNumber(0, MAX_TOKENS))
    .option("--needs <capabilities>", "One or more, separated by commas", words)
    .option("--max-cost <usd>", "For the request", amount)
    .option("--min-context <tokens>", "With at least this much context", wholeNumber(1, MAX_TOKENS))
    .option("--provider <providers>", "Only of these, separated by commas", words)
    .option("--not-provider <providers>", "Of none of these", words)
    .addOption(
      new Option("--objective <objective>", "What to prefer")
        .choices(["quality", "cost", "balanced", "speed"])
        .default("balanced"),
    )
    .addOption(recordOption())
    .addHelpText(
      "after",
      examples(
        "tool models select --kind code --needs tool_call --max-cost 0.02 Add a retry to the client",
        "tool models select - --kind summarization --objective cost < report.txt",
        "tool models select --json Say hello | jq -r .selected.id",
      ),
    )
    .action(run(select));
  command
    .command("outcome <model>")
    .description("Record whether a model did a task, for later selections.")
    .addArgument(new Argument("<outcome>", "How it went").choices(["success", "failure"]))
    .addOption(kind().makeOptionMandatory())
    .option("--latency <ms>", "How long it took", wholeNumber(0, DAY_MS))
    .addHelpText(
      "after",
      examples(
        "tool models outcome openai/gpt-5.4 success --kind code",
        "tool models outcome mistral/codestral-latest failure --kind code --latency 2400",
      ),
    )
    .action(run(outcome));
};

function kind(): Option {
  return new Option("--kind <kind>", "What kind of task").choices(KINDS);
}
