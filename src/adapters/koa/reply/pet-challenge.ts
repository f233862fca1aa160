import type { HttpSettings } from '../settings.js'

const REALM = 'realm="Kennel pets"'

/**
 * Tells whom the pet routes do not know how to make themselves known. A 401 has to have a challenge (RFC 9110,
 * 11.6.1); for API keys there is no registered scheme, so it is one of ours that names the header.
 */
export function petChallenge({ petSecurity, apiKeyHeader }: HttpSettings): string {
  return petSecurity === 'key'
    ? `ApiKey ${REALM}, header="${apiKeyHeader}"`
    : `Basic ${REALM}, charset="UTF-8"`
}
