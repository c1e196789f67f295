// Starts the page: reads the data, and joins the parts. Whoever changes the state tells the parts that show it.
import { Controls } from "./controls";
import { readData, type Row } from "./data";
import { Details } from "./details";
import { byId, make } from "./dom";
import { Graph } from "./graph";
import { Header } from "./header";
import { Source } from "./source";
import { State } from "./state";
import { spoken } from "./words";

class Page {
  private readonly state: State;
  private readonly header: Header;
  private readonly graph: Graph;
  private readonly details: Details;
  private readonly source: Source;
  private readonly controls: Controls;

  constructor(state: State) {
    this.state = state;
    this.header = new Header(state);
    this.graph = new Graph(state);
    this.details = new Details(state);
    this.source = new Source(state);
    this.controls = new Controls(state, {
      step: (by) => this.go(state.stepped(by)),
      toEnd: (isLast) => this.toEnd(isLast),
      toNext: (what) => this.toNext(what),
      toMatch: (backwards) => this.go(state.next((row) => state.matches(row), backwards)),
      edgesChanged: () => this.graph.drawEdges(),
      filtersChanged: () => this.filtered(),
      searchChanged: () => this.searched(),
    });
    this.graph.onChoose = this.details.onChoose = this.source.onChoose = (row) => this.go(row);
    this.graph.onOpen = () => this.details.focus();
    this.header.onChoose = (execution) => this.choose(execution);
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.choose(0);
  }

  private choose(execution: number): void {
    this.state.choose(execution);
    this.state.current = this.state.visible[0] ?? 0;
    this.header.show();
    this.source.reset();
    this.controls.build();
    this.graph.build();
    this.showCurrent();
  }

  /// A row that filters hide is not gone to.
  private go(row: Row): void {
    if (this.state.position(row) < 0) {
      this.say("That event is hidden by the filters.");
      return;
    }
    this.state.current = row;
    this.graph.mark();
    this.showCurrent();
    this.say(`Step ${this.state.position(row) + 1} of ${this.state.visible.length}: ${spoken(this.state.execution, row)}`);
  }

  private showCurrent(): void {
    this.details.show();
    this.source.show();
    this.controls.show();
  }

  private say(text: string): void {
    byId("live").textContent = text;
  }

  private toEnd(isLast: boolean): void {
    const { visible, current } = this.state;
    this.go((isLast ? visible[visible.length - 1] : visible[0]) ?? current);
  }

  private toNext(what: "marked" | "surprising"): void {
    const { rows } = this.state.execution;
    this.go(this.state.next((row) => (what === "marked" ? rows[row]!.marked === true : rows[row]!.skipped !== undefined)));
  }

  private filtered(): void {
    this.state.filter();
    this.graph.build();
    this.graph.markMatches();
    this.showCurrent();
    this.say(`${this.state.visible.length} events are shown.`);
  }

  private searched(): void {
    this.graph.markMatches();
    if (this.state.search.trim() !== "" && !this.state.matches(this.state.current)) {
      const match = this.state.visible.find((row) => this.state.matches(row));
      if (match !== undefined) {
        this.go(match);
        return;
      }
    }
    this.controls.show();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (event.key === "Escape") {
      this.graph.focus();
      return;
    }
    if (target.matches("input[type=search], select, textarea")) return;
    const act = this.action(event.key, target);
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private action(key: string, target: HTMLElement): (() => void) | undefined {
    const isScrolling = target.closest(".code, .menu") !== null; // arrow keys are for them
    switch (key) {
      case "j": return () => this.go(this.state.stepped(1));
      case "k": return () => this.go(this.state.stepped(-1));
      case "b": return () => this.toNext("marked");
      case "s": return () => this.toNext("surprising");
      case "n": return () => this.go(this.state.next((row) => this.state.matches(row)));
      case "/": return () => this.controls.focusSearch();
    }
    if (isScrolling) return undefined;
    switch (key) {
      case "ArrowDown":
      case "ArrowRight": return () => this.go(this.state.stepped(1));
      case "ArrowUp":
      case "ArrowLeft": return () => this.go(this.state.stepped(-1));
      case "PageDown": return () => this.go(this.state.stepped(10));
      case "PageUp": return () => this.go(this.state.stepped(-10));
      case "Home": return () => this.toEnd(false);
      case "End": return () => this.toEnd(true);
      case "Enter": return target.id === "events" || target === document.body ? () => this.details.focus() : undefined;
    }
    return undefined;
  }
}

function start(): void {
  try {
    new Page(new State(readData(byId("ordeal-data").textContent)));
  } catch (error) {
    document.body.replaceChildren(make("p", { class: "failure", role: "alert" }, error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

start();
