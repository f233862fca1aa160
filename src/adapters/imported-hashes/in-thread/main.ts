// Runs in a worker thread (see `hash-thread.ts`), and replies to each task with the computed hash. Any error ends the thread.
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import { argon2 } from './argon2.js'
import type { HashTask } from './hash-task.js'
import { phpass } from './phpass.js'
import { shaCrypt } from './sha-crypt.js'

async function compute(task: HashTask): Promise<Uint8Array> {
  switch (task.kind) {
    case 'argon2':
      return await argon2(task)
    case 'bcrypt':
      return Buffer.from(hashSync(task.password, task.setting))
    case 'sha-crypt':
      return Buffer.from(shaCrypt(task))
    case 'phpass':
      return Buffer.from(phpass(task))
  }
}

async function answer(task: HashTask): Promise<void> {
  parentPort?.postMessage(await compute(task))
}

parentPort?.on('message', (task: HashTask) => void answer(task))
