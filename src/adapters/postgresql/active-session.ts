import { type ActiveSession, isPastEnd } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { batchCalls } from '../database-server.js'
import { openWhere, activeAsJson, activeOf } from '../sql/sessions.js'
import { rolesOf, type PostgresStatements } from './statements.js'

/**
 * Always selects the actor's columns, because the server would prepare both branches of a query that chooses between them, which takes
 * longer.
 */
const { withActor: ACTIVE } = activeAsJson({
  jsonArray: 'json_build_array',
  accounts: '{accounts}',
  rolesOf: (id) => rolesOf('memberships', 'account_id', id),
})

/**
 * Selects one row that contains the JSON text of each session, in the order of the keys. JSON texts contain no line feed. `LIMIT 1` makes
 * the server find each session by an index before it reads the account, even without statistics on the tables.
 */
function selectActive(...conditions: readonly string[]): string {
  const lookups = conditions.map((condition) => `SELECT * FROM {sessions} WHERE ${condition}`)
  const sessions = `(${lookups.join(' UNION ALL ')} LIMIT 1)`
  return `
    SELECT pg_is_in_recovery(), string_agg(coalesce(found.json, ''), chr(10) ORDER BY wanted.number)
    FROM json_array_elements_text(CAST(? AS json)) WITH ORDINALITY AS wanted (key, number)
    LEFT JOIN LATERAL (${openWhere('JOIN', `CAST((${ACTIVE}) AS text) AS json`, 'true', sessions)}) AS found ON true`
}

export type FindActive = ReturnType<typeof createFindActive>

/** Creates functions that find a session that has not expired and has not been ended by a change to its account or its actor. */
export function createFindActive({ readPrimary }: Pick<PostgresStatements, 'readPrimary'>) {
  return {
    byId: createFind(readPrimary, 'id = wanted.key'),
    /** Looks up the current or the previous key; the caller checks whether the previous key is still valid. */
    byDigest: createFind(readPrimary, 'odd_digest = wanted.key', 'even_digest = wanted.key'),
  }
}

/** Batches all lookups of one event loop turn into one statement. Each caller gets a separate copy. */
function createFind(read: PostgresStatements['readPrimary'], ...conditions: readonly string[]) {
  const select = read<readonly [isInRecovery: number, texts: string]>(selectActive(...conditions))
  const textOf = batchCalls(async (requests: readonly string[]) => {
    const keys = [...new Set(requests)]
    const [, texts] = (await select.get(JSON.stringify(keys))) ?? [0, '']
    const found = texts.split('\n')
    return new Map(keys.map((key, index) => [key, found[index]]))
  })
  return async (key: string, at: Instant): Promise<ActiveSession | undefined> => {
    const text = (await textOf(key)).get(key) ?? ''
    const active = text === '' ? undefined : activeOf([text])
    return active && !isPastEnd(active.session, at) ? active : undefined
  }
}
