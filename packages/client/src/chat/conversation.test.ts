import type { Message } from "@agents/schema/agent";
import { describe, expect, it } from "vitest";
import { transcript } from "../../test/world.ts";
import { Conversation } from "./conversation.ts";

const user = (text: string): Message => ({ role: "user", content: [{ text }] });
const model = (text: string): Message => ({ role: "model", content: [{ text }] });

describe("a conversation", () => {
  it("shows what the server confirmed, and behind it what was sent since", () => {
    const conversation = new Conversation([user("1")]);
    conversation.expect(user("2"));
    conversation.expect(undefined);
    conversation.expect(user("3"));
    expect(transcript(conversation.messages)).toEqual(["user: 1", "user: 2", "user: 3"]);
  });

  it("takes back exactly what failed", () => {
    const conversation = new Conversation([]);
    const [first] = [conversation.expect(user("1")), conversation.expect(user("2"))];
    conversation.drop(first);
    expect(transcript(conversation.messages)).toEqual(["user: 2"]);
    conversation.drop(first);
    expect(transcript(conversation.messages)).toEqual(["user: 2"]);
  });

  it("counts what was sent before a confirmed turn as part of it, and keeps what was sent after it", () => {
    const conversation = new Conversation([]);
    conversation.expect(user("1"));
    const second = conversation.expect(user("2"));
    conversation.expect(user("3"));
    conversation.confirm([user("1"), model("a"), user("2"), model("b")], { expected: second, ordinal: 2 });
    expect(transcript(conversation.messages)).toEqual(["user: 1", "model: a", "user: 2", "model: b", "user: 3"]);
  });

  it("is not set back by an older account that arrives later", () => {
    const conversation = new Conversation([]);
    const [first, second] = [conversation.expect(user("1")), conversation.expect(user("2"))];
    conversation.confirm([user("1"), user("2")], { expected: second, ordinal: 2 });
    conversation.confirm([user("1")], { expected: first, ordinal: 1 });
    expect(transcript(conversation.messages)).toEqual(["user: 1", "user: 2"]);
  });

  it("keeps what was sent with a turn that runs, when it is loaded anew, and nothing else", () => {
    const conversation = new Conversation([]);
    conversation.expect(user("2"));
    conversation.confirm([user("1")], { ordinal: 1, live: true });
    expect(transcript(conversation.messages)).toEqual(["user: 1", "user: 2"]);
    conversation.confirm([user("1"), user("2")], { ordinal: 2 });
    expect(transcript(conversation.messages)).toEqual(["user: 1", "user: 2"]);
  });

  it("keeps what went well and cannot be seen", () => {
    const conversation = new Conversation([]);
    conversation.keep(conversation.expect(user("1")), model("a"));
    expect(transcript(conversation.messages)).toEqual(["user: 1", "model: a"]);
  });

  it("is the same list until it changes, so that a page can compare it", () => {
    const conversation = new Conversation([user("1")]);
    const before = conversation.messages;
    expect(conversation.messages).toBe(before);
    conversation.expect(user("2"));
    expect(conversation.messages).not.toBe(before);
  });
});
