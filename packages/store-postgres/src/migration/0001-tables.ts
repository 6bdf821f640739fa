import { LISTED } from "../sql/listed.ts";
import { dollarQuote } from "../sql/quote.ts";
import type { Migration } from "./migration.ts";

/**
 * Ids compare by their bytes, whatever the database's locale. Times are milliseconds since 1970 by the server's clock. No
 * index holds a column that heartbeats or appends write, so these stay within their page (HOT), which is why pages keep room.
 */
export const tables: Migration = {
  version: 1,
  name: "tables",
  compatibleFrom: 1,
  sql: (schema) => `
create table ${schema}.setting (
  name text primary key,
  value text not null
);
insert into ${schema}.setting values
  ('cursor_key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

create table ${schema}.session (
  scope text collate "C" not null,
  id text collate "C" not null,
  owner text collate "C",
  agent text collate "C" not null,
  state text collate "C" not null default 'active',
  format smallint not null default 1,
  forked boolean not null default false,
  -- The last ordinal that was given out: turns are ordered without clocks.
  ord bigint not null default 0,
  head_ord bigint not null default 0,
  head text collate "C",
  active text collate "C",
  created_at bigint not null,
  updated_at bigint not null,
  fingerprint text collate "C",
  metadata text,
  primary key (scope, id)
) with (fillfactor = 70);
create index session_by_change on ${schema}.session (scope ${LISTED}, updated_at, id);
create index session_by_agent on ${schema}.session (scope ${LISTED}, agent, updated_at, id);
-- "owner is null" keeps no order in an index that has owners first, so nobody's sessions have one of their own.
create index session_by_owner on ${schema}.session (scope ${LISTED}, owner, updated_at, id) where owner is not null;
create index session_unowned on ${schema}.session (scope ${LISTED}, updated_at, id) where owner is null;
create index session_archived on ${schema}.session (scope ${LISTED}, updated_at, id) where state = 'archived';

create table ${schema}.turn (
  scope text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  ord bigint not null,
  version bigint not null default 1,
  last_seq bigint not null default 0,
  lease_until bigint not null,
  heartbeat_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  state_bytes bigint,
  load_bytes bigint,
  load_rows bigint,
  epoch integer not null default 1,
  format smallint not null default 1,
  waiting boolean not null default false,
  resumable boolean not null default false,
  status text collate "C" not null default 'pending',
  agent text collate "C" not null,
  owner text collate "C",
  parent text collate "C",
  trunk text collate "C",
  closed text collate "C",
  interrupted text collate "C",
  writer text collate "C",
  fingerprint text collate "C",
  state_hash text collate "C",
  messages_digest text collate "C",
  -- 'full' or 'patch'; null where no state is kept. Of a live row: its saved progress.
  kind text collate "C",
  content text,
  input text,
  result text,
  primary key (scope, id)
) with (fillfactor = 70);
create unique index turn_by_session on ${schema}.turn (scope ${LISTED}, session_id, ord);

-- Events first_seq to last_seq, written at once.
create table ${schema}.event_batch (
  scope text collate "C" not null,
  turn_id text collate "C" not null,
  last_seq bigint not null,
  first_seq bigint not null,
  epoch integer not null,
  body text not null,
  primary key (scope, turn_id, last_seq)
);

-- How a turn ends, or what an append brings (without a status).
create type ${schema}.outcome_1 as (
  status text, result text, waiting boolean,
  kind text, content text, state_hash text, messages_digest text,
  state_bytes bigint, load_bytes bigint, load_rows bigint,
  first_seq bigint, event_count integer, events text
);

create function ${schema}.now_ms() returns bigint language sql volatile as ${dollarQuote(
    "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint",
  )};
`,
};
