/** Finds the ends of answers that come one after the other: by their length, which never changes, or their last chunk. */
export class AnswerCounter {
  #head = "";
  /** Bytes of one answer; -1 for chunked encoding; 0 while not known. */
  #whole = 0;
  #received = 0;
  #tail = "";

  /** Whether these bytes end an answer. */
  take(bytes: Buffer): boolean {
    this.#received += bytes.length;
    if (this.#whole === 0) this.#readHead(bytes);
    if (this.#whole > 0) return this.#byLength();
    return this.#whole < 0 && this.#byLastChunk(bytes);
  }

  #readHead(bytes: Buffer): void {
    this.#head += bytes.toString("latin1");
    const end = this.#head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const length = /content-length: (\d+)/i.exec(this.#head);
    this.#whole = length === null ? -1 : end + 4 + Number(length[1]);
  }

  #byLength(): boolean {
    if (this.#received < this.#whole) return false;
    this.#received -= this.#whole;
    return true;
  }

  #byLastChunk(bytes: Buffer): boolean {
    this.#tail = (this.#tail + bytes.toString("latin1", Math.max(0, bytes.length - 7))).slice(-7);
    if (this.#tail !== "\r\n0\r\n\r\n") return false;
    this.#tail = "";
    return true;
  }
}
