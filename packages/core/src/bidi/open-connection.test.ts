import { AgentError } from "@agents/schema/error";
import { describe, expect, it } from "vitest";
import { type ConnectionServer, openConnection } from "./open-connection.ts";

type Serve<Out> = (server: ConnectionServer<string, string>) => Promise<Out>;

function open<Out>(serve: Serve<Out>, options: { capacity?: number; signal?: AbortSignal } = {}) {
  return openConnection({ what: "the test", capacity: 2, acceptInput: (input: string) => input, serve, ...options });
}

/** Lets everything happen that can happen without a timer. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

async function readAll<T>(values: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}

const echo: Serve<number> = async ({ inputs, sendChunk }) => {
  let count = 0;
  for await (const input of inputs) {
    count++;
    await sendChunk(`${input}!`);
  }
  return count;
};

const closed = { status: "FAILED_PRECONDITION", details: { reason: "closed" } };
const completed = { status: "FAILED_PRECONDITION", details: { reason: "completed" } };

describe("a connection", () => {
  it("carries inputs one way, chunks the other, and ends with one output", async () => {
    const connection = open(echo);
    const chunks = readAll(connection.receive());
    for (const input of ["a", "b", "c"]) await connection.send(input);
    connection.close();
    expect(await chunks).toEqual(["a!", "b!", "c!"]);
    expect(await connection.output()).toBe(3);
  });

  it("starts the server after it was handed out, never within the call", async () => {
    let started = false;
    open(async () => {
      started = true;
    });
    expect(started).toBe(false);
    await settle();
    expect(started).toBe(true);
  });

  it("lets send wait while nobody reads the inputs", async () => {
    let read = () => {};
    const mayRead = new Promise<void>((resolve) => (read = resolve));
    const connection = open(async ({ inputs }) => {
      await mayRead;
      return (await readAll(inputs)).join("");
    });
    const sent: string[] = [];
    for (const input of ["a", "b", "c", "d"]) void connection.send(input).then(() => sent.push(input));
    await settle();
    expect(sent).toEqual(["a", "b"]);
    read();
    expect(await connection.output()).toBe("abcd");
    expect(sent).toEqual(["a", "b", "c", "d"]);
  });

  it("lets sendChunk wait for a slow reader, and never beyond the reader's pace", async () => {
    let sent = 0;
    const connection = open(async ({ sendChunk }) => {
      for (let n = 0; n < 20; n++) {
        await sendChunk(`${n}`);
        sent++;
      }
    });
    let read = 0;
    for await (const chunk of connection.receive()) {
      expect(chunk).toBe(`${read++}`);
      await settle();
      expect(sent - read).toBeLessThanOrEqual(2);
    }
    expect(read).toBe(20);
  });

  it("can be left and re-entered without losing a chunk, also through one kept iterable", async () => {
    const connection = open(async ({ sendChunk }) => {
      for (const chunk of ["a", "b", "c", "d", "e"]) await sendChunk(chunk);
    });
    const kept = connection.receive();
    const read: string[] = [];
    for await (const chunk of kept) {
      read.push(chunk);
      if (chunk === "b") break;
    }
    for await (const chunk of kept) {
      read.push(chunk);
      if (chunk === "c") break;
    }
    expect([...read, ...(await readAll(connection.receive()))]).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("can be read in portions that end with a chunk of the reader's choice", async () => {
    const connection = open(async ({ sendChunk }) => {
      for (const chunk of ["a", ".", "b", "c", ".", "d"]) await sendChunk(chunk);
    });
    const turn = connection.receiveUntil((chunk) => chunk === ".");
    expect(await readAll(turn)).toEqual(["a", "."]);
    expect(await readAll(turn)).toEqual(["b", "c", "."]);
    expect(await readAll(turn)).toEqual(["d"]);
  });
});

describe("sending", () => {
  it("after close is refused as closed; what was sent before still arrives", async () => {
    const connection = open(async ({ inputs }) => readAll(inputs), { capacity: 1 });
    const early = ["a", "b", "c"].map((input) => connection.send(input));
    connection.close();
    await expect(connection.send("d")).rejects.toMatchObject(closed);
    expect(await connection.output()).toEqual(["a", "b", "c"]);
    await Promise.all(early);
  });

  it("after completion is refused as completed, also if it was closed before", async () => {
    const connection = open(async () => "done");
    await connection.output();
    await expect(connection.send("a")).rejects.toMatchObject(completed);
    connection.close();
    await expect(connection.send("a")).rejects.toMatchObject(completed);
  });

  it("that waits when the action completes is refused as completed", async () => {
    let finish = () => {};
    const connection = open(() => new Promise<void>((resolve) => (finish = resolve)), { capacity: 1 });
    const taken = connection.send("a");
    const waiting = connection.send("b");
    await settle();
    finish();
    await taken;
    await expect(waiting).rejects.toMatchObject(completed);
  });

  it("after a failure names the failure as its cause", async () => {
    const failure = new Error("broken");
    const connection = open(() => Promise.reject(failure));
    await settle();
    const refused = await connection.send("a").catch((error: unknown) => error);
    expect(refused).toMatchObject(completed);
    expect((refused as AgentError).cause).toBe(failure);
  });

  it("after cancellation is refused as closed, and so is one that waits", async () => {
    const connection = open(() => new Promise(() => {}), { capacity: 1 });
    const sends = [connection.send("a"), connection.send("b")];
    await settle();
    connection.cancel();
    await expect(sends[1]).rejects.toMatchObject(closed);
    await expect(connection.send("c")).rejects.toMatchObject(closed);
  });

  it("is refused by what acceptInput throws, and the connection goes on", async () => {
    const acceptInput = (input: string) => {
      if (input === "bad") throw new AgentError("INVALID_ARGUMENT", "bad input");
      return input;
    };
    const connection = openConnection({ what: "the test", capacity: 2, acceptInput, serve: echo });
    await expect(connection.send("bad")).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    await connection.send("good");
    expect(await connection.output()).toBe(1);
  });
});

describe("output", () => {
  it("closes the input side, drains what nobody reads, and is the same each time", async () => {
    const connection = open(async ({ inputs, sendChunk }) => {
      const read = await readAll(inputs);
      for (let n = 0; n < 100; n++) await sendChunk(`${n}`);
      return read;
    });
    await connection.send("a");
    const output = connection.output();
    expect(connection.output()).toBe(output);
    expect(await output).toEqual(["a"]);
  });

  it("drains for an action that was waiting for its reader already", async () => {
    const connection = open(async ({ sendChunk }) => {
      for (let n = 0; n < 10; n++) await sendChunk(`${n}`);
      return "done";
    });
    await settle();
    expect(connection.done).toBe(false);
    expect(await connection.output()).toBe("done");
  });

  it("takes no chunk away from a reader that runs beside it", async () => {
    const connection = open(async ({ sendChunk }) => {
      for (let n = 0; n < 50; n++) await sendChunk(`${n}`);
      return "done";
    });
    const output = connection.output();
    expect(await readAll(connection.receive())).toHaveLength(50);
    expect(await output).toBe("done");
  });

  it("stays what it is when the connection is cancelled after it settled", async () => {
    const connection = open(async ({ sendChunk }) => {
      await sendChunk("a");
      return "done";
    });
    await settle();
    expect(connection.done).toBe(true);
    connection.cancel(new Error("too late"));
    expect(await connection.output()).toBe("done");
    expect(await readAll(connection.receive())).toEqual(["a"]);
  });

  it("is what the server makes of a cancellation", async () => {
    const connection = open(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return `stopped: ${(signal.reason as Error).message}`;
    });
    await settle();
    connection.cancel(new Error("enough"));
    expect(await connection.output()).toBe("stopped: enough");
  });

  it("rejects with what the server threw, as does reading, after the chunks sent before", async () => {
    const failure = new TypeError("broken");
    const connection = open(async ({ sendChunk }) => {
      await sendChunk("a");
      throw failure;
    });
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of connection.receive()) read.push(chunk);
    })();
    await expect(reading).rejects.toBe(failure);
    await expect(connection.output()).rejects.toBe(failure);
    expect(read).toEqual(["a"]);
  });

  it("rejects if the server throws before its first await", async () => {
    const connection = open(() => {
      throw new Error("at once");
    });
    await expect(connection.output()).rejects.toThrow("at once");
  });
});

describe("cancelling", () => {
  it("aborts the signal with the reason, and throws it in the server's loop ahead of queued inputs", async () => {
    const reason = new Error("enough");
    const seen: string[] = [];
    const connection = open(async ({ inputs }) => {
      for await (const input of inputs) {
        seen.push(input);
        await settle();
      }
    });
    for (const input of ["a", "b"]) await connection.send(input);
    while (seen.length === 0) await settle();
    connection.cancel(reason);
    await expect(connection.output()).rejects.toBe(reason);
    expect(seen).toEqual(["a"]);
  });

  it("has the reason CANCELLED unless one is given", async () => {
    const connection = open(async ({ inputs }) => readAll(inputs));
    connection.cancel();
    await expect(connection.output()).rejects.toMatchObject({ status: "CANCELLED" });
  });

  it("lets every sendChunk return at once", async () => {
    const connection = open(async ({ sendChunk }) => {
      for (let n = 0; n < 10; n++) await sendChunk(`${n}`);
      return "done";
    });
    await settle();
    connection.cancel();
    await settle();
    expect(connection.done).toBe(true);
    expect(await readAll(connection.receive())).toEqual(["0", "1", "2"]);
  });

  it("follows the caller's signal", async () => {
    const controller = new AbortController();
    const connection = open(async ({ inputs }) => readAll(inputs), { signal: controller.signal });
    await settle();
    const reason = new Error("the caller left");
    controller.abort(reason);
    await expect(connection.output()).rejects.toBe(reason);
  });

  it("by a signal that was aborted before never starts the server", async () => {
    let started = false;
    const serve = async () => {
      started = true;
    };
    const connection = open(serve, { signal: AbortSignal.abort(new Error("before")) });
    await expect(connection.output()).rejects.toThrow("before");
    await expect(connection.send("a")).rejects.toMatchObject(completed);
    expect(started).toBe(false);
  });

  it("leaves nothing behind on the caller's signal once the action has completed", async () => {
    const controller = new AbortController();
    const listeners = new Set<unknown>();
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = ((type: "abort", listener: () => void) => {
      listeners.add(listener);
      add(type, listener);
    }) as never;
    signal.removeEventListener = ((type: "abort", listener: () => void) => {
      listeners.delete(listener);
      remove(type, listener);
    }) as never;
    const connection = open(async () => "done", { signal });
    expect(listeners.size).toBe(1);
    await connection.output();
    expect(listeners.size).toBe(0);
  });
});

describe("a server that goes on after its output", () => {
  it("reads the inputs that were taken, and what it sends is dropped without waiting", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const later: string[] = [];
    const connection = open(async ({ inputs, sendChunk }) => {
      void (async () => {
        await settle();
        for await (const input of inputs) {
          later.push(input);
          for (let n = 0; n < 5; n++) await sendChunk(`late ${n}`);
        }
        finish();
      })();
      return "detached";
    });
    for (const input of ["a", "b"]) await connection.send(input);
    expect(await connection.output()).toBe("detached");
    await finished;
    expect(later).toEqual(["a", "b"]);
    expect(await readAll(connection.receive())).toEqual([]);
  });

  it("sends nothing more and waits for nobody once it released its chunks", async () => {
    const connection = open(async ({ sendChunk, releaseChunks }) => {
      await sendChunk("a");
      releaseChunks();
      for (let n = 0; n < 5; n++) await sendChunk(`late ${n}`);
      return "done";
    });
    expect(await readAll(connection.receive())).toEqual(["a"]);
    expect(await connection.output()).toBe("done");
  });
});

describe("an early answer", () => {
  it("ends the connection for the caller, while the server goes on with every input that was sent", async () => {
    const seen: string[] = [];
    let finished = () => {};
    const over = new Promise<void>((resolve) => (finished = resolve));
    const connection = open<string>(async ({ inputs, sendChunk, answerEarly }) => {
      for await (const input of inputs) {
        seen.push(input);
        if (input === "b") answerEarly("early");
        await sendChunk(`${input}!`);
      }
      finished();
      return "late";
    });
    // Two of them wait: the channel takes two.
    const sent = ["a", "b", "c", "d"].map((input) => connection.send(input));
    connection.close();
    expect(await readAll(connection.receive())).toEqual(["a!"]);
    expect(await connection.output()).toBe("early");
    await over;
    await Promise.all(sent);
    expect(seen).toEqual(["a", "b", "c", "d"]);
    expect(connection.done).toBe(true);
    await expect(connection.send("e")).rejects.toMatchObject(completed);
    expect(await connection.output()).toBe("early");
  });

  it("leaves what the server throws afterwards to nobody, and no sender waiting", async () => {
    const connection = open<string>(async ({ inputs, answerEarly }) => {
      for await (const _ of inputs) break;
      answerEarly("early");
      throw new Error("late");
    });
    const sent = ["a", "b", "c", "d", "e"].map((input) => connection.send(input));
    expect(await connection.output()).toBe("early");
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
  });
});
