export interface ChainOptions {
  /** Quoted. */
  readonly schema: string;
  /** Expressions. */
  readonly scope: string;
  readonly start: string;
  readonly known: string;
}

/**
 * What a caller lacks to rebuild a state, oldest first, in one query: from the row back to a checkpoint, or to a state
 * that the caller holds. That one comes as a row `known`, without content.
 *
 * The limit changes nothing that is found, and is there for the planner: it cannot make a join of it that reads every row of
 * a tenant for each step, as it did with the statistics of a young table.
 */
export function chainQuery({ schema, scope, start, known }: ChainOptions): string {
  return `
    with recursive chain as (
      select r.id, r.parent, r.kind, r.content, 1 as depth, r.id = any (${known}) as held
        from ${schema}.turn r where r.scope = ${scope} and r.id = ${start}
      union all
      select r.id, r.parent, r.kind, r.content, c.depth + 1, r.id = any (${known})
        from chain c cross join lateral (
          select t.id, t.parent, t.kind, t.content from ${schema}.turn t where t.scope = ${scope} and t.id = c.parent limit 1) r
       where not c.held and c.kind is distinct from 'full')
    select case when c.held then 'known' else c.kind end, c.id, case when c.held then null else c.content end, null::text, null::text
      from chain c where c.held or c.kind is not null order by c.depth desc`;
}
