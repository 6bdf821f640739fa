// A program may load both halves of the package: its own code as ES modules, a dependency as CommonJS.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { AgentError } from "@agents/schema/error";

const required = createRequire(import.meta.url)("@agents/schema/error") as typeof import("@agents/schema/error");

assert.notEqual(required.AgentError, AgentError, "two copies, or this program shows nothing");
assert.ok(AgentError.is(new required.AgentError("NOT_FOUND", "gone")));
assert.ok(required.AgentError.is(new AgentError("NOT_FOUND", "gone")));
