/** What was said last, while its turn runs: a reload shows it although no snapshot has it yet. */
const key = (session: string): string => `said ${session}`;

export function rememberSaid(session: string, text: string): void {
  sessionStorage.setItem(key(session), text);
}

export function saidIn(session: string): string | undefined {
  return sessionStorage.getItem(key(session)) ?? undefined;
}

export function forgetSaid(session: string): void {
  sessionStorage.removeItem(key(session));
}
