import { AgentError } from "@agents/schema/error";
import type { Exchange } from "../edge/exchange.ts";
import type { Client } from "../presence/work.ts";
import type { Services } from "./services.ts";

export interface AwaitedWork extends Pick<Client, "kind" | "rejoinable" | "abort"> {
  leave(why: "client" | "shutdown"): void;
  /** For the error of an answer that the server cannot wait for: where to go on. */
  turnId?(): Promise<string | undefined>;
}

/** What the client waits for; rejects early, with UNAVAILABLE, when the server has to end before it is there. */
export function answerOnce<T>(
  result: Promise<T>,
  { inbound }: Pick<Exchange, "inbound">,
  { work }: Pick<Services, "work">,
  { leave, turnId, ...client }: AwaitedWork,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = inbound.onLeave(() => leave("client"));
    const release = work.serve({
      ...client,
      interrupt(error) {
        end();
        leave("shutdown");
        void (turnId?.() ?? Promise.resolve(undefined)).then((id) => {
          const details = { ...(error.details as object), ...(id === undefined ? {} : { turnId: id }) };
          reject(new AgentError(error.status, error.message, { details }));
        });
      },
    });
    const end = (): void => {
      stopListening();
      release();
    };
    result.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}
