import { onPrimary, unlessContradiction } from './database.js'
import { asRefusal } from './errors.js'
import { runOn, type Client } from './run-statement.js'
import type { Queries, Query, Result } from './statements.js'

/**
 * Runs statements on the embedder's connection, within the embedder's transaction. Statements run one after another, because a savepoint
 * spans several statements, and because later versions of the driver accept only one query at a time.
 */
export function queriesOn(client: Client): Queries {
  let last: Promise<unknown> = Promise.resolve()

  async function inOrder(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    try {
      return await result
    } catch (error) {
      throw asRefusal(error)
    }
  }

  const run: Query = (text, values) => inOrder(() => runOn(client, text, values))
  const attempt: Query = (text, values) =>
    inOrder(async () => {
      await client.query('SAVEPOINT kennel')
      try {
        return await runOn(client, text, values)
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT kennel')
        return unlessContradiction(error)
      } finally {
        await client.query('RELEASE SAVEPOINT kennel')
      }
    })
  return { read: run, readPrimary: onPrimary(run), write: run, attempt }
}
