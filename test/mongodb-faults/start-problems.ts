import { expect } from 'chai'
import type { Workplace } from '../cli/app.js'
import { outcomeOf, type Outcome } from '../support/outcome.js'

export type Sentence = string | RegExp

/** Starts a command and a service with an unusable store; `secret` must not appear in any output or log. */
export type StartProblems = {
  readonly start: (args: readonly string[], url: string) => Promise<Outcome>
  /** The service and the command exit with status 1 and this message; the command also prints it as JSON. */
  readonly expectSentence: (url: string, sentence: Sentence) => Promise<void>
  /** The command ends with status 1 and this message; the service logs it, waits, and stops on SIGTERM. */
  readonly expectWait: (url: string, sentence: Sentence) => Promise<void>
}

export function startProblems(place: Workplace, secret: string): StartProblems {
  const envOf = (url: string) => ({ DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'debug' })
  const start = (args: readonly string[], url: string) => place.child(args, { env: envOf(url) })

  function expectNoSecret({ stdout, stderr }: Outcome): void {
    expect(stdout + stderr).to.not.contain(secret)
    expect(stdout + stderr).to.not.match(/\n\s+at /)
  }

  async function stopWhileWaiting(url: string): Promise<{ reason: string; outcome: Outcome }> {
    const child = place.start(['serve'], { env: envOf(url) })
    const ended = outcomeOf(child)
    let stdout = ''
    let reason = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      const line = stdout.split('\n').find((one) => one.includes('"event":"waiting for the store"'))
      if (line === undefined || reason !== '') return
      reason = (JSON.parse(line) as { detail: string }).detail
      child.kill('SIGTERM')
    })
    const outcome = await ended
    return { reason, outcome }
  }

  return {
    start,
    expectSentence: async (url, sentence) => {
      const [command, service] = await Promise.all([
        start(['role', 'create', 'keeper', 'Keeper'], url),
        start(['serve'], url),
      ])
      expect(service.stderr.trim()).to.match(exactly(sentence))
      expect(service.code).to.equal(1)
      expect(command.code).to.equal(1)
      const { errors, save } = JSON.parse(command.stdout) as { errors: { message: string }[]; save: number }
      expect(save).to.equal(0)
      expect(errors.map(({ message }) => message).join()).to.match(exactly(sentence))
      for (const outcome of [command, service]) expectNoSecret(outcome)
    },
    expectWait: async (url, sentence) => {
      const [command, { reason, outcome }] = await Promise.all([
        start(['user', 'list'], url),
        stopWhileWaiting(url),
      ])
      expect(command.stderr.trim()).to.match(exactly(sentence))
      expect(command.code).to.equal(1)
      expect(reason).to.match(exactly(sentence))
      expect([outcome.code, outcome.stderr]).to.deep.equal([0, ''])
      for (const one of [command, outcome]) expectNoSecret(one)
    },
  }
}

function exactly(sentence: Sentence): RegExp {
  if (typeof sentence !== 'string') return sentence
  return new RegExp(`^${sentence.replaceAll(/[.()]/g, String.raw`\$&`)}$`)
}
