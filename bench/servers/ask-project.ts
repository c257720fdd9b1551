import { OWNER } from "./start.ts";

/** Sends the owner's request in a project. Throws if the answer is not 2xx. */
export async function askProject(
  url: string,
  project: string,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers are read without their types
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { ...OWNER, "X-Project-Id": project },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}
