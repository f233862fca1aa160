/** How a transaction begins and ends; each throws the driver's error. */
export type TransactionSteps = { begin(): unknown; commit(): unknown; rollback(): unknown }

/** Does synchronous work in one transaction. Throws what it threw, and then nothing was changed. */
export function inTransaction<T>(steps: TransactionSteps, work: () => T): T {
  steps.begin()
  try {
    const result = work()
    steps.commit()
    return result
  } catch (error) {
    rollBack(steps)
    throw error
  }
}

/** Where the disk is full or fails, SQLite has rolled back by itself: that is not the error to report. */
function rollBack(steps: TransactionSteps): void {
  try {
    steps.rollback()
  } catch {
    // There is no transaction any more, which is what was wanted.
  }
}
