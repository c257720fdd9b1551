import { createHash } from "node:crypto";
import { CONSOLE_SCRIPT } from "./console/frame/script.ts";
import { FAVICON } from "./icon.tsx";
import { onlyMethods, type PageRoute } from "./page.ts";
import { PASSKEYS_SCRIPT } from "./passkeys/script.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** The path of the assets, which never change under their names and are not counted. */
export const ASSETS = "/assets/";

export const stylesheet = asset("pages", "css", "text/css; charset=utf-8", STYLESHEET);
export const favicon = asset("icon", "svg", "image/svg+xml", FAVICON);

export const passkeysScript = script("passkeys", PASSKEYS_SCRIPT);
export const consoleScript = script("console", CONSOLE_SCRIPT);

export interface Asset {
  /** Contains a hash of the content, so that browsers may cache it forever. */
  path: string;
  type: string;
  content: string;
}

function asset(name: string, extension: string, type: string, content: string): Asset {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `${ASSETS}${name}.${hash}.${extension}`, type, content };
}

function script(name: string, content: string): Asset {
  return asset(name, "js", "text/javascript; charset=utf-8", content);
}

export function assets(): PageRoute[] {
  return [
    ...[stylesheet, favicon, passkeysScript, consoleScript].map((asset) =>
      fixed(asset.path, asset, "max-age=31536000, immutable"),
    ),
    // Browsers request it for documents that are not pages, such as JSON.
    fixed("/favicon.ico", favicon, "max-age=86400"),
  ];
}

function fixed(path: string, { type, content }: Asset, lifetime: string): PageRoute {
  const headers = { "Content-Type": type, "Cache-Control": `public, ${lifetime}` };
  const refuse = onlyMethods("GET, HEAD");
  return {
    path,
    get: async () => ({ status: 200, headers, body: content }),
    otherwise: async (request) => refuse(request),
  };
}
