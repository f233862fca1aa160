import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHandler } from '../../src/adapters/web/index.js'
import { openKennel, OPERATOR } from '../../src/index.js'
import { PROJECT } from '../support/project.js'

/** Loads each entry of the library except koa, logs in, and prints the loaded entries and the status of the login. */
const ACCOUNT = { email: 'ada@example.com', password: 'a long walk in the park' }
const ORIGIN = 'http://127.0.0.1:3000'

const manifest = readFileSync(join(PROJECT, 'package.json'), 'utf8')
const { exports } = JSON.parse(manifest) as { exports: Record<string, string | { default: string }> }
const [loaded, failed]: [string[], string[]] = [[], []]
for (const [entry, paths] of Object.entries(exports)) {
  if (typeof paths === 'string' || entry === './koa') continue
  await import(join(PROJECT, paths.default)).then(
    () => loaded.push(entry),
    () => failed.push(entry),
  )
}

const passphrase = 'Only-for-tests: 4 kennels & 12 hounds'
const kennel = await openKennel({ store: 'memory:', publicUrl: ORIGIN, passphrase, production: false })
await kennel.createUser({ caller: OPERATOR, ...ACCOUNT })
const request = new Request(`${ORIGIN}/api/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(ACCOUNT),
})
const { status } = await createHandler(kennel)(request, { address: '192.0.2.1' })
await kennel.close()
console.log(JSON.stringify({ loaded, failed, status }))
