// The source beside: the line of the current event, and where the other threads stand at this step.
import type { Row, SourceFile } from "./data";
import { button, byId, make } from "./dom";
import type { State } from "./state";
import { rowName, threadName } from "./words";

export class Source {
  onChoose: (row: Row) => void = () => undefined;
  private readonly pane = byId("source");
  private readonly state: State;
  private shown = -1; // which file
  private lines = new Map<number, HTMLElement>();
  private noted: HTMLElement[] = [];

  constructor(state: State) {
    this.state = state;
  }

  /// Another execution: its lines have other letters.
  reset(): void {
    this.shown = -1;
    this.lines.clear();
    this.noted = [];
    this.pane.replaceChildren();
  }

  show(): void {
    const { execution, current, data, visible } = this.state;
    const row = execution.rows[current];
    const fallback = execution.rows.find((other) => other.file !== undefined)?.file ?? (data.files.length > 0 ? 0 : -1);
    const wanted = row?.file ?? (this.shown >= 0 ? this.shown : fallback);
    const file = data.files[wanted];
    if (file === undefined) {
      this.pane.replaceChildren(make("h2", {}, "Source"), make("p", { class: "none" }, "There is no source: the program is not there any more, or has no debug information."));
      return;
    }
    if (wanted !== this.shown) this.build(wanted, file);
    for (const line of this.noted) {
      line.classList.remove("now", "near");
      line.removeAttribute("aria-current");
      line.querySelector(".threads")?.replaceChildren();
    }
    this.noted = [];
    if (visible.length > 0) this.noteThreads(wanted);
  }

  private build(index: number, file: SourceFile): void {
    this.shown = index;
    this.lines.clear();
    this.noted = [];
    const letters = this.letters(index);
    const code = make("div", { class: "code", tabindex: 0, role: "region", "aria-label": `Source of ${file.name}` });
    file.pieces.forEach((piece, number) => {
      if (number > 0 || piece.first > 1) code.append(make("div", { class: "gap", "aria-hidden": "true" }, "⋮"));
      piece.lines.forEach((text, offset) => code.append(this.line(piece.first + offset, text, letters)));
    });
    const parts = [make("h2", { title: file.name }, file.name)];
    if (file.remark !== "") parts.push(make("p", { class: "note" }, file.remark));
    this.pane.replaceChildren(...parts, ...(file.pieces.length > 0 ? [code] : []));
  }

  private line(number: number, text: string, letters: Map<number, Row[]>): HTMLElement {
    const rows = letters.get(number) ?? [];
    const marks = make("span", { class: "marks" });
    const shown = rows.slice(0, this.fitting(rows));
    for (const row of shown) {
      const name = rowName(this.state.execution, row);
      marks.append(button(this.state.execution.rows[row]!.letter || "•", { class: "mark", tabindex: -1, "aria-label": `Go to ${name}` }, () => this.onChoose(row)));
    }
    if (rows.length > shown.length) marks.append(make("span", { class: "more" }, "…"));
    const element = make("div", { class: "line" }, make("span", { class: "number" }, String(number)), marks, make("span", { class: "text" }, text === "" ? " " : text), make("span", { class: "threads" }));
    this.lines.set(number, element);
    return element;
  }

  /// How many letters have room beside a line (.marks): three of one sign, or two of three ("n18").
  private fitting(rows: Row[]): number {
    const room = 9;  // signs; a letter takes one more than it has
    let used = 0;
    let count = 0;
    for (const row of rows) {
      used += (this.state.execution.rows[row]!.letter || "•").length + 1;
      if (used > room || count === 3) break;
      ++count;
    }
    return Math.max(count, 1);
  }

  private letters(file: number): Map<number, Row[]> {
    const letters = new Map<number, Row[]>();
    this.state.execution.rows.forEach((row, index) => {
      if (row.file !== file || row.line === undefined) return;
      const list = letters.get(row.line);
      if (list === undefined) letters.set(row.line, [index]);
      else list.push(index);
    });
    return letters;
  }

  /// The last row of each thread so far; that of the current one is the current line.
  private noteThreads(file: number): void {
    const { execution, current } = this.state;
    const last = new Map<number, Row>();
    for (let row = 0; row <= current; ++row) last.set(execution.rows[row]!.thread, row);
    for (const row of last.values()) {
      const data = execution.rows[row]!;
      const line = data.file === file && data.line !== undefined ? this.lines.get(data.line) : undefined;
      if (line === undefined) continue;
      this.noted.push(line);
      if (row !== current) {
        line.querySelector(".threads")?.append(make("span", {}, threadName(execution, data)));
        line.classList.add("near");
        continue;
      }
      line.classList.add("now");
      line.setAttribute("aria-current", "true");
      scrollWithin(line);
    }
  }
}

/// Only the pane moves, and only if it must.
function scrollWithin(line: HTMLElement): void {
  const pane = line.closest<HTMLElement>(".code");
  if (pane === null) return;
  const top = line.offsetTop;
  const margin = 3 * line.offsetHeight;
  if (top < pane.scrollTop + margin) pane.scrollTop = top - margin;
  else if (top + line.offsetHeight > pane.scrollTop + pane.clientHeight - margin) pane.scrollTop = top + line.offsetHeight + margin - pane.clientHeight;
}
