import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'
import { hasTimeLeft, inTransaction, RETRY_PAUSE, type Retry, type TransactionSteps } from './transaction.js'

/**
 * Does a piece of synchronous work in a transaction of the file. Resolves after the commit, when
 * the work's effect survives a crash; rejects with what the work threw, or with a Refusal
 * `unavailable`, and then the work had no effect.
 */
export type Write = <T>(work: () => T) => Promise<T>

/** More in one transaction would keep the event loop busy for too long. */
const LARGEST_BATCH = 256

type Waiting = {
  readonly work: () => unknown
  readonly deadline: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Commits together what is asked for in one turn of the event loop, in the order in which it was
 * asked for: a commit costs a write to the disk, and 16 writes at once then cost one instead of
 * 16. A whole batch runs without giving way, so no reader sees what is not committed. Each write
 * has a savepoint of its own: one that fails takes no other along.
 *
 * `assertReachable` is called before each batch; where it throws, nothing is written.
 */
export function createWrite(connection: Connection, timeout: Retry, assertReachable: () => void): Write {
  const transaction = prepareTransaction(connection)
  const queue: Waiting[] = []

  function flush(): void {
    const batch = queue.slice(0, LARGEST_BATCH)
    try {
      assertReachable()
      const outcomes = inTransaction(transaction, () => attemptAll(transaction, batch))
      queue.splice(0, batch.length)
      outcomes.forEach((outcome, index) => settle(batch[index], outcome))
    } catch (error) {
      if (isBusy(error)) {
        postpone(error)
        return
      }
      queue.splice(0, batch.length).forEach((one) => settle(one, { error }))
    }
    if (queue.length > 0) setImmediate(flush)
  }

  /** Nothing was committed and everything waits on, but for those whose time is over. */
  function postpone(error: unknown): void {
    const late = queue.findIndex((one) => hasTimeLeft(one.deadline, timeout))
    queue.splice(0, late === -1 ? queue.length : late).forEach((one) => settle(one, { error }))
    if (queue.length > 0) setTimeout(flush, RETRY_PAUSE)
  }

  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      const deadline = performance.now() + timeout.total
      queue.push({ work, deadline, resolve, reject })
      if (queue.length === 1) setImmediate(flush)
    })
}

function settle(waiting: Waiting | undefined, outcome: Outcome): void {
  if ('error' in outcome) waiting?.reject(asRefusal(outcome.error))
  else waiting?.resolve(outcome.value)
}

type Transaction = TransactionSteps & { save(): unknown; undo(): unknown; release(): unknown }

function prepareTransaction(connection: Connection): Transaction {
  const prepare = (sql: string) => {
    const statement = connection.prepare(sql)
    return () => statement.run()
  }
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    save: prepare('SAVEPOINT one_write'),
    undo: prepare('ROLLBACK TO one_write'),
    release: prepare('RELEASE one_write'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
  }
}

/** If a single write fails, the transaction itself is undone. */
function attemptAll(transaction: Transaction, batch: readonly Waiting[]): readonly Outcome[] {
  const [first] = batch
  if (first && batch.length === 1) return [{ value: first.work() }]
  return batch.map(({ work }) => attempt(transaction, work))
}

function attempt(transaction: Transaction, work: () => unknown): Outcome {
  transaction.save()
  try {
    const value = work()
    transaction.release()
    return { value }
  } catch (error) {
    try {
      transaction.undo()
      transaction.release()
    } catch {
      // A full disk makes SQLite roll the whole transaction back by itself: then every write has failed.
      throw error
    }
    return { error }
  }
}
