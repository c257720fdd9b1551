import { withoutLinks } from "../mail/post.ts";
import { type AccountAlertType, ALERTS, type Alert, type AlertType } from "./alert.ts";

/** Alerts about accounts are not mailed. */
type MailedType = Exclude<AlertType, AccountAlertType>;
type Data<Type extends AlertType> = Extract<Alert, { type: Type }>["data"];

const LINES: { [Type in MailedType]: (data: Data<Type>) => string } = {
  "limit.warning": ({ window, limit, usageType = "requests" }) =>
    window === "minute"
      ? `80 % of the burst of ${limit} requests is used`
      : `80 % of the ${limit} ${usageType} of this ${window} are used`,
  "limit.reached": ({ window, limit, usageType }) =>
    usageType !== undefined
      ? `All ${limit} ${usageType} of this ${window} are used`
      : window === "minute"
        ? `The burst of ${limit} requests is used up: more are refused until some of it is back`
        : `All ${limit} requests of this ${window} are used: more are refused`,
  "plan.ending": ({ planName, nextPlan }) =>
    `The plan ${planName} ends on ${nextPlan.at.slice(0, 16).replace("T", " ")} (UTC), and ${nextPlan.planName} follows`,
  "key.refused": ({ name, reason, address }) =>
    `The API key ${withoutLinks(name)} was used from ${address} and refused (${REASONS[reason]})`,
  "error_group.new": ({ projectId, errorType }) =>
    `A new error in project ${withoutLinks(projectId)}: ${withoutLinks(errorType)}`,
  "error_group.regressed": ({ projectId, errorType }) =>
    `An error is back in project ${withoutLinks(projectId)}: ${withoutLinks(errorType)}`,
  "error_group.unignored": ({ projectId, errorType }) =>
    `An error is no longer ignored in project ${withoutLinks(projectId)}: ${withoutLinks(errorType)}`,
  "anomaly.found": ({ projectId, metric }) =>
    `Something strange in the metric ${withoutLinks(metric)} of project ${withoutLinks(projectId)}`,
  "upstream.down": ({ title }) => `The MCP server ${title} does not answer`,
  "upstream.up": ({ title }) => `The MCP server ${title} answers again`,
  "webhook.disabled": ({ url, reason }) =>
    `The webhook to ${new URL(url).host} was turned off: ${reason === "gone" ? "it answered 410" : "it failed for five days"}`,
  "alerts.held_back": ({ heldBack, about, until }) =>
    `Too many alerts “${heldBack}”${about === undefined ? "" : ` about ${about}`}: no more until ${until}`,
  "webhook.test": () => "A test",
};

const REASONS: Record<Data<"key.refused">["reason"], string> = {
  revoked: "it is revoked",
  suspended: "it is suspended",
  expired: "it has expired",
  replaced: "it was replaced by a rotation",
  outside_addresses: "it is bound to other addresses",
};

/** Returns an alert as one line of text. */
export function lineOf({ type, data }: Pick<Extract<Alert, { type: MailedType }>, "type" | "data">): string {
  return (LINES[type] as (data: object) => string)(data);
}

/** Like `lineOf`, from a stored body. Returns the type if the body cannot be parsed. */
export function lineOfBody(type: string, body: string): string {
  if (!Object.hasOwn(LINES, type)) return type;
  const known = ALERTS[type as MailedType].data.safeParse(JSON.parse(body).data);
  return known.success ? lineOf({ type, data: known.data } as Parameters<typeof lineOf>[0]) : type;
}
