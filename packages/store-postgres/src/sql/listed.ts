/**
 * Written after a `scope` that is looked up in a list's index, and in the definition of such an index. It orders as "C"
 * does, the collation of the column, but only an index of the same collation fits: so a lookup by id has the primary key
 * alone to choose from, and a list its own index. Without it the planner, knowing a table as it was when it was small, read
 * whole tenants to find one row, and kept to that plan.
 */
export const LISTED = 'collate "POSIX"';
