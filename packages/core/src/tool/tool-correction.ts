/** Throw it from a tool to tell the model what it can put right: it gets the message as the call's answer, and goes on. */
export class ToolCorrection extends Error {
  /** @param details JSON that goes to the model as well. */
  constructor(
    message: string,
    readonly details?: unknown,
  ) {
    super(message);
    this.name = "ToolCorrection";
  }
}
