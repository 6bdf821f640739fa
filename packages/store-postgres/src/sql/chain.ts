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
 * that the caller holds. One row: that state's id, then the ids,
 * kinds and contents of the rows, each joined. (A row for each took twice as long to send and to take apart.)
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
    select 'chain', string_agg(c.id, chr(2)) filter (where c.held), string_agg(c.id, chr(2)) filter (where not c.held),
        string_agg(c.kind, chr(2)) filter (where not c.held), string_agg(c.content, chr(2)) filter (where not c.held)
      from (select * from chain where held or kind is not null order by depth desc) c`;
}
