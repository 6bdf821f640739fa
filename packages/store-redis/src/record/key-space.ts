import { hash } from "node:crypto";
import { sessionRoute, snapshotRoute } from "@agents/schema/hash";
import { isWellFormed } from "./is-well-formed.ts";

/** The two keys that a script works on. They share a hash tag, and so a slot. */
export interface Address {
  /** A hash with everything of the sessions of one route; nearly always of one session. */
  readonly key: string;
  /** A sorted set: ids of the sessions of the bucket, by time of change. */
  readonly index: string;
}

export interface SessionAddress extends Address {
  readonly route: string;
  /** Begins the names of the session's fields, which keeps sessions apart that share a route. */
  readonly tag: string;
}

export interface KeySpaceOptions {
  readonly prefix: string;
  readonly buckets: number;
}

/**
 * Where things are: `<prefix>{<scope>/<bucket>}:<route>`. A snapshot's id has its session's route, so a turn is found by
 * its id alone, and what is in braces decides the slot: a session, its turns and its place in lists are on one node.
 */
export class KeySpace {
  readonly #prefix: string;
  readonly #buckets: number;

  constructor({ prefix, buckets }: KeySpaceOptions) {
    this.#prefix = prefix;
    this.#buckets = buckets;
  }

  /** Of the layout record. */
  get layout(): string {
    return `${this.#prefix}layout`;
  }

  ofSession(scope: string, sessionId: string): SessionAddress {
    const route = sessionRoute(sessionId);
    // 48 bits beside the 32 of the route: two sessions of a tenant never meet in both.
    const tag = hash("sha256", `tag ${sessionId}`, "base64url").slice(0, 8);
    return { ...this.#ofRoute(scope, route), route, tag };
  }

  /** Undefined for an id that we did not make: such a turn does not exist. */
  ofSnapshot(scope: string, snapshotId: string): Address | undefined {
    const route = snapshotRoute(snapshotId);
    return route === undefined ? undefined : this.#ofRoute(scope, route);
  }

  /** Of all buckets. */
  indexes(scope: string): string[] {
    return Array.from({ length: this.#buckets }, (_, bucket) => `${this.#tag(scope, bucket)}:index`);
  }

  /** The channel of a turn's hints. The scripts name it in the same way. */
  channel(scope: string, snapshotId: string): string | undefined {
    const address = this.ofSnapshot(scope, snapshotId);
    return address && `${address.key}/${snapshotId}`;
  }

  #ofRoute(scope: string, route: string): Address {
    const tag = this.#tag(scope, Number.parseInt(route, 16) % this.#buckets);
    return { key: `${tag}:${route}`, index: `${tag}:index` };
  }

  /** Encoded, so that no scope closes the braces or looks like another with its bucket. */
  #tag(scope: string, bucket: number): string {
    return `${this.#prefix}{${encode(scope)}/${bucket}}`;
  }
}

/** A text of its own for each scope, also for one with half a surrogate pair, which no encoding of UTF-8 has. */
function encode(scope: string): string {
  const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  if (isWellFormed(scope)) return encodeURIComponent(scope);
  const parts = scope.split(halves).map((part) => encodeURIComponent(part));
  const found = scope.match(halves) ?? [];
  return parts
    .map((part, index) => part + (found[index] === undefined ? "" : `%u${found[index].charCodeAt(0).toString(16)}`))
    .join("");
}
