/** The service accepted a login, but the browser did not send the cookie. */
class CookieMissing extends Error {}

/**
 * The first call with a new cookie; if it is refused, the browser did not send the cookie.
 *
 * @param {import('kennel-id/client').KennelClient} client
 */
export async function proveCookie(client) {
  await client.getIdentity().catch((error) => {
    throw error.status === 401 ? new CookieMissing() : error
  })
}

/**
 * The password is correct, but the account has a second factor.
 *
 * @param {import('kennel-id/client').KennelError} error
 */
export function isCodeMissing({ code, messages = [] }) {
  return code === 'Required' && messages[0]?.field === 'code'
}

/**
 * Returns the message that tells the user why a call failed; `service` is the service's address.
 *
 * @param {any} error
 * @param {string} service
 */
export async function sentenceFor(error, service) {
  if (error instanceof CookieMissing) return withoutCookie(service)
  if (error.name !== 'KennelError') throw error
  if (error.code === 'network') return await unreached(service)
  if (isCodeMissing(error)) return 'Enter the code of your authenticator app, or a recovery code.'
  if (error.status < 404 && error.messages[0]?.field === 'code')
    return 'That code is not right, or was used before.'
  if (error.code === 'NotValid' && error.messages[0]?.field === 'password')
    return 'That is not your password.'
  if (error.messages[0]?.field === 'newPassword') return `The new password ${error.message}.`
  if (error.code === 'LoginFailed') return 'The email or the password is wrong.'
  if (error.code === 'InvalidToken') return 'Your login has ended. Please log in again.'
  if (error.code === 'Forbidden') return 'You may not do this.'
  if (error.code === 'NotFound') return 'That no longer exists.'
  if (error.code === 'TooMany') return `Too many attempts. Try again${later(error)}.`
  if (error.code === 'Unavailable') return `The service cannot do this now. Try again${later(error)}.`
  return `The service did not accept this: ${error.message}`
}

/** @param {import('kennel-id/client').KennelError} error */
function later({ retryAfter }) {
  return retryAfter === undefined ? ' later' : ` in ${retryAfter} seconds`
}

/** @param {string} service */
function withoutCookie(service) {
  const { protocol, hostname } = new URL(service)
  const told = `${service} has logged you in, but this browser did not keep its session cookie.`
  const remedy =
    protocol === 'https:'
      ? 'The browser blocks third-party cookies, or the service forbids them. Serve this page and the service from the same site (such as ' +
        'app.pets.example and pets.example), or start the service with SESSION_COOKIE_SAMESITE=none.'
      : `Open this page by the host name of the service, ${hostname}; on another machine the service needs https.`
  return `${told} ${remedy} Also allow cookies for this page.`
}

/**
 * A browser does not tell a page why a request got no reply. If an opaque request to the service succeeds, the
 * service is running but does not let this page read its replies.
 *
 * @param {string} service
 */
async function unreached(service) {
  try {
    await fetch(`${service}/health/live`, { mode: 'no-cors', credentials: 'omit', cache: 'no-store' })
  } catch {
    return `${service} does not respond. Is the service running there, and are you online?`
  }
  return (
    `${service} responds, but not to this page. Start the service with this page's origin in its list: ` +
    `CORS_ORIGINS=${window.location.origin} (or, where that is so, start it: only a proxy is there)`
  )
}
