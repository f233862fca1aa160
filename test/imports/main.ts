import { resolve } from 'node:path'
import { parseArguments, runProgram, UsageError } from '../../bench/arguments.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { createAccounts } from './accounts.js'
import { betterAuth } from './better-auth.js'
import { keycloak } from './keycloak.js'
import { kratos } from './kratos.js'
import { moveIn } from './move-in.js'

const ACCOUNTS = 200
const SYSTEMS = [
  { name: 'better-auth', create: betterAuth },
  { name: 'keycloak', create: keycloak },
  { name: 'kratos', create: kratos },
]
const USAGE = `npm run verify:imports -- SYSTEM PATH
  better-auth  a folder with the npm packages better-auth and @better-auth/kysely-adapter
  keycloak     an unpacked Keycloak distribution, which is configured again; JAVA_HOME selects its Java
  kratos       the program of Ory Kratos, built with the Go build tag sqlite`

await runProgram(async () => {
  const [name = '', path, ...rest] = parseArguments({ allowPositionals: true }, USAGE).positionals
  const system = SYSTEMS.find((one) => one.name === name)
  if (!system || path === undefined || rest.length > 0) throw new UsageError(USAGE)
  const { path: folder, remove } = makeTemporaryFolder()
  try {
    const exported = await system.create(resolve(path), folder, createAccounts(ACCOUNTS))
    const problems = await moveIn(['--from', name], exported)
    for (const problem of problems) console.error(problem)
    const { accounts, factors } = exported
    console.log(
      `${name}: ${accounts.length} accounts, ${factors.size} second factors, ${problems.length} problems`,
    )
    return problems.length === 0 ? 0 : 1
  } finally {
    remove()
  }
})
