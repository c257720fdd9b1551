/** Returns the path at which an upstream is reached. */
export function upstreamPath(name: string): string {
  return `/mcp/${name}`;
}
