import type { TOTP } from 'otpauth'
import type { Envelope, IdentityView } from '../../src/http/reply/envelope.js'
import { makeWorkplace, type Serving, type Workplace } from '../cli/app.js'
import { PASSPHRASE } from '../support/http/service.js'
import type { Export, PreviousAccount } from './accounts.js'

const ENV = { SECURITY_JWT_PASSPHRASE: PASSPHRASE, PASSWORD_BLOCKLIST: 'off' }

/**
 * Imports an export into an empty store with the command line, and logs in each owner with the password and the second factor of the
 * previous system. Returns a line for each account that got an unexpected reply.
 */
export async function moveIn(source: readonly string[], exported: Export): Promise<readonly string[]> {
  const place = await makeWorkplace()
  try {
    for (const role of new Set(exported.accounts.flatMap(({ roles }) => roles)))
      await run(place, ['role', 'create', role, role])
    await run(place, ['user', 'import', ...source, exported.file])
    const service = await place.serve(ENV)
    const problems: string[] = []
    for (const account of exported.accounts) {
      const problem = await problemOf(service, account, exported)
      if (problem !== undefined) problems.push(`${account.email} (${account.password}): ${problem}`)
    }
    await service.stop()
    return problems
  } finally {
    await place.remove()
  }
}

async function run(place: Workplace, args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await place.child(args, { env: ENV })
  if (code !== 0) throw new Error(`app ${args.join(' ')} ended with ${String(code)}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** Describes the service's first unexpected reply for an account; `undefined` if there is none. */
async function problemOf(
  service: Serving,
  { email, password, disabled, roles }: PreviousAccount,
  { factors }: Export,
): Promise<string | undefined> {
  const factor = factors.get(email)
  const failure = 'Login Failed'
  const success = disabled ? failure : `200 ${[...roles].sort().join()}`
  // Logs in twice, because the first login replaces the imported hash. The second login uses the code of the next period.
  const proofs = [0, 1].map((later) => factor && { code: codeOf(factor, later) })
  const attempts = [
    { given: { password: `x${password}` }, expected: failure },
    ...(factor ? [{ given: {}, expected: 'second-factor-required' }] : []),
    ...proofs.map((given) => ({ given, expected: success })),
  ]
  for (const { given, expected } of attempts) {
    const outcome = await outcomeOf(service, { email, password, ...given })
    if (outcome !== expected) return `expected ${expected}, got ${outcome}`
  }
  return undefined
}

function codeOf(factor: TOTP, later: number): string {
  return factor.generate({ timestamp: Date.now() + later * factor.period * 1_000 })
}

async function outcomeOf({ origin }: Serving, json: object): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(json)
  const reply = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })
  const { view } = (await reply.json()) as Envelope<IdentityView>
  if (reply.ok) return `200 ${Object.keys(view.roleList).sort().join()}`
  return view.messages.map(({ message }) => message).join()
}
