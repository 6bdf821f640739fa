/** Something a check refuses. `message` says what is wrong, why, and what would be right. */
export interface Violation {
  /** Relative to the repository, with forward slashes. */
  file: string;
  line: number;
  message: string;
}

export function formatViolation({ file, line, message }: Violation): string {
  return `${file}:${line} ${message}`;
}
