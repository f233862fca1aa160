import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { combineStores } from '../../src/embedding/combine-stores.js'
import { describeStoreLaws } from './describe-laws.js'

describeStoreLaws('the memory store', async () => createMemoryStore())

describeStoreLaws('a store that combines three stores', async () => {
  const { accounts, roles, sessions, apiKeys, revocations, secondFactors, passkeys, proofs } =
    createMemoryStore()
  const { pets, projects } = createMemoryStore()
  return combineStores(
    createMemoryStore(),
    { accounts, roles, sessions, apiKeys, revocations, secondFactors, passkeys, proofs },
    { pets, projects },
  )
})
