import { type RemoteAgent, type RemoteChat, remoteAgent } from "@agents/client";
import type { AgentChunk, AgentInput, Message, SnapshotSummary } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import { forgetSaid, rememberSaid, saidIn } from "./said.ts";

/** What the page shows of a conversation. Each is called whenever it changed. */
export interface ConversationView {
  chunk(chunk: AgentChunk): void;
  /** A turn begins, or what was shown of it is void because another process runs it again. */
  clear(): void;
  changed(conversation: Conversation): void;
  custom(custom: unknown): void;
  turns(snapshots: readonly SnapshotSummary[]): void;
  /** Whether a turn is running, and can be stopped. */
  busy(isBusy: boolean): void;
  problem(text: string): void;
}

interface Options {
  /** Where the agent routes are. */
  readonly url: string;
  readonly agent: string;
  readonly session: string;
  /** The turn that a branch starts from. */
  readonly from?: string;
}

type Entries = AsyncIterable<{ readonly chunk: AgentChunk } | { readonly restarted: true }>;

/** One conversation with one agent: its chat, the turn that runs, and the way back to it after a reload. */
export class Conversation {
  readonly agent: RemoteAgent;
  #chat: RemoteChat;
  readonly #view: ConversationView;
  readonly #session: string;
  readonly #isBranch: boolean;
  #running: string | undefined;
  #custom: unknown;

  constructor({ url, agent, session, from }: Options, view: ConversationView) {
    this.agent = remoteAgent({ url, name: agent });
    this.#view = view;
    this.#session = session;
    this.#isBranch = from !== undefined;
    this.#chat = from === undefined ? this.agent.chat({ sessionId: session }) : this.agent.chat({ snapshotId: from });
  }

  get snapshotId(): string | undefined {
    return this.#chat.snapshotId;
  }

  /** What was said while a turn runs is not in its snapshot yet. */
  get messages(): readonly Message[] {
    const said = this.#running === undefined ? undefined : saidIn(this.#session);
    const { messages } = this.#chat;
    if (said === undefined || messages.at(-1)?.role === "user") return messages;
    return [...messages, { role: "user", content: [{ text: said }] }];
  }

  /** Shows what is there, and joins the turn that runs, if one does. */
  async open(): Promise<void> {
    const isThere = await this.#refresh();
    await this.#showAll();
    const { snapshotId } = this.#chat;
    if (!isThere || snapshotId === undefined) return;
    const { status } = await this.agent.getSnapshot(snapshotId);
    if (status === "pending" || status === "aborting") await this.#join(snapshotId);
    if (status === "expired")
      this.#view.problem("The last turn has expired: its server is gone. Send a message to go on.");
  }

  async send(text: string): Promise<void> {
    rememberSaid(this.#session, text);
    await this.#send(text);
  }

  /** The same for a turn that goes on without this page. */
  async sendToBackground(text: string): Promise<void> {
    rememberSaid(this.#session, text);
    const { snapshotId } = this.#chat;
    const from = this.#isBranch && snapshotId !== undefined ? { snapshotId } : { sessionId: this.#session };
    const task = await this.agent.detach(text, from);
    await this.#join(task.snapshotId);
  }

  answer(toolRequest: { name: string; ref?: string | undefined; input?: unknown }, approved: boolean): Promise<void> {
    return this.#send({ resume: { restart: [{ toolRequest, metadata: { resumed: { approved } } }] } });
  }

  async stop(): Promise<void> {
    if (this.#running !== undefined) await this.agent.abort(this.#running);
  }

  async #send(input: string | AgentInput): Promise<void> {
    const stream = this.#chat.send(input);
    this.#view.changed(this);
    void stream.turnId().then((turnId) => {
      this.#running = turnId;
    });
    await this.#follow(stream.entries(), () => stream.output());
  }

  async #join(turnId: string): Promise<void> {
    this.#running = turnId;
    this.#view.changed(this);
    await this.#showTurns();
    const task = this.agent.task(turnId);
    await this.#follow(task.events(), async () => {
      const ended = await task.wait();
      // A branch goes on from its own last turn, and not from the newest of the session.
      if (this.#isBranch) this.#chat = this.agent.chat({ snapshotId: turnId });
      await this.#refresh();
      return ended;
    });
  }

  async #follow(
    entries: Entries,
    end: () => Promise<{ readonly error?: { message: string } | undefined }>,
  ): Promise<void> {
    this.#view.clear();
    this.#view.busy(true);
    try {
      for await (const entry of entries) {
        if ("restarted" in entry) this.#view.clear();
        else this.#show(entry.chunk);
      }
      const { error } = await end();
      if (error !== undefined) this.#view.problem(error.message);
    } catch (error) {
      this.#view.problem(error instanceof Error ? error.message : String(error));
    } finally {
      this.#running = undefined;
      forgetSaid(this.#session);
      this.#view.busy(false);
      await this.#showAll();
    }
  }

  #show(chunk: AgentChunk): void {
    this.#view.chunk(chunk);
    if (chunk.customPatch === undefined) return;
    this.#custom = applyPatch(this.#custom, chunk.customPatch as PatchOperation[]);
    this.#view.custom(this.#custom);
  }

  async #refresh(): Promise<boolean> {
    try {
      await this.#chat.refresh();
      return true;
    } catch (error) {
      if (AgentError.is(error) && error.status === "NOT_FOUND") return false;
      throw error;
    }
  }

  async #showAll(): Promise<void> {
    this.#custom = this.#chat.custom;
    this.#view.changed(this);
    this.#view.custom(this.#custom);
    await this.#showTurns();
  }

  async #showTurns(): Promise<void> {
    const { sessionId = this.#session } = this.#chat;
    const page = await this.agent.listSnapshots({ sessionId }).catch(() => ({ snapshots: [] }));
    this.#view.turns(page.snapshots);
  }
}
