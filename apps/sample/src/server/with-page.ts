import type { Handler, Inbound, Reply } from "@agents/http";
import { pageFile } from "./page-files.ts";

/** The page beside the agents: what is no file of the page is the handler's to answer. */
export function withPage(handler: Handler, folder: string): Handler {
  const reply = async (inbound: Inbound): Promise<Reply> =>
    (await pageReply(inbound, folder)) ?? (await handler.reply(inbound));
  return Object.assign((request: Request) => handler(request), handler, { reply });
}

async function pageReply({ method, url }: Inbound, folder: string): Promise<Reply | undefined> {
  if (method !== "GET") return undefined;
  const { pathname } = new URL(url, "http://page.invalid");
  const file = await pageFile(folder, pathname);
  if (file === undefined) return undefined;
  const headers = { "content-type": file.contentType, "cache-control": "no-cache" };
  return { status: 200, headers, body: file.text };
}
