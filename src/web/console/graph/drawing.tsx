import type { ReactElement } from "react";
import type { GraphLayout } from "../../../tools/knowledge-graph/layout-contract.ts";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { labelsOf } from "./labels.ts";

/** Linked circles take many bytes, dots few, so this bounds the size of the page. */
const MAX_LINKS = 250;
const MAX_EDGES = 4500;
const COLOURS = 5;
const MARGIN = 40;
/** The drawing's units per unit of the layout, so that coordinates can be whole numbers. */
const FINE = 2;

type Node = GraphLayout["nodes"][number];

/**
 * Draws the graph as the server laid it out. It is hidden from screen readers, since the tables below have the same
 * content.
 */
export function Drawing(props: { layout: GraphLayout; view: View; around?: string }): ReactElement | null {
  const { layout, view, around } = props;
  const { width, height, nodes, edges } = layout;
  if (nodes.length < 2) return null;
  const place = (value: number) => Math.round(value * FINE) + MARGIN;
  const byDegree = nodes.map((_, index) => index).sort((a, b) => degreeAt(nodes, b) - degreeAt(nodes, a));
  const linked = byDegree.slice(0, MAX_LINKS).map((index) => nodes[index] as Node);
  const dots = byDegree.slice(MAX_LINKS).map((index) => nodes[index] as Node);
  const size = { width: place(width) + MARGIN, height: Math.max(place(height) + MARGIN, 400) };
  const circles = linked.map((node) => ({
    node,
    x: place(node.x),
    y: place(node.y),
    radius: Math.round(FINE * radiusOf(node.degree)),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can only be moved by keyboard if it can have the focus
    <section className="scroll graph" data-zoom="" aria-label="Drawing of the graph" tabIndex={0}>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        <path className="edges" d={linesOf(edges.slice(0, MAX_EDGES), nodes, place)} />
        {Array.from({ length: COLOURS + 1 }, (_, colour) => {
          const path = dotsOf(dots, colour - 1, place);
          // biome-ignore lint/suspicious/noArrayIndexKey: a colour is identified by its index
          return path !== "" && <path key={colour} className={`dots ${classOf(colour - 1)}`} d={path} />;
        })}
        {circles.map(({ node, x, y, radius }) => (
          <a key={node.id} href={addressOf(view, "/graph", { entity: node.id })} tabIndex={-1}>
            <circle
              className={node.id === around ? "around" : classOf(colourOf(node))}
              cx={x}
              cy={y}
              r={radius}
            >
              <title>{`${node.name} (${node.type})`}</title>
            </circle>
          </a>
        ))}
        {labelsOf(circles, size.width).map(({ name, x, y, end }) => (
          <text key={`${x} ${y}`} x={x} y={y} textAnchor={end ? "end" : undefined}>
            {name}
          </text>
        ))}
      </svg>
    </section>
  );
}

function degreeAt(nodes: readonly Node[], index: number): number {
  return (nodes[index] as Node).degree;
}

/** Returns the radius for a number of relationships. It grows with the square root, since size is perceived as area. */
function radiusOf(degree: number): number {
  return Math.min(14, 3 + 1.2 * Math.sqrt(degree));
}

function colourOf({ community }: Node): number {
  return community < 0 ? -1 : community % COLOURS;
}

function classOf(colour: number): string {
  return colour < 0 ? "c" : `c${colour}`;
}

function linesOf(
  edges: GraphLayout["edges"],
  nodes: readonly Node[],
  place: (value: number) => number,
): string {
  const at = (index: number) => {
    const { x, y } = nodes[index] as Node;
    return `${place(x)} ${place(y)}`;
  };
  return edges.map(({ from, to }) => `M${at(from)}L${at(to)}`).join("");
}

/** Draws dots as lines of length zero with round ends. */
function dotsOf(nodes: readonly Node[], colour: number, place: (value: number) => number): string {
  return nodes
    .filter((node) => colourOf(node) === colour)
    .map(({ x, y }) => `M${place(x)} ${place(y)}h0`)
    .join("");
}
