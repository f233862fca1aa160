import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { describeStoreLaws } from './describe-store-laws.js'

describeStoreLaws('the memory store', async () => createMemoryStore())
