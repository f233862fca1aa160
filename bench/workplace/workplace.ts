import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePassphrase } from '../../src/adapters/keyring/index.js'
import type { TokenUse, TokenSigner } from '../../src/ports/tokens.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { createCredentials } from '../../src/composition-root/credentials.js'
import type { Lifetimes } from '../../src/domain/identity/session.js'
import type { SessionKeys } from '../../src/ports/session-keys.js'
import type { Store } from '../../src/ports/store.js'

/** A temporary folder that contains a store, and the environment of a service that uses the store. */
export type Workplace = {
  readonly folder: string
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  readonly publicUrl: string
  /** The service's keys for signing and for digests. */
  readonly credentials: { readonly tokens: TokenSigner; readonly sessionKeys: SessionKeys }
  /** Opens the store while the work runs. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>
  remove(): Promise<void>
}

const DEFAULT_TOKENS: WorkplaceTokens = { use: 'HS512', stateless: false }

/** An origin that is valid in production; no request is sent to it. */
const PUBLIC_URL = 'https://kennel.example'

/** The service's default lifetimes. */
export const LIFETIMES: Lifetimes = {
  accessToken: 15 * 60_000,
  refreshToken: 7 * 86_400_000,
  session: 30 * 86_400_000,
  refreshGrace: 10_000,
}

/** The token format of a workplace; by default the service's default format. */
export type WorkplaceTokens = { readonly use: TokenUse; readonly stateless: boolean }

async function makeWorkplace({ use, stateless }: WorkplaceTokens = DEFAULT_TOKENS): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'kennel-bench-'))
  const database = join(folder, 'app.db')
  const passphrase = generatePassphrase(systemRandomness)
  const credentials = await createCredentials(
    { previousPassphrases: [], tokenAlg: use, lifetimes: LIFETIMES, stateless },
    { passphrase, publicUrl: PUBLIC_URL },
  )
  return {
    folder,
    database,
    env: {
      HOME: folder,
      PORT: '0',
      PUBLIC_URL,
      DATABASE_URL: `sqlite:${database}`,
      SECURITY_JWT_PASSPHRASE: passphrase,
      IDENTITY_STATELESS: stateless ? '1' : '0',
      ...(use === 'v4.public' ? { TOKEN_FORMAT: 'paseto' } : { TOKEN_ALG: use }),
      ACCESS_TOKEN_TTL: '15m',
    },
    publicUrl: PUBLIC_URL,
    credentials,
    withStore: async (work) => {
      const store = await openSqlite(database)
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Runs `work` in a new workplace, which is removed afterwards. */
export async function inWorkplace<T>(
  work: (place: Workplace) => Promise<T>,
  tokens?: WorkplaceTokens,
): Promise<T> {
  const place = await makeWorkplace(tokens)
  try {
    return await work(place)
  } finally {
    await place.remove()
  }
}
