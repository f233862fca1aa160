import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { APP, PRODUCTION, workplaceOfTests } from './app.js'
import { onTerminal } from './terminal.js'

type Report = {
  readonly errors: readonly { readonly message: string }[]
  readonly warnings: readonly string[]
}

/** Uses normal hash costs and a login limit, because the configuration check would warn otherwise. */
const REAL = { PASSWORD_SCRYPT: '', LOGIN_LIMIT: '10/15m' }

describe('app config check', () => {
  const place = workplaceOfTests({ shared: true, store: false })

  const check = async (env: Record<string, string>, folder = place.folder) => {
    const { code, stdout, stderr } = await place.app(['config', 'check'], {
      env: { ...REAL, ...env },
      folder,
    })
    const { errors, warnings } = JSON.parse(stdout) as Report
    return { code, stderr, errors: errors.map(({ message }) => message), warnings }
  }

  it('accepts a valid configuration, opens no store and creates no file', async () => {
    for (const env of [{}, PRODUCTION, { ...PRODUCTION, DATABASE_URL: 'mongodb://127.0.0.1:1/kennel' }])
      expect(await check(env)).to.deep.equal({ code: 0, stderr: '', errors: [], warnings: [] })
    expect(await readdir(place.folder)).to.deep.equal([])
  })

  it('prints warnings, with exit status 0', async () => {
    const { code, errors, warnings } = await check({
      ...PRODUCTION,
      PASSWORD_BLOCKLIST: 'off',
      LOGIN_LIMIT: 'off',
    })
    expect([code, errors, warnings.length]).to.deep.equal([0, [], 2])
    expect(warnings.join()).to.match(/PASSWORD_BLOCKLIST is off.*LOGIN_LIMIT is off/)
  })

  it('prints all errors in the environment, .env, secret files and the permission file, but no values', async () => {
    const folder = join(place.folder, 'broken')
    await mkdir(folder)
    await writeFile(join(folder, '.env'), 'METRICS_PORT=canary-port\nPERMISSIONS_FILE=permissions.json\n')
    await writeFile(join(folder, 'permissions.json'), '{"roles": {"cli": {"components": {"canari": ["*"]}}}}')
    const { code, errors } = await check(
      { PETS_SECURITY: 'canary-word', SECURITY_JWT_PASSPHRASE_FILE: 'none' },
      folder,
    )
    expect(code).to.equal(1)
    expect(errors.join('\n'))
      .to.match(/SECURITY_JWT_PASSPHRASE_FILE names a file that cannot be read/)
      .and.match(/^METRICS_PORT must be/m)
      .and.match(/^PETS_SECURITY must be/m)
      .and.match(/PERMISSIONS_FILE: roles\.cli\.components\.canari is an unknown component/)
      .and.not.contain('canary')
  })

  it('prints errors in the store module, the password blocklist, mail templates and page texts without opening the store', async () => {
    const module = join(place.folder, 'store.mjs')
    const mail = {
      MAIL_URL: 'smtp://127.0.0.1:25',
      MAIL_FROM: 'kennel@example.com',
      MAIL_TEMPLATES: place.folder,
    }
    await writeFile(module, 'export const store = 1')
    const pages = { PAGES: 'on', PAGES_TEXTS: join(place.folder, 'no.json') }
    const PASSWORD_BLOCKLIST = join(place.folder, 'no.txt')
    const { code, errors } = await check({ ...mail, ...pages, PASSWORD_BLOCKLIST, STORE_MODULE: module })
    expect(code).to.equal(1)
    expect(errors.join('\n')).to.match(
      /PASSWORD_BLOCKLIST: the file .* is missing[^]*MAIL_TEMPLATES: .* is missing[^]*PAGES_TEXTS: the file .* is missing[^]*The store module must export a function/,
    )
    await writeFile(join(place.folder, 'opens.mjs'), 'export default () => { throw new Error("was opened") }')
    const sound = await place.app(['config', 'check', '--store', './opens.mjs'], { env: REAL })
    expect([sound.code, sound.stdout]).to.deep.equal([0, '{"errors":[],"warnings":[]}\n'])
  })

  it('prints sentences on a terminal, and JSON on request', async () => {
    const sound = await onTerminal(place, 'config check')
    expect(sound.code).to.equal(0)
    expect(sound.text).to.match(
      /^Warning: PASSWORD_SCRYPT is below .*\r?\nThe configuration has no errors\.\r?\n$/,
    )
    const broken = await onTerminal(place, `--version; PORT=x '${process.execPath}' '${APP}' config check`)
    expect(broken.code).to.equal(1)
    expect(broken.text).to.match(/Error: PORT must be .*\r?\nThe configuration has errors: 1\.\r?\n$/)
    const json = await onTerminal(place, 'config check --json')
    expect(json.text.trim()).to.match(/^\{"errors":\[\],"warnings":\["PASSWORD_SCRYPT .*"\]\}$/)
  })
})
