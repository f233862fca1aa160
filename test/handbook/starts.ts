import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workplace } from '../cli/app.js'
import { addResidents } from '../support/pages/walk.js'
import { own } from '../support/postgresql/unprivileged.js'
import { PROJECT } from '../support/project.js'

/** A page's starting point: prepares the folder once, and returns the commands to run before those on the page. */
export type Start = (folder: string, place: Workplace) => Promise<{ readonly before: string }>

const ADA = { email: 'ada@example.com', password: 'a long walk in the park' }

const FIRST_LOGIN = join(PROJECT, 'docs/http/first-login.md')

const SERVE = `
rm -f data/service.log
bin/app.js serve > data/service.log 2>&1 &
until grep -qs '"event":"ready"' data/service.log; do
  kill -0 $! || { cat data/service.log; exit 1; }
  sleep 0.1
done
`

/** Replaces npx, whose search for an installed command takes seconds. */
const NPX = `
npx() { node_modules/.bin/"$1" "\${@:2}"; }
`

/** Starts in the cloned repository, optionally with Ada's account, and runs these commands before the commands of the page. */
const checkout =
  (before = '', { withAda = false } = {}): Start =>
  async (folder, place) => {
    await makeCheckout(folder)
    if (withAda) await addAda(folder, place)
    return { before }
  }

/** The starting points, keyed by the first sentence after `**Start:**` on a page, without links. */
export const STARTS: Readonly<Record<string, Start>> = {
  'the cloned repository, with no service running': checkout(),
  'the cloned repository, after `npm ci`': checkout(),
  'the cloned repository, with an empty MongoDB database in `DATABASE_URL`': checkout(),
  'the cloned repository, with a PostgreSQL database in `DATABASE_URL`': checkout(),
  'the cloned repository, with the programs of PostgreSQL and PgBouncer on `PATH`': async (folder, place) => {
    await makeCheckout(folder)
    // The PostgreSQL programs run as a different user: see operate-with-tools.test.ts.
    chmodSync(place.folder, 0o755)
    own(join(folder, 'data'))
    return { before: '' }
  },
  'the cloned repository, with a replica set of three MongoDB servers in `DATABASE_URL`': checkout(),
  'the cloned repository, with the service running': checkout(SERVE),
  "the cloned repository, with the service running and Ada's account": checkout(SERVE, { withAda: true }),
  'the cloned repository, with the service running and Ada logged in': checkout(`${SERVE}${logIn()}`, {
    withAda: true,
  }),
  'the cloned repository, with no service running, a damaged data file and a copy in `data/backup`': async (
    folder,
    place,
  ) => {
    await makeCheckout(folder)
    await addAda(folder, place)
    const [data, backup] = [join(folder, 'data'), join(folder, 'data', 'backup')]
    mkdirSync(backup)
    copyFileSync(join(data, 'app.db'), join(backup, 'app.db'))
    writeFileSync(join(backup, 'development-passphrase'), 'Only-for-tests: 4 kennels & 12 hounds\n')
    return { before: "printf '%5000s' 'torn' > data/app.db" }
  },
  'an empty project with `kennel-id` installed': async (folder) => {
    makeProject(folder)
    return { before: NPX }
  },
  'an empty project with `kennel-id` and `pg` installed, and an empty PostgreSQL database in `DATABASE_URL`':
    async (folder) => {
      makeProject(folder)
      symlinkSync(join(PROJECT, 'node_modules', 'pg'), join(folder, 'node_modules', 'pg'))
      return { before: NPX }
    },
  "an empty project with `kennel-id` installed, and the service running with Ada's account": async (
    folder,
    place,
  ) => {
    makeProject(folder)
    const checkout = join(place.folder, 'checkout')
    await makeCheckout(checkout)
    await addAda(checkout, place)
    return { before: `cd '${checkout}'${SERVE}cd '${folder}'` }
  },
}

function logIn(): string {
  const [, commands = ''] =
    /\n## Log in\n+```sh walk\n([^]*?)```/.exec(readFileSync(FIRST_LOGIN, 'utf8')) ?? []
  if (commands === '') throw new Error(`${FIRST_LOGIN} has no commands to log in`)
  return commands
}
/** Starting points of pages whose commands need a machine that no test has. Tests in test/operations check these commands. */
export const HOSTS: readonly string[] = [
  'a Debian machine with Node (26, the newest LTS), npm and git, and a root shell',
  'the cloned repository, on a machine with a container engine',
]

/** A folder like the cloned repository after `npm ci && npm run build`, with the data of three users in the default location. */
async function makeCheckout(folder: string): Promise<void> {
  mkdirSync(join(folder, 'data'), { recursive: true })
  const folders = ['bin', 'dist', 'docs', 'examples', 'node_modules', 'templates']
  for (const name of [...folders, 'package.json', '.env.example'])
    symlinkSync(join(PROJECT, name), join(folder, name))
  await addResidents(folder)
}

async function addAda(folder: string, place: Workplace): Promise<void> {
  const input = ADA.password
  for (const [args, options] of [
    [['role', 'create', 'project-editor', 'Project editor'], { folder }],
    [['user', 'create', ADA.email, '--password-stdin'], { folder, input }],
    [['user', 'role', ADA.email, 'project-editor'], { folder }],
  ] as const) {
    const { code, stderr } = await place.child(args, options)
    if (code !== 0) throw new Error(stderr)
  }
}

/**
 * A folder as after `npm init -y && npm install kennel-id`, with the package and its command as built from these
 * sources, and SQLite for Node 20.
 */
function makeProject(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(PROJECT, join(modules, 'kennel-id'))
  symlinkSync(join(PROJECT, 'bin', 'app.js'), join(modules, '.bin', 'kennel-id'))
  mkdirSync(join(modules, '@photostructure'))
  const sqlite = '@photostructure/sqlite'
  symlinkSync(join(PROJECT, 'node_modules', sqlite), join(modules, sqlite))
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "version": "1.0.0", "type": "module" }\n')
}
