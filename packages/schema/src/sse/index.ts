export {
  createSseDecoder,
  DEFAULT_MAX_FRAME_LENGTH,
  decodeSse,
  type SseDecoder,
  type SseDecoderOptions,
  type SseEnd,
} from "./decode-sse.ts";
export { encodeSse, encodeSseComment } from "./encode-sse.ts";
export type { SseFrame } from "./sse-frame.ts";
