import type { RouteOutput } from "../../client/routes.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { relativeTime } from "../ui/format.ts";
import { fields } from "../ui/table.ts";

type DeviceRequest = RouteOutput<"GET /api/v1/device-authorizations/{userCode}">;

export const define: Define = (command, run) => {
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
};

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
