// The tools above the execution: steps, edges (also their legend), search and filters.
import { button, byId, make, makeSvg } from "./dom";
import { kEdgeKinds, type EdgeKind, type State } from "./state";

export interface Actions {
  step(by: number): void;
  toEnd(isLast: boolean): void;
  toNext(what: "marked" | "surprising"): void;
  toMatch(backwards: boolean): void;
  edgesChanged(): void;
  filtersChanged(): void;
  searchChanged(): void;
}

const kMeaning: Record<EdgeKind, string> = {
  po: "program order: one thread, one operation after the other",
  rf: "reads from: the store to the load that returns its value",
  mo: "modification order: the stores of one variable, in the order that all threads agree on; dashed: another order would do as well",
  fr: "from-read: a load to the store that overwrites what it has read",
  sw: "synchronizes with: what orders threads, such as a release store and the acquire load that reads it, or the start of a thread",
  hb: "happens before: follows from po and sw; events that are not ordered with the current one are pale",
};

export class Controls {
  private readonly state: State;
  private readonly actions: Actions;
  private readonly position = make("span", { id: "position", class: "position" });
  private readonly found = make("span", { id: "found", class: "found" });
  private search = make("input", { type: "search" });

  constructor(state: State, actions: Actions) {
    this.state = state;
    this.actions = actions;
    byId("foot").append(legend());
  }

  build(): void {
    this.buildSteps();
    this.buildEdges();
    this.buildFilters();
    this.show();
  }

  /// What depends on the current row.
  show(): void {
    const { execution, visible, current } = this.state;
    const hidden = execution.rows.length - visible.length;
    this.position.textContent = `${this.state.position(current) + 1} of ${visible.length}${hidden > 0 ? ` (${hidden} hidden)` : ""}`;
    const matches = visible.filter((row) => this.state.matches(row));
    this.found.textContent = this.state.search.trim() === "" ? "" : matches.length === 0 ? "none" : `${matches.indexOf(current) + 1 || "–"}/${matches.length}`;
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  private buildSteps(): void {
    const { rows } = this.state.execution;
    const step = (shape: string, name: string, keys: string, act: () => void): HTMLElement => {
      const element = button("", { class: "step", "aria-label": name, title: `${name} (${keys})` }, act);
      const icon = makeSvg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" });
      icon.append(makeSvg("path", { d: shape }));
      element.append(icon);
      return element;
    };
    byId("steps").replaceChildren(
      step("M1 1h2v10H1zM11 1v10L4 6z", "First event", "Home", () => this.actions.toEnd(false)),
      step("M10 1v10L2 6z", "Previous event", "↑ or k", () => this.actions.step(-1)),
      this.position,
      step("M2 1v10l8-5z", "Next event", "↓ or j", () => this.actions.step(1)),
      step("M9 1h2v10H9zM1 1v10l7-5z", "Last event", "End", () => this.actions.toEnd(true)),
    );
    if (rows.some((row) => row.marked === true)) byId("steps").append(button("Bug", { class: "jump bug", title: "To the next row of the bug (b)" }, () => this.actions.toNext("marked")));
    const surprising = rows.filter((row) => row.skipped !== undefined).length;
    if (surprising > 0)
      byId("steps").append(button(`Surprising (${surprising})`, { class: "jump odd", title: "To the next read that weak memory explains (s)" }, () => this.actions.toNext("surprising")));
  }

  private buildEdges(): void {
    const { edges } = this.state.execution;
    const count = (kind: EdgeKind): number => (kind === "po" ? 1 : kind === "mo" ? edges.mo.length + edges.moChosen.length : edges[kind].length);
    const switches = kEdgeKinds.map((kind) => {
      const isEmpty = count(kind) === 0;
      return toggle(kind, `edge-switch ${kind}`, isEmpty ? `${kMeaning[kind]} (there is none here)` : kMeaning[kind], this.state.edges.has(kind), (isOn) => {
        if (isOn) this.state.edges.add(kind);
        else this.state.edges.delete(kind);
        this.actions.edgesChanged();
      }, isEmpty);
    });
    const only = toggle("current event only", "", "Draw only the edges that begin or end at the current event", this.state.onlyCurrent, (isOn) => {
      this.state.onlyCurrent = isOn;
      this.actions.edgesChanged();
    });
    byId("edges").replaceChildren(...switches, only);
  }

  private buildFilters(): void {
    this.search = make("input", { type: "search", id: "search", placeholder: "Search  /", "aria-label": "Search events; Enter goes to the next match", spellcheck: "false", autocomplete: "off" });
    this.search.addEventListener("input", () => {
      this.state.search = this.search.value;
      this.actions.searchChanged();
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.actions.toMatch(event.shiftKey);
    });
    byId("filters").replaceChildren(this.search, this.found, this.variables(), this.threads(), ...this.asides());
  }

  private variables(): HTMLElement {
    const counts = new Map<string, number>();
    for (const row of this.state.execution.rows) if (row.variable !== undefined) counts.set(row.variable, (counts.get(row.variable) ?? 0) + 1);
    const select = make("select", { id: "variable", "aria-label": "Only events of this variable" }, make("option", { value: "" }, "all variables"));
    for (const name of [...counts.keys()].sort((a, b) => a.localeCompare(b))) select.append(make("option", { value: name }, `${name} (${counts.get(name)})`));
    select.addEventListener("change", () => {
      this.state.variable = select.value;
      this.actions.filtersChanged();
    });
    return select;
  }

  private threads(): HTMLElement {
    const summary = make("summary", {}, "Threads");
    const menu = make("details", { class: "menu", id: "thread-menu" }, summary);
    const hidden = this.state.hiddenThreads;
    const items = this.state.execution.threads.map((name, thread) =>
      toggle(name, "", `Show ${name}`, true, (isOn) => {
        if (isOn) hidden.delete(thread);
        else hidden.add(thread);
        summary.textContent = hidden.size === 0 ? "Threads" : `Threads (${this.state.execution.threads.length - hidden.size} of ${this.state.execution.threads.length})`;
        this.actions.filtersChanged();
      }),
    );
    menu.append(make("div", { class: "items", role: "group", "aria-label": "Threads that are shown" }, ...items));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      menu.open = false;
      summary.focus();
    });
    document.addEventListener("click", (event) => {
      if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
    });
    return menu;
  }

  /// Events that rarely matter, if there are some.
  private asides(): HTMLElement[] {
    const count = this.state.execution.rows.filter((row) => row.aside === true && row.marked !== true).length;
    if (count === 0) return [];
    return [toggle(`all events (+${count})`, "", "Also what a thread does with memory that no other touches", this.state.showsAsides, (isOn) => {
      this.state.showsAsides = isOn;
      this.actions.filtersChanged();
    })];
  }
}

