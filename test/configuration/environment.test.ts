import { expect } from 'chai'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { completeUser, hostMachine, readEnvironment } from '../../src/configuration/environment.js'
import { temporaryFolder } from '../support/temporary-folder.js'

describe('the environment', () => {
  const folder = temporaryFolder()
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(folder(name), content)
  }
  const read = (variables: Record<string, string>) =>
    readEnvironment({ secrets: ['SECRET', 'OTHER'], folder: folder(), variables })

  it('has only the variables of the process without a .env', () => {
    expect(read({ A: '1' })).to.deep.equal({ variables: { A: '1' }, errors: [] })
  })

  it('has the variables of .env, but process variables take precedence, even if empty', () => {
    write('.env', '# comment\nA=file\nB="of the # file"\nexport C=3\nD=file\n')
    expect(read({ A: 'real', D: '' }).variables).to.deep.equal({
      A: 'real',
      B: 'of the # file',
      C: '3',
      D: '',
    })
  })

  it('names a .env that cannot be read', () => {
    mkdirSync(folder('.env'))
    expect(read({}).errors).to.deep.equal([{ variable: '.env', sentence: '.env cannot be read (EISDIR)' }])
  })

  it('accepts a .env with a byte-order mark, and names any encoding other than UTF-8', () => {
    write('.env', '\uFEFFA=1\nB=ä')
    expect(read({})).to.deep.equal({ variables: { A: '1', B: 'ä' }, errors: [] })
    write('.env', Buffer.from('\uFEFFNODE_ENV=production\n', 'utf16le'))
    const sentence = '.env must be UTF-8 and is UTF-16 (little-endian): save it as UTF-8'
    expect(read({})).to.deep.equal({ variables: {}, errors: [{ variable: '.env', sentence }] })
  })

  it('rejects a variable that makes code run if the .env belongs to another user', () => {
    write('.env', 'CODE=./mine.js\nA=1\n')
    const owner = statSync(folder('.env')).uid
    const errorsOf = (userId: number | undefined, variables: Record<string, string> = {}) =>
      readEnvironment({ secrets: [], trusted: ['CODE', 'MORE'], folder: folder(), variables, userId }).errors
    expect(errorsOf(owner)).to.deep.equal([])
    const sentence =
      'CODE is code that runs: .env can set it only if .env belongs to the user who runs the command'
    expect(errorsOf(owner + 1)).to.deep.equal([{ variable: 'CODE', sentence }])
    for (const CODE of ['./own.js', '']) expect(errorsOf(owner + 1, { CODE })).to.deep.equal([])
    write('.env', 'CODE=\nA=1\n')
    expect(errorsOf(owner + 1)).to.deep.equal([])
  })

  it('reads a secret from a file, and removes one line end', () => {
    for (const [content, secret] of [
      ['hush', 'hush'],
      ['hush\n', 'hush'],
      ['hush\r\n', 'hush'],
      ['hush\n\n', 'hush\n'],
      [' hush ', ' hush '],
    ] as const) {
      write('secret', content)
      expect(read({ SECRET_FILE: 'secret' }).variables['SECRET']).to.equal(secret)
    }
  })

  it('reads the name of the file from .env too, and ignores an empty name', () => {
    write('secret', 'hush')
    write('.env', 'SECRET_FILE=secret\nOTHER_FILE=\n')
    const { variables, errors } = read({})
    expect(variables['SECRET']).to.equal('hush')
    expect(variables).not.to.have.property('OTHER')
    expect(errors).to.deep.equal([])
  })

  it('names the variable of every file that gives no secret, never its path or content', () => {
    write('empty', '\n')
    write('binary', Uint8Array.of(0xff, 0xfe, 0x41))
    const errorOf = (path: string) => read({ SECRET_FILE: path }).errors.map(({ sentence }) => sentence)
    expect(errorOf('Hush-this-is-the-secret')).to.deep.equal([
      'SECRET_FILE names a file that cannot be read (ENOENT)',
    ])
    expect(errorOf('empty')).to.deep.equal(['SECRET_FILE names an empty file'])
    expect(errorOf('binary')).to.deep.equal([
      'SECRET_FILE names a file that must be UTF-8 and is UTF-16 (little-endian)',
    ])
    expect(errorOf('.')).to.deep.equal(['SECRET_FILE names a file that cannot be read (EISDIR)'])
  })

  it('reads nothing else from files', () => {
    write('port', '80')
    expect(read({ PORT_FILE: 'port' }).variables).not.to.have.property('PORT')
  })
})

describe('the machine', () => {
  it('has at least one core and one thread', () => {
    const { cores, threadPoolSize } = hostMachine()
    expect(cores).to.be.at.least(1)
    expect(threadPoolSize).to.be.within(1, 1024)
  })
})

describe('a user without an entry in the password file', () => {
  it('gets a default shell and home folder, unlike other users', () => {
    const completed = (variables: Record<string, string>, lookUp: () => unknown) => {
      completeUser(variables, lookUp)
      return variables
    }
    const failing = () => {
      throw new Error('uv_os_get_passwd returned ENOENT')
    }
    const none = { SHELL: '', HOME: '/nonexistent' }
    expect(completed({}, failing)).to.deep.equal(none)
    expect(completed({ HOME: '' }, failing)).to.deep.equal(none)
    expect(completed({ SHELL: '/bin/zsh' }, failing)).to.deep.equal({ ...none, SHELL: '/bin/zsh' })
    expect(completed({ HOME: '/tmp', A: '1' }, failing)).to.deep.equal({ SHELL: '', HOME: '/tmp', A: '1' })
    expect(completed({}, () => ({ shell: '/bin/sh' }))).to.deep.equal({})
  })
})
