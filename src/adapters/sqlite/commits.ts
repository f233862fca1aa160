import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'
import { hasTimeLeft, inTransaction, RETRY_PAUSE, type Retry, type TransactionSteps } from './transaction.js'

/**
 * Runs synchronous work in a transaction. Resolves after the commit, when the changes are durable. Rejects with the error that `work`
 * threw or with an `unavailable` Refusal; in both cases nothing was changed.
 */
export type Write = <T>(work: () => T) => Promise<T>

/** A larger batch would block the event loop for too long. */
const LARGEST_BATCH = 256

type PendingWrite = {
  readonly work: () => unknown
  readonly deadline: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Commits the writes of one event loop turn together and in order, because each commit costs a write to the disk. A batch runs without
 * interruption, so no reader sees uncommitted data. Each write has its own savepoint, so a failed write does not affect other writes.
 * `assertReachable` is called before each batch; if it throws, nothing is written.
 */
export function createWrite(connection: Connection, timeout: Retry, assertReachable: () => void): Write {
  const transaction = prepareTransaction(connection)
  const queue: PendingWrite[] = []

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

  /** Nothing was committed, so all writes wait, except writes whose deadline has passed. */
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

function settle(waiting: PendingWrite | undefined, outcome: Outcome): void {
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

/** If a batch with a single write fails, the whole transaction is rolled back. */
function attemptAll(transaction: Transaction, batch: readonly PendingWrite[]): readonly Outcome[] {
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
      // If the disk is full, SQLite rolls back the whole transaction, and every write fails.
      throw error
    }
    return { error }
  }
}
