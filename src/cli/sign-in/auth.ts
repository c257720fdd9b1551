import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";

export const define: Define = (command, run) => {
  command
    .command("status")
    .description("Show the accounts that you are signed in to on this server.")
    .addHelpText("after", examples("tool auth status"))
    .action(run(status));
  command
    .command("switch [account]")
    .description("Go on in another account that you are signed in to, by its name or id.")
    .addHelpText("after", examples("tool auth switch", "tool auth switch Acme"))
    .action(run(switchAccount));
};

type Account = { id: string; name: string };

async function status(context: Context): Promise<Outcome> {
  const { client, credentials, io } = context;
  const { current, others } = await accountsOf(context);
  const { style, symbols } = io.out;
  return {
    document: { baseUrl: client.baseUrl, current: current ?? null, others },
    lines: [
      `${client.baseUrl}`,
      ...(current
        ? [`${style.green(symbols.done)} ${style.bold(current.name)} (${current.id})`]
        : credentials.fixed
          ? ["The credential comes from TOOL_TOKEN."]
          : ["Not signed in: tool login"]),
      ...others.map(({ id, name }) => `  ${name} (${id})`),
      ...(others.length > 0 ? ["", style.dim("Go on in another: tool auth switch <account>")] : []),
    ],
  };
}

async function switchAccount(context: Context, wanted: string | undefined): Promise<Outcome> {
  const { client, credentials, entitlements, io } = context;
  if (credentials.fixed) {
    throw new UsageError("TOOL_TOKEN is set and goes before any sign-in.", "Unset it, then switch.");
  }
  const { current, others } = await accountsOf(context);
  const chosen = choose(others, wanted, current);
  const { style, symbols } = io.out;
  if (chosen.id !== current?.id) {
    if (!(await credentials.switchTo(chosen.id))) throw nowhere(`The sign-in to ${chosen.name} is gone.`);
    await entitlements.forget();
  }
  return {
    document: { baseUrl: client.baseUrl, account: chosen },
    lines: [`${style.green(symbols.done)} You are in ${style.bold(chosen.name)} now.`],
  };
}

async function accountsOf({ credentials }: Context): Promise<{ current?: Account; others: Account[] }> {
  const stored = credentials.fixed ? undefined : await credentials.read();
  return { ...(stored?.account && { current: stored.account }), others: credentials.others() };
}

function choose(others: readonly Account[], wanted: string | undefined, current?: Account): Account {
  const known = current ? [current, ...others] : others;
  const named = known.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted?.toLowerCase());
  const fitting = wanted === undefined ? others : named;
  const [chosen, another] = fitting;
  if (chosen && !another) return chosen;
  const list = fitting.map(({ id, name }) => `${name} (${id})`).join(", ");
  if (chosen) throw new UsageError(`Which of them? ${list}`, `Say its id: tool auth switch ${chosen.id}`);
  throw nowhere(
    wanted === undefined ? "You are signed in to no other account." : `You are not signed in to ${wanted}.`,
  );
}

function nowhere(message: string): UsageError {
  return new UsageError(message, "Sign in to it: tool login, and choose the account in the browser.");
}
