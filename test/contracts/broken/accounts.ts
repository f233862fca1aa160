import { also, type Bug, bugsOf, everybodyElse, given, gives, only } from './bug.js'

const bug = bugsOf('accounts')

const brokenAccounts: readonly Bug[] = [
  bug('accounts are stored under the email as it was entered', /entered email|account is found/, () => ({
    insert: given(({ enteredEmail, ...account }) => [{ ...account, email: enteredEmail ?? account.email }]),
  })),
  bug('a refused insert sets the password', /insert rejects an/, ({ accounts }) => ({
    insert: also(async ({ kind }, { email, passwordHash }) => {
      const owner = await accounts.findByEmail(email)
      if (owner && passwordHash && kind === 'duplicate-email')
        await accounts.setPassword(owner.id, passwordHash)
    }),
  })),
  bug('epochs start at 0', /insert creates/, () => ({
    find: gives((account) => account && { ...account, epoch: (account.epoch - 1) as never }),
  })),
  bug('an account is read in two steps', /: a read during/, ({ accounts }) => ({
    find: gives(async (account, id) => {
      await everybodyElse()
      return account && { ...account, epoch: ((await accounts.find(id)) ?? account).epoch }
    }),
  })),
  bug('findMany leaves the roles out', /each existing account/, () => ({
    findMany: gives((found) => found.map((account) => ({ ...account, roles: [] }))),
  })),
  bug('a missing password is stored as an empty password', /password has/, () => ({
    insert: given((account) => [{ passwordHash: '' as never, ...account }]),
  })),
  bug(
    'roles are left out of look-ups by email',
    /insert with roles|every read returns|each change is visible/,
    () => ({
      findByEmail: gives((account) => account && { ...account, roles: [] }),
    }),
  ),
  bug('insert leaves the roles out', /creates no account|search by role/, () => ({
    insert: given(({ roles: _, ...account }) => [account]),
  })),
  bug('a search returns accounts in the order of their ids', /a search page can start/, () => ({
    search: gives((found) => found.toSorted((one, other) => one.id - other.id)),
  })),
  bug('a search leaves the roles out', /search returns/, () => ({
    search: gives((found) => found.map((account) => ({ ...account, roles: [] }))),
  })),
  bug('a search for disabled accounts finds all accounts', /search combines|search for/, () => ({
    search: given(({ onlyDisabled: _, ...search }) => [search]),
  })),
]

const brokenChanges: readonly Bug[] = [
  bug('replaceHash increases the epoch', /changes that|expected hash, and/, ({ accounts }) => ({
    replaceHash: also((answer, id, _, next) => answer === 'replaced' && accounts.setPassword(id, next)),
  })),
  bug(
    'setPassword keeps the epoch',
    /password change invalidates|: setPassword|races? setPassword|effect of setPassword/,
    ({ accounts }) => ({
      setPassword: () => async (id, hash) => {
        const { passwordHash = hash } = (await accounts.find(id)) ?? {}
        return (await accounts.replaceHash(id, passwordHash, hash)) === 'replaced' ? 'set' : 'unknown'
      },
    }),
  ),
  bug(
    'setDisabled reports success and changes nothing',
    /(?<!epoch of )a disabled|: disabling|races? disabling|enabling does not|one each time|account is enabled stays/,
    () => ({ setDisabled: only('set') }),
  ),
  bug('changeEmail reports success and changes nothing', /changeEmail|concurrent changes/, () => ({
    changeEmail: only('changed'),
  })),
  bug('setDisabled never returns `unchanged`', /returns `unchanged`/, () => ({
    setDisabled: gives((answer) => (answer === 'unchanged' ? 'set' : answer)),
  })),
  bug('setDisabled ignores the expected time', /setDisabled with/, () => ({
    setDisabled: given((id, at) => [id, at]),
  })),
  bug(
    'remove reports success and changes nothing',
    /(?:accounts|sessions|revocations): remove (?!with)|races? remove|of a removed account (?:has|are)|removing an account|deleted with its account|removal of an account|only if the account/,
    () => ({
      remove: only('removed'),
    }),
  ),
  bug('remove ignores the expected epoch', /accounts: remove with/, () => ({ remove: given((id) => [id]) })),
  bug(
    'changePassword keeps the epoch',
    /changePassword (?:sets|ends|invalidates|revokes)|races? changePassword/,
    ({ accounts }) => ({
      changePassword:
        () =>
        async ({ id, expected, next }) => {
          if ((await accounts.replaceHash(id, expected, next)) === 'changed') return undefined
          return (await accounts.find(id))?.epoch
        },
    }),
  ),
]

export const bugsOfAccounts: readonly Bug[] = [...brokenAccounts, ...brokenChanges]
