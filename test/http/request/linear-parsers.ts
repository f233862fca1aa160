import { createNameClient } from '../../../src/adapters/bowser/index.js'
import { partsOf } from '../../../src/adapters/jose/header.js'
import { targetOf } from '../../../src/adapters/web/web-request.js'
import { idempotencyKey, petIdsIn, type PetId } from '../../../src/domain/catalogue/pet.js'
import { addressNetwork, rateLimitKey } from '../../../src/domain/identity/address.js'
import { clientName } from '../../../src/domain/identity/session.js'
import {
  emailWords,
  isMostlyContext,
  foldedPassword,
  newPassword,
  presentedPassword,
} from '../../../src/domain/identity/password.js'
import { email, emailStart } from '../../../src/domain/identity/email.js'
import { presentedCode } from '../../../src/domain/identity/second-factor.js'
import { plainText } from '../../../src/domain/parsed.js'
import { PET_PAGES } from '../../../src/http/endpoints/list-pets.js'
import { expectedRevisions, unlessFresh } from '../../../src/http/request/conditions.js'
import { contentType } from '../../../src/http/request/json-body.js'
import { takesGzip } from '../../../src/http/encoding.js'
import { readPetCredentials, cookieValues, readPresented } from '../../../src/http/request/credentials.js'
import { trustedProxies } from '../../../src/http/request/trusted-proxies.js'
import { parsePetChange, parsePetDraft } from '../../../src/http/schemas/pet.js'
import type { HttpRequest } from '../../../src/http/message.js'

type Parse = (text: string) => unknown

const requestWith = (text: string) =>
  ({ header: () => text, headerValues: () => [text] }) as unknown as HttpRequest
const nameClient = createNameClient()

/** Parsers of client input. A parser may reject an input. */
export const PARSERS: Readonly<Record<string, Parse>> = {
  'X-Forwarded-For, last entry': (forwarded) =>
    trustedProxies(1).clientAddress({ peer: undefined, forwarded }),
  'X-Forwarded-For, third entry': (forwarded) =>
    trustedProxies(3).clientAddress({ peer: undefined, forwarded }),
  'X-Forwarded-For, listed proxies': (forwarded) =>
    trustedProxies(['::/1', '128.0.0.0/1']).clientAddress({ peer: '::1', forwarded }),
  'a network': addressNetwork,
  address: rateLimitKey,
  Cookie: (text) => cookieValues(text, 'sid'),
  'Accept-Encoding': takesGzip,
  'Content-Type': contentType,
  'If-Match': (text) => expectedRevisions(text, 1 as PetId),
  'If-None-Match': (text) => unlessFresh(requestWith(text), { status: 200, headers: { ETag: '"1-1"' } }),
  'credentials of pets': (text) =>
    readPetCredentials(requestWith(text), { apiKeyHeader: 'x-api-key', basic: true }),
  'bearer token and cookie': (text) => readPresented(requestWith(text), 'x-authorization', 'sid'),
  'parts of a token': partsOf,
  'User-Agent, as it is known': nameClient,
  'User-Agent, as it is shown': clientName,
  'Idempotency-Key': idempotencyKey,
  target: (text) => targetOf({ url: `http://x/${text}` }, '/kennel'),
  'query of pages': (text) => PET_PAGES.asked(`limit=1&cursor=${text}`),
  'ids of pets': petIdsIn,
  email,
  'start of an email': emailStart,
  'presented password': presentedPassword,
  'new password': (text) => newPassword(text, 8),
  'words of a password': (text) => isMostlyContext(foldedPassword(text), emailWords('ada@pets.example')),
  code: presentedCode,
  'text of a body': (text) => plainText(text, 200),
  'name of a pet': (text) => parsePetDraft({ name: text, tag: text }),
  'members of a pet': (text) =>
    parsePetDraft(Object.fromEntries(Array.from(text, (_, at) => [`m${at}`, at]))),
  'members of a change': (text) =>
    parsePetChange(Object.fromEntries(Array.from(text, (_, at) => [`m${at}`, at])), { mergePatch: false }),
}

/** Two quadratic parsers: one with a nested loop, and one that restarts its search at each comma. */
export const QUADRATIC: Readonly<Record<string, Parse>> = {
  'a loop in a loop': (text) => {
    let pairs = 0
    for (const one of text) for (const other of text) if (one === other) pairs += 1
    return pairs
  },
  'a search for each comma': (text) => {
    let last = ''
    for (const part of text.split(',')) {
      last += `,${part}`
      if (last.includes('"')) last = ''
    }
    return last
  },
}
