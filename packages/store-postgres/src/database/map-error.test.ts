import { AgentError } from "@agents/schema/error";
import { describe, expect, it } from "vitest";
import { isDuplicate, isRetryable, mapError } from "./map-error.ts";

function failure(code: string | undefined, message = "the driver's words: secret"): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe("errors of the server and the driver", () => {
  it.each([
    ["08006", "UNAVAILABLE"],
    ["57P01", "UNAVAILABLE"],
    ["57P03", "UNAVAILABLE"],
    ["53300", "UNAVAILABLE"],
    ["25006", "UNAVAILABLE"],
    ["57014", "UNAVAILABLE"],
    ["55P03", "UNAVAILABLE"],
    ["40001", "UNAVAILABLE"],
    ["40P01", "UNAVAILABLE"],
    ["ECONNREFUSED", "UNAVAILABLE"],
    ["ECONNRESET", "UNAVAILABLE"],
    ["EPIPE", "UNAVAILABLE"],
    ["ETIMEDOUT", "UNAVAILABLE"],
    ["ENOTFOUND", "UNAVAILABLE"],
    ["EAI_AGAIN", "UNAVAILABLE"],
    ["53100", "RESOURCE_EXHAUSTED"],
    ["53200", "RESOURCE_EXHAUSTED"],
    ["54000", "INVALID_ARGUMENT"],
    ["22021", "INVALID_ARGUMENT"],
    ["28P01", "UNAUTHENTICATED"],
    ["42501", "PERMISSION_DENIED"],
    ["3D000", "FAILED_PRECONDITION"],
    ["3F000", "FAILED_PRECONDITION"],
    ["42P01", "FAILED_PRECONDITION"],
    ["42883", "FAILED_PRECONDITION"],
    ["XX001", "DATA_LOSS"],
    ["42601", "INTERNAL"],
    [undefined, "INTERNAL"],
  ])("%s is %s, in words of ours", (code, status) => {
    const cause = failure(code);
    const error = mapError(cause, "begin", "agents");
    expect(error).toMatchObject({ status, cause });
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain("secret");
    expect(error.message).toMatch(/^Postgres store, begin: .*[^.]\.$/);
  });

  it.each([
    ["Connection terminated unexpectedly", /connection to the server was lost/],
    ["Connection terminated due to connection timeout", /connection to the server was lost/],
    ["Client has encountered a connection error and is not queryable", /connection to the server was lost/],
    ["timeout exceeded when trying to connect", /pool is exhausted/],
    ["Query read timeout", /statementTimeoutMs/],
  ])("a driver's error without a code, %j, is UNAVAILABLE", (message, words) => {
    expect(mapError(failure(undefined, message), "begin", "agents")).toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringMatching(words),
    });
  });

  it("passes on an error of ours", () => {
    const error = new AgentError("NOT_FOUND", "x");
    expect(mapError(error, "begin", "agents")).toBe(error);
  });

  it("tells apart what may be tried again", () => {
    expect(["40001", "40P01", "23505", "08006"].map((code) => isRetryable(failure(code)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isDuplicate(failure("23505"))).toBe(true);
  });
});
