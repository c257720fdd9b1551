import { readTextFile } from "./text-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const FILE = /^(TOOL_\w+)_FILE$/;

/**
 * Returns the environment with the content of each file `TOOL_X_FILE` as `TOOL_X`, without the final line break. This
 * is how Docker secrets and systemd credentials pass values that must not appear in an environment. Throws an Error
 * with a message for the user.
 */
export function withSecretFiles(environment: Environment): Environment {
  const read: Record<string, string> = {};
  for (const [variable, path] of Object.entries(environment)) {
    const name = FILE.exec(variable)?.[1];
    if (name === undefined || !path) continue;
    if (environment[name]) throw new Error(`${name} and ${variable} are both set: leave one of them out.`);
    read[name] = secretIn(variable, path);
  }
  return { ...environment, ...read };
}

function secretIn(variable: string, path: string): string {
  let text: string;
  try {
    text = readTextFile(path).replace(/\r?\n$/, "");
  } catch (error) {
    throw new Error(
      `${variable} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  if (text === "") throw new Error(`${variable} names ${path}, which is empty.`);
  return text;
}
