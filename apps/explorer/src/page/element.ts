/** An element that the page's own HTML has; a missing one is our mistake, so it throws. */
export function element<Type extends Element>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} with the id "${id}".`);
  return found;
}
