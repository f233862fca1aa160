const EMPTY = `'' → "Stryker was here!"`
const NONE = '[] → ["Stryker was here"]'
const NODE_REFUSES = 'Node 24 refuses such a label too. The rule is for Node 22.'
const USUAL = 'A shortcut: the other rules accept the usual texts too.'
const USUAL_EMAIL = '/^[a-z\\d._+-]+@[a-z\\d]+(?:[.-][a-z\\d]+)*$/'
const NO_SINK = 'A shortcut: without a sink the record is dropped.'

/**
 * Survivors that no test can kill, because the program behaves the same, and the reason. The name of a survivor is the
 * text that the command prints.
 */
export const EQUIVALENT = {
  'application/accounts/export-user.ts': {
    'one.id < other.id → one.id <= other.id': 'No two mails have one ID.',
  },
  'application/accounts/get-user.ts': {
    'page.at(-1)?.id → page.at(-1).id': 'For the compiler: the page is full.',
  },
  'application/accounts/list-users.ts': {
    'role === undefined → false': 'For the compiler: the rule of a role accepts `undefined` too.',
    'search.after === undefined || text === undefined → search.after === undefined && text === undefined':
      'For the compiler: a search has both or neither.',
    'search.after === undefined → false': 'For the compiler: a search has both or neither.',
    'text === undefined → false': 'For the compiler: a search has both or neither.',
    'one < other → one <= other': 'The emails of two groups differ.',
  },
  'application/audit/audit-trail.ts': {
    "caller.kind !== 'account' → false": 'For the compiler: other callers have no account ID.',
    'begin < due.length → begin <= due.length': 'The additional slice is empty.',
    'sinks.length > 0 → true': NO_SINK,
    'sinks.length > 0 → sinks.length >= 0': NO_SINK,
    'sinks.length === 0 → false': NO_SINK,
    [`2 × ${EMPTY}`]: 'Every process takes the same text for a part that is absent.',
  },
  'application/byte-cache.ts': {
    'Math.max(0, text.length - 12) → Math.min(0, text.length - 12)':
      'Another hash of the key; long keys take longer.',
    'at < text.length → at <= text.length': 'Another hash of the key.',
  },
  'application/catalogue/authenticate-pet-client.ts': {
    [EMPTY]: 'An unknown network needs a name that no network has.',
    'lastUsedAt !== undefined → true': 'For the compiler: no hour is before `undefined`.',
  },
  'application/catalogue/pets.ts': {
    '3 × id === undefined → false': 'For the compiler: no pet has the ID `undefined`.',
  },
  'application/copy-store.ts': {
    '() => false → () => undefined': 'For the compiler: both mean that nothing stops the copy.',
    'pages += 1 → pages -= 1': 'A negative number is a multiple at the same pages.',
    '\'put\' → ""': 'A half is put again, which changes nothing.',
    'ours.count !== theirs.count → false': 'For the message: the digests of other counts differ too.',
  },
  'application/fields.ts': {
    [NONE]: 'After an error the answer has no meaning.',
  },
  'application/identity/change-password.ts': {
    [EMPTY]: 'For the compiler: a missing password is refused before it is compared.',
  },
  'application/identity/impersonation/login-as.ts': {
    '() => Promise.resolve(undefined) → () => undefined': 'For the compiler: the caller awaits the answer.',
  },
  'application/identity/login.ts': {
    [`3 × ${EMPTY}`]: 'For the compiler: a missing email or password is refused before the text is used.',
    'password === undefined → false': 'For the compiler: a missing password matches no hash.',
  },
  'application/identity/password-reset/request-password-reset.ts': {
    [EMPTY]: 'For the compiler: a missing email is refused before.',
  },
  'application/identity/stateless/token-login.ts': {
    'proved === undefined → false':
      'A shortcut: without a proved factor the result is `undefined` in any case.',
  },
  'application/mail/send-mails.ts': {
    '\'nothing\' → ""': 'For the compiler: only the other kinds are compared.',
    "{ kind: 'nothing' } → {}": 'For the compiler: only the other kinds are compared.',
    '() => false → () => undefined': 'Both mean no.',
  },
  'application/mail/sift-mails.ts': {
    'last !== undefined → true': 'For the compiler: `undefined` is not below any ID.',
    'last < settled → last <= settled': 'Both branches give the same ID then.',
    'email === undefined → false': 'For the compiler: no account has the email `undefined`.',
    '() => false → () => undefined': 'Both mean no.',
  },
  'application/project/projects.ts': {
    'id === undefined → false': 'For the compiler: no project has the ID `undefined`.',
  },
  'application/record-summary.ts': {
    'a < b → a <= b': 'No two members have one name.',
    'a < b → a >= b': 'Another order, which is the same for all records.',
  },
  'application/table.ts': {
    [NONE]: 'No row needs a part of this name.',
  },
  'domain/access/api-key.ts': {
    'expiresAt !== undefined → true': 'For the compiler: no moment is after `undefined`.',
  },
  'domain/access/permissions.ts': {
    [`3 × ${NONE}`]: 'The additional role or action is unknown, and gives no permission.',
    'roles.get(role)?.inherit → roles.get(role).inherit': 'For the compiler: the role is a key of the map.',
    'roles.get(one)?.components → roles.get(one).components':
      'For the compiler: unknown roles are rejected before.',
  },
  'domain/identity/address-network.ts': {
    [EMPTY]: 'Neither text is an address.',
    [NONE]: 'Neither list has an address at its second place.',
  },
  'domain/identity/canonical-email.ts': {
    '/(?:^|\\.)xn--[^.]*-(?:\\.|$)/i → /(?:\\.)xn--[^.]*-(?:\\.|$)/i': NODE_REFUSES,
    '/(?:^|\\.)xn--[^.]*-(?:\\.|$)/i → /(?:^|\\.)xn--[^.]-(?:\\.|$)/i': NODE_REFUSES,
    '/(?:^|\\.)xn--[^.]*-(?:\\.|$)/i → /(?:^|\\.)xn--[.]*-(?:\\.|$)/i': NODE_REFUSES,
    '/(?:^|\\.)xn--[^.]*-(?:\\.|$)/i → /(?:^|\\.)xn--[^.]*-(?:\\.)/i': NODE_REFUSES,
    'ASCII.test(text) → false': 'A shortcut: case folding puts ASCII letters in lower case too.',
  },
  'domain/identity/claim-set.ts': {
    '!expected.stateless && !claims.login && !claims.actor → false':
      'A shortcut: reading the claim set again applies the same rules.',
    '{ return undefined } → {}': 'For the compiler: a function without `return` returns `undefined`.',
  },
  'domain/identity/email.ts': {
    'text.length <= EMAIL_MAX && USUAL.test(text) → false': USUAL,
    'text.length <= EMAIL_MAX → text.length < EMAIL_MAX': USUAL,
    [`${USUAL_EMAIL} → /^[a-z\\d._+-]@[a-z\\d]+(?:[.-][a-z\\d]+)*$/`]: USUAL,
    [`${USUAL_EMAIL} → /^[a-z\\d._+-]+@[a-z\\d](?:[.-][a-z\\d]+)*$/`]: USUAL,
    [`${USUAL_EMAIL} → /^[a-z\\d._+-]+@[a-z\\d]+(?:[.-][a-z\\d]+)$/`]: USUAL,
    [`${USUAL_EMAIL} → /^[a-z\\d._+-]+@[a-z\\d]+(?:[.-][a-z\\d])*$/`]: USUAL,
    [`7 × ${EMPTY}`]:
      'For the compiler: `split` gives a first part, an email has a second, and no email contains spaces.',
  },
  'domain/identity/password.ts': {
    '2 × text.length > 4 * PASSWORD_MAX → false':
      'A shortcut: such a text is too long in NFKC as well, except in a few scripts of Unicode 16.',
    [EMPTY]: 'For the compiler: an email has text on both sides of its @.',
  },
  'domain/identity/rate-limit-key.ts': {
    [`2 × ${EMPTY}`]: 'Neither text is an address, and `split` gives a first part.',
    "(ipv6 ?? ipv4 ?? address).split('%', 1)[0]?.toLowerCase → (ipv6 ?? ipv4 ?? address).split('%', 1)[0].toLowerCase":
      'For the compiler: `split` gives a first part.',
    [NONE]: 'Neither list begins like a network with embedded IPv4 addresses.',
    '\':\' → ""': 'A shortcut: a text in brackets without a colon is no valid host.',
  },
  'domain/messages.ts': {
    [EMPTY]: 'Neither text is the name of a type.',
    [NONE]: 'No unknown field is similar to the additional name.',
  },
  'domain/page-limit.ts': {
    'limit !== undefined → true': 'For the compiler: `undefined` is not below the maximum.',
  },
  'domain/plain-data.ts': {
    'value === null → false': 'For the compiler: `null` counts as frozen.',
  },
  'domain/text.ts': {
    '/^[ -~]*$/ → /^[ -~]$/': USUAL,
    'text.length > 2 * max → false': 'A shortcut: a character has at most two code units.',
  },
}
