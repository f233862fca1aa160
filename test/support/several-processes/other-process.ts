import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Another process at the same file. It is ready when this resolves. */
export type OtherProcess = {
  /** What it answers to a message; rejects where it dies instead. */
  ask(message: string): Promise<unknown>
  /** What it wrote to standard error until it ended. */
  end(): Promise<string>
  /** Ends it in the middle of what it does; resolves when it is gone. */
  kill(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('other-process-main.js', import.meta.url))

/** Starts one of the tasks of `other-process-main.ts`. */
export async function startProcess(task: string, path: string): Promise<OtherProcess> {
  const child = fork(SCRIPT, [task, path], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
  // One listens for its end with every question.
  child.setMaxListeners(0)
  let standardError = ''
  child.stderr?.on('data', (chunk) => (standardError += String(chunk)))
  const answerOf = async () => {
    const [answer] = (await Promise.race([once(child, 'message'), once(child, 'close')])) as [unknown]
    if (child.exitCode !== null) throw new Error(`the other process died: ${standardError}`)
    return answer
  }
  await answerOf()
  return {
    ask: (message) => {
      const answer = answerOf()
      child.send(message)
      return answer
    },
    end: async () => {
      const closed = once(child, 'close')
      if (child.connected) child.send('end')
      await closed
      return standardError
    },
    kill: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
