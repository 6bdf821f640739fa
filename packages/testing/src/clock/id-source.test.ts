import { describe, expect, it } from "vitest";
import { createIdSource } from "./id-source.ts";

describe("createIdSource", () => {
  it("gives the same ids for the same seed, in the shape of a version 4 UUID", () => {
    const [one, two] = [createIdSource(7), createIdSource(7)];
    const ids = [one.uuid(), one.uuid()];
    expect(ids).toEqual([two.uuid(), two.uuid()]);
    expect(ids).toEqual(["00000007-0000-4000-8000-000000000001", "00000007-0000-4000-8000-000000000002"]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("never gives the id of another seed", () => {
    expect(createIdSource(1).uuid()).not.toBe(createIdSource(2).uuid());
  });

  it("refuses a seed that would not fit", () => {
    expect(() => createIdSource(-1)).toThrow("not -1");
    expect(() => createIdSource(0.5)).toThrow("not 0.5");
  });
});
