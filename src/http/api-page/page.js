// Starts Swagger UI with the description of the service, and keeps the user logged in: the browser stores the cookie, and this page keeps
// the two tokens in memory. Paths, headers and schemes are configurable, so the page reads them from the description; the ids of the
// operations are fixed.

const NO_COOKIE =
  'The service has not seen the session cookie of this login. The browser may block cookies here: allow them for this site, then log in again.'
const OTHER_ADDRESS = 'Requests cannot be sent from this address. Open this page at'
/** Operations that end the login. */
const ENDS = ['logout', 'deleteAccount']
/** How long a login counts as fresh, in milliseconds. If the service rejects an older login, the login may have been ended elsewhere. */
const FRESH = 60_000

const notices = document.getElementById('notices')

function showNotice(name, text, address) {
  hideNotice(name)
  const notice = document.createElement('p')
  notice.className = 'notice'
  notice.setAttribute('role', 'alert')
  notice.dataset.name = name
  notice.append(text)
  if (address !== undefined) {
    const link = document.createElement('a')
    link.href = address
    link.textContent = address
    notice.append(' ', link)
  }
  notices.append(notice)
}

function hideNotice(name) {
  for (const notice of [...notices.children]) if (notice.dataset.name === name) notice.remove()
}

/** The operations and their security schemes. */
function readDescription({ servers, paths, components: { securitySchemes: schemes } }) {
  const base = servers[0].url
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, security = [] }]) => {
      const pattern = new URL(base).pathname.replace(/\/$/, '') + path
      return { id, path, method, pattern, schemes: security.flatMap(Object.keys) }
    }),
  )
  const operation = (id) => operations.find((one) => one.id === id)
  const isCookie = (name) => schemes[name].in === 'cookie'
  const proof = operation('getIdentity').schemes
  return {
    base,
    refresh: operation('refresh'),
    bearer: proof.find((name) => !isCookie(name)),
    bearerIsHttp: schemes[proof.find((name) => !isCookie(name))].type === 'http',
    needsCookie: proof.some(isCookie),
    isAt: (id, { url }) => fits(operation(id), url),
    takesBasic: ({ url }) =>
      operations.some(
        (one) => fits(one, url) && one.schemes.some((name) => schemes[name].scheme === 'basic'),
      ),
  }
}

/** Returns whether the URL matches the pattern; a segment in braces matches any segment. */
function fits({ pattern }, url) {
  const wanted = pattern.split('/')
  const given = new URL(url, location.href).pathname.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith('{') || segment === given[index])
  )
}

/** Omits cookies, which these routes ignore, so that the browser shows no password dialog after a 401. */
function withoutDialog(known, request) {
  if (known.takesBasic(request)) request.credentials = 'omit'
  return request
}

/** Keeps the tokens from each reply that issues tokens, and forgets them at logout. */
function createLogin(known, swagger) {
  let held
  const pathMethod = [known.refresh.path, known.refresh.method]

  function hold({ jwt, refreshToken }) {
    held = { since: Date.now(), worked: false }
    hideNotice('cookie')
    const { preauthorizeApiKey, getSystem } = swagger()
    preauthorizeApiKey(known.bearer, known.bearerIsHttp ? jwt : `Bearer ${jwt}`)
    const { oas3Actions } = getSystem()
    oas3Actions.setRequestBodyValue({ value: JSON.stringify({ refreshToken }, undefined, 2), pathMethod })
    // By default, Swagger UI would clear the body when the user opens the operation.
    oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod })
  }

  function drop() {
    held = undefined
    const { authActions, oas3Actions } = swagger().getSystem()
    authActions.logout([known.bearer])
    oas3Actions.clearRequestBodyValue({ pathMethod })
  }

  /** If the service rejects a fresh token, the cause must be a missing cookie. */
  function judgeCookie(status) {
    if (held === undefined || !known.needsCookie) return
    if (status === 200) held.worked = true
    if (status === 401 && !held.worked && Date.now() - held.since < FRESH) showNotice('cookie', NO_COOKIE)
  }

  return (reply) => {
    const succeeded = reply.status === 200
    const view = succeeded ? reply.body?.view : undefined
    if (typeof view?.jwt === 'string' && typeof view.refreshToken === 'string') hold(view)
    if (known.isAt('getIdentity', reply)) judgeCookie(reply.status)
    if (succeeded && ENDS.some((id) => known.isAt(id, reply))) drop()
    return reply
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Replaces the server's loopback name with the name in the address of this page, because a loopback address has three names. */
function atThisName(spec) {
  const base = new URL(spec.servers[0].url)
  const isOther = [base.hostname, location.hostname].every((name) => LOOPBACK.includes(name))
  if (!isOther || base.protocol !== location.protocol || base.port !== location.port) return spec
  const path = base.pathname.replace(/\/$/, '')
  return { ...spec, servers: [{ ...spec.servers[0], url: location.origin + path }] }
}

function showInterface(described) {
  const spec = atThisName(described)
  const known = readDescription(spec)
  const isHere = new URL(known.base).origin === location.origin
  if (!isHere) showNotice('address', OTHER_ADDRESS, `${known.base}/docs`)
  const swagger = SwaggerUIBundle({
    spec,
    domNode: document.getElementById('interface'),
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    validatorUrl: null,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    tryItOutEnabled: isHere,
    supportedSubmitMethods: isHere ? ['get', 'post', 'patch', 'delete'] : [],
    requestInterceptor: (request) => withoutDialog(known, request),
    responseInterceptor: createLogin(known, () => swagger),
  })
}

try {
  const reply = await fetch('openapi.json')
  if (!reply.ok) throw new Error(`status ${reply.status}`)
  showInterface(await reply.json())
} catch (error) {
  showNotice('description', `The description of the interface could not be shown: ${error.message}.`)
}
