// The execution: threads as columns, a row an event, its box in the column of its thread.
//
// All rows are elements, also of long executions, so that the browser's own search, printing and selection work; browsers leave out what
// is not on the screen. A step changes a few classes.
import { byId, isSelectingText, make } from "./dom";
import { EdgeLayer, reachable, type Geometry } from "./edges";
import type { Candidate, Row, RowData } from "./data";
import type { State } from "./state";
import { operation, rowName, shortOrder, spoken } from "./words";

const kRowHeight = 54;
const kBoxHeight = 42;
const kGutter = 46; // letters
const kMargin = 17; // of a box in its column
const kNarrowest = 240;
const kWidest = 330;
const kTail = 4; // letters of a name

export class Graph {
  onChoose: (row: Row) => void = () => undefined;
  onOpen: () => void = () => undefined;
  private readonly list = byId("events");
  private readonly heads = byId("threads");
  private readonly edges = new EdgeLayer(document.querySelector<SVGSVGElement>("#lines")!);
  private rows = new Map<Row, HTMLElement>();
  private noted: HTMLElement[] = []; // rows with a class that depends on the current one
  private column = kWidest;
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("dblclick", () => this.onOpen());
    new ResizeObserver(() => this.resized()).observe(byId("graph"));
  }

  /// Builds it anew: another execution, other filters.
  build(): void {
    const { execution, visible } = this.state;
    this.column = this.columnWidth();
    byId("graph").style.setProperty("--threads", String(execution.threads.length));
    this.heads.replaceChildren(...execution.threads.map((name) => make("span", { class: "thread", title: name }, name)));
    this.rows = new Map(visible.map((row) => [row, this.row(row)]));
    this.list.replaceChildren(...this.rows.values());
    byId("nothing").hidden = visible.length > 0;
    this.lay();
    this.mark();
  }

  /// Edges were switched.
  drawEdges(): void {
    this.edges.draw(this.state, this.geometry(), kGutter + this.column * this.state.execution.threads.length);
    this.mark(false);
  }

  /// The current row has changed, or the search.
  mark(scrolls = true): void {
    const { current, execution } = this.state;
    for (const element of this.noted) {
      element.classList.remove("current", "source", "could", "could-not", "unordered");
      element.setAttribute("aria-selected", "false");
    }
    this.noted = [];
    this.edges.emphasise(this.state);
    const element = this.rows.get(current);
    if (element === undefined) {
      this.list.removeAttribute("aria-activedescendant");
      return;
    }
    this.note(current, "current");
    element.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", element.id);
    const data = execution.rows[current]!;
    if (data.from !== undefined) this.note(data.from, "source");
    for (const store of data.stores ?? []) if (store.row !== data.from) this.note(store.row, noteOf(store));
    if (this.state.edges.has("hb")) this.noteOrder(current);
    if (scrolls) element.querySelector(".box")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  markMatches(): void {
    for (const [row, element] of this.rows) element.classList.toggle("match", this.state.matches(row));
    this.list.classList.toggle("searching", this.state.search.trim() !== "");
  }

  focus(): void {
    this.list.focus({ preventScroll: true });
  }

  private note(row: Row, name: string): void {
    const element = this.rows.get(row);
    if (element === undefined) return;
    element.classList.add(name);
    this.noted.push(element);
  }

  /// Rows that are neither before nor after the current one are pale.
  private noteOrder(current: Row): void {
    const before = reachable(this.state, current, true);
    const after = reachable(this.state, current, false);
    for (const row of this.state.visible) if (row !== current && !before.has(row) && !after.has(row)) this.note(row, "unordered");
  }

  private row(index: Row): HTMLElement {
    const { execution } = this.state;
    const data = execution.rows[index]!;
    const first = make("div", { class: "operation" }, make("span", { class: "tag" }, tagOf(data.kind)), what(data));
    if (data.order !== undefined && data.value !== undefined)
      first.append(make("span", { class: `order ${data.order}`, title: data.order }, shortOrder(data.order)));
    const second = make("div", { class: "where" }, make("span", { class: "place" }, data.place ?? ""));
    if (data.from !== undefined && data.value !== undefined) second.append(make("span", { class: "from" }, `from ${rowName(execution, data.from)}`));
    if (data.skipped !== undefined)
      second.append(make("span", { class: "surprise", title: "It does not read the newest store above it" }, `not ${rowName(execution, data.skipped)}`));
    const classes = ["row", data.kind, data.marked === true ? "marked" : "", data.skipped !== undefined ? "surprising" : "", data.letter === "" ? "extra" : ""];
    const element = make("div", { id: `row-${index}`, class: classes.filter((name) => name !== "").join(" "), role: "option", "aria-selected": "false", "aria-label": spoken(execution, index), "data-row": index },
      make("span", { class: "letter" }, data.letter === "" ? "•" : data.letter), make("div", { class: "box", title: data.text }, first, second));
    element.style.setProperty("--column", String(data.thread));
    return element;
  }

  private clicked(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(".row") : null;
    if (row !== null && !isSelectingText()) this.onChoose(Number(row.dataset["row"]));
  }

  private resized(): void {
    const column = this.columnWidth();
    if (column === this.column) return;
    this.column = column;
    this.lay();
  }

  private columnWidth(): number {
    const room = (byId("graph").clientWidth - kGutter - 4) / Math.max(1, this.state.execution.threads.length);
    return Math.floor(Math.max(kNarrowest, Math.min(kWidest, room)));
  }

  private lay(): void {
    byId("graph").style.setProperty("--column-width", `${this.column}px`);
    byId("graph").style.setProperty("--row-height", `${kRowHeight}px`);
    byId("graph").style.setProperty("--box-height", `${kBoxHeight}px`);
    byId("graph").style.setProperty("--gutter", `${kGutter}px`);
    byId("graph").style.setProperty("--margin", `${kMargin}px`);
    this.drawEdges();
  }

  private geometry(): Geometry {
    const left = (thread: number): number => kGutter + thread * this.column + kMargin;
    return { rowHeight: kRowHeight, boxHeight: kBoxHeight, left, right: (thread) => left(thread) + this.column - 2 * kMargin };
  }
}

function noteOf(store: Candidate): string {
  return store.can ? "could" : "could-not";
}

const kTags: Record<string, string> = { load: "R", store: "W", rmw: "RW", fence: "F" };
function tagOf(kind: string): string {
  return kTags[kind] ?? "";
}

/// In a narrow column the name is cut before its last letters, where the index of an array is; not the value.
function what(row: RowData): HTMLElement {
  if (row.variable === undefined || row.value === undefined) return make("span", { class: "what" }, row.text);
  const start = row.variable.length > 2 * kTail ? row.variable.length - kTail : row.variable.length;
  const name = make("span", { class: "name" }, row.variable.slice(0, start));
  const rest = operation(row).slice(start);
  name.style.maxWidth = `max(4ch, calc(100% - ${rest.length}ch))`;
  return make("span", { class: "what" }, name, rest);
}
