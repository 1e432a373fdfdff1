import { type Claim, claimsIn, isTechnical, pictureOf } from '../../parts/cards/claims.ts';
import { type ClaimPath, claimsOf, credentialsOf } from '../../queries/query.ts';
import { reasonOf, type Session } from '../../queries/results.ts';

/** What a counter says of one person, and nothing else of a session. */
export interface Verdict {
  isYes: boolean;
  /** Why not, by a name that texts are written for. */
  reason?: string;
  /** The server's words, where there are no others. */
  words?: string;
  /** The issuer that is not believed. */
  issuer?: string;
  portrait?: string;
  claims: Claim[];
}

/** What a verifier shows around the claims of W3C credentials as JWT and of mdocs, which queries do not name. */
const AROUND = ['vc', 'nameSpaces'];

/** The claims of a credential, with the paths by which queries ask for them. */
const askableIn = (claims: object): Claim[] =>
  claimsIn(claims).map(({ path, value }) => ({ path: AROUND.includes(String(path[0])) ? path.slice(1) : path, value }));

/** Whether a claim was asked for, or is in what was; without a list, all are. */
const isAsked = ({ path }: Claim, asked: readonly ClaimPath[]): boolean =>
  asked.length === 0 || asked.some((one) => one.every((part, at) => part === null || part === path[at]));

/** The issuer of what was presented: a DID, an address, or the subject of a certificate. */
const issuerOf = ({ presented_credentials: presented = {} }: Session): string | undefined =>
  Object.values(presented).flatMap((credentials) => credentials.map(({ issuer }) => issuer))[0];

/** The verdict on a session that has ended. What is asked for and answered with "no" is no yes. */
export function verdictOf(session: Session, query: unknown): Verdict {
  const isVerified = session.status === 'SUCCESSFUL';
  const words = session.failure?.reason ?? session.statusReason;
  if (!isVerified) {
    const reason = reasonOf(session);
    const issuer = reason === 'issuer-untrusted' ? issuerOf(session) : undefined;
    return { isYes: false, reason, words, issuer, claims: [] };
  }
  const all = Object.entries(session.presented_credentials ?? {}).flatMap(([id, credentials]) => {
    const asked = credentialsOf(query).flatMap((one) => (one.id === id ? claimsOf(one) : []));
    const claims = credentials.flatMap((one) => askableIn(one.claims ?? {}));
    return claims.filter((claim) => !isTechnical(claim) && isAsked(claim, asked));
  });
  const picture = all.find(({ value }) => pictureOf(value));
  const isDenied = all.some(({ value }) => value === false);
  return {
    isYes: !isDenied,
    ...(isDenied && { reason: 'denied' }),
    ...(picture && { portrait: pictureOf(picture.value) }),
    claims: all.filter((claim) => claim !== picture),
  };
}

/** The age in years on a day. */
function ageOn(birth: string, now: Date): number {
  const [year = 0, month = 0, day = 0] = birth.split('-').map(Number);
  const isBefore = now.getMonth() + 1 < month || (now.getMonth() + 1 === month && now.getDate() < day);
  return now.getFullYear() - year - (isBefore ? 1 : 0);
}

/** The age of who was born on a day that a claim names. */
export function ageIn({ path, value }: Claim, now = new Date()): number | undefined {
  const isBirth = /^birth_?date$|^date_?of_?birth$/i.test(String(path.at(-1)));
  return isBirth && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? ageOn(value, now) : undefined;
}
