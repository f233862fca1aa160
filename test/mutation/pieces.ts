import { filesOf } from '../support/project.js'

/** A part of the sources, with the fast tests that must notice each change of it. */
export type Piece = {
  /** Patterns of paths: `*` is any name, and two stars with a slash are any folders. */
  readonly sources: readonly string[]
  /** Patterns of paths below `test`, in the order in which they run; without MongoDB, unless the piece says otherwise. */
  readonly tests: readonly string[]
  readonly needsMongodb?: true
}

const identity = (name: string, ...more: string[]): Piece => ({
  sources: [`src/application/identity/${name}/**/*.ts`],
  tests: [`test/application/identity/${name}/**/*.test.ts`, ...more],
})

/** Together they cover all of the domain and the application, and what can race in each store. */
export const PIECES: Readonly<Record<string, Piece>> = {
  domain: {
    sources: ['src/domain/**/*.ts'],
    // Without the folder `messages`, which opens a whole Kennel. What takes long comes last: a mutant of a constant meets
    // one test after the other until one fails.
    tests: [
      'test/domain/*.test.ts',
      'test/domain/{access,catalogue,project}/**/*.test.ts',
      'test/domain/identity/{[a-q]*,rate*,s*}.test.ts',
      'test/domain/identity/**/*.test.ts',
    ],
  },
  application: {
    sources: [
      'src/application/*.ts',
      'src/application/{access,accounts,audit,catalogue,mail,metering,project}/**/*.ts',
    ],
    tests: [
      'test/application/*.test.ts',
      'test/application/{access,accounts,audit,catalogue,mail,metering,project,purge-expired}/**/*.test.ts',
    ],
  },
  tokens: {
    sources: [
      'src/application/identity/{check-access-token,check-refresh-tokens,factor-roles,identity-of,issue,presented,token-signer}.ts',
    ],
    tests: [
      'test/application/identity/{check-access-token,check-refresh-tokens,factor-roles,identity-of,issue,presented}.test.ts',
      'test/application/identity/token-signer/{actor,claims,label,login,memory,sign,verify}.test.ts',
    ],
  },
  login: {
    sources: [
      'src/application/identity/{begin-login,change-password,delete-account,login,open-session,start-login,tell-new-client,throttle}.ts',
    ],
    tests: [
      'test/application/identity/{begin-login,change-password,delete-account,login,open-session,start-login,tell-new-client,throttle}.test.ts',
      'test/application/identity/{login,second-factor}/*.test.ts',
    ],
  },
  sessions: {
    sources: [
      'src/application/identity/{audit-shared-refresh,authenticate,get-identity,identify-page,logout,own-sessions,refresh,use-cases}.ts',
    ],
    tests: [
      'test/application/identity/{audit-shared-refresh,authenticate,get-identity,identify-page,logout,own-sessions,refresh,embedded}.test.ts',
      'test/application/identity/impersonation/*.test.ts',
    ],
  },
  impersonation: identity('impersonation'),
  'password-reset': identity('password-reset'),
  'second-factor': identity('second-factor'),
  stateless: identity('stateless'),
  memory: {
    sources: [
      'src/adapters/memory/{session-table,sessions,revocations,attempt-limiter,password-resets,second-factors}.ts',
    ],
    tests: ['test/contracts/memory.test.ts', 'test/adapters/memory/*.test.ts'],
  },
  sqlite: {
    sources: [
      'src/adapters/sqlite/{sessions,session-rows,revocations,attempt-limiter,password-resets,second-factors}.ts',
    ],
    tests: ['test/contracts/sqlite.test.ts', 'test/adapters/sqlite/*.test.ts'],
  },
  mongodb: {
    sources: [
      'src/adapters/mongodb/{rotation,login-rotation,active-session,revocations,attempt-limiter,password-resets}.ts',
    ],
    tests: [
      'test/contracts/mongodb.test.ts',
      'test/adapters/mongodb/{active-session,attempt-limiter,documents,login-rotation,opening,rotation}.test.ts',
      'test/mongodb-faults/{injected,fail-points}.test.ts',
    ],
    needsMongodb: true,
  },
}

export function pieceOf(name: string): Piece {
  const piece = PIECES[name]
  if (!piece) throw new Error(`There is no piece ${name}: there are ${Object.keys(PIECES).join(', ')}.`)
  return piece
}

/** The sources of a piece; a pattern that no file goes by would leave its part out unseen. */
export function sourcesOf(name: string): string[] {
  return filesBy(pieceOf(name).sources, filesOf('src')).sort()
}

export function testsOf(name: string): string[] {
  return filesBy(pieceOf(name).tests, filesOf('test'))
}

function filesBy(patterns: readonly string[], files: readonly string[]): string[] {
  const found = patterns.map((pattern) => {
    const regexp = regexpOf(pattern)
    const named = files.filter((file) => regexp.test(file) && !file.endsWith('.d.ts'))
    if (named.length === 0) throw new Error(`no file goes by ${pattern}`)
    return named.toSorted()
  })
  return [...new Set(found.flat())]
}

function regexpOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll('.', '\\.')
    .replaceAll(/\{([^}]*)\}/g, (_braces, names: string) => `(${names.replaceAll(',', '|')})`)
    .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'))
  return new RegExp(`^${source}$`)
}
