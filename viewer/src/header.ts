// The top of the page: the bug, why it could happen, how to see it again; which of several; light or dark.
import type { PageData } from "./data";
import { button, byId, make } from "./dom";
import type { State } from "./state";

export class Header {
  onChoose: (execution: number) => void = () => undefined;
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
    this.buildChooser(state.data);
    byId("about").replaceChildren(make("span", { class: "program" }, state.data.program), make("span", { class: "model" }, `model ${state.data.model}`));
    byId("foot").prepend(summary(state.data.summary), make("p", { class: "made" }, `Made by ${state.data.tool}. This file needs no network.`));
    buildTheme();
  }

  show(): void {
    const { execution, data } = this.state;
    document.title = `${execution.title} – ${data.program} – Ordeal`;
    const badge = execution.kind === "" ? [] : [make("span", { class: "badge" }, execution.kind)];
    byId("title").replaceChildren(...badge, execution.title);
    const why = byId("why");
    why.replaceChildren(...execution.why.map((sentence) => make("p", {}, sentence)));
    if (execution.order === "weak" && execution.kind === "") why.append(make("p", {}, "No interleaving explains this execution: it takes weak memory."));
    for (const remark of execution.remarks) why.append(make("p", { class: "note" }, remark));
    if (execution.output !== "") why.append(make("details", { class: "output" }, make("summary", {}, "What the program printed"), make("pre", {}, execution.output)));
    byId("replay").replaceChildren(...(execution.replay === "" ? [] : [this.command(execution.replay)]));
  }

  private command(text: string): HTMLElement {
    const code = make("code", {}, text);
    const copy = button("Copy", { class: "quiet", "aria-label": "Copy the command" }, () => {
      const select = (): void => window.getSelection()?.selectAllChildren(code);
      const done = (): void => {
        copy.textContent = "Copied";
        window.setTimeout(() => (copy.textContent = "Copy"), 1500);
      };
      if (navigator.clipboard === undefined) select();
      else navigator.clipboard.writeText(text).then(done, select);
    });
    return make("p", { class: "command" }, make("span", { class: "caption" }, "See it again"), code, copy);
  }

  private buildChooser(data: PageData): void {
    if (data.executions.length < 2) return;
    const select = make("select", { id: "execution", "aria-label": "Which execution" });
    data.executions.forEach((execution, index) => select.append(make("option", { value: index }, `${index + 1} of ${data.executions.length}: ${execution.title}`)));
    select.addEventListener("change", () => this.onChoose(Number(select.value)));
    byId("chooser").replaceChildren(select);
  }
}

/// Of many lines the last one, and the others when they are asked for.
function summary(lines: string[]): HTMLElement {
  const paragraphs = lines.map((line) => make("p", {}, line));
  const last = lines[lines.length - 1];
  if (last === undefined || lines.length <= 3) return make("div", { class: "summary" }, ...paragraphs);
  return make("div", { class: "summary" }, make("details", {}, make("summary", {}, last), ...paragraphs.slice(0, -1)));
}

const kThemeKey = "ordeal-theme";

/// As the system has it, until the user chooses.
function buildTheme(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = stored();
  const apply = (): void => {
    const isDark = chosen === "" ? system.matches : chosen === "dark";
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    const control = byId("theme");
    control.textContent = isDark ? "☀ Light" : "☾ Dark";
    control.setAttribute("aria-label", isDark ? "Change to light colours" : "Change to dark colours");
  };
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
    try {
      window.localStorage.setItem(kThemeKey, chosen);
    } catch {
      // A browser that keeps nothing for files: the choice is good for this visit.
    }
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}

function stored(): string {
  try {
    return window.localStorage.getItem(kThemeKey) ?? "";
  } catch {
    return "";
  }
}
