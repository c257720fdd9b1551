/** The part of the stylesheet that is about charts and drawings. */
export const CHART_STYLES = `
.multiples { display: grid; gap: 16px 24px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 184px), 1fr)); }
.multiples svg { display: block; width: 100%; height: 56px; border-bottom: 1px solid var(--edge); }
.meter svg { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--tint); }
.meter rect { fill: var(--accent); }
.points polyline { fill: none; stroke: var(--blue); stroke-width: 2px; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.points .expected { fill: var(--green); fill-opacity: .16; }
.points path { stroke: var(--vermilion); stroke-width: 8px; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.points .this { stroke-width: 13px; }
.graph { border: 1px solid var(--line); border-radius: var(--radius); }
.graph svg { display: block; width: 100%; min-width: 720px; max-height: 80vh; }
.graph.zoomed svg { cursor: grab; touch-action: none; }
.graph path { fill: none; }
.graph .edges { stroke: var(--edge); stroke-opacity: .35; stroke-width: 1px; vector-effect: non-scaling-stroke; }
.graph .dots { stroke-width: 9px; stroke-linecap: round; }
.graph text { fill: var(--text); font-size: 26px; paint-order: stroke; stroke: var(--surface); stroke-width: 5px; pointer-events: none; }
.graph .c { fill: var(--edge); stroke: var(--edge); }
.graph .c0 { fill: var(--blue); stroke: var(--blue); }
.graph .c1 { fill: var(--orange); stroke: var(--orange); }
.graph .c2 { fill: var(--green); stroke: var(--green); }
.graph .c3 { fill: var(--vermilion); stroke: var(--vermilion); }
.graph .c4 { fill: var(--purple); stroke: var(--purple); }
.graph a circle[class] { stroke: var(--surface); stroke-width: 3px; }
.graph .around { fill: var(--text); }
.spark { flex: none; }
.spark rect { fill: var(--vermilion); forced-color-adjust: none; }
.chart { display: grid; gap: 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.swatch { width: 12px; height: 12px; border-radius: 2px; }
.plot { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 8px; }
.plot svg { display: block; width: 100%; height: 240px; overflow: visible; }
.small-chart .plot svg { height: 96px; }
.axis { display: flex; flex-direction: column; justify-content: space-between; margin: -10px 0; padding: 0; list-style: none; text-align: right; font-variant-numeric: tabular-nums; }
.dates { grid-column: 2; display: flex; justify-content: space-between; gap: 8px; }
@media (max-width: 479px) { .dates span:nth-child(even):not(:last-child) { display: none; } }
.rule { stroke: var(--line); vector-effect: non-scaling-stroke; }
polyline.before { fill: none; stroke: var(--text); stroke-width: 2px; stroke-dasharray: 4 4; vector-effect: non-scaling-stroke; }
rect.before { fill: var(--text); }
.touch { fill: transparent; }
g:hover > .touch { fill: var(--tint); }
.api_calls { fill: var(--blue); }
.agents_invoked { fill: var(--orange); }
.skills_accessed { fill: var(--green); }
.workflows_started { fill: var(--vermilion); }
.mcp_calls { fill: var(--purple); }
@media (forced-colors: active) {
  .chart rect, .meter rect, .multiples rect, .swatch rect { forced-color-adjust: none; }
  .graph .edges { stroke: CanvasText; stroke-opacity: .6; }
  .points .expected { fill-opacity: .5; }
}
@media print {
  .graph svg { min-width: 0; }
}
`;
