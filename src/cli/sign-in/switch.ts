import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { type SignIn, signIns } from "../credentials/records.ts";
import { UsageError } from "../exit-codes.ts";
import { userDirectories, writeSetting } from "../settings/settings.ts";
import { canAsk } from "../terminal/can-ask.ts";
import { pick } from "../terminal/pick.ts";
import { enterWithQueue } from "./queue-of-account.ts";

/** Switches to another server or account (`tool auth switch`). */
export async function switchSignIn(context: Context, wanted: string | undefined): Promise<Outcome> {
  const { settings, credentials, io } = context;
  if (credentials.fixed) {
    throw new UsageError("TOOL_TOKEN is set and goes before any sign-in.", "Unset it, then switch.");
  }
  const { baseUrl, directories } = settings;
  const known = signIns(directories.data).filter(
    ({ ended, baseUrl: server }) => !ended && (baseUrl.origin.kind !== "flag" || server === baseUrl.value),
  );
  const chosen = await choose(context, known, wanted);
  const before = known.find(({ baseUrl, current }) => current && baseUrl === chosen.baseUrl)?.account;
  const aside = await enter(context, chosen, before);
  const { style, marks } = io.out;
  return {
    document: { baseUrl: chosen.baseUrl, account: chosen.account ?? null },
    lines: [
      `${marks.done} You are in ${style.bold(nameOf(chosen))} now.`,
      ...aside,
      ...overruled(context, chosen.baseUrl),
    ],
  };
}

/** Makes a sign-in the current one. Returns a line about the events of the account before, if some wait. */
async function enter(context: Context, chosen: SignIn, before: SignIn["account"]): Promise<string[]> {
  const { baseUrl, account, current } = chosen;
  const { settings, entitlements } = context;
  let aside: string[] = [];
  if (!current && account) {
    aside = await enterWithQueue(context, { baseUrl, account, before }, async () => {
      if (await context.credentialsOf(baseUrl).switchTo(account.id)) return;
      throw nowhere(`The sign-in to ${nameOf(chosen)} is gone.`);
    });
    if (baseUrl === settings.baseUrl.value) {
      await entitlements.forget();
      // What waited for this account has no sender yet.
      context.sendInBackground();
    }
  }
  if (baseUrl !== settings.defaultServer) writeSetting(userDirectories(), "baseUrl", baseUrl);
  return aside;
}

/** Returns a line about a setting that overrides the chosen server. */
function overruled({ settings: { baseUrl } }: Context, chosen: string): string[] {
  const { origin, value } = baseUrl;
  if (value === chosen || (origin.kind !== "environment" && origin.kind !== "project")) return [];
  const place = origin.kind === "environment" ? origin.name : origin.path;
  return [`  Here ${place} goes before it and names ${value}.`];
}

async function choose(context: Context, known: SignIn[], wanted: string | undefined): Promise<SignIn> {
  const { settings, io, options } = context;
  const others = known.filter(({ current, baseUrl }) => !current || baseUrl !== settings.baseUrl.value);
  const fitting = wanted === undefined ? others : known.filter((each) => isCalled(each, wanted));
  const [chosen, ...more] = fitting;
  if (!chosen) {
    const where = wanted === undefined ? "to any other account or server" : `to ${wanted}`;
    const list = others.map(nameOf).join(", ");
    throw nowhere(
      `You are not signed in ${where}.${list && wanted !== undefined ? ` There is ${list}.` : ""}`,
    );
  }
  if (more.length === 0) return chosen;
  if (wanted !== undefined) {
    // The name of a server stands for its current account.
    const ofServer = fitting.filter(({ current }) => current);
    if (ofServer[0] && ofServer.length === 1 && isServer(chosen, wanted)) return ofServer[0];
  }
  if (canAsk(io, options)) return picked(context, fitting);
  throw new UsageError(
    `Which of them? ${fitting.map(nameOf).join(", ")}.`,
    `Say one: \`tool auth switch ${argumentOf(chosen, fitting)}\`.`,
  );
}

async function picked({ io, progress }: Context, among: readonly SignIn[]): Promise<SignIn> {
  const choices = among.map((each) => ({ value: argumentOf(each, among), description: nameOf(each) }));
  const value = await progress.pausedDuring(pick(io, "Go on with which one?", choices));
  const chosen = among[choices.findIndex((choice) => choice.value === value)];
  if (!chosen) throw new DOMException("Nothing was chosen.", "AbortError");
  return chosen;
}

function isCalled(signIn: SignIn, wanted: string): boolean {
  const { account } = signIn;
  return (
    account?.id === wanted || account?.name.toLowerCase() === wanted.toLowerCase() || isServer(signIn, wanted)
  );
}

function isServer({ baseUrl }: SignIn, wanted: string): boolean {
  const { host, hostname } = new URL(baseUrl);
  return [baseUrl, host, hostname].includes(wanted.replace(/\/+$/, "").toLowerCase());
}

/** Returns a word that identifies this sign-in only. */
function argumentOf(signIn: SignIn, among: readonly SignIn[]): string {
  const words = [signIn.account?.name, new URL(signIn.baseUrl).host, signIn.account?.id, signIn.baseUrl];
  const sure = words.filter((word) => word !== undefined && !/[^\w.:@-]/.test(word));
  return (
    sure.find((word) => among.filter((each) => isCalled(each, word ?? "")).length === 1) ?? signIn.baseUrl
  );
}

function nameOf({ baseUrl, account }: SignIn): string {
  return account ? `${account.name} (${account.id}) on ${baseUrl}` : baseUrl;
}

function nowhere(message: string): UsageError {
  return new UsageError(message, "Sign in to it: `tool login`, and choose the account in the browser.");
}
