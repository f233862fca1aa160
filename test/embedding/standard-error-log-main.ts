import { createHandler } from '../../src/adapters/web/index.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { DEFAULT_PERMISSIONS, openKennel, OPERATOR } from '../../src/index.js'

// Opens a Kennel without a log and without a login limit, with a mailer that reaches no server, and makes a handler fail. Then opens a Kennel whose log throws.
const { everyone } = DEFAULT_PERMISSIONS.roles
const auth = [...everyone.components.auth, 'reset-password'] as const
const kennel = await openKennel({
  store: 'memory:',
  passphrase: 'Only-for-tests: 4 kennels & 12 hounds',
  publicUrl: 'https://kennel.example',
  passwordScrypt: '10/8/1',
  permissions: { roles: { ...DEFAULT_PERMISSIONS.roles, everyone: { components: { auth } } } },
  background: false,
  parts: {
    mailer: {
      send: async () => ({ kind: 'unreachable', detail: 'the server is away' }),
      close: async () => undefined,
    },
  },
})
const email = 'ada@example.com'
await kennel.createUser({ caller: OPERATOR, email, password: 'a long walk in the park' })
await kennel.requestPasswordReset({ email, presented: {} })
await kennel.sendMails()

const broken = Object.defineProperty(new Request('https://kennel.example/nothing'), 'signal', {
  get: () => {
    throw new TypeError('a platform without signals')
  },
})
await createHandler(kennel)(broken)
await kennel.close()

const fail = () => {
  throw new Error('the log is broken')
}
const logging = await openKennel({
  store: createMemoryStore(),
  passphrase: 'Only-for-tests: 4 kennels & 12 hounds',
  publicUrl: 'https://kennel.example',
  background: false,
  parts: { log: { debug: fail, info: fail, warn: fail, error: fail, enabled: fail } },
})
await logging.close()
