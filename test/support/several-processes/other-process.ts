import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type OtherProcess = Awaited<ReturnType<typeof startProcess>>

const SCRIPT = fileURLToPath(new URL('other-process-main.js', import.meta.url))

/** Starts another process that uses the same file. When this resolves, the process is ready. */
export async function startProcess(task: string, path: string) {
  const child = fork(SCRIPT, [task, path], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] })
  // Each message adds another listener for the end of the process.
  child.setMaxListeners(0)
  let standardError = ''
  child.stderr?.on('data', (chunk) => (standardError += String(chunk)))
  const closed = once(child, 'close')
  const answerOf = async () => {
    const [answer] = (await Promise.race([once(child, 'message'), closed])) as [unknown]
    if (child.exitCode !== null) throw new Error(`the other process died: ${standardError}`)
    return answer
  }
  await answerOf()
  return {
    /** Resolves with the reply to a message; rejects if the process dies instead. */
    ask: (message: string) => {
      const answer = answerOf()
      child.send(message)
      return answer
    },
    /** Ends the process, if it is still running; resolves with its standard error. */
    end: async () => {
      if (child.connected) child.send('end')
      await closed
      return standardError
    },
    /** Kills the process while it is working; resolves when the process has ended. */
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
