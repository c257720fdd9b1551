import { Argument, Option } from "commander";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { trustServer } from "../trust/command.ts";
import { table } from "../ui/table.ts";
import { noSetting, SETTING_NAMES } from "./setting-values.ts";
import { describeOrigin, isSettingName, userDirectories, writeSetting } from "./settings.ts";

export const define: Define = (command, run) => {
  command
    .command("get")
    .addArgument(settingName())
    .description("Print one setting as it applies here.")
    .addHelpText("after", examples("tool config get baseUrl"))
    .action(run(get));
  command
    .command("set")
    .addArgument(settingName())
    .addArgument(new Argument("[settingValue]", "The new value; the default again if left out"))
    .description("Change a setting of this user.")
    .addHelpText(
      "after",
      examples("tool config set baseUrl https://control.example.com", "tool config set telemetry off"),
    )
    .action(run(set));
  command
    .command("unset")
    .addArgument(settingName())
    .description("Reset a setting of this user to its default.")
    .addHelpText("after", examples("tool config unset project"))
    .action(run(async (context, name: string) => set(context, name, undefined)));
  command
    .command("trust")
    .addArgument(new Argument("[server]", "Which one you mean to trust; an error if the file names another"))
    .description("Trust the server that the nearest .tool.json names with your credentials.")
    .option("--revoke", "Take it back")
    .addOption(new Option("--list", "Show which servers you trust, and where").conflicts("revoke"))
    .addHelpText(
      "after",
      `${examples("tool config trust https://control.example.com", "tool config trust --revoke", "tool config trust --list")}

A server that you name yourself (--base-url, TOOL_BASE_URL, tool config set baseUrl) needs no trust.`,
    )
    .action(run(trustServer));
  command
    .command("list")
    .description("Show every setting and where it comes from.")
    .addHelpText("after", examples("tool config list"))
    .action(run(list));
};

/** Returns an argument with choices for completion and help. The command itself validates it, with a better message. */
function settingName(): Argument {
  const argument = new Argument("<name>", "Which setting");
  argument.argChoices = [...SETTING_NAMES];
  return argument;
}

async function get({ settings }: Context, name: string): Promise<Outcome> {
  if (!isSettingName(name)) throw noSetting(name);
  const { value, origin } = settings[name];
  return {
    document: { name, value: value ?? null, origin: describeOrigin(origin) },
    raw: value === undefined ? "" : `${value}\n`,
  };
}

async function set({ io }: Context, name: string, value: string | undefined): Promise<Outcome> {
  if (!isSettingName(name)) throw noSetting(name);
  writeSetting(userDirectories(), name, value);
  return {
    document: { name, value: value ?? null },
    lines: [
      `${io.out.marks.done} ${value === undefined ? `${name} is the default again.` : `${name} is now ${value}.`}`,
    ],
  };
}

async function list({ settings, io }: Context): Promise<Outcome> {
  const rows = SETTING_NAMES.map((name) => ({
    name,
    value: settings[name].value ?? null,
    origin: describeOrigin(settings[name].origin),
  }));
  return {
    document: { items: rows, userFile: settings.userFile, projectFile: settings.projectFile ?? null },
    lines: [
      ...table(
        [{ title: "Setting" }, { title: "Value", shrink: true }, { title: "From", shrink: true }],
        rows.map(({ name, value, origin }) => [name, value ?? "unset", origin]),
        io.out,
      ),
      "",
      `Yours are in ${settings.userFile}`,
    ],
  };
}
