import { expect, it } from "vitest";
import { maskPassword } from "./mask-password.ts";

it.each([
  ["postgres://ann:s3cret@db:5432/app", "postgres://ann:***@db:5432/app"],
  ["redis://:s3cret@cache:6379/1", "redis://:***@cache:6379/1"],
  ["postgres://ann:s3c@ret/with?signs#@db/app", "postgres://ann:***@db/app"],
  [
    "postgres://db/app?user=ann&password=s3cret&sslmode=require",
    "postgres://db/app?user=ann&password=***&sslmode=require",
  ],
  ["host=db password=s3cret user=ann", "host=db password=*** user=ann"],
  ["postgres://ann@db:5432/app", "postgres://ann@db:5432/app"],
  ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379"],
  ["/usr/bin/chromium", "/usr/bin/chromium"],
])("shows %s as %s", (url, shown) => {
  expect(maskPassword(url)).toBe(shown);
});
