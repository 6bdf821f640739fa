/** Whether UTF-8 can carry the text: no half of a surrogate pair. Node has had the method for longer than TypeScript's library. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
