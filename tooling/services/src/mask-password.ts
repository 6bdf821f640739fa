/** A connection URL as it may be shown in logs: user, host and database stay, passwords do not. */
export function maskPassword(url: string): string {
  return (
    url
      // Up to the last @: a password that was not encoded may hold any of @ / ? #, and hiding too much does no harm.
      .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/i, "$1:***@")
      .replace(/((?:^|[?&\s])[^=&\s]*pass(?:word)?=)[^&#\s]*/gi, "$1***")
  );
}
