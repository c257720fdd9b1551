import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** zbar-tools: absent where tests say that they do not decode. */
export const hasDecoder = spawnSync("zbarimg", ["--version"]).status === 0;

/** Paints each half block as pixels, as a terminal with a dark background would, and reads the picture. */
export function decodeQr(lines: string[]): string {
  const scale = 8;
  const background = 4;
  const width = lines[0]!.length;
  const rows = lines.flatMap((line) => [
    [...line].map((block) => block === "█" || block === "▀"),
    [...line].map((block) => block === "█" || block === "▄"),
  ]);
  const pixel = (x: number, y: number) => (rows[y]?.[x] ? 255 : 0);
  const columns = (width + 2 * background) * scale;
  const height = (rows.length + 2 * background) * scale;
  const pixels = Buffer.alloc(columns * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < columns; x++) {
      pixels[y * columns + x] = pixel(Math.floor(x / scale) - background, Math.floor(y / scale) - background);
    }
  }
  const directory = mkdtempSync(join(tmpdir(), "qr-"));
  try {
    const file = join(directory, "code.pgm");
    writeFileSync(file, Buffer.concat([Buffer.from(`P5 ${columns} ${height} 255\n`), pixels]));
    return execFileSync("zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file], {
      encoding: "utf8",
      // It tells the system's bus of what it read, and complains of its lack.
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
