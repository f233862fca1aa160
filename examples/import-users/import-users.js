import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isRefusal, openKennel, OPERATOR } from 'kennel-id'

const [file] = process.argv.slice(2)
const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
  background: false,
})

const AT_ONCE = 64
const counts = { saved: 0, unchanged: 0, refused: 0 }
const importUser = kennel.importUsers({ caller: OPERATOR })

/**
 * One account per line: {"email": …, "passwordHash": …, "roles": […]}; the password hash and the roles are optional.
 *
 * @param {string} text
 * @param {number} line
 */
async function importLine(text, line) {
  try {
    counts[await importUser(JSON.parse(text))] += 1
  } catch (error) {
    const { messages } = isRefusal(error) ? error : { messages: [{ field: '', message: 'is no JSON' }] }
    if (!isRefusal(error) && !(error instanceof SyntaxError)) throw error
    counts.refused += 1
    for (const { field, message } of messages) console.error(`line ${line}: ${field} ${message}`)
  }
}

try {
  const input = file === undefined ? process.stdin : createReadStream(file)
  let line = 0
  let underWay = []
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1
    if (text.trim() !== '') underWay.push(importLine(text, line))
    // Concurrent writes share transactions.
    if (underWay.length === AT_ONCE) await Promise.all(underWay.splice(0))
  }
  await Promise.all(underWay)
} finally {
  await kennel.close()
}
console.log(JSON.stringify(counts))
process.exitCode = counts.refused > 0 ? 1 : 0
