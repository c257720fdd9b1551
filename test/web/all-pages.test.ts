import { createElement, type ReactElement } from "react";
import { describe, expect, it, vi } from "vitest";
import { Problem } from "../../src/contract/problem.ts";
import { consoleScript, favicon, stylesheet } from "../../src/web/assets.ts";
import { errorPage } from "../../src/web/error-page.tsx";
import { htmlOf } from "../../src/web/layout.tsx";
import { quietLog } from "../server/support/quiet-log.ts";
import { startApp } from "../support/app.ts";
import { signedInOwner, startPages } from "./support/pages.ts";
import { visitor } from "./support/visitor.ts";

const POLICY =
  "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';frame-ancestors 'none';base-uri 'none'";

describe("pages", () => {
  const paths = [
    "/",
    "/sign-in",
    "/sign-in?link=x",
    "/sign-out",
    "/password",
    "/device",
    "/usage",
    "/limits",
  ];

  const CONSOLE = ["/", "/usage", "/limits"];

  it.each(paths)("%s has a strict CSP, and is not framed, cached or sent as a referrer", async (path) => {
    const pages = await startPages();
    for (const [browser, scripted] of [
      [visitor(pages.url), []],
      [await signedInOwner(pages), CONSOLE],
    ] as const) {
      const { headers, html } = await browser.get(path);
      const isScripted = scripted.some((each) => each === path);
      const scripts = isScripted ? ";script-src 'self';connect-src 'self'" : "";
      expect(headers.get("content-security-policy")).toBe(POLICY + scripts);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.has("strict-transport-security")).toBe(false);
      const own = `<script src="${consoleScript.path}" defer=""></script>`;
      expect(html.replace(isScripted ? own : "", "")).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    }
  });

  it("answer HEAD as GET, and other methods with 405 and Allow", async () => {
    const { url } = await startPages();
    for (const [path, allow] of [
      ["/", "GET, HEAD"],
      ["/sign-in", "GET, HEAD, POST"],
      ["/sign-out", "GET, HEAD, POST"],
      ["/device", "GET, HEAD, POST"],
      ["/usage", "GET, HEAD"],
      ["/keys", "GET, HEAD, POST"],
    ] as const) {
      for (const method of ["PUT", "DELETE", "OPTIONS"]) {
        const refused = await fetch(url + path, { method });
        expect([path, method, refused.status, refused.headers.get("allow")]).toEqual([
          path,
          method,
          405,
          allow,
        ]);
        expect(refused.headers.get("content-security-policy")).toBe(POLICY);
      }
    }
    const head = await fetch(`${url}/sign-in`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("the pages router", () => {
  it("leaves unknown paths to other routes, without its own headers", async () => {
    const { url } = await startPages();
    for (const path of ["/api/v1/usage", "/device/x", "/assets/pages.0.css"]) {
      const answer = await fetch(url + path);
      expect([path, answer.status, answer.headers.get("referrer-policy")]).toEqual([path, 404, null]);
    }
  });

  it("refuses an address with a percent sign that stands for nothing, and logs no failure", async () => {
    const error = vi.fn();
    const app = await startApp({ log: quietLog({ error }) });
    const { status, text } = await visitor(app.url).get("/connect/%zz", { accept: "text/html" });
    expect([status, text]).toEqual([400, expect.stringContaining('"%"')]);
    expect(error).not.toHaveBeenCalled();
  });

  it("answers an unexpected error with 500", async () => {
    const broken = () => Promise.reject(new Error("inside"));
    const pages = await startPages({
      sections: [{ path: "/broken", title: "Broken", group: "Account", card: broken, page: broken }],
    });
    const browser = await signedInOwner(pages);
    expect((await browser.get("/broken")).status).toBe(500);
  });
});

describe("assets", () => {
  it("are immutable under a name with their hash", async () => {
    const { url } = await startPages();
    const { html } = await visitor(url).get("/");
    for (const { path, type, content } of [stylesheet, favicon]) {
      expect(html).toContain(`href="${path}"`);
      const answer = await fetch(url + path);
      expect(await answer.text()).toBe(content);
      expect(answer.headers.get("content-type")).toContain(type);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await fetch(`${url}/favicon.ico`)).headers.get("content-type")).toBe("image/svg+xml");
  });

  it.each(["OPTIONS", "PUT", "POST"])("refuse %s, with the headers of every answer", async (method) => {
    const app = await startApp();
    for (const path of ["/favicon.ico", stylesheet.path]) {
      const { status, headers } = await fetch(app.url + path, { method });
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(headers.get("x-request-id")).toMatch(/^req_/);
      expect(headers.has("x-ratelimit-limit")).toBe(true);
    }
  });
});

describe("errorPage()", () => {
  it("shows the detail of the problem, escaped", () => {
    const html = errorPage(new Problem("not_found", `Nothing is at "/<script>".`), {
      serviceName: "Acme & Sons",
      requestId: "req_1",
    });
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("<h1>Not found</h1>");
    expect(html).toContain("<title>Not found · Acme &amp; Sons</title>");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("req_1");
  });

  it("shows the request id for an internal error", () => {
    const shown = { serviceName: "Acme", requestId: "req_1" };
    expect(errorPage(new Problem("internal_error", "It failed."), shown)).toContain("req_1");
  });
});

describe("htmlOf()", () => {
  it.each(["\u202a", "\u202e", "\u2066", "\u2069"])(
    "shows %j, which would reverse the rest of its line, in text and in attributes",
    (character) => {
      const html = htmlOf(
        createElement("p", { title: `${character}b` }, `said by a${character}b · 0.35`),
        "Acme",
      );
      expect(html).toBe('<!doctype html><p title="\ufffdb">said by a\ufffdb · 0.35</p>');
    },
  );

  it("changes no text that browsers send back", () => {
    const form: ReactElement = createElement(
      "form",
      {},
      createElement("input", { name: "a", defaultValue: "a\u202eb" }),
      createElement("textarea", { name: "b", defaultValue: "<\u202e>\n\u202e" }),
      createElement("option", { value: "\u202ec" }, "\u202ec"),
    );
    expect(htmlOf(form, "Acme")).toBe(
      '<!doctype html><form><input name="a" value="a\u202eb"/><textarea name="b">&lt;\u202e&gt;\n\u202e</textarea>' +
        '<option value="\u202ec">\ufffdc</option></form>',
    );
  });
});
