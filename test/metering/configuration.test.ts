import { expect, it } from "vitest";
import { removedClients } from "../../src/accounts/devices/removed-clients.ts";
import { createAuditLog } from "../../src/audit/log.ts";
import { auditCollections } from "../../src/audit/model.ts";
import { configured, noteConfiguration } from "../../src/metering/configuration.ts";
import { type Catalogue, loadCatalogue, parseCatalogue } from "../../src/metering/plans.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

async function noting() {
  const clock = fakeClock();
  const collections = [configured, removedClients, ...auditCollections];
  const store = await openTestStore({ clock, collections });
  const audit = testTrail(store, clock);
  return {
    store,
    note: (catalogue: Catalogue) => noteConfiguration({ audit, clock }, catalogue),
    noted: async () => {
      const { items } = await createAuditLog({ store }).page({ accountId: undefined }, {}, { limit: 50 });
      return items.map(({ action, target, actor }) => [action, target.id, actor.userId]).reverse();
    },
  };
}

it("noteConfiguration() audits changed plans and clients once, and nothing at the first start", async () => {
  const { store, note, noted } = await noting();
  const catalogue = loadCatalogue();
  await note(catalogue);
  await note(catalogue);
  expect(await noted()).toEqual([]);
  // A store keeps in memory only what there is, and each request with an access token looks at it.
  const removals = await store.transact((tx) => tx.list(removedClients, GLOBAL));
  expect(removals.map(({ value }) => value)).toEqual([{}]);
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
    note({ ...catalogue, tiers: [changed, ...others.slice(1)], clients }),
    note({ ...catalogue, tiers: [changed, ...others.slice(1)], clients }),
  ]);
  expect(await noted()).toEqual([
    ["plan.changed", first.id, undefined],
    ["client.added", "acme-ide", undefined],
    ["plan.removed", others[0]?.id, undefined],
  ]);
});

it("noteConfiguration() audits a trial that begins, changes and ends", async () => {
  const { note, noted } = await noting();
  const catalogue = loadCatalogue();
  await note(catalogue);
  for (const days of [14, 14, 30]) await note({ ...catalogue, trial: { plan: "pro", days } });
  await note(catalogue);
  expect(await noted()).toEqual([
    ["trial.added", "pro", undefined],
    ["trial.changed", "pro", undefined],
    ["trial.removed", "pro", undefined],
  ]);
});

it("noteConfiguration() misses no command line in a plans file with clients of its own", async () => {
  const { note, noted } = await noting();
  await note(loadCatalogue());
  await note(parseCatalogue({ clients: { acme: { name: "Acme" } } }));
  await note(parseCatalogue({ clients: {} }));
  expect(await noted()).toEqual([
    ["client.added", "acme", undefined],
    ["client.removed", "acme", undefined],
  ]);
});
