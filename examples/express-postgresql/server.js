import express from 'express'
import { replyOf } from 'kennel-id'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'
import { openShop } from './shop.js'

const shop = await openShop(process.env)
const app = express()
app.use('/api/auth', createListener(createHandler(shop.kennel)))

app.post('/orders', express.json(), async (request, response) => {
  const { email, password, seat } = request.body ?? {}
  try {
    const accountId = await shop.order({ email, password, seat: String(seat) })
    response.status(201).json({ accountId, seat })
  } catch (error) {
    if (isTaken(error)) return void response.status(409).json({ error: 'This seat is taken.' })
    const { status, headers, body } = replyOf(error)
    response.status(status).set(headers).json(body)
  }
})

/** Whether PostgreSQL rejected the order because the seat is taken. Kennel reports its own conflicts as refusals. @param {unknown} error */
function isTaken(error) {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port, '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => shop.close()))
