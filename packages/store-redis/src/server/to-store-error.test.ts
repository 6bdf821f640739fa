import { AgentError } from "@agents/schema/error";
import { SimpleError, SocketClosedUnexpectedlyError } from "redis";
import { describe, expect, it } from "vitest";
import { toStoreError } from "./to-store-error.ts";

describe("errors of the server", () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", "RESOURCE_EXHAUSTED"],
    ["ERR Error running script (call to f_1): @user_script:5: -OOM command not allowed", "RESOURCE_EXHAUSTED"],
    ["WRONGTYPE Operation against a key holding the wrong kind of value script: 1, on @user_script:1.", "DATA_LOSS"],
    ["ERR Error running script (call to f_1): @user_script:5: WRONGTYPE Operation against a key", "DATA_LOSS"],
    ["READONLY You can't write against a read only replica.", "UNAVAILABLE"],
    ["LOADING Redis is loading the dataset in memory", "UNAVAILABLE"],
    ["BUSY Redis is busy running a script.", "UNAVAILABLE"],
    ["MISCONF Redis is configured to save RDB snapshots", "UNAVAILABLE"],
    ["CLUSTERDOWN The cluster is down", "UNAVAILABLE"],
    ["TRYAGAIN Multiple keys request during rehashing of slot", "UNAVAILABLE"],
    ["MOVED 3999 127.0.0.1:6381", "UNAVAILABLE"],
    ["ERR max number of clients reached", "UNAVAILABLE"],
    ["NOAUTH Authentication required.", "UNAUTHENTICATED"],
    ["WRONGPASS invalid username-password pair or user is disabled.", "UNAUTHENTICATED"],
    ["NOPERM this user has no permissions to run the 'evalsha' command", "PERMISSION_DENIED"],
    ["ERR user_script:9: Bad data format in input. script: 1", "DATA_LOSS"],
    ["ERR unknown command", "INTERNAL"],
  ])("%s: %s", (text, status) => {
    const error = toStoreError(new SimpleError(text));
    expect(error.status).toBe(status);
    expect(error.message).not.toContain(text.slice(0, 30));
  });

  it("of the connection are UNAVAILABLE, and name neither host nor password", () => {
    for (const cause of [new SocketClosedUnexpectedlyError(), new Error("connect ECONNREFUSED 10.0.0.1:6379"), "?"]) {
      const error = toStoreError(cause);
      expect(error.status).toBe("UNAVAILABLE");
      expect(error.message).not.toContain("10.0.0.1");
    }
  });

  it("that are ours already stay", () => {
    const error = new AgentError("ABORTED", "x");
    expect(toStoreError(error)).toBe(error);
  });
});
