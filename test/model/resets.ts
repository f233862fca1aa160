import { accountOf } from './accounts.js'
import { askFrom, attempt, mayMail } from './limits.js'
import { isActive, isStateful } from './logins.js'
import { endsLapsed, isBadBearer, opened, type Presented } from './presented.js'
import { forbidden, invalidToken, loggedOut, notValid, tooMany, type Allowed } from './reply.js'
import { RESET_TOKEN, RESET_TOKENS } from './rules.js'
import { setPassword, type Account, type Login, type World } from './world.js'

/** A token that was mailed. */
export type ResetToken = { readonly account: Account; readonly endsAt: number; text?: string }

export type Ask = Presented & { readonly email: string; readonly network: string }

/** POST reset-password with an email: what it answers, and to which account a mail goes. */
export function askForReset(
  world: World,
  { email, network, ...presented }: Ask,
): { readonly reply: Allowed; readonly mailTo?: Account | undefined } {
  const refusal = notForResets(world, presented)
  if (refusal) return { reply: refusal }
  const counted = askFrom(world, network)
  if (counted.kind === 'refused') return { reply: tooMany(counted.seconds) }
  const account = mayMail(world, email) ? accountOf(world, email) : undefined
  return { reply: loggedOut(), mailTo: account?.state === 'enabled' ? account : undefined }
}

/** The newest three are good (7.2). */
export function mailToken(world: World, account: Account, text: string): void {
  const token = { account, endsAt: world.now + RESET_TOKEN, text }
  account.resetTokens.push(token)
  account.resetTokens.splice(0, account.resetTokens.length - RESET_TOKENS)
  world.mailed.push(token)
}

export type Consumption = Presented & {
  readonly email: string
  readonly token: ResetToken | 'forged'
  readonly password: string
  readonly network: string
}

/** POST reset-password with a token: it is good once, for its account, for its time. */
export function consumeReset(
  world: World,
  { email, token, password, network, ...presented }: Consumption,
): Allowed {
  const refusal = notForResets(world, presented)
  if (refusal) return refusal
  const counted = attempt(world, email, network)
  if (counted.kind === 'refused') return tooMany(counted.seconds)
  const account = accountOf(world, email)
  if (token === 'forged' || !account || !isGood(world, token, account)) return notValid('resetToken')
  counted.refund()
  setPassword(account, password)
  return loggedOut()
}

function isGood({ now }: World, token: ResetToken, account: Account): boolean {
  return account.state === 'enabled' && account.resetTokens.includes(token) && now < token.endsAt
}

function notForResets(world: World, { cookie, bearer }: Presented): Allowed | undefined {
  if (isBadBearer(world, bearer, 'refused')) return invalidToken()
  const named = bearer === undefined || bearer === 'forged' ? undefined : bearer.login
  if (!isStateful(world)) return named?.actor ? forbidden() : undefined
  for (const login of [opened(world, cookie), named]) {
    const refusal = login && whileActing(world, login)
    if (refusal) return refusal
  }
  return undefined
}

function whileActing(world: World, login: Login): Allowed | undefined {
  if (!login.actor || !isActive(world, login)) return undefined
  return endsLapsed(login) ? invalidToken() : forbidden()
}
