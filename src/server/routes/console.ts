import { exportLines } from "../../accounts/export/pages.ts";
import { projectsContract } from "../../accounts/projects/contract.ts";
import type { SignedIn } from "../../accounts/sign-in/sessions/signed-in.ts";
import { alertsContract } from "../../alerts/contract.ts";
import type { Caller } from "../../contract/caller.ts";
import { Reply } from "../../contract/endpoint.ts";
import { meteringContract } from "../../metering/contract.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { accountSection } from "../../web/console/account.tsx";
import { accountsSection } from "../../web/console/accounts/section.tsx";
import { alertsSection } from "../../web/console/alerts/section.tsx";
import { auditSection } from "../../web/console/audit/section.tsx";
import { devicesSection } from "../../web/console/devices/section.tsx";
import { entitlementsSection } from "../../web/console/entitlements.tsx";
import type { Projects } from "../../web/console/frame/projects.tsx";
import type { Download, Section, View } from "../../web/console/frame/section.ts";
import { instanceSection } from "../../web/console/instance.tsx";
import { keysSection } from "../../web/console/keys/section.tsx";
import { limitsSection } from "../../web/console/limits/section.tsx";
import { peopleSection } from "../../web/console/people/section.tsx";
import { projectsSection } from "../../web/console/projects/section.tsx";
import { type UpstreamUses, upstreamsSection } from "../../web/console/upstreams.tsx";
import { usageSection } from "../../web/console/usage/section.tsx";
import type { ApiHandlers } from "../api-handlers.ts";
import { JSON_TYPE } from "../pipeline/answer.ts";
import type { Services } from "../services.ts";
import { askingFor, textsOf } from "./asking.ts";
import { toolSections } from "./console-tools.ts";

/** Creates the console's sections, which use the API's own handlers. */
export function consoleSections({
  services,
  handlers,
  projectsOf,
  baseUrl,
  clock,
}: {
  services: Services;
  handlers: ApiHandlers["handlers"];
  projectsOf: Projects;
  baseUrl: () => string;
  clock: Pick<Clock, "now" | "sleep">;
}): Section[] {
  const { projects, signIn, users, closing, exports, apiKeys, signedInDevices } = services;

  const metering = askingFor(meteringContract, handlers.metering, viewerOf);

  const upstreamUses: UpstreamUses = async (signedIn, projectId) => {
    const { listUpstreams, showUpstream } = handlers.gateway;
    const caller = callerOf(signedIn, projectId);
    const { items } = plain(await listUpstreams({}, caller));
    return Promise.all(items.map(async ({ name }) => plain(await showUpstream({ upstream: name }, caller))));
  };

  return [
    usageSection({
      usage: services.usageViews,
      exported: async ({ visit, projectId, query }, { question, by }) => {
        const format = query.get("format") === "json" ? "json" : "csv";
        const asked = { ...question, from: iso(question.from), to: iso(question.to), groupBy: by };
        const caller = callerOf(visit.signedIn, projectId);
        return fileOf(
          await handlers.metering.showUsage({ ...asked, format }, caller),
          `usage-by-${by}.${format}`,
        );
      },
    }),
    limitsSection(
      async (signedIn) => plain(await handlers.metering.showBounds({}, callerOf(signedIn, "default"))),
      { usage: services.usageViews, apiKeys },
    ),
    entitlementsSection((view) => metering.resolveEntitlements({}, view)),
    keysSection(apiKeys, projectsOf, services.keyUse),
    peopleSection(users),
    projectsSection({ projects, asking: askingFor(projectsContract, handlers.accounts, viewerOf), clock }),
    accountSection({
      users,
      closing,
      async exported({ visit }) {
        await closing.checkOwner(visit.by);
        return exportLines((cursor) => exports.account(visit.by, visit.by.accountId, cursor));
      },
    }),
    ...toolSections(handlers, viewerOf),
    alertsSection(askingFor(alertsContract, handlers.alerts, viewerOf)),
    auditSection({
      log: services.auditLog,
      exported: services.exportAuditLog,
      access: services.auditAccess,
    }),
    ...(services.upstreams.length > 0 ? [upstreamsSection(upstreamUses)] : []),
    accountsSection({
      directory: services.accountDirectory,
      accounts: services.accounts,
      apiKeys,
      users,
      usage: services.usageViews,
      log: services.auditLog,
      plans: services.plans,
      storageOf: services.storageOf,
      exports,
      accountsOf: services.accountsOf,
    }),
    instanceSection({
      state: services.instanceState,
      signingKeys: services.signingKeys,
      registrations: services.registrations,
    }),
    devicesSection({ devices: signedInDevices, browsers: signIn, baseUrl }),
  ];
}

/** Returns a signed-in browser as a caller of handlers. */
function callerOf({ account, user, scopes, session }: SignedIn, projectId: string): Caller {
  return {
    accountId: account.id,
    userId: user.id,
    credential: { kind: "session", id: session.id, scopes },
    projectId,
    projectNamed: true,
    address: session.address,
    userAgent: session.userAgent,
    requestId: "",
    signal: new AbortController().signal,
  };
}

/** The same for a request, so that the audit log names it with the changes of its form. */
function viewerOf({ visit, projectId }: Pick<View, "visit" | "projectId">): Caller {
  return { ...callerOf(visit.signedIn, projectId), ...visit.by };
}

function plain<T>(result: T | Reply<T>): T {
  return result instanceof Reply ? result.body : result;
}

/** Returns an API answer as a download. */
function fileOf(reply: unknown, name: string): Download {
  const { raw, headers } = reply instanceof Reply ? reply.extras : {};
  if (raw === undefined) throw new Error(`${name} is no file`);
  return { name, type: headers?.["Content-Type"] ?? JSON_TYPE, body: textsOf(raw) };
}
