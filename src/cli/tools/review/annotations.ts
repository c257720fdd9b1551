import { littleReadLine, type Review } from "./report.ts";

const LEVELS = { error: "error", warning: "warning", info: "notice" } as const;

/**
 * Returns workflow commands, which GitHub Actions shows at the lines that they name. Values are escaped, so that a
 * finding can neither end its line and start another command, nor add properties.
 */
export function annotations({ findings, summary }: Review): string[] {
  const commands = findings.map(({ severity, file, line, column, rule, message, suggestion }) => {
    const place = Object.entries({ file, line, col: column, title: rule });
    const properties = place.map(([name, value]) => `${name}=${property(String(value))}`).join(",");
    return `::${LEVELS[severity] ?? "notice"} ${properties}::${data(`${message} ${suggestion}`)}`;
  });
  // For the log only: an annotation on every change in such a language would be noise.
  const little = littleReadLine(summary);
  return little ? [...commands, data(little)] : commands;
}

/** Escapes a message as https://github.com/actions/toolkit does, in packages/core/src/command.ts. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
