import type { Method } from "../../contract/endpoint.ts";

/** Finds the route of a method and path: by a map for fixed paths, by a walk over the segments for others. */
export interface Router<R> {
  add(method: Method | "OPTIONS", path: string, route: R): void;
  /**
   * Returns the route, and its path as it was added: `/keys/{keyId}`. If the path has none for the method, `allow` lists
   * its methods. Neither is set for unknown paths.
   */
  find(method: string, path: string): Found<R>;
}

interface Found<R> {
  route?: R;
  template?: string;
  parameters: Record<string, string>;
  allow?: string[];
}

interface Node<R> {
  fixed: Map<string, Node<R>>;
  parameter?: { name: string; node: Node<R> };
  routes: Map<string, { route: R; template: string }>;
}

const NONE: Record<string, string> = Object.freeze(Object.create(null));

export function createRouter<R>(): Router<R> {
  const exact = new Map<string, R>();
  const root = node<R>();
  return {
    add(method, path, route) {
      if (!path.includes("{")) exact.set(`${method} ${path}`, route);
      let at = root;
      for (const segment of path.split("/").slice(1)) at = child(at, segment);
      at.routes.set(method, { route, template: path });
    },
    find(method, path) {
      const route = exact.get(`${method} ${path}`);
      if (route) return { route, template: path, parameters: NONE };
      const values: string[] = [];
      const names: string[] = [];
      const found = walk(root, path.split("/"), 1, values, names);
      if (!found) return { parameters: NONE };
      const match = found.routes.get(method);
      if (!match) return { parameters: NONE, allow: [...found.routes.keys()].sort() };
      const parameters: Record<string, string> = Object.create(null);
      names.forEach((name, index) => {
        parameters[name] = values[index] as string;
      });
      return { ...match, parameters };
    },
  };
}

function node<R>(): Node<R> {
  return { fixed: new Map(), routes: new Map() };
}

function child<R>(parent: Node<R>, segment: string): Node<R> {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    parent.parameter ??= { name, node: node() };
    if (parent.parameter.name !== name)
      throw new Error(`{${name}} stands where {${parent.parameter.name}} does`);
    return parent.parameter.node;
  }
  const known = parent.fixed.get(segment) ?? node<R>();
  parent.fixed.set(segment, known);
  return known;
}

/** Finds the node of a path. Fixed segments win over parameters, with backtracking. */
function walk<R>(
  at: Node<R>,
  segments: string[],
  index: number,
  values: string[],
  names: string[],
): Node<R> | undefined {
  if (index === segments.length) return at.routes.size > 0 ? at : undefined;
  const segment = segments[index] as string;
  const fixed = at.fixed.get(segment);
  const found = fixed && walk(fixed, segments, index + 1, values, names);
  if (found || !at.parameter || segment === "") return found;
  const value = decode(segment);
  if (value === undefined) return undefined;
  values.push(value);
  names.push(at.parameter.name);
  const behind = walk(at.parameter.node, segments, index + 1, values, names);
  if (!behind) {
    values.pop();
    names.pop();
  }
  return behind;
}

function decode(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
