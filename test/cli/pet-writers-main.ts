import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

type Job = { readonly origin: string; readonly key: string; readonly writers: number }

const lines = createInterface({ input: process.stdin })
const agent = new Agent({ keepAlive: true })
const counts = { acknowledged: 0, refused: 0 }
let ending = false

lines.once('line', (line) => {
  const { origin, key, writers } = JSON.parse(line) as Job
  const all = Array.from({ length: writers }, () => writeUntilEnd(origin, key))
  void Promise.all(all).then(() => {
    agent.destroy()
    process.stdout.write(JSON.stringify(counts))
  })
})
lines.once('close', () => {
  ending = true
})

async function writeUntilEnd(origin: string, key: string): Promise<void> {
  while (!ending) {
    const status = await createPet(origin, key)
    if (status === 201) counts.acknowledged += 1
    else counts.refused += 1
  }
}

function createPet(origin: string, key: string): Promise<number> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}/v1/pets`, { method: 'POST', headers, agent }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0))
    })
    asked.once('error', reject)
    asked.end('{"name":"Rex"}')
  })
}
