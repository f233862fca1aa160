// Combines the calls of one event loop turn into one command of a database server.

/** Maximum number of calls per command. With more calls, callers would wait longer, and MongoDB would split the reply into two batches. */
const MAX_BATCH = 64

/**
 * Combines all calls of one event loop turn in one command, because a command costs far more than its content. Each caller gets the result
 * or the error of the whole batch.
 */
export function batchCalls<Request, Result>(
  runAll: (requests: readonly Request[]) => Promise<Result>,
): (request: Request) => Promise<Result> {
  let open: { readonly requests: Request[]; readonly result: Promise<Result> } | undefined

  function begin() {
    const requests: Request[] = []
    const result = endOfTurn().then(() => {
      if (open?.requests === requests) open = undefined
      return runAll(requests)
    })
    return { requests, result }
  }

  return (request) => {
    const { requests, result } = (open ??= begin())
    if (requests.push(request) === MAX_BATCH) open = undefined
    return result
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
