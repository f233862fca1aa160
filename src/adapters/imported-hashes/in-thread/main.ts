// Runs in a worker thread (see `hash-thread.ts`), and replies to each task with the computed hash. Any error ends the thread.
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import type { HashTask, TaskOf } from './hash-task.js'
import { phpass, shaCrypt } from './crypt.js'
import * as crypto from 'node:crypto'
import { argon2d, argon2i, argon2id } from 'hash-wasm'

const BY_WASM = { argon2d, argon2i, argon2id }

type Argon2Sync = (variant: string, parameters: object) => Uint8Array

/** Uses Node's Argon2 (Node 24.7 with OpenSSL 3.2 or newer) if it exists, and hash-wasm otherwise. */
async function argon2(task: TaskOf<'argon2'>): Promise<Uint8Array> {
  return byNode(task) ?? (await byWasm(task))
}

function byNode({ variant, password, salt, memory, passes, lanes, length }: TaskOf<'argon2'>) {
  const argon2Sync = 'argon2Sync' in crypto ? (crypto.argon2Sync as Argon2Sync) : undefined
  try {
    return argon2Sync?.(variant, {
      ...{ message: password, nonce: salt, memory, passes },
      ...{ parallelism: lanes, tagLength: length },
    })
  } catch {
    // OpenSSL before 3.2 does not support Argon2.
    return undefined
  }
}

/** hash-wasm rejects an empty password, which no account can have. */
async function byWasm({ variant, password, salt, memory, passes, lanes, length }: TaskOf<'argon2'>) {
  if (password === '') return new Uint8Array()
  return await BY_WASM[variant]({
    ...{ password, salt, memorySize: memory, iterations: passes, parallelism: lanes },
    ...{ hashLength: length, outputType: 'binary' as const },
  })
}

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
