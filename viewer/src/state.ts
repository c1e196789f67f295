// What is shown of an execution: which rows the filters leave, which one is current, which edges are on.
import type { Execution, PageData, Row } from "./data";

export const kEdgeKinds = ["po", "rf", "mo", "fr", "sw", "hb"] as const;
export type EdgeKind = (typeof kEdgeKinds)[number];

/// Above so many rows only the edges of the current event are drawn, unless the user wants all.
const kManyRows = 60;

export class State {
  readonly data: PageData;
  execution: Execution;
  current: Row = 0;
  visible: Row[] = [];
  edges = new Set<EdgeKind>(["po", "rf"]);
  onlyCurrent = false;
  search = "";
  variable = ""; // empty: all
  hiddenThreads = new Set<number>();
  showsAsides = false;
  private positions: number[] = [];

  constructor(data: PageData) {
    this.data = data;
    this.execution = data.executions[0]!;
    this.choose(0);
  }

  choose(index: number): void {
    this.execution = this.data.executions[index] ?? this.execution;
    this.search = this.variable = "";
    this.hiddenThreads.clear();
    this.showsAsides = false;
    this.onlyCurrent = this.execution.rows.length > kManyRows;
    this.current = 0;
    this.filter();
  }

  /// To be called when a filter has changed: the current row stays near where it was.
  filter(): void {
    const rows = this.execution.rows;
    this.visible = [];
    this.positions = rows.map((row, index) => {
      if (this.hiddenThreads.has(row.thread)) return -1;
      if (this.variable !== "" && row.variable !== this.variable) return -1;
      if (row.aside === true && row.marked !== true && !this.showsAsides && this.variable === "") return -1;
      return this.visible.push(index) - 1;
    });
    if (this.position(this.current) < 0)
      this.current = this.visible.find((row) => row >= this.current) ?? this.visible[this.visible.length - 1] ?? 0;
  }

  /// Of a row among those that are visible; -1: it is hidden.
  position(row: Row): number {
    return this.positions[row] ?? -1;
  }

  /// So many visible rows further; at the ends it stays.
  stepped(by: number): Row {
    const last = this.visible.length - 1;
    const to = Math.max(0, Math.min(last, this.position(this.current) + by));
    return this.visible[to] ?? this.current;
  }

  /// The next visible row of this sort, behind the last one comes the first; the current one if there is none.
  next(isWanted: (row: Row) => boolean, backwards = false): Row {
    const count = this.visible.length;
    const start = this.position(this.current);
    for (let step = 1; step <= count; ++step) {
      const row = this.visible[(start + (backwards ? -step : step) + 2 * count) % count]!;
      if (isWanted(row)) return row;
    }
    return this.current;
  }

  matches(row: Row): boolean {
    const data = this.execution.rows[row]!;
    const wanted = this.search.trim().toLowerCase();
    if (wanted === "") return false;
    const texts = [data.text, data.variable, data.place, data.function, data.order, this.execution.threads[data.thread]];
    return data.letter === wanted || texts.some((text) => text !== undefined && text.toLowerCase().includes(wanted));
  }

  hiddenAsides(): number {
    return this.showsAsides ? 0 : this.execution.rows.filter((row, index) => row.aside === true && this.position(index) < 0).length;
  }
}
