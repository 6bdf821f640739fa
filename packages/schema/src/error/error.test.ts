import { describe, expect, it, vi } from "vitest";
import {
  AgentError,
  fromResourceError,
  fromWireError,
  HTTP_STATUS,
  MASKED_MESSAGE,
  STATUSES,
  statusFromHttp,
  toAgentError,
  toResourceError,
  toWireError,
} from "./index.ts";

describe("AgentError", () => {
  it("carries status, message, details and cause", () => {
    const cause = new Error("socket closed");
    const error = new AgentError("UNAVAILABLE", "The store is away.", { details: { store: "redis" }, cause });
    expect(error).toMatchObject({
      name: "AgentError",
      status: "UNAVAILABLE",
      message: "The store is away.",
      details: { store: "redis" },
    });
    expect(error.cause).toBe(cause);
    expect(error).toBeInstanceOf(Error);
  });

  it("has no cause and no details of its own where none were given", () => {
    const error = new AgentError("INTERNAL", "x");
    expect(Object.hasOwn(error, "cause")).toBe(false);
    expect(Object.hasOwn(error, "details")).toBe(false);
  });

  it("is recognised across duplicate installs, where instanceof fails", async () => {
    vi.resetModules();
    const copy = await import("./agent-error.ts");
    const foreign = new copy.AgentError("NOT_FOUND", "from the other copy");
    expect(foreign).not.toBeInstanceOf(AgentError);
    expect(AgentError.is(foreign)).toBe(true);
  });

  it.each([undefined, null, "NOT_FOUND", new Error("x"), { status: "NOT_FOUND", message: "x" }])(
    "takes %s for none of ours",
    (value) => {
      expect(AgentError.is(value)).toBe(false);
    },
  );

  it("is not fooled by an object that claims a status we do not know", () => {
    const forged = Object.assign(new AgentError("INTERNAL", "x"), { status: "TEAPOT" });
    expect(AgentError.is(forged)).toBe(false);
  });
});

describe("the wire form of an error", () => {
  it.each(STATUSES)("keeps %s, message and details there and back", (status) => {
    const error = new AgentError(status, "why", { details: { id: "s1", path: ["a", 0] } });
    const back = fromWireError(JSON.parse(JSON.stringify(toWireError(error))));
    expect(AgentError.is(back)).toBe(true);
    expect(back).toMatchObject({ status, message: "why", details: { id: "s1", path: ["a", 0] } });
  });

  it("leaves out the stack and the cause", () => {
    const wire = toWireError(new AgentError("INTERNAL", "x", { cause: new Error("password=hunter2") }));
    expect(wire).toEqual({ status: "INTERNAL", message: "x" });
  });

  it.each([new Error("connect to 10.0.0.7 failed"), "a string", { secret: 1 }, null, undefined])(
    "masks a thrown value that is none of ours: %s",
    (thrown) => {
      expect(toWireError(thrown)).toEqual({ status: "INTERNAL", message: MASKED_MESSAGE });
    },
  );

  it("reduces an Error inside details to its message", () => {
    const wire = toWireError(
      new AgentError("INTERNAL", "x", { details: { inner: Object.assign(new Error("no"), { secret: 1 }) } }),
    );
    expect(wire.details).toEqual({ inner: { message: "no" } });
  });

  it("sends no stack, whatever an Error inside details says of itself", () => {
    class Chatty extends Error {
      toJSON() {
        return { stack: this.stack, secret: 1 };
      }
    }
    for (const details of [new Chatty("b"), { inner: new Chatty("b") }, [new Chatty("b")]]) {
      expect(JSON.stringify(toWireError(new AgentError("INTERNAL", "x", { details })))).not.toMatch(/stack|secret|at /);
    }
  });

  it("keeps status and message in the body of resource routes, there and back", () => {
    const body = toResourceError(new AgentError("NOT_FOUND", "No such turn.", { details: { id: 1 } }));
    expect(body).toEqual({ error: "No such turn.", code: "NOT_FOUND", details: { id: 1 } });
    expect(fromResourceError(body)).toMatchObject({
      status: "NOT_FOUND",
      message: "No such turn.",
      details: { id: 1 },
    });
    expect(fromResourceError(undefined)).toMatchObject({ status: "UNKNOWN" });
  });

  it("leaves out details that JSON cannot hold instead of failing the error path", () => {
    const details: Record<string, unknown> = {};
    details["self"] = details;
    expect(toWireError(new AgentError("INTERNAL", "x", { details }))).toEqual({ status: "INTERNAL", message: "x" });
    expect(toWireError(new AgentError("INTERNAL", "x", { details: 10n }))).toEqual({
      status: "INTERNAL",
      message: "x",
    });
  });

  it.each([undefined, null, 7, "text", [], {}, { status: "TEAPOT" }, { message: 3 }])(
    "makes an UNKNOWN error of a malformed %j",
    (value) => {
      expect(fromWireError(value)).toMatchObject({ status: "UNKNOWN", message: expect.stringMatching(/\S/) });
    },
  );
});

describe("toAgentError", () => {
  it("keeps one of ours as it is", () => {
    const error = new AgentError("ABORTED", "x");
    expect(toAgentError(error)).toBe(error);
  });

  it("keeps the message of any other Error, as INTERNAL with the original as cause", () => {
    const thrown = new TypeError("x is not a function");
    const error = toAgentError(thrown);
    expect(error).toMatchObject({ status: "INTERNAL", message: "x is not a function" });
    expect(error.cause).toBe(thrown);
  });

  it("is total: revoked proxies and getters that throw become errors too", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("no");
      },
    });
    for (const thrown of [proxy, hostile, Object.assign(new Error("x"), { message: Symbol("s") })]) {
      expect(toAgentError(thrown).status).toBe("INTERNAL");
    }
  });

  it("does not turn a thrown object into text", () => {
    expect(toAgentError({ token: "secret" }).message).not.toContain("secret");
  });
});

describe("HTTP statuses", () => {
  it("exist for every canonical status, all of them errors", () => {
    expect(Object.keys(HTTP_STATUS).sort()).toEqual([...STATUSES].sort());
    for (const status of STATUSES) expect(HTTP_STATUS[status]).toBeGreaterThanOrEqual(400);
  });

  it.each([
    [404, "NOT_FOUND"],
    [409, "ABORTED"],
    [429, "RESOURCE_EXHAUSTED"],
    [503, "UNAVAILABLE"],
    [418, "INVALID_ARGUMENT"],
    [599, "INTERNAL"],
    [302, "UNKNOWN"],
  ] as const)("%i reads as %s", (http, status) => {
    expect(statusFromHttp(http)).toBe(status);
  });
});
