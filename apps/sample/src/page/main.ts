import { listAgents } from "@agents/client";
import type { AgentDescription } from "@agents/schema/agent";
import { showArtifacts } from "./artifact-panel.ts";
import { Conversation, type ConversationView } from "./conversation.ts";
import { element, make } from "./element.ts";
import { MessageList } from "./message-list.ts";
import { type Place, readPlace, writePlace } from "./place.ts";
import { drawSnapshotTree } from "./snapshot-tree.ts";
import { StatePanel } from "./state-panel.ts";
import { Timeline } from "./timeline.ts";

const URL_OF_AGENTS = "/api";

const text = element("text", HTMLInputElement);
const background = element("background", HTMLInputElement);
const stop = element("stop", HTMLButtonElement);
const problem = element("problem", HTMLParagraphElement);
const connection = element("connection", HTMLOutputElement);
const state = new StatePanel(element("state", HTMLDivElement));
const timeline = new Timeline(
  element("timeline", SVGSVGElement),
  element("count", HTMLOutputElement),
  element("legend", HTMLParagraphElement),
);
const messages = new MessageList(element("messages", HTMLOListElement), (request, approved) => {
  problem.textContent = "";
  void conversation?.answer(request, approved);
});
let conversation: Conversation | undefined;
let descriptions: readonly AgentDescription[] = [];

/** A view that the page no longer shows must not draw over the one that it does. */
function viewFor(place: Place): ConversationView {
  let mine: Conversation | undefined;
  const isShown = (): boolean => mine === undefined || mine === conversation;
  return {
    chunk(chunk) {
      if (!isShown()) return;
      timeline.add(chunk);
      const { modelChunk, artifact, status } = chunk;
      if (modelChunk !== undefined && modelChunk.role !== "tool")
        messages.grow(modelChunk.content.map((part) => part.text ?? "").join(""));
      if (artifact !== undefined) showArtifacts(element("artifacts", HTMLDivElement), [artifact]);
      if (typeof status === "string") connection.textContent = status;
    },
    clear() {
      if (!isShown()) return;
      timeline.clear();
      messages.dropLive();
    },
    changed(of) {
      mine = of;
      if (isShown()) messages.show(of.messages);
    },
    custom(custom) {
      if (isShown()) state.show(custom);
    },
    turns(snapshots) {
      if (!isShown()) return;
      const { from, ...rest } = place;
      // A reload of a branch leads to where it is by now.
      if (from !== undefined) writePlace({ ...rest, from: mine?.snapshotId ?? from });
      const onPick = (picked: string): void => void open({ ...rest, from: picked });
      drawSnapshotTree(element("tree", SVGSVGElement), snapshots, { current: mine?.snapshotId, onPick });
      void showArtifactsOf(mine);
    },
    busy(isBusy) {
      if (!isShown()) return;
      stop.disabled = !isBusy;
      connection.textContent = isBusy ? "working" : "ready";
      connection.dataset["state"] = isBusy ? "busy" : "idle";
    },
    problem(words) {
      if (isShown()) problem.textContent = words;
    },
  };
}

async function showArtifactsOf(of: Conversation | undefined): Promise<void> {
  if (of?.snapshotId === undefined) return showArtifacts(element("artifacts", HTMLDivElement), []);
  const snapshot = await of.agent.getSnapshot(of.snapshotId).catch(() => undefined);
  if (of === conversation && snapshot?.state !== undefined)
    showArtifacts(element("artifacts", HTMLDivElement), snapshot.state.artifacts);
}

async function open(place: Place): Promise<void> {
  writePlace(place);
  problem.textContent = "";
  connection.textContent = "ready";
  stop.disabled = true;
  element("about", HTMLParagraphElement).textContent =
    descriptions.find(({ name }) => name === place.agent)?.description ?? "";
  element("branch", HTMLParagraphElement).textContent =
    place.from === undefined
      ? "Click a turn to go on from there."
      : "The next message starts a branch from the marked turn.";
  background.checked = place.agent === "reporter";
  timeline.clear();
  messages.show([]);
  showAgents(place);
  conversation = new Conversation({ url: URL_OF_AGENTS, ...place }, viewFor(place));
  await conversation.open().catch((error: unknown) => {
    problem.textContent = error instanceof Error ? error.message : String(error);
  });
}

function showAgents(place: Place): void {
  element("agents", HTMLElement).replaceChildren(
    ...descriptions.map(({ name }) => {
      const button = make("button", { text: name });
      button.type = "button";
      button.setAttribute("aria-pressed", String(name === place.agent));
      button.addEventListener("click", () => void open({ agent: name, session: crypto.randomUUID() }));
      return button;
    }),
  );
}

element("composer", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const said = text.value.trim();
  if (said === "" || conversation === undefined) return;
  text.value = "";
  problem.textContent = "";
  const sent = background.checked ? conversation.sendToBackground(said) : conversation.send(said);
  sent.catch((error: unknown) => {
    problem.textContent = error instanceof Error ? error.message : String(error);
  });
});
stop.addEventListener("click", () => void conversation?.stop());
element("fresh", HTMLButtonElement).addEventListener("click", () => {
  const { agent } = readPlace(
    location.hash,
    descriptions.map(({ name }) => name),
  );
  void open({ agent, session: crypto.randomUUID() });
});

descriptions = await listAgents({ url: URL_OF_AGENTS });
await open(
  readPlace(
    location.hash,
    descriptions.map(({ name }) => name),
  ),
);
