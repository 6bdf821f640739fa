import type { Artifact } from "@agents/schema/agent";
import { make } from "./element.ts";

/** What the agent produced. */
export function showArtifacts(panel: HTMLDivElement, artifacts: readonly Artifact[]): void {
  const items = artifacts.map(({ name = "unnamed", parts }) => {
    const text = parts.map((part) => part.text ?? "").join("\n");
    return make("details", { className: "artifact" }, make("summary", { text: name }), make("pre", { text }));
  });
  panel.replaceChildren(...(items.length > 0 ? items : [make("p", { text: "None yet." })]));
}
