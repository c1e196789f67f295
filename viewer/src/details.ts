// The current event: what it is, and for a read which stores it could have read, and why no others.
import { kInitial, type Candidate, type Execution, type Row, type RowData } from "./data";
import { button, byId, make } from "./dom";
import type { State } from "./state";
import { operation, rowName, threadName } from "./words";

export class Details {
  onChoose: (row: Row) => void = () => undefined;
  private readonly pane = byId("details");
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  show(): void {
    const { execution, current } = this.state;
    const row = execution.rows[current];
    if (row === undefined || this.state.visible.length === 0) {
      this.pane.replaceChildren();
      return;
    }
    const name = row.letter === "" ? threadName(execution, row) : `${row.letter} · ${threadName(execution, row)}`;
    this.pane.replaceChildren(make("h2", {}, name), make("p", { class: "statement" }, row.text), this.facts(row));
    if (row.skipped !== undefined) this.pane.append(this.surprise(execution, row));
    if (row.stores !== undefined) this.pane.append(...this.stores(execution, row, row.stores));
    if (row.moreStores !== undefined) this.pane.append(make("p", { class: "none" }, `and ${row.moreStores} more that are not on this page`));
    if (row.calls !== undefined && row.calls.length > 1)
      this.pane.append(make("h3", {}, "Calls"), make("ol", { class: "calls", start: 0 }, ...row.calls.map((call) => make("li", {}, call))));
  }

  /// Where Enter goes.
  focus(): void {
    (this.pane.querySelector<HTMLElement>("button") ?? this.pane).focus();
  }

  private facts(row: RowData): HTMLElement {
    const list = make("dl", { class: "facts" });
    const add = (name: string, value: string | Node | undefined): void => {
      if (value !== undefined && value !== "") list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
    };
    add("Variable", row.variable);
    add("Value", row.value);
    add("Order", row.order);
    if (row.from !== undefined) add("Reads from", this.link(row.from));
    add("Source", row.place);
    add("Function", row.function);
    return list;
  }

  /// The name of a row, to go there.
  private link(row: Row): HTMLElement {
    const { execution } = this.state;
    if (row === kInitial) return make("span", { class: "initial" }, "the initial value");
    const data = execution.rows[row];
    const text = rowName(execution, row);
    if (data === undefined) return make("span", {}, text);
    return button(text, { class: "row-link", "aria-label": `Go to ${text}: ${operation(data)}, ${threadName(execution, data)}` }, () => this.onChoose(row));
  }

  private surprise(execution: Execution, row: RowData): HTMLElement {
    const skipped = execution.rows[row.skipped!];
    return make("p", { class: "note surprise-note" }, "Surprising: it does not read the newest store above it. Without weak memory it would have read ", this.link(row.skipped!),
      skipped === undefined ? "." : `: ${operation(skipped)}, of ${threadName(execution, skipped)}.`);
  }

  private stores(execution: Execution, row: RowData, stores: Candidate[]): HTMLElement[] {
    const list = (title: string, empty: string, chosen: Candidate[], name: string): HTMLElement[] => [
      make("h3", {}, title),
      chosen.length === 0 ? make("p", { class: "none" }, empty) : make("ul", { class: `stores ${name}` }, ...chosen.map((store) => this.store(execution, row, store))),
    ];
    const could = stores.filter((store) => store.can);
    const others = stores.filter((store) => !store.can);
    return [
      ...list("It could have read", "No store.", could, "could"),
      ...(others.length === 0 ? [] : list("Excluded", "", others, "could-not")),
    ];
  }

  private store(execution: Execution, row: RowData, store: Candidate): HTMLElement {
    const data = execution.rows[store.row];
    const item = make("li", {}, this.link(store.row), make("span", { class: "value" }, store.value));
    if (data !== undefined) item.append(make("span", { class: "whose" }, threadName(execution, data)));
    if (store.row === row.from) item.append(make("span", { class: "chosen" }, "read here"));
    if (store.why !== "") item.append(make("div", { class: "reason" }, store.why));
    return item;
  }
}
