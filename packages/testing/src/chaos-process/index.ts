export { type ServeOptions, serveStore } from "./serve-store.ts";
