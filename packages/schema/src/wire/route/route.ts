import type * as z from "zod";

/** One HTTP route, as data: the server mounts it, OpenAPI describes it, tests walk it. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters in braces: `/agents/{name}`. Resource routes come under the server's prefix. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Absent where success has no body (204). */
  readonly response?: z.ZodType;
  /** Schema of one frame where the route streams: always, or when the client asks for `text/event-stream`. */
  readonly frame?: z.ZodType;
  /** HTTP status of success. @default 200 */
  readonly status?: number;
}
