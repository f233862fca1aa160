import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptQuestion } from './bcrypt-hash.js'

const { password, hash } = workerData as BcryptQuestion
parentPort?.postMessage(compareSync(password, hash))
