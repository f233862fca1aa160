import type { Instant } from '../../domain/instant.js'
import type { Attempt, AttemptLimiter } from '../../ports/attempt-limiter.js'
import { prepareRemoval, type PostgresStatements } from './statements.js'

/** Locks the rows in the order of their names, so that concurrent calls cannot deadlock. */
const IN_ORDER = 'ORDER BY name FOR UPDATE'

/**
 * Counts the attempt under all names. If some names are at their limits, counts nothing and returns the end of the latest window of these
 * names. If a concurrent attempt reaches a limit first, the new count is NULL. The column rejects NULL, so the statement is rolled back,
 * and the call is repeated.
 */
const TAKE = `
  WITH wanted AS (
    SELECT * FROM json_to_recordset(CAST(?1 AS json)) AS w (name text, most bigint, "end" bigint)
  ),
  refused AS (
    SELECT max(until) AS until FROM {attempts} JOIN wanted USING (name)
    WHERE until > CAST(?2 AS bigint) AND count >= most
  ),
  taken AS (
    INSERT INTO {attempts} AS a (name, count, until)
    SELECT name, 1, "end" FROM wanted WHERE (SELECT until FROM refused) IS NULL ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET
      count = CASE
        WHEN a.until <= ?2 THEN 1
        WHEN a.count < (SELECT most FROM wanted WHERE wanted.name = a.name) THEN a.count + 1
      END,
      until = CASE WHEN a.until <= ?2 THEN excluded.until ELSE a.until END
    RETURNING name, until
  )
  SELECT until, (SELECT CAST(json_agg(taken) AS text) FROM taken) FROM refused`

/** Counts attempts. */
export function createAttempts(statements: PostgresStatements): AttemptLimiter {
  const { write, attempt } = statements
  const take = attempt<readonly [until: Instant | null, taken: string | null]>(TAKE)
  const refund = write(`
    WITH locked AS (
      SELECT name, a.until FROM {attempts} AS a
      JOIN json_to_recordset(CAST(? AS json)) AS w (name text, until bigint) USING (name, until)
      ${IN_ORDER} OF a
    )
    UPDATE {attempts} AS a SET count = count - 1 FROM locked AS l
    WHERE a.name = l.name AND a.until = l.until AND count > 0`)
  // Also matches names that begin with this name and a space: in ASCII, "!" follows the space.
  const clear = write(`
    DELETE FROM {attempts} WHERE name = ANY (ARRAY(
      SELECT a.name FROM {attempts} AS a
      JOIN json_array_elements_text(CAST(? AS json)) AS w (cleared)
        ON a.name = cleared OR (a.name >= cleared || ' ' AND a.name < cleared || '!')
      ${IN_ORDER} OF a
    ))`)

  return {
    take: async (counts, at) => {
      const wanted = JSON.stringify(
        counts.map(({ name, limit }) => ({ name, most: limit.count, end: at + limit.window })),
      )
      for (;;) {
        const [until = null, taken = null] = (await take.get(wanted, at)) ?? []
        if (taken !== null)
          return { kind: 'taken', attempt: { counts: JSON.parse(taken) as Attempt['counts'] } }
        if (until !== null) return { kind: 'refused', until }
      }
    },
    refund: async ({ counts }) => {
      await refund.run(JSON.stringify(counts))
    },
    clear: async (names) => {
      await clear.run(JSON.stringify(names))
    },
    purge: prepareRemoval(statements, 'attempts', 'until'),
  }
}
