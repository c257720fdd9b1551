import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from "d3-force";
import type { Steps } from "../../../../store/projection.ts";

export interface Point extends SimulationNodeDatum {
  x: number;
  y: number;
  /** Number of its community; -1 where it is in none. */
  group: number;
  radius: number;
}

/** Number of moves of nodes in one request: about a tenth of a second. */
const MOVES = 16_000;
/** Settles after about a hundred ticks. */
const ALPHA_DECAY = 0.06;
/** Up to this many nodes overlaps can be seen, so they are resolved. */
const MAX_NODES_WITHOUT_OVERLAP = 600;
/** The golden angle spreads points on a disc evenly (Vogel 1979). */
const ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Lengths of relationships as drawn: within a community, and between two. */
const NEAR = 24;
const FAR = 90;
const SPACING = 14;

/** A force simulation that settles: nodes repel each other, relationships pull, communities stay together. */
export class LayoutSimulation {
  readonly #simulation: Simulation<Point, SimulationLinkDatum<Point>>;

  /** @param points at their start; without an earlier drawing `startsOf` gives them. */
  constructor(
    readonly points: Point[],
    edges: readonly { from: number; to: number }[],
  ) {
    const links = edges
      .filter(({ from, to }) => from !== to)
      .map(({ from, to }) => ({ source: from, target: to }));
    const isNear = ({ source, target }: SimulationLinkDatum<Point>) =>
      (source as Point).group === (target as Point).group;
    const link = forceLink<Point, SimulationLinkDatum<Point>>(links).distance((each) =>
      isNear(each) ? NEAR : FAR,
    );
    const strength = link.strength();
    this.#simulation = forceSimulation(points)
      .stop()
      .force(
        "link",
        link.strength((each, index, all) => (isNear(each) ? 1 : 0.15) * Number(strength(each, index, all))),
      )
      .force("charge", forceManyBody<Point>().strength(-40).theta(1.6).distanceMax(250))
      .force("x", forceX<Point>(0).strength(0.04))
      .force("y", forceY<Point>(0).strength(0.06))
      .alphaDecay(ALPHA_DECAY);
    if (points.length > MAX_NODES_WITHOUT_OVERLAP) return;
    this.#simulation.force(
      "apart",
      forceCollide<Point>((point) => point.radius + 1.5),
    );
  }

  /** Continues until the simulation settles, for a limited number of steps in each call. */
  *run(): Steps<void> {
    const ticks = Math.ceil(MOVES / Math.max(1, this.points.length));
    for (let tick = 0; tick < ticks && this.#simulation.alpha() > this.#simulation.alphaMin(); tick++) {
      this.#simulation.tick();
      yield;
    }
  }

  /** Reduces movement, so that what was drawn before stays about where it was. */
  calm(): void {
    this.#simulation.alpha(0.3);
  }
}

/** Returns start positions: communities on a disc by their size, each a disc of its nodes. */
export function startsOf(groups: Int32Array, count: number): { x: number; y: number }[] {
  const members = Array.from({ length: count + 1 }, () => 0);
  const place = [...groups].map((group) => {
    const at = group < 0 ? count : group;
    members[at] = (members[at] as number) + 1;
    return (members[at] as number) - 1;
  });
  let before = 0;
  const centres = members.map((size, index) => {
    const radius = index === 0 ? 0 : 1.3 * SPACING * Math.sqrt(before + size);
    before += size;
    return { x: radius * Math.cos(index * ANGLE), y: radius * Math.sin(index * ANGLE) };
  });
  return [...groups].map((group, node) => {
    const nth = place[node] as number;
    // Nodes of no community are placed around all others.
    const centre = group < 0 ? { x: 0, y: 0 } : (centres[group] as { x: number; y: number });
    const radius = SPACING * Math.sqrt(nth + 0.5 + (group < 0 ? before : 0));
    return { x: centre.x + radius * Math.cos(nth * ANGLE), y: centre.y + radius * Math.sin(nth * ANGLE) };
  });
}
