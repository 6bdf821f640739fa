export type { RemoteChat } from "./chat/remote-chat.ts";
export type { RemoteConnection } from "./connection/remote-connection.ts";
export { listAgents } from "./list-agents.ts";
export { type RemoteAgent, type RemoteAgentOptions, remoteAgent, type SchemaType } from "./remote-agent.ts";
export type { Entry } from "./stream/join-state.ts";
export type { RemoteStream } from "./stream/remote-stream.ts";
export type { RemoteTask } from "./task/remote-task.ts";
export type { HeadersRequest, Patience, RequestHeaders, ServerOptions } from "./transport/settings.ts";
export type { WebSocketConstructor, WebSocketLike } from "./transport/web-socket.ts";
