import { createServer } from 'node:http'
import { createAccessTokenVerifier, VerificationError } from 'kennel-id/verify'

const verify = createAccessTokenVerifier({ issuer: process.env.ISSUER ?? 'http://127.0.0.1:3000' })

const server = createServer(async (request, response) => {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ')
  try {
    // An empty token is handled like any other wrong token.
    const { accountId, sessionId } = await verify(scheme.toLowerCase() === 'bearer' ? token : '')
    answer(response, 200, { accountId, sessionId })
  } catch (error) {
    // Any error other than an invalid token means that the keys could not be fetched.
    const isBad = error instanceof VerificationError && error.code === 'invalid-token'
    const status = isBad ? 401 : 503
    answer(response, status, { code: status })
  }
})

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
