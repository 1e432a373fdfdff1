import type { FormatFacts } from '../credentials/formats/facts.ts';
import type { AuthenticationMethod } from './issuance-grant.ts';

/** The versions of OpenID4VCI that issuers speak; `v1` is 1.0. */
export type Version = 'draft11' | 'draft13' | 'v1';

/** What differs between versions, for everything that serves them all; the shapes of messages are in `openid4vci/`. */
export interface VersionRules {
  /** The id of the issuer of the open endpoints. */
  openId: string;
  /** What its identifier is below the public URL. */
  identifierPath: string;
  /** What the sessions of an issuer are stored below its target, so that they have a list of their own; begins with `/`. */
  listedBelow: string;
  /** The name of an offer, and its issuer state: the id of its session, or a secret of its own. */
  offerNames: 'session' | 'secret';
  /** Where the nonces of proofs come from: each grant has one at a time, or an endpoint gives them to any wallet. */
  nonces: 'grant' | 'endpoint';
  /** Whether clients with a name or a key get refresh tokens. */
  refreshTokens: boolean;
  /** Whether an authorization request binds its code and tokens to a key (RFC 9449 §10). */
  bindsTokens: boolean;
  /** Whether proofs are of the types that a configuration demands, and may have key attestations. */
  attestations: boolean;
  /** Scopes that the issuer does not know, such as `openid`. */
  unknownScopes: 'ignored' | 'refused';
  /** Whether authorization details may name a credential by its format and type (draft 13 §5.1.1). */
  detailsByFormat: boolean;
  /** Whether a wallet may ask for credentials again that it accepted. */
  notificationKeepsCopy: boolean;
  /** How holders can be authenticated at the authorization endpoint. */
  holderLogins: readonly AuthenticationMethod[];
  /** Whether wallets get credentials of profiles without an offer. */
  walletInitiated: boolean;
  /** The formats of configurations where the operator writes none are those of the generation. */
  generation: 'drafts' | 'v1';
  /** Whether credentials of a format can be issued. */
  hasFormat(format: Pick<FormatFacts, 'selector' | 'generation'>): boolean;
}

const DRAFTS = {
  listedBelow: '',
  offerNames: 'session',
  nonces: 'grant',
  refreshTokens: false,
  bindsTokens: false,
  attestations: false,
  unknownScopes: 'ignored',
  detailsByFormat: true,
  notificationKeepsCopy: false,
  holderLogins: ['NONE', 'PWD', 'ID_TOKEN', 'VP_TOKEN'],
  walletInitiated: false,
  generation: 'drafts',
} as const;

/** The rules of each version. */
export const VERSIONS: Readonly<Record<Version, VersionRules>> = {
  draft11: {
    ...DRAFTS,
    openId: 'draft11',
    identifierPath: '/draft11',
    // Appendix E has W3C credentials and mdocs; SD-JWT VCs were added later.
    hasFormat: ({ selector }) => selector !== 'vct',
  },
  draft13: { ...DRAFTS, openId: 'open', identifierPath: '/draft13', hasFormat: () => true },
  v1: {
    openId: 'openid4vci',
    identifierPath: '/openid4vci',
    listedBelow: '/openid4vci',
    offerNames: 'secret',
    nonces: 'endpoint',
    refreshTokens: true,
    bindsTokens: true,
    attestations: true,
    unknownScopes: 'refused',
    detailsByFormat: false,
    notificationKeepsCopy: true,
    holderLogins: ['NONE', 'PWD'],
    walletInitiated: true,
    generation: 'v1',
    hasFormat: ({ generation }) => generation !== 'drafts',
  },
};
