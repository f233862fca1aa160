import autocannon, { type Options, type Result } from 'autocannon'
import { createStopwatch, type Traffic } from './traffic.js'

/** Runs the load to its end; an unsuccessful reply makes the figure worthless, so it is an error. */
export async function fire(options: Options): Promise<Traffic> {
  const stopwatch = createStopwatch()
  const { non2xx, errors } = await new Promise<Result>((resolve, reject) => {
    const instance = autocannon(options, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result)
    })
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
      stopwatch.record(milliseconds)
    })
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} replies were no success, ${errors} requests failed`)
  return stopwatch.read()
}
