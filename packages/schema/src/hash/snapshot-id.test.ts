import { describe, expect, it } from "vitest";
import { makeSnapshotId, sessionRoute, snapshotRoute } from "./index.ts";

describe("snapshot ids", () => {
  it("carry the route of their session", () => {
    const route = sessionRoute("any string, ünïcode too");
    expect(route).toMatch(/^[0-9a-f]{8}$/);
    expect(snapshotRoute(makeSnapshotId(route, "0a-b_c"))).toBe(route);
    expect(sessionRoute("another")).not.toBe(route);
  });

  it.each([
    "",
    "x",
    "../../etc.passwd",
    "0123abcd",
    "0123abcd.",
    "0123abcd.a/b",
    "0123ABCD.a",
    "0123abcd.A",
    `0123abcd.${"a".repeat(129)}`,
    "0123abcd.a\n",
  ])("have no route where we did not make them: %j", (id) => {
    expect(snapshotRoute(id)).toBeUndefined();
  });

  it("are refused where they could not be a file's name", () => {
    expect(() => makeSnapshotId("0123abcd", "../x")).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });
});
