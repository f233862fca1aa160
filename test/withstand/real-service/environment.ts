import { fileURLToPath } from 'node:url'
import { PLANTED, PLANTED_STORE } from './orders.js'

const MODULE = fileURLToPath(new URL('planted-store-main.js', import.meta.url))

/** The variables that have a service work with this store; with a planted bug in it, or in the process around it. */
export function storeEnvironment({
  planted,
  url,
}: {
  readonly planted: string | undefined
  readonly url: string
}): Readonly<Record<string, string>> {
  if (planted === undefined) return { DATABASE_URL: url }
  if (url === 'memory:') return { DATABASE_URL: url, [PLANTED]: planted }
  return { STORE_MODULE: MODULE, [PLANTED]: planted, [PLANTED_STORE]: url }
}
