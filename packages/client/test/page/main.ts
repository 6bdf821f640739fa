import { listAgents, remoteAgent } from "@agents/client";

Object.assign(globalThis, { listAgents, remoteAgent });
