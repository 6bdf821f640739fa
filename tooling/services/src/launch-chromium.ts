import { type Browser, chromium } from "playwright-core";

/** Containers have no user namespaces for the sandbox; the rest keeps a test browser from talking to anyone else. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Opens a headless browser for a test, which closes it.
 * @param chromePath as provided to tests: `inject("chromePath")`
 */
export async function launchChromium(chromePath: string): Promise<Browser> {
  return chromium.launch({ executablePath: chromePath, headless: true, args: ARGS });
}
