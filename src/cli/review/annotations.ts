import type { Review } from "./review.ts";

const LEVELS = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands, which GitHub Actions shows at the lines that they name. */
export function annotations({ findings }: Review): string {
  return findings
    .map(({ severity, file, line, column, rule, message, suggestion }) => {
      const place = `file=${property(file)},line=${line},col=${column},title=${property(rule)}`;
      return `::${LEVELS[severity]} ${place}::${data(`${message} ${suggestion}`)}\n`;
    })
    .join("");
}

/** https://github.com/actions/toolkit, packages/core/src/command.ts */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
