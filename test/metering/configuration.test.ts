import { expect, it } from "vitest";
import { createAuditLog } from "../../src/audit/log.ts";
import { auditCollections } from "../../src/audit/model.ts";
import { configured, noteConfiguration } from "../../src/metering/configuration.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

it("noteConfiguration() audits changed plans and clients once, and nothing at the first start", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: [configured, ...auditCollections] });
  const trail = testTrail(store, clock);
  const noted = async () => {
    const { items } = await createAuditLog({ store }).page({ accountId: undefined }, {}, { limit: 50 });
    return items.map(({ action, target, actor }) => [action, target.id, actor.userId]).reverse();
  };
  const catalogue = loadCatalogue();
  await noteConfiguration(trail, catalogue);
  await noteConfiguration(trail, catalogue);
  expect(await noted()).toEqual([]);
  const known = await store.transact((tx) => tx.ids(configured, GLOBAL));
  expect(known).toEqual([
    ...Object.keys(catalogue.clients).map((id) => `client/${id}`),
    ...catalogue.tiers.map(({ id }) => `plan/${id}`).sort(),
  ]);

  const [first, ...others] = catalogue.tiers;
  if (!first) throw new Error("the catalogue has no plan");
  const changed = { ...first, limits: { ...first.limits, requestsPerMinute: 21 } };
  const clients = {
    ...catalogue.clients,
    "acme-ide": { name: "Acme IDE", redirectUris: ["https://acme.example/callback"] },
  };
  await Promise.all([
    noteConfiguration(trail, { ...catalogue, tiers: [changed, ...others.slice(1)], clients }),
    noteConfiguration(trail, { ...catalogue, tiers: [changed, ...others.slice(1)], clients }),
  ]);
  expect(await noted()).toEqual([
    ["plan.changed", first.id, undefined],
    ["client.added", "acme-ide", undefined],
    ["plan.removed", others[0]?.id, undefined],
  ]);
});
