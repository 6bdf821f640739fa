import { AgentError, type AgentErrorOptions, HTTP_STATUS, type Status } from "@agents/schema/error";

export interface HttpErrorOptions extends AgentErrorOptions {
  /** Sent along with the error. */
  headers?: Readonly<Record<string, string>>;
}

/** An error whose HTTP status says more than its canonical one does: 413, 431, 405. */
export class HttpError extends AgentError {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    httpStatus: number,
    status: Status,
    message: string,
    { headers = {}, ...options }: HttpErrorOptions = {},
  ) {
    super(status, message, options);
    this.httpStatus = httpStatus;
    this.headers = headers;
  }
}

export function httpStatusOf(error: unknown): number {
  if (error instanceof HttpError) return error.httpStatus;
  return AgentError.is(error) ? HTTP_STATUS[error.status] : 500;
}
