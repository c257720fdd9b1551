import { createAccounts } from "../accounts/accounts.ts";
import { createClosing } from "../accounts/closing/closing.ts";
import { deleteClosedAccounts } from "../accounts/closing/deleting.ts";
import { createApiKeys } from "../accounts/credentials/api-keys.ts";
import { createCredentials } from "../accounts/credentials/credentials.ts";
import { endedKeys } from "../accounts/credentials/ended-keys.ts";
import { createEndedUse } from "../accounts/credentials/ended-use.ts";
import { createEndedKeysSweep } from "../accounts/credentials/ending.ts";
import { createLastUse } from "../accounts/credentials/last-use.ts";
import { createOutsideUse } from "../accounts/credentials/outside-use.ts";
import { createSignedInDevices } from "../accounts/devices/signed-in-devices.ts";
import { createExports } from "../accounts/export/exports.ts";
import { startChangingPlans } from "../accounts/next-plan.ts";
import { personByEmail, whoActs } from "../accounts/people.ts";
import { createProjects } from "../accounts/projects/projects.ts";
import { createBrowserSessions } from "../accounts/sign-in/sessions/browser-sessions.ts";
import { createSignInLinks } from "../accounts/sign-in/sign-in-links.ts";
import { createUsers } from "../accounts/users/users.ts";
import { tellOfEnding, tellOperator } from "../alerts/about-accounts.ts";
import type { AlertSink } from "../alerts/alert.ts";
import { mailOptOuts, webhookSecrets } from "../alerts/model.ts";
import { createAuditLog } from "../audit/log.ts";
import { createAuditTrail } from "../audit/trail.ts";
import { plansAtSignUp, serviceNameIn } from "../metering/plans.ts";
import { usageParts } from "../metering/usage/reports/usage-of-user.ts";
import { USAGE_TYPES } from "../metering/usage/vocabulary.ts";
import { accountSpace, type Collection } from "../store/store.ts";
import { changeParticipation } from "../tools/learning/participation.ts";
import { forgetReporter } from "../tools/observability/reporters.ts";
import { idempotencyKeys, idempotencySteps } from "./operations/idempotency.ts";
import { METRICS, toolsKnown } from "./pipeline/bound-tools.ts";
import type { ServicePorts } from "./service-ports.ts";
import { createSignInServices } from "./sign-in-services.ts";

export type PeoplePorts = Pick<
  ServicePorts,
  | "store"
  | "plainStore"
  | "clock"
  | "log"
  | "random"
  | "catalogue"
  | "ownerKey"
  | "registry"
  | "verificationUrl"
  | "ways"
  | "metrics"
> & {
  /** Receives the alerts about users' refused keys, and those about accounts. */
  alerts: AlertSink;
};

/** Creates the services for users, their sign-in and their credentials. */
export function createPeopleServices({
  store,
  plainStore,
  clock,
  log,
  random,
  catalogue,
  ownerKey,
  registry,
  verificationUrl,
  ways,
  alerts,
  metrics,
}: PeoplePorts) {
  const plans = catalogue.tiers;
  const noteUse = createLastUse({ store: plainStore, clock });
  const trail = { whoActs, random, log, follow: tellOperator(alerts.raiseIn), onEntry: metrics.audited };
  const audit = createAuditTrail({ ...trail, store });
  const plainAudit = createAuditTrail({ ...trail, store: plainStore });
  const links = createSignInLinks({ clock, random, baseUrl: verificationUrl });
  const projects = createProjects({
    store: plainStore,
    audit: plainAudit,
    clock,
    plans,
    onLearningChange: (tx, { takesPart, ...who }) =>
      changeParticipation(tx, who, { takesPart, now: clock.now(), chance: random.bytes(32) }),
  });
  const sessions = createBrowserSessions({ store, audit, clock, random, noteUse });
  const waysIn = createSignInServices({
    ...{ store, audit, clock, log, random, sessions, links, ways },
    plansAt: (now) => plansAtSignUp(catalogue, now),
    serviceName: serviceNameIn(catalogue),
    pagesUrl: verificationUrl,
    onLetter: metrics.lettered,
  });
  const { linkMail, post } = waysIn;
  const users = createUsers({
    ...{ store, audit, clock, random, links, linkMail },
    onRemoved: (tx, { accountId, userId }) => tx.delete(mailOptOuts, accountSpace(accountId), userId),
  });
  const apiKeys = createApiKeys({
    store,
    audit,
    clock,
    random,
    projects,
    knowsTool: toolsKnown(
      [...registry.endpoints.map(({ name }) => name), METRICS],
      (catalogue.upstreams ?? []).map(({ name }) => name),
    ),
  });
  const exports = createExports({
    ...{ store, audit, clock },
    log: createAuditLog({ store }),
    collections: registry.collections.filter(isExported),
    parts: usageParts(store),
  });
  const closing = createClosing({ store, audit, clock });
  const deleting = deleteClosedAccounts({
    store: plainStore,
    audit: plainAudit,
    clock,
    log,
    collections: registry.collections,
    counters: registry.counters,
    onProjectDeleted: forgetReporter,
  });
  const changingPlans = startChangingPlans({
    store: plainStore,
    audit: plainAudit,
    clock,
    log,
    onEnding: tellOfEnding(alerts.raiseIn, plans),
  });
  const limitNames = { endpoints: registry.endpoints.map(({ name }) => name), usesPerMonth: USAGE_TYPES };
  const accounts = createAccounts({ store, audit, clock, random, links, linkMail, plans, limitNames });
  return {
    audit,
    links,
    ...waysIn,
    accounts,
    users,
    projects,
    apiKeys,
    closing,
    exports,
    /** Returns the ids of the accounts that the person with an e-mail address belongs to. */
    accountsOf: (email: string) =>
      store.transact(async (tx) => {
        const person = await personByEmail(tx, email);
        return person?.memberships.map(({ accountId }) => accountId) ?? [];
      }),
    credentials: createCredentials({
      store,
      noteUse,
      ownerKey,
      onEndedKeys: createEndedKeysSweep(plainStore, clock),
      onOutside: createOutsideUse({ store: plainStore, audit: plainAudit, alerts, clock }),
      onEnded: createEndedUse({ alerts, clock }),
    }),
    signedInDevices: createSignedInDevices({ store, audit }),
    /** Stops the background work. */
    close() {
      deleting.stop();
      changingPlans.stop();
      post?.close();
    },
  };
}

/**
 * Whether an account's export includes a collection. Kept answers are left out: they are for whoever repeats the
 * request, and may hold secrets that were shown once.
 */
function isExported(collection: Collection<unknown>): boolean {
  return ![idempotencyKeys, idempotencySteps, webhookSecrets, endedKeys].includes(collection as never);
}
