import { expect } from 'chai'
import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { operatorName, prepareForOclif, readEnvironment } from '../../src/configuration/environment.js'
import { temporaryFolder } from '../support/temporary-folder.js'

describe('the environment', () => {
  const folder = temporaryFolder()
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(folder(name), content)
  }
  const read = (variables: Record<string, string>) =>
    readEnvironment({ secrets: ['SECRET', 'OTHER'], folder: folder(), variables })

  it('contains only the process variables if there is no .env, or if .env is a link to /dev/null', () => {
    expect(read({ A: '1' })).to.deep.equal({ variables: { A: '1' }, errors: [] })
    symlinkSync('/dev/null', folder('.env'))
    expect(read({ A: '1' })).to.deep.equal({ variables: { A: '1' }, errors: [] })
  })

  it('contains the variables of .env, but process variables take precedence, even if they are empty', () => {
    write('.env', '# comment\nA=file\nB="of the # file"\nexport C=3\nD=file\n')
    const variables = { A: 'real', B: 'of the # file', C: '3', D: '' }
    expect(read({ A: 'real', D: '' })).to.deep.equal({ variables, errors: [] })
  })

  it('reports a .env that cannot be read', () => {
    mkdirSync(folder('.env'))
    expect(read({}).errors).to.deep.equal([{ variable: '.env', sentence: '.env cannot be read (EISDIR)' }])
  })

  it('accepts a .env with a byte-order mark, and reports any encoding other than UTF-8', () => {
    write('.env', '\uFEFFA=1\nB=ä')
    expect(read({})).to.deep.equal({ variables: { A: '1', B: 'ä' }, errors: [] })
    write('.env', Buffer.from('\uFEFFNODE_ENV=production\n', 'utf16le'))
    const sentence = '.env must be UTF-8 but is UTF-16 (little-endian): save it as UTF-8'
    expect(read({})).to.deep.equal({ variables: {}, errors: [{ variable: '.env', sentence }] })
  })

  describe('with a variable that executes code', () => {
    const FOREIGN =
      'CODE is run as code, so .env can set it only if .env belongs to root or to the user who runs the command'
    const WRITABLE =
      'CODE is run as code, so .env can set it only if group and others cannot write to .env (chmod go-w .env)'
    const [ROOT, ME, OTHER] = [0, 61_001, 61_002]

    const dotenv = ({ mode = 0o600, text = 'CODE=./mine.js\nA=1\n' } = {}) => {
      write('.env', text)
      chmodSync(folder('.env'), mode)
      return statSync(folder('.env')).uid
    }
    const sentences = (userId: number, variables: Record<string, string> = {}) => {
      const options = { secrets: [], trusted: ['CODE', 'MORE'], folder: folder(), variables, userId }
      return readEnvironment(options).errors.map(({ sentence }) => sentence)
    }

    for (const [mode, expected] of [
      ...[0o600, 0o644, 0o444].map((mode) => [mode, []] as const),
      ...[0o660, 0o602, 0o777].map((mode) => [mode, [WRITABLE]] as const),
    ])
      it(`${expected.length === 0 ? 'accepts' : 'rejects'} the variable from a .env with mode ${mode.toString(8)}`, () => {
        expect(sentences(dotenv({ mode }))).to.deep.equal(expected)
      })

    for (const [file, user, expected] of [
      [ROOT, ROOT, []],
      [ROOT, ME, []],
      [ME, ME, []],
      [ME, ROOT, [FOREIGN]],
      [OTHER, ROOT, [FOREIGN]],
      [OTHER, ME, [FOREIGN]],
    ] as const)
      it(`${expected.length === 0 ? 'accepts' : 'rejects'} the variable from a .env of user ${file} for user ${user}`, function () {
        if (process.getuid?.() !== 0) this.skip()
        dotenv({ mode: 0o644 })
        chownSync(folder('.env'), file, file)
        expect(sentences(user)).to.deep.equal(expected)
      })

    it('checks the target if .env is a symbolic link', function () {
      if (process.getuid?.() !== 0) this.skip()
      write('target', 'CODE=./mine.js\n')
      symlinkSync('target', folder('.env'))
      for (const [link, target, expected] of [
        [ME, OTHER, [FOREIGN]],
        [OTHER, ME, []],
      ] as const) {
        lchownSync(folder('.env'), link, link)
        chownSync(folder('target'), target, target)
        expect(sentences(ME), `link ${link}, target ${target}`).to.deep.equal(expected)
      }
    })

    it('accepts a world-writable .env that does not set the variable', () => {
      const owner = dotenv({ mode: 0o666 })
      for (const CODE of ['./own.js', ''])
        for (const user of [owner, owner + 1]) expect(sentences(user, { CODE })).to.deep.equal([])
      for (const text of ['CODE=\nA=1\n', 'A=1\n']) {
        dotenv({ text, mode: 0o666 })
        expect(sentences(owner), text).to.deep.equal([])
        expect(read({}).variables, text).to.have.property('A', '1')
      }
    })
  })

  it('reads a secret from a file, and removes one line ending', () => {
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

  it('also reads the name of a secret file from .env, and ignores an empty name', () => {
    write('secret', 'hush')
    write('.env', 'SECRET_FILE=secret\nOTHER_FILE=\n')
    const { variables, errors } = read({})
    expect(variables['SECRET']).to.equal('hush')
    expect(variables).not.to.have.property('OTHER')
    expect(errors).to.deep.equal([])
  })

  it('reports the variable of every unusable secret file, but never the path or content of the file', () => {
    write('empty', '\n')
    write('binary', Uint8Array.of(0xff, 0xfe, 0x41))
    for (const [path, reason] of [
      ['Hush-this-is-the-secret', 'names a file that cannot be read (ENOENT)'],
      ['empty', 'names an empty file'],
      ['binary', 'names a file that must be UTF-8 but is UTF-16 (little-endian)'],
      ['.', 'names a file that cannot be read (EISDIR)'],
      ['/dev/zero', 'names a file that cannot be read (not a regular file)'],
    ] as const)
      expect(read({ SECRET_FILE: path }).errors.map(({ sentence }) => sentence)).to.deep.equal([
        `SECRET_FILE ${reason}`,
      ])
  })

  it('reads secrets, but no other variables, from files', () => {
    write('port', '80')
    expect(read({ PORT_FILE: 'port' }).variables).not.to.have.property('PORT')
  })
})

describe('the name of the operator', () => {
  it('is the name of the user who called sudo, but never text that is not a user name', () => {
    for (const name of ['ada', 'ada.l@example.com', 'CORP\\ada'])
      expect(operatorName({ SUDO_USER: name })).to.equal(name)
    for (const text of [undefined, '', 'ada account:1', 'ada\n', 'a'.repeat(65)])
      expect(operatorName({ SUDO_USER: text }), text).to.equal(userInfo().username)
  })
})

describe('the environment for oclif', () => {
  it('has a shell and a home folder, even for a user without an entry in the password file', () => {
    const completed = (given: Record<string, string>, lookUp: () => unknown) => {
      prepareForOclif(given, lookUp)
      const { APP_DISABLE_THEME: _, ...variables } = given
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
