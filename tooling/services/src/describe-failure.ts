/** One line for a failed connection. Node leaves the message of a refused "localhost" empty and puts it one level down. */
export function describeFailure(failure: unknown): string {
  if (failure instanceof AggregateError && !failure.message) return failure.errors.map(describeFailure).join("; ");
  if (failure instanceof Error) return failure.message || failure.name;
  return String(failure);
}
