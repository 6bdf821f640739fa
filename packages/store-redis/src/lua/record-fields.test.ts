import { describe, expect, it } from "vitest";
import { PLACE, placeFields } from "./record-fields.ts";
import { composeScripts } from "./scripts.ts";

describe("fields of records", () => {
  it("become places, and nothing else does", () => {
    expect(placeFields("turn.status = string.format('%s', other.unknown) .. session.tag")).toBe(
      `turn[${PLACE.status}] = string.format('%s', other.unknown) .. session[${PLACE.tag}]`,
    );
  });

  it("have places of their own within a turn and within a session", () => {
    const shared = Object.entries(PLACE).filter(([, place]) => place > 7);
    const sessionOnly = shared.slice(0, 13).map(([, place]) => place);
    const turnOnly = shared.slice(13).map(([, place]) => place);
    for (const places of [sessionOnly, turnOnly]) expect(new Set(places).size).toBe(places.length);
  });
});

describe("scripts", () => {
  const scripts = Object.values(composeScripts({ ttlMs: 5_000, skewMs: 0 }));

  it.each(scripts)("$name uses nothing newer than Redis 6.2, and no command that looks at all keys", ({ source }) => {
    expect(source).not.toMatch(
      /redis\.(setresp|acl_check_cmd|register_function)|'(KEYS|SCAN|SPUBLISH|EXPIRETIME)'|cjson/,
    );
  });

  it("are the same for the same options, so that processes share them, and others for others", () => {
    const again = Object.values(composeScripts({ ttlMs: 5_000, skewMs: 0 }));
    expect(again.map(({ sha }) => sha)).toEqual(scripts.map(({ sha }) => sha));
    expect(new Set(scripts.map(({ sha }) => sha)).size).toBe(scripts.length);
  });
});
