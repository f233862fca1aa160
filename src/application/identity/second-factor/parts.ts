import type { Rows } from '../../table.js'
import { presented } from '../presented.js'
import { createCodeThrottle } from '../throttle.js'
import { createConfirmSecondFactor } from './confirm-second-factor.js'
import { createProveFactor } from './prove-factor.js'
import { createReadSecondFactor } from './read-second-factor.js'
import { createRemoveSecondFactor } from './remove-second-factor.js'
import { createRenewRecoveryCodes } from './renew-recovery-codes.js'
import { createSetUpSecondFactor } from './set-up-second-factor.js'

/** What there is of second factors; all of it needs the port `secondFactors`. */
export const SECOND_FACTOR = {
  codeThrottle: { factory: createCodeThrottle, parts: ['attempts', 'digest', 'clock'] },
  proveFactor: {
    factory: createProveFactor,
    parts: [
      'secondFactors',
      'oneTimeCodes',
      'secretSeal',
      'codeThrottle',
      'notices',
      'audit',
      'digest',
      'clock',
      'log',
    ],
  },
  /** `ReadSecondFactor`, for credentials as they came. */
  readSecondFactor: {
    factory: presented(createReadSecondFactor),
    parts: ['checkAccessToken', 'authenticate', 'authorize', 'accounts', 'secondFactors', 'factorRoles'],
  },
  /** `SetUpSecondFactor`, for credentials as they came. */
  setUpSecondFactor: {
    factory: presented(createSetUpSecondFactor),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'hasher',
      'throttle',
      'secondFactors',
      'oneTimeCodes',
      'secretSeal',
      'audit',
      'clock',
    ],
  },
  /** `ConfirmSecondFactor`, for credentials as they came. */
  confirmSecondFactor: {
    factory: presented(createConfirmSecondFactor),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'secondFactors',
      'oneTimeCodes',
      'secretSeal',
      'codeThrottle',
      'replaceLogin',
      'notices',
      'audit',
      'digest',
      'clock',
      'log',
    ],
  },
  /** `RemoveSecondFactor`, for credentials as they came. */
  removeSecondFactor: {
    factory: presented(createRemoveSecondFactor),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'hasher',
      'throttle',
      'secondFactors',
      'proveFactor',
      'factorRoles',
      'notices',
      'audit',
    ],
  },
  /** `RenewRecoveryCodes`, for credentials as they came. */
  renewRecoveryCodes: {
    factory: presented(createRenewRecoveryCodes),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'hasher',
      'throttle',
      'secondFactors',
      'oneTimeCodes',
      'secretSeal',
      'codeThrottle',
      'notices',
      'audit',
      'digest',
      'clock',
      'log',
    ],
  },
} as const satisfies Rows
