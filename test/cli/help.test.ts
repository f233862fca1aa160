import { spawnSync } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { APP, workplaceOfTests, wrongUsageOf } from './app.js'

describe('app', () => {
  const place = workplaceOfTests({ shared: true })

  const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T

  it('lists every topic with a description for --help', async () => {
    const { code, stdout } = await place.app(['--help'])
    expect(code).to.equal(0)
    for (const topic of new Set(Object.keys(COMMANDS).map((id) => id.split(':')[0] ?? ''))) {
      expect(stdout).to.match(new RegExp(`^  ${topic}  +\\S`, 'm'))
    }
  })

  it('prints the version', async () => {
    const { version } = await readJson<{ version: string }>('package.json')
    const { code, stdout } = await place.app(['--version'])
    expect([code, stdout.split(' ')[0]]).to.deep.equal([0, `kennel-id/${version}`])
  })

  for (const id of Object.keys(COMMANDS)) {
    const words = id.split(':')
    it(`${words.join(' ')}: shows the usage and an example that begins with the command`, async () => {
      const { code, stdout } = await place.app([...words, '--help'])
      expect(code).to.equal(0)
      expect(stdout)
        .to.contain('USAGE')
        .and.to.match(/^EXAMPLES\n {2}\$ /m)
      expect(stdout.split('EXAMPLES')[1]).to.contain(`app ${words.join(' ')}`)
    })
  }

  it('lists the commands of a topic if the topic is entered without a command', async () => {
    const { stdout } = await place.app(['session'])
    expect(stdout).to.contain('session list').and.to.contain('session revoke')
  })

  it('completes commands, topics and flags in bash', async () => {
    const { code, stdout } = await place.child(['autocomplete'])
    expect(code).to.equal(0)
    for (const id of Object.keys(COMMANDS))
      expect(stdout).to.match(new RegExp(`^${id.replace(':', ' ')}( --|$)`, 'm'))
    const completed = (...words: string[]) => completions(stdout, ['app', ...words])
    expect(completed('')).to.include.members(['user', 'serve', 'help', 'autocomplete'])
    expect(completed('us')).to.deep.equal(['user'])
    expect(completed('key', '')).to.deep.equal(['generate'])
    expect(completed('user', 'li')).to.deep.equal(['list'])
    expect(completed('user', 'list', '--a')).to.deep.equal(['--after'])
    expect(completed('user', 'role', '7', '--r')).to.deep.equal(['--remove'])
    expect(completed('user', 'list', '')).to.deep.equal([])
    expect(completed('nothing', '')).to.deep.equal([])
  })

  describe('if app is started as kennel-id', () => {
    let program: string
    before(async () => {
      program = join(place.folder, 'kennel-id')
      await symlink(APP, program)
    })
    const run = (...args: string[]) =>
      spawnSync(program, args, { cwd: place.folder, env: place.env, encoding: 'utf8' })

    it('uses the name kennel-id in help', () => {
      for (const args of [['user', 'create', '--help'], ['user', 'help'], ['user']]) {
        const { status, stdout } = run(...args)
        expect(status).to.equal(0)
        expect(stdout)
          .to.contain('$ kennel-id ')
          .and.not.match(/\$ app\b/)
      }
    })

    it('does not use the name app in usage errors', () => {
      const { status, stdout, stderr } = run('user', 'creat')
      expect([status, stdout]).to.deep.equal([2, ''])
      expect(stderr).to.not.match(/\bapp\b/)
    })

    it('completes in bash for both command names', () => {
      expect(run('autocomplete').stdout).to.match(/^complete -o default -F _kennel_complete kennel-id app$/m)
    })
  })
})

function completions(script: string, words: readonly string[]): string[] {
  const last = String(words.length - 1)
  const press = `COMP_WORDS=("$@"); COMP_CWORD=${last}; _kennel_complete; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${press}`, 'bash', ...words], {
    encoding: 'utf8',
  })
  expect(stderr).to.equal('')
  return [...new Set(stdout.split('\n').filter((line) => line !== ''))]
}

const USER_VERBS =
  / Commands of user: approve, create, delete, .*, show, .*; `app user --help` describes them\./

describe('the response to a misspelled command line', () => {
  const place = workplaceOfTests({ shared: true, store: false })

  const wrong = async (command: string) => await wrongUsageOf(place, command)

  for (const [command, meant] of [
    ['user:creat x', 'user create'],
    ['user dup', 'user duplicates'],
    ['User List', 'user list'],
    ['create user ada@example.com', 'user create'],
    ['--json user list', 'user list'],
    ['help user shwo', 'user show'],
    ['usr', 'user'],
  ] as const)
    it(`suggests ${meant} for "${command}", and lists the commands of the topic`, async () => {
      const error = await wrong(command)
      expect(error).to.contain(`Did you mean \`app ${meant}\`?`).and.match(USER_VERBS)
    })

  it('suggests only similar commands, and otherwise lists the commands of the topic', async () => {
    expect(await wrong('key:rotate old-passphrase')).to.equal(
      ' Error: There is no command "key rotate". Commands of key: generate; `app key --help` describes them. ',
    )
    expect(await wrong('user constructor')).to.match(USER_VERBS)
  })

  it('suggests commands if the topic is missing', async () => {
    expect(await wrong('revoke')).to.contain(
      'Did you mean `app session revoke`, `app invitation revoke` or `app apikey revoke`?',
    )
  })

  it('lists the topics if the first word is unknown', async () => {
    for (const command of ['constructor x', '--frobnicate'])
      expect(await wrong(command)).to.match(
        new RegExp(
          `no command "${command}"\\. Commands begin with apikey, .*, user; \`app --help\` describes them`,
        ),
      )
    expect(await wrong('sreve')).to.contain('Did you mean `app serve`?')
  })

  it('reports an argument if the command takes no arguments', async () => {
    expect(await wrong('audit:list ada@example.com')).to.contain('Unexpected argument: ada@example.com')
  })

  it('suggests a flag without repeating the value of the unknown flag', async () => {
    for (const [command, meant] of [
      ['user create a@example.com --rolle=hunter2', '--role'],
      ['audit list --newest', '--newest-first'],
      ['user list --Limit 3 --emial hunter2', '--limit or --email'],
    ] as const) {
      const error = await wrong(command)
      expect(error).to.match(
        new RegExp(`Did you mean (${meant}|${meant.split(' or ').reverse().join(' or ')})\\?`),
      )
      expect(error).not.to.contain('hunter2')
    }
    expect(await wrong('user list --frobnicate')).to.match(/Nonexistent flag: --frobnicate\. See more help/)
  })
})
