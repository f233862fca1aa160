import { isRefusal } from '../../src/domain/refusal.js'
import { openKennel, type KennelOptions } from '../../src/index.js'

// Opens a Kennel with the options in the first argument, closes it if the second argument says so, and prints its properties. Then nothing
// remains to be done, and the test checks whether the process exits.
const [options = '{}', end] = process.argv.slice(2)

try {
  const kennel = await openKennel(JSON.parse(options) as KennelOptions)
  await kennel.ready()
  await kennel.login({ email: 'a@b.example', password: 'none', presented: {} }).catch(() => undefined)
  process.stdout.write(
    JSON.stringify({ settings: kennel.httpSettings, cookie: kennel.sessionCookie.clear() }),
  )
  if (end === 'close') await kennel.close()
} catch (error) {
  process.stdout.write(JSON.stringify({ refused: isRefusal(error) ? error.code : String(error) }))
}
