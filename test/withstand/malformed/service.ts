import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CheckedStore } from '../checker.js'
import { INSECURE_PARSER } from './planted.js'
import type { Answers, Opened, Question } from './messages.js'

/** The service in a process of its own, in both hosts on one store. */
export type CheckedService = {
  readonly ports: Opened
  /** Rejects where the process has died. */
  ask<Name extends Question>(question: Name): Promise<Answers[Name]>
  close(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('service-main.js', import.meta.url))

/** `place` is a folder or the URL of a server. */
export async function startCheckedService(
  store: CheckedStore,
  place: string,
  planted?: string,
): Promise<CheckedService> {
  const child = fork(SCRIPT, [store, place, ...(planted === undefined ? [] : [planted])], {
    execArgv: ['--expose-gc', ...(planted === INSECURE_PARSER ? ['--insecure-http-parser'] : [])],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let told = ''
  child.stderr?.on('data', (bytes) => (told = `${told}${String(bytes)}`.slice(-5000)))
  const closed = once(child, 'close')
  const died = closed.then(() => {
    throw new Error(`the process of the service has ended: ${told}`)
  })
  died.catch(() => undefined)
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  let last = 0
  const answerTo = (id: number) => new Promise<unknown>((resolve) => waiting.set(id, resolve))
  const ports = (await Promise.race([answerTo(0), died])) as Opened
  return {
    ports,
    ask: async (question) => {
      const id = (last += 1)
      const answer = answerTo(id)
      if (child.connected) child.send({ id, question })
      return (await Promise.race([answer, died])) as never
    },
    close: async () => {
      if (child.connected) child.send({ id: -1, question: 'end' })
      await closed
    },
  }
}
