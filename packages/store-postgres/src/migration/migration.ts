/** One step of the schema. Once released it is never changed: what is to be different comes in a further step. */
export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  /**
   * The oldest version whose processes go on working beside this one, so that a deployment can roll. New functions get new
   * names, and new columns defaults: then it is that of the step before.
   */
  readonly compatibleFrom: number;
  /** @param schema Its name, quoted. */
  readonly sql: (schema: string) => string;
}
