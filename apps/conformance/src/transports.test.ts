import type { ConformanceCase } from "@agents/testing/conformance";
import { overHttp } from "../test/over-http.ts";
import { testCasesOf } from "../test/test-cases.ts";
import { createCoreHarness } from "./core-harness.ts";
import { STORES } from "./stores.ts";

const harness = createCoreHarness(() => (STORES["memory"] as NonNullable<(typeof STORES)[string]>)({}));

/** An invocation with several inputs needs a connection that lasts. */
const hasOneInputEach = ({ steps }: ConformanceCase): boolean =>
  steps.every((step) => step.type !== "send" || step.inputs.length === 1);

testCasesOf("through a WebSocket", overHttp(harness, "webSocket"));
testCasesOf(
  "through HTTP requests (cases with one input per connection)",
  overHttp(harness, "request"),
  hasOneInputEach,
);
