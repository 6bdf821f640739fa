import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

/** A file of the built page; undefined where there is none. Only plain names lead anywhere. */
export async function pageFile(folder: string, path: string): Promise<PageFile | undefined> {
  const name = path === "/" ? "index.html" : path.slice(1);
  const contentType = CONTENT_TYPE[extname(name)];
  if (contentType === undefined || !/^[\w-]+\.\w+$/.test(name)) return undefined;
  const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : { contentType, text };
}
