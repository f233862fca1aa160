import { createServer } from 'node:http'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

const issuer = process.env.ISSUER ?? 'http://127.0.0.1:3000'
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer))
const expected = {
  algorithms: ['EdDSA'],
  typ: 'at+jwt',
  issuer,
  audience: `${issuer}/access`,
  requiredClaims: ['sub', 'sid', 'jti', 'iat', 'nbf', 'exp'],
  // Tolerates an early `nbf`, because the clocks of two machines may differ by 30 s. `isOver` checks `exp`.
  clockTolerance: 30,
}

const server = createServer(async (request, response) => {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ')
  try {
    if (scheme.toLowerCase() !== 'bearer') throw new errors.JWTInvalid('no token')
    const { payload } = await jwtVerify(token, keys, expected)
    if (isOver(payload)) throw new errors.JWTExpired('the token has expired', payload)
    answer(response, 200, { accountId: Number(payload.sub), sessionId: payload.sid })
  } catch (error) {
    const status = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) ? 401 : 503
    answer(response, status, { code: status })
  }
})

/** @param {import('jose').JWTPayload} payload */
function isOver({ exp = 0 }) {
  return Date.now() / 1000 >= exp + 5
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function answer(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
