import { createServer } from 'node:http'
import { createAccessTokenVerifier } from 'kennel-id/verify'

const verify = createAccessTokenVerifier({ issuer: process.env.ISSUER })

const server = createServer(async (request, response) => {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  try {
    if (scheme.toLowerCase() !== 'bearer')
      throw Object.assign(new Error('no token'), { code: 'invalid-token' })
    const { accountId, sessionId } = await verify(token)
    answer(response, 200, { accountId, sessionId })
  } catch (error) {
    // Anything but a bad token means that the keys could not be fetched.
    const status = error.code === 'invalid-token' ? 401 : 503
    answer(response, status, { code: status })
  }
})

function answer(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
