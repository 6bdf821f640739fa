/** The id of an invocation's first turn, for those who ask before it is known. */
export class FirstTurn {
  #known: { readonly snapshotId: string | undefined } | undefined;
  #promise: Promise<string | undefined> | undefined;
  #resolve: ((snapshotId: string | undefined) => void) | undefined;

  /** The first call counts. Undefined: there is none. */
  is(snapshotId: string | undefined): void {
    this.#known ??= { snapshotId };
    this.#resolve?.(this.#known.snapshotId);
  }

  /** Made when somebody asks: most do not. */
  id(): Promise<string | undefined> {
    if (this.#known !== undefined) return Promise.resolve(this.#known.snapshotId);
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }
}
