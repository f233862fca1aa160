import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { VARIABLES } from '../../src/configuration/settings.js'
import { filesOf, PROJECT } from '../support/project.js'
import { blocksOf } from '../support/pages/blocks.js'

const COMMAND_NAMES = Object.keys(COMMANDS).map((id) => id.replaceAll(':', ' '))

function linesOf(page: string, tag: string): string[] {
  const blocks = blocksOf(`docs/operate/${page}`).filter(({ language }) => language === tag)
  expect(blocks).to.not.be.empty
  return blocks.flatMap(({ text }) => text.trim().split('\n'))
}

function expectCommand(line: string, words: string): void {
  expect(
    COMMAND_NAMES.some((name) => `${words} `.startsWith(`${name} `)),
    line,
  ).to.equal(true)
}

describe('the pages about operating the service', () => {
  it('name only existing files and commands in their code blocks for the host', () => {
    const pages = filesOf('docs/operate').filter((file) => file.endsWith('.md'))
    const lines = pages
      .flatMap(blocksOf)
      .flatMap(({ language, text }) => (language === 'sh host' ? text.trim().split('\n') : []))
    execFileSync('bash', ['-n', '-c', lines.join('\n')])
    const files = lines.flatMap((line) =>
      Array.from(line.matchAll(/(?<![\w/])(?:docs|bin)\/[\w./-]+/g), ([path]) => path),
    )
    expect(files).to.have.length.greaterThan(3)
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).to.deep.equal([])
    const commands = lines.flatMap((line) => /(?:kennel-app|app\.js) (?!\/)([a-z].*)/.exec(line)?.[1] ?? [])
    expect(commands).to.have.length.greaterThan(3)
    for (const words of commands) expectCommand(words, words)
  })

  it('give the same installation commands on the production page as on the detailed pages', () => {
    const parts = ['systemd.md', 'tls-proxy.md', 'backup.md'].flatMap((page) => linesOf(page, 'sh host'))
    const repeated = linesOf('production.md', 'sh host').filter((line) =>
      /^(?:adduser|git|cd|install|sed|nginx|systemctl) /.test(line),
    )
    expect(repeated).to.have.length.greaterThan(12)
    expect(repeated.filter((line) => !parts.includes(line))).to.deep.equal([])
  })

  it('start a container only with existing variables, folders and commands', () => {
    const lines = linesOf('container.md', 'sh container')
    execFileSync('bash', ['-n', '-c', lines.join('\n')])
    const known: readonly string[] = VARIABLES
    const start = lines.find((line) => line.startsWith('docker run --name')) ?? ''
    const names = Array.from(start.matchAll(/--env (\w+)=/g), ([, name = '']) => name)
    expect(names).to.have.length.greaterThan(2)
    expect(names.filter((name) => !known.includes(name))).to.deep.equal([])
    for (const words of ['--read-only', '--tmpfs /tmp', '--cap-drop ALL', ':/data', '--stop-timeout 30'])
      expect(start).to.include(words)
    const commands = lines.flatMap(
      (line) => /^docker (?:exec|run) .*kennel node bin\/app\.js (.*)$/.exec(line)?.[1] ?? [],
    )
    expect(commands).to.have.length.greaterThan(2)
    for (const words of commands) expectCommand(words, words)
  })
})
