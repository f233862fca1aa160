import { expect } from 'chai'
import { workplaceOfTests, wrongUsageOf } from './app.js'

const USER_VERBS =
  / Commands of user: approve, create, delete, .*, show, .*; `app user --help` describes them\./

describe('a misspelled command line', () => {
  const place = workplaceOfTests({ shared: true, store: false })

  const wrong = async (command: string) => await wrongUsageOf(place, command)

  for (const [command, meant] of [
    ['user creat', 'user create'],
    ['user:creat x', 'user create'],
    ['user dup', 'user duplicates'],
    ['User List', 'user list'],
    ['users:list', 'user list'],
    ['create user ada@example.com', 'user create'],
    ['--json user list', 'user list'],
    ['help user shwo', 'user show'],
    ['user shwo --help', 'user show'],
    ['usr', 'user'],
  ] as const)
    it(`suggests ${meant} for "${command}", and lists the commands of the topic`, async () => {
      const error = await wrong(command)
      expect(error).to.contain(`Did you mean \`app ${meant}\`?`).and.match(USER_VERBS)
    })

  it('suggests only similar commands, and otherwise lists the commands of the topic', async () => {
    for (const command of ['key rotate', 'key:rotate', 'key rotate old-passphrase'])
      expect(await wrong(command)).to.equal(
        ' Error: There is no command "key rotate". Commands of key: generate; `app key --help` describes them. ',
      )
    expect(await wrong('user:')).to.contain('There is no command "user".')
    expect(await wrong('user constructor')).to.match(USER_VERBS)
  })

  it('suggests commands if the topic is missing', async () => {
    expect(await wrong('revoke')).to.contain(
      'Did you mean `app session revoke`, `app invitation revoke` or `app apikey revoke`?',
    )
  })

  it('lists the topics if the first word is unknown', async () => {
    for (const command of ['frobnicate', 'constructor x', '--frobnicate'])
      expect(await wrong(command)).to.match(
        new RegExp(
          `no command "${command}"\\. Commands begin with apikey, .*, user; \`app --help\` describes them`,
        ),
      )
    expect(await wrong('sreve')).to.contain('Did you mean `app serve`?')
  })

  it('reports an argument if the command takes no arguments', async () => {
    for (const command of [
      'audit list ada@example.com',
      'serve ada@example.com',
      'audit:list ada@example.com',
    ])
      expect(await wrong(command)).to.contain('Unexpected argument: ada@example.com')
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
