/** An element that the page's own HTML has; a missing one is our mistake, so it throws. */
export function element<Type extends Element>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} with the id "${id}".`);
  return found;
}

/** A new element. Text is text: nothing that an agent or a person says becomes markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { className = "", text = "" }: { className?: string; text?: string } = {},
  ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function shape(tag: string, attributes: Readonly<Record<string, string | number>>, title = ""): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (title !== "") {
    const label = document.createElementNS(SVG, "title");
    label.textContent = title;
    made.append(label);
  }
  return made;
}
