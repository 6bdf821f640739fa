export { type AttachedWebSocket, type AttachWebSocketOptions, attachWebSocket } from "./attach-web-socket.ts";
export { type NodeListener, nodeListener } from "./node-listener.ts";
export { type ListenOptions, type RunningServer, type ServeOptions, serve } from "./serve.ts";
