// The edges between boxes: which, and how they run. One SVG below the boxes; a path an edge.
//
// Within a column an edge leaves a box on its right and bows into the gap; between columns it leaves on the side that faces the other.
// po runs straight down. Each relation has a port of its own on the box, so that edges of the same two boxes do not cover each other.
import type { Pair, Row } from "./data";
import { makeSvg } from "./dom";
import { kEdgeKinds, type EdgeKind, type State } from "./state";
import { rowName } from "./words";

export interface Geometry {
  rowHeight: number;
  boxHeight: number;
  left(thread: number): number; // of the boxes in this column
  right(thread: number): number;
}

const kPort: Record<EdgeKind, number> = { po: 0, rf: 0, mo: -12, fr: 12, sw: -6, hb: 6 };
const kBow: Record<EdgeKind, number> = { po: 0, rf: 12, mo: 15, fr: 9, sw: 14, hb: 7 };
const kLeaveAtPo = 18; // from the left side of a box

interface Edge {
  kind: EdgeKind;
  from: Row;
  to: Row;
  isChosen: boolean; // of mo: not forced
}

/// Of the rows that are shown: each to the next of its thread.
function programOrder(state: State): Pair[] {
  const last = new Map<number, Row>();
  const pairs: Pair[] = [];
  for (const row of state.visible) {
    const thread = state.execution.rows[row]!.thread;
    const before = last.get(thread);
    if (before !== undefined) pairs.push([before, row]);
    last.set(thread, row);
  }
  return pairs;
}

export function edgesOf(state: State, kind: EdgeKind): Edge[] {
  const edges = state.execution.edges;
  const make = (pairs: Pair[], isChosen = false): Edge[] => pairs.map(([from, to]) => ({ kind, from, to, isChosen }));
  const all = kind === "po" ? make(programOrder(state)) : kind === "mo" ? [...make(edges.mo), ...make(edges.moChosen, true)] : make(edges[kind]);
  return all.filter((edge) => state.position(edge.from) >= 0 && state.position(edge.to) >= 0);
}

/// The rows that happen before `row` (or behind which it happens, with the edges turned round).
export function reachable(state: State, row: Row, backwards: boolean): Set<Row> {
  const next = new Map<Row, Row[]>();
  const rows = state.execution.rows;
  const add = (from: Row, to: Row): void => {
    const [key, value] = backwards ? [to, from] : [from, to];
    const list = next.get(key);
    if (list === undefined) next.set(key, [value]);
    else list.push(value);
  };
  const last = new Map<number, Row>();
  rows.forEach((data, index) => {
    const before = last.get(data.thread);
    if (before !== undefined) add(before, index);
    last.set(data.thread, index);
  });
  for (const [from, to] of [...state.execution.edges.hb, ...state.execution.edges.sw]) add(from, to);
  const found = new Set<Row>();
  for (const open = [row]; open.length > 0; )
    for (const to of next.get(open.pop()!) ?? [])
      if (!found.has(to)) {
        found.add(to);
        open.push(to);
      }
  return found;
}

type Index = Map<Row, Edge[]>;

/// The edges of each row.
function indexed(edges: Edge[]): Index {
  const index: Index = new Map();
  const add = (row: Row, edge: Edge): void => {
    const list = index.get(row);
    if (list === undefined) index.set(row, [edge]);
    else list.push(edge);
  };
  for (const edge of edges) {
    add(edge.from, edge);
    add(edge.to, edge);
  }
  return index;
}

interface Group {
  kind: EdgeKind;
  element: SVGGElement;
  edges: Edge[];
  index: Index;
  paths: Map<Edge, SVGPathElement>;
}

export class EdgeLayer {
  private readonly svg: SVGSVGElement;
  private groups: Group[] = [];
  private touched: SVGPathElement[] = [];
  private geometry: Geometry | undefined;

  constructor(svg: SVGSVGElement) {
    this.svg = svg;
  }

  draw(state: State, geometry: Geometry, width: number): void {
    this.geometry = geometry;
    this.groups = kEdgeKinds.filter((kind) => state.edges.has(kind)).map((kind) => {
      const edges = edgesOf(state, kind);
      return { kind, element: makeSvg("g", { "data-kind": kind, class: `edge ${kind}` }), edges, index: indexed(edges), paths: new Map() };
    });
    for (const group of this.groups) if (group.kind === "po" || !state.onlyCurrent) this.fill(state, group, group.edges);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(state.visible.length * geometry.rowHeight));
    this.svg.replaceChildren(arrows(), ...this.groups.map((group) => group.element));
    this.touched = [];
    this.emphasise(state);
  }

  /// Edges of the current row stand out, or are the only ones.
  emphasise(state: State): void {
    for (const path of this.touched) path.classList.remove("touching");
    this.touched = [];
    for (const group of this.groups) {
      const edges = group.index.get(state.current) ?? [];
      if (state.onlyCurrent && group.kind !== "po") this.fill(state, group, edges);
      for (const edge of edges) {
        const path = group.paths.get(edge);
        if (path === undefined) continue;
        path.classList.add("touching");
        this.touched.push(path);
      }
    }
  }

  private fill(state: State, group: Group, edges: Edge[]): void {
    group.paths = new Map(edges.map((edge) => [edge, this.path(state, edge)]));
    group.element.replaceChildren(...group.paths.values());
  }

  private path(state: State, edge: Edge): SVGPathElement {
    const path = makeSvg("path", { d: route(state, this.geometry!, edge), "marker-end": `url(#arrow-${edge.kind})`, class: edge.isChosen ? "chosen" : undefined });
    const title = makeSvg("title");
    title.textContent = `${edge.kind}: ${rowName(state.execution, edge.from)} → ${rowName(state.execution, edge.to)}${edge.isChosen ? " (one possible order)" : ""}`;
    path.append(title);
    return path;
  }
}

function arrows(): SVGDefsElement {
  const defs = makeSvg("defs");
  for (const kind of kEdgeKinds) {
    const marker = makeSvg("marker", { id: `arrow-${kind}`, class: `arrow ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" });
    marker.append(makeSvg("path", { d: "M0.5 0.8 L7.5 4 L0.5 7.2 Z" }));
    defs.append(marker);
  }
  return defs;
}

function route(state: State, geometry: Geometry, edge: Edge): string {
  const { rowHeight, boxHeight } = geometry;
  const from = state.execution.rows[edge.from]!.thread;
  const to = state.execution.rows[edge.to]!.thread;
  const middle = (row: Row): number => (state.position(row) + 0.5) * rowHeight;
  const y1 = middle(edge.from) + kPort[edge.kind];
  const y2 = middle(edge.to) + kPort[edge.kind];
  if (edge.kind === "po") {
    const x = geometry.left(from) + kLeaveAtPo;
    return `M${x} ${y1 + boxHeight / 2} V${y2 - boxHeight / 2 - 1}`;
  }
  if (from === to) {
    const x = geometry.right(from);
    const bow = x + kBow[edge.kind];
    return `M${x} ${y1} C${bow} ${y1} ${bow} ${y2} ${x + 1} ${y2}`;
  }
  const isRightwards = from < to;
  const x1 = isRightwards ? geometry.right(from) : geometry.left(from);
  const x2 = isRightwards ? geometry.left(to) - 1 : geometry.right(to) + 1;
  const bend = (isRightwards ? 1 : -1) * Math.max(24, Math.abs(x2 - x1) * 0.45);
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
