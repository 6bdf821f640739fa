export {
  createSseDecoder,
  DEFAULT_MAX_FRAME_LENGTH,
  type SseDecoder,
  type SseDecoderOptions,
  type SseEnd,
} from "./create-sse-decoder.ts";
export { type ByteReader, type ByteStream, decodeSse } from "./decode-sse.ts";
export { encodeSse, encodeSseComment } from "./encode-sse.ts";
export type { SseFrame } from "./sse-frame.ts";
