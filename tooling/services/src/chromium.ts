import { accessSync, constants, statSync } from "node:fs";
import type { WantedService } from "./resolve-service.ts";

export const CHROMIUM: WantedService = {
  title: "Chromium",
  variable: "CHROME_PATH",
  example: "/usr/bin/chromium",
  check: async (file) => {
    if (!statSync(file).isFile()) throw new Error("it is not a file");
    accessSync(file, constants.X_OK);
  },
  programs: [["chromium"], ["chromium-browser"], ["google-chrome-stable"], ["google-chrome"]],
  folders: () => [],
  aptPackage: "chromium",
  macos:
    'brew install --cask google-chrome, and CHROME_PATH="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"',
};
