import { expect, it } from "vitest";
import type { AnomalyDocument } from "../../../src/tools/anomalies/documents.ts";
import { foundAlerts } from "../../../src/tools/anomalies/found-alerts.ts";

const PROJECT = { accountId: "acc_1", projectId: "one" };

const found = (id: string, metric: string, score: number, more: Partial<AnomalyDocument> = {}) =>
  [id, { metric, score, kind: "spike", explanation: `It was ${id}.`, ...more } as AnomalyDocument] as const;

it("foundAlerts() announces the strangest anomaly of each metric and how many were found", () => {
  const alerts = foundAlerts(PROJECT, [
    found("a", "load", 0.5),
    found("b", "latency", 0.7, { kind: "drop" }),
    found("c", "load", 0.9, { kind: "trend" }),
    found("d", "load", 0.6),
  ]);
  expect(alerts).toEqual([
    {
      type: "anomaly.found",
      accountId: "acc_1",
      subject: "one/load",
      data: {
        projectId: "one",
        metric: "load",
        anomalyId: "c",
        kind: "trend",
        explanation: "It was c.",
        found: 3,
      },
    },
    {
      type: "anomaly.found",
      accountId: "acc_1",
      subject: "one/latency",
      data: {
        projectId: "one",
        metric: "latency",
        anomalyId: "b",
        kind: "drop",
        explanation: "It was b.",
        found: 1,
      },
    },
  ]);
});

it("foundAlerts() returns nothing without anomalies, and the twenty strangest of many metrics", () => {
  expect(foundAlerts(PROJECT, [])).toEqual([]);
  const many = Array.from({ length: 21 }, (_, index) => found(`a${index}`, `m${index}`, (index + 1) / 100));
  const subjects = foundAlerts(PROJECT, many).map(({ subject }) => subject);
  expect(subjects).toEqual(Array.from({ length: 20 }, (_, index) => `one/m${20 - index}`));
});