function toggle(label: string, name: string, title: string, isOn: boolean, onChange: (isOn: boolean) => void, isDisabled = false): HTMLLabelElement {
  const input = make("input", { type: "checkbox", checked: isOn, disabled: isDisabled });
  input.addEventListener("change", () => onChange(input.checked));
  return make("label", { class: `toggle ${name}${isDisabled ? " disabled" : ""}`, title }, input, make("span", { class: "sample", "aria-hidden": "true" }), make("span", {}, label));
}

function legend(): HTMLElement {
  const list = make("dl", { class: "legend-list" });
  for (const kind of kEdgeKinds) list.append(make("dt", { class: `key ${kind}` }, make("span", { class: "sample", "aria-hidden": "true" }), kind), make("dd", {}, kMeaning[kind]));
  const add = (name: string, key: string, text: string): void => void list.append(make("dt", {}, make("span", { class: name }, key)), make("dd", {}, text));
  add("tag", "R W RW F", "load, store, read-modify-write, fence");
  add("order relaxed", "rlx acq rel sc", "memory orders: relaxed, acquire, release (acq_rel: both), seq_cst");
  add("surprise", "not c", "a surprising read: it does not read c, the newest store above it");
  add("bug-key", "a b", "rows with a red edge take part in the bug");
  add("key-name", "↑ ↓ j k", "step back and forth; Home, End: first and last");
  add("key-name", "Enter Esc", "to the details of the current event, and back");
  add("key-name", "b s n /", "next row of the bug, next surprising read, next match, search");
  return make("details", { class: "legend" }, make("summary", {}, "Legend and keys"), list);
}
