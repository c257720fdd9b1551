import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Router } from "express";
import { packageRoot } from "../../system/package.ts";
import { problemsPage } from "../../web/problems-page.tsx";

const SWAGGER_FILES = { "swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript" };

/** Swagger UI sets styles of its own from script; nothing may run that is not served from here. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const START = `SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#reference", deepLinking: true, supportedSubmitMethods: [],
  validatorUrl: null, syntaxHighlight: { activated: false },
});`;

/** `/docs` (the API reference, without anything from elsewhere) and `/docs/problems`. */
export function referencePages(): Router {
  const router = Router();
  const folder = swaggerFolder();

  router.get("/docs", (_req, res) => {
    res
      .set("Content-Security-Policy", REFERENCE_POLICY)
      .set("Cache-Control", "no-cache")
      .type("html")
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Toolplane API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><main id="reference"></main><noscript>This page needs JavaScript;
<a href="/openapi.json">the OpenAPI document</a> does not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`,
      );
  });
  router.get("/docs/start.js", (_req, res) => {
    res.type("text/javascript").set("Cache-Control", "public, max-age=3600").send(START);
  });
  for (const [file, type] of Object.entries(SWAGGER_FILES)) {
    router.get(`/docs/${file}`, (_req, res) => {
      res.type(type).set("Cache-Control", "public, max-age=3600").sendFile(join(folder, file));
    });
  }
  router.get("/docs/problems", (_req, res) => {
    res.set("Cache-Control", "public, max-age=3600").type("html").send(problemsPage());
  });
  return router;
}

/** Beside the bundle in an installed package; in a work tree that was never built, the package's own folder. */
function swaggerFolder(): string {
  const built = join(packageRoot, "dist", "docs");
  return existsSync(built)
    ? built
    : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}
