import { createHandler } from '../../../src/adapters/web/index.js'
import type { HostParts } from './host.js'
import { replyCheckBy, withoutPort, type ReplyCheck } from './reply-check.js'

type DescribedParts = Pick<HostParts, 'useCases' | 'settings' | 'readiness'>

const known = new Map<string, Promise<ReplyCheck>>()

/**
 * Checks the replies of a service. Services with the same settings share one check, because creating a description
 * takes longer than the rest of the start.
 */
export function replyCheckOf(parts: DescribedParts): Promise<ReplyCheck> {
  const key = descriptionKey(parts)
  const check = known.get(key) ?? requestDescription(parts).then(replyCheckBy)
  known.set(key, check)
  return check
}

/**
 * Returns the same key for services with the same description. Ports and public keys may differ, because only examples contain them.
 */
function descriptionKey({ useCases, settings }: Pick<DescribedParts, 'useCases' | 'settings'>): string {
  const publicUrl = withoutPort(settings.publicUrl)
  const publicKeys = settings.publicKeys.length
  return JSON.stringify([Object.keys(useCases).sort(), { ...settings, publicUrl, publicKeys }])
}

/** Needs no socket, and does not appear in the log or the metrics of the test. */
async function requestDescription({ useCases, settings, readiness }: DescribedParts): Promise<string> {
  const kennel = { ...useCases, httpSettings: settings, closed: false, ready: readiness }
  const reply = await createHandler(kennel)(new Request(`${settings.publicUrl}/openapi.json`))
  if (reply.status !== 200) throw new Error(`the description got ${String(reply.status)}`)
  return await reply.text()
}
