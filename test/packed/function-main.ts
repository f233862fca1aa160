import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

type Result = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: string[]
  readonly body?: string
  readonly isBase64Encoded?: boolean
}
type Handler = (event: object, context: object) => Promise<Result>

// Emulates an API Gateway HTTP API or a load balancer in front of a function. The runtime handles events one by one.
const [, , program = '', name = 'handler'] = process.argv
const handlers = (await import(pathToFileURL(program).href)) as Readonly<Record<string, Handler>>
const handler = handlers[name]
const eventOf = name === 'handler' ? gatewayEvent : loadBalancerEvent
if (!handler) throw new Error(`${program} has no ${name}`)
let previous: Promise<unknown> = Promise.resolve()
const server = createServer((request, response) => {
  previous = previous.then(async () => {
    const {
      statusCode,
      headers,
      cookies,
      body = '',
      isBase64Encoded,
    } = await handler(await eventOf(request), {})
    response.writeHead(statusCode, { ...headers, ...(cookies && { 'Set-Cookie': cookies }) })
    response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
process.once('SIGTERM', () => server.close())

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
async function gatewayEvent(request: IncomingMessage): Promise<object> {
  const { method = '', url = '', socket } = request
  const { cookie, ...headers } = request.headers
  const [path = '', query = ''] = url.split('?')
  const body = await buffer(request)
  const isText = headers['content-type'] === 'application/json'
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers,
    requestContext: {
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: socket.remoteAddress, userAgent: 'test' },
      requestId: 'JKJaXmPLvHcESHA=',
      stage: '$default',
      timeEpoch: 1583348638390,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
async function loadBalancerEvent(request: IncomingMessage): Promise<object> {
  const { method = '', url = '', headers, socket } = request
  const [path = '', query = ''] = url.split('?')
  const body = await buffer(request)
  const hops = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat()
  return {
    requestContext: {
      elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/kennel/1' },
    },
    httpMethod: method,
    path,
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    headers: { ...headers, 'x-forwarded-for': hops.join(', ') },
    body: body.toString('base64'),
    isBase64Encoded: true,
  }
}
