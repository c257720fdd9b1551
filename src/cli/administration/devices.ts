import { Option } from "commander";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { fields, table } from "../ui/table.ts";

type Device = RouteOutput<"GET /api/v1/devices">["items"][number];
type Sort = NonNullable<RouteInput<"GET /api/v1/devices">["sort"]>;
type DeviceRequest = RouteOutput<"GET /api/v1/device-authorizations/{userCode}">;

const SORTS = ["name", "email", "address", "createdAt", "lastUsedAt"] as const satisfies readonly Sort[];

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List what is signed in: your own devices, or with the scope admin those of the account.")
    .option("--query <text>", "Part of the client, user agent, address, e-mail address or id")
    .option("--user <userId>", "Only of this user")
    .addOption(
      new Option("--sort <order>", "In this order; with a - before it, reversed").choices([
        ...SORTS,
        ...SORTS.map((sort) => `-${sort}`),
      ]),
    )
    .option("--limit <n>", "At most this many", wholeNumber(1, 1000), 50)
    .addHelpText(
      "after",
      examples("tool devices list", "tool devices list --query tool-cli --sort createdAt"),
    )
    .action(run(list));
  command
    .command("show <userCode>")
    .description("Show what asks to sign in with a code.")
    .addHelpText("after", examples("tool devices show BCDF-GHJK"))
    .action(run(show));
  command
    .command("approve <userCode>")
    .description("Sign the device in to this account.")
    .addHelpText("after", examples("tool devices show BCDF-GHJK", "tool devices approve BCDF-GHJK"))
    .action(run((context, userCode: string) => decide(context, userCode, "approve")));
  command
    .command("deny <userCode>")
    .description("Refuse to sign the device in.")
    .addHelpText("after", examples("tool devices deny BCDF-GHJK"))
    .action(run((context, userCode: string) => decide(context, userCode, "deny")));
  command
    .command("revoke <deviceId>")
    .description("Sign a device out at once.")
    .addHelpText("after", examples("tool devices revoke fam_01jd0000000000000000000000"))
    .action(run(revoke));
};

interface ListOptions {
  limit: number;
  query?: string;
  user?: string;
  sort?: Sort;
}

async function list(
  { client, clock, io }: Context,
  { limit, query, user, sort }: ListOptions,
): Promise<Outcome> {
  const asked = { query, userId: user, sort };
  const page = await collect(limit, (part, call) =>
    client.call("GET /api/v1/devices", { ...part, ...asked }, call),
  );
  const { items } = page;
  const none =
    query === undefined && user === undefined
      ? "No device is signed in. Sign this one in: tool login"
      : "No such device. See them all: tool devices list";
  const ofSeveral = new Set(items.map(({ userId }) => userId)).size > 1;
  return {
    document: page,
    lines:
      items.length === 0
        ? [none]
        : table(
            [
              { title: "Device", shrink: true },
              { title: "Id" },
              ...(ofSeveral ? [{ title: "Whose", shrink: true }] : []),
              { title: "Scopes", minor: true },
              { title: "From", minor: true },
              { title: "Used" },
            ],
            items.map((device) => [
              nameOf(device),
              device.id,
              ...(ofSeveral ? [device.email] : []),
              device.scopes.join(" ") + (device.audience === undefined ? "" : ` at ${device.audience} alone`),
              device.address,
              device.current ? "now, by this command" : relativeTime(device.lastUsedAt, clock.now()),
            ]),
            io.out,
          ),
  };
}

function nameOf({ clientId, clientName, userAgent }: Device): string {
  const client = clientName === undefined ? clientId : `${clientName} (${clientId})`;
  return userAgent === "" ? client : `${client}, ${userAgent}`;
}

async function revoke({ client, io }: Context, deviceId: string): Promise<Outcome> {
  await client.call("DELETE /api/v1/devices/{deviceId}", { deviceId });
  return {
    document: { revoked: true, deviceId },
    lines: [`${io.out.marks.done} Signed out. It must sign in again before it can go on.`],
  };
}

async function show({ client, clock, io }: Context, userCode: string): Promise<Outcome> {
  const request = await client.call("GET /api/v1/device-authorizations/{userCode}", { userCode });
  return { document: request, lines: requestLines(request, io.out, clock.now()) };
}

async function decide(
  { client, io }: Context,
  userCode: string,
  decision: "approve" | "deny",
): Promise<Outcome> {
  const request = await client.call("POST /api/v1/device-authorizations/{userCode}", { userCode, decision });
  const { style, marks } = io.out;
  const name = style.bold(request.client.name);
  return {
    document: request,
    lines: [
      decision === "approve"
        ? `${marks.done} ${name} on ${request.address} is signed in to this account.`
        : `${marks.done} ${name} on ${request.address} is refused.`,
    ],
  };
}

function requestLines(request: DeviceRequest, output: Context["io"]["out"], now: number): string[] {
  const { style } = output;
  const { client, scopes, address, userAgent, requestedAt, expiresAt, status } = request;
  return [
    `${style.bold(request.userCode)} ${style.dim(status)}`,
    "",
    ...fields(
      [
        ["Asks", `${client.name} (${client.id}${client.registered ? "" : ", not registered"})`],
        ["From", `${address}, ${userAgent}`],
        ["Asked", relativeTime(requestedAt, now)],
        ["Expires", relativeTime(expiresAt, now)],
      ],
      output,
    ),
    "",
    ...scopes.map(
      ({ scope, description, granted }) =>
        `${scope.padEnd(8)} ${description}${granted ? "" : style.yellow(" (this credential cannot pass it on)")}`,
    ),
  ];
}
