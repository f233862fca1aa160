import type { KeyDigest, LivingSession, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Database } from './database.js'
import { accountOf, sessionOf, type AccountDocument, type SessionDocument } from './documents.js'

type Joined = SessionDocument & { readonly accounts: readonly AccountDocument[] }

/**
 * Session and account in one read. The empty pipeline keeps MongoDB 6 from compiling the whole
 * query anew for each call, which costs its server twice the time.
 */
const WITH_ACCOUNT = {
  $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts', pipeline: [] },
}

/** The session, where it and its account let it live at this moment. */
export async function findLiving(
  { sessions }: Pick<Database, 'sessions'>,
  match: { readonly _id: SessionId } | { readonly digests: KeyDigest },
  at: Instant,
): Promise<LivingSession | undefined> {
  const [joined] = await sessions.aggregate<Joined>([{ $match: match }, WITH_ACCOUNT]).toArray()
  if (!joined || at >= joined.expiresAt) return undefined
  const { accounts, ...document } = joined
  const owner = accounts.find((account) => keepsAlive(account, document))
  return owner && { session: sessionOf(document), account: accountOf(owner) }
}

function keepsAlive(account: AccountDocument, session: SessionDocument): boolean {
  return account.disabledAt === undefined && account.epoch === session.epoch
}
