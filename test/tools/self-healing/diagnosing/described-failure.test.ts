import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

const banner = (description: string, action: string) => `
***************************
APPLICATION FAILED TO START
***************************

Description:

${description}

Action:

${action}
`;

/** Diagnoses a log without an exit code. Returns the cause, the category and the first suggestion. */
const read = (log: string) => {
  const { cause, category, suggestions } = diagnose({ log });
  return { message: cause?.message, logLine: cause?.logLine, category, first: suggestions[0]?.title };
};

describe("the failure banner of Spring Boot", () => {
  it("gives its description as the cause and its action as the first suggestion", () => {
    const log = banner(
      "Failed to configure a DataSource: 'url' attribute is not specified.\n\nReason: Failed to determine a suitable driver class\n",
      "Consider the following:\n\tIf you want an embedded database, please put it on the classpath.",
    );
    expect(read(log)).toEqual({
      message:
        "Failed to configure a DataSource: 'url' attribute is not specified. Reason: Failed to determine a suitable driver class",
      logLine: 8,
      category: "configuration",
      first:
        "Do as the log itself says: Consider the following: If you want an embedded database, please put it on the classpath.",
    });
  });

  it("is quoted from its description to its action, with a drawing in it", () => {
    const log = banner(
      "The dependencies of some of the beans form a cycle:\n\n┌─────┐\n|  cart (field private acme.Shop acme.Cart.shop)\n↑     ↓\n|  shop (field private acme.Cart acme.Shop.cart)\n└─────┘\n",
      "Update your application to remove the dependency cycle between beans.",
    );
    const { cause } = diagnose({ log, exitCode: 1 });
    expect(cause?.message).toMatch(/form a cycle: \| {2}cart \(.*\) \| {2}shop \(/);
    expect(cause?.excerpt.map(({ text }) => text)).toEqual(log.split("\n").slice(7, -1));
  });

  it("is classified by the signature that its description matches", () => {
    const log = banner(
      "Web server failed to start. Port 9090 was already in use.",
      "Identify and stop the process that's listening on port 9090.",
    );
    const { cause, suggestions } = diagnose({ log: `2026-11-20 10:12:42 ERROR 1 --- [main] x:\n${log}` });
    expect(cause).toMatchObject({ rule: "address-in-use", message: expect.stringContaining("Port 9090") });
    expect(suggestions.map(({ id }) => id).slice(0, 2)).toEqual(["printed-hint", "address-free"]);
  });

  it("outranks the failure of the build tool that started the application", () => {
    const log = `${banner("A bean of type 'acme.Till' could not be found.", "Define one.")}
> Task :bootRun FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':bootRun'.

BUILD FAILED in 5s
`;
    expect(read(log).message).toBe("A bean of type 'acme.Till' could not be found.");
  });

  it("is not a cause if the build succeeded", () => {
    expect(diagnose({ log: `${banner("No bean.", "Define one.")}\nBUILD SUCCESS\n` }).cause).toBeNull();
  });

  it.each([
    "APPLICATION FAILED TO START\n",
    "APPLICATION FAILED TO START\n\nDescription:\n\n",
    "APPLICATION FAILED TO START\n\nDescription:\n\nAction:\n\n",
  ])("is the cause itself if it has no description", (log) => {
    expect(diagnose({ log }).cause?.message).toBe("APPLICATION FAILED TO START");
  });
});
