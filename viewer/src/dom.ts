// Elements are made by code, and texts set as text: nothing of the tested program is ever read as HTML.

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | undefined;

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

export function makeSvg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  return element;
}

/// An element of the template.
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the template lacks #${id}`);
  return found;
}

export function button(label: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/// Text is being selected with the mouse: a click at its end is not meant as one.
export function isSelectingText(): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed;
}
