import { testStore } from "@agents/testing/store";
import { createMemoryStore } from "./create-memory-store.ts";

testStore({ name: "memory", create: createMemoryStore, advance: "clock" });
