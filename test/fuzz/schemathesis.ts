import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toolPath } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'

/** The settings of one run. */
type Run = {
  readonly origin: string
  /** The maximum number of requests per operation in each phase of the tool. */
  readonly examples: number
  /** Credentials, keyed by the names of the security schemes in the description. */
  readonly credentials?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** A pattern of the paths to test; all by default. */
  readonly paths?: RegExp
}
/** The result of a run; the status is 0 if the run found nothing. */
type Outcome = { readonly status: number | null; readonly report: string; readonly requests: number }

/** Runs all checks of the tool once, always with the same requests, and sends requests to no other host. */
export async function fuzz({ origin, examples, credentials = {}, paths = /^/ }: Run): Promise<Outcome> {
  const { path: folder, remove } = makeTemporaryFolder()
  try {
    const file = join(folder, 'schemathesis.toml')
    await writeFile(file, configuration(credentials), { mode: 0o600 })
    const { status, report } = await runProgram(folder, [
      ...['--config-file', file, 'run', `${origin}/openapi.json`, '--no-color'],
      ...['--checks', 'all', '--include-path-regex', paths.source],
      ...['--seed', '10', '--max-examples', String(examples), '--generation-database', 'none'],
      // The time to generate requests does not depend on the service.
      ...['--suppress-health-check', 'all'],
    ])
    return { status, report, requests: Number(/(\d+) generated/.exec(report)?.[1] ?? 0) }
  } finally {
    remove()
  }
}

/**
 * Error statuses that requests may get even if the requests match the description. The service must have issued cursors, tokens and codes;
 * emails must be well-formed; passwords and codes must belong to the account; and the steps of a second factor have a fixed order.
 */
const REFUSED: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(
    ['listPets', 'listProjects', 'listSessions', 'resetPassword'].map((id) => [id, [400]]),
  ),
  ...Object.fromEntries(
    ['changePassword', 'confirmLogin', 'deleteAccount', 'exportAccount'].map((id) => [id, [400]]),
  ),
  ...Object.fromEntries(
    [
      ...['requestSignUp', 'confirmSignUp', 'requestEmailChange', 'confirmEmailChange', 'undoEmailChange'],
      ...['requestLoginMail', 'confirmLoginMail'],
    ].map((id) => [id, [400, 429]]),
  ),
  // A passkey response is valid only for a challenge that the service issued.
  ...Object.fromEntries(['login', 'loginWithPasskey', 'addPasskey'].map((id) => [id, [400]])),
  renamePasskey: [400, 404],
  removePasskey: [404],
  beginPasskeyConfirmation: [404],
  setUpSecondFactor: [400, 409],
  confirmSecondFactor: [400, 409, 429],
  removeSecondFactor: [400, 409, 429],
  renewRecoveryCodes: [400, 409, 429],
}

/**
 * Returns the configuration as a file, because other users of the machine can read command-line arguments. Valid
 * requests may get 412 or 422 because of an If-Match condition or a used idempotency key.
 */
function configuration(credentials: NonNullable<Run['credentials']>): string {
  const schemes = Object.entries(credentials).flatMap(([scheme, values]) => [
    `[auth.openapi.${scheme}]`,
    ...Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ])
  return [
    '[checks.positive_data_acceptance]',
    'expected-statuses = ["2xx", 304, 401, 403, 404, 412, 422]',
    ...Object.entries(REFUSED).flatMap(([id, statuses]) => [
      '[[operations]]',
      `include-operation-id = "${id}"`,
      `checks.positive_data_acceptance.expected-statuses = ["2xx", 401, 403, ${statuses.join(', ')}]`,
    ]),
    '[[operations]]',
    'include-path-regex = "^/api/admin"',
    'checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409]',
    ...schemes,
  ].join('\n')
}

async function runProgram(
  folder: string,
  options: readonly string[],
): Promise<Pick<Outcome, 'status' | 'report'>> {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, NO_PROXY: '*' }
  const child = spawn(toolPath('schemathesis'), options, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { status, report: Buffer.concat(chunks).toString('utf8') }
}

export const EMAIL = 'ada@example.com'

const { everyone, user } = DEFAULT_PERMISSIONS.roles
/** Permits everything, so that the fuzzer also reaches actions that no role has by default. */
export const OPEN = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { ...everyone, components: { auth: ['*'], user: ['find'] } },
    user: { ...user, components: { pets: ['*'] } },
    'project-editor': { components: { project: ['*'] } },
  },
}

/** Expects that the fuzzer sent more than `least` requests, and found nothing. */
export function expectNothingFound({ status, report, requests }: Outcome, least: number): void {
  expect(status, report).to.equal(0)
  expect(requests, report).to.be.greaterThan(least)
}

/** Returns the operations that, according to the fuzzer's report, never accepted a request. */
export function closedIn({ report }: Outcome): readonly string[] {
  const [, listed = ''] = /Authentication failed:([^💡]*)/u.exec(report) ?? []
  return [...listed.matchAll(/^ {2}- (.+)$/gm)].map(([, operation = '']) => operation)
}
