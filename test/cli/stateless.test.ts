import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'

const PASSWORD = 'a good long password'
const EMAIL = 'ada@example.com'
const NOTE =
  'Access tokens that were issued earlier stay valid until they expire, for 300 s at most; ' +
  'STATELESS_REVOCATION=store would end them immediately.'

type View = { jwt: string; refreshToken: string; loggedIn: boolean }
type Held = { readonly accessToken: string; readonly refreshToken: string }

for (const [format, revocation] of [
  ['jwt', 'store'],
  ['paseto', 'none'],
] as const) {
  describe(`app with a stateless service, ${format}, revocation ${revocation}`, () => {
    const place = workplaceOfTests({ shared: true })
    let serving: Serving
    const env = { IDENTITY_STATELESS: '1', STATELESS_REVOCATION: revocation, TOKEN_FORMAT: format }

    before(async () => {
      await place.app(['user', 'create', EMAIL, '--password-stdin'], { input: PASSWORD })
      serving = await place.serve(env)
    })
    after(async () => {
      await serving.stop()
    })

    async function call(path: string, accessToken?: string, json?: object) {
      const reply = await fetch(`${serving.origin}/api/auth/${path}`, {
        method: json ? 'POST' : 'GET',
        headers: {
          ...(json && { 'Content-Type': 'application/json' }),
          ...(accessToken !== undefined && { 'X-Authorization': `Bearer ${accessToken}` }),
        },
        ...(json && { body: JSON.stringify(json) }),
      })
      const { view } = (await reply.json()) as { view: View }
      return { status: reply.status, view, cookies: reply.headers.getSetCookie() }
    }

    async function logIn(): Promise<Held> {
      const { status, view, cookies } = await call('login', undefined, { email: EMAIL, password: PASSWORD })
      expect([status, cookies]).to.deep.equal([200, []])
      return { accessToken: view.jwt, refreshToken: view.refreshToken }
    }

    const statuses = async ({ accessToken, refreshToken }: Held) => [
      (await call('get-identity', accessToken)).status,
      (await call('refresh', undefined, { refreshToken })).status,
    ]

    it('lists no sessions, and session revoke ends every login', async () => {
      const held = await logIn()
      expect(await statuses(held)).to.deep.equal([200, 200])
      const listed = await place.app(['session', 'list', EMAIL], { env })
      expect([listed.code, JSON.parse(listed.stdout)]).to.deep.equal([0, []])
      const { code, stdout, stderr } = await place.app(['session', 'revoke', EMAIL], { env })
      expect([code, JSON.parse(stdout)]).to.deep.equal([0, { errors: [], save: 1, ended: 0 }])
      expect(stderr.trim()).to.equal(revocation === 'none' ? NOTE : '')
      expect(await statuses(held)).to.deep.equal([revocation === 'none' ? 200 : 401, 401])
      expect(await statuses(await logIn())).to.deep.equal([200, 200])
    })

    it('warns after a password change that access tokens stay valid until they expire', async () => {
      const args = ['user', 'password', EMAIL, '--password-stdin']
      const { code, stderr } = await place.app(args, { env, input: 'another good password' })
      expect([code, stderr.trim()]).to.deep.equal([0, revocation === 'none' ? NOTE : ''])
    })
  })
}
