import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { ClaimDisplay } from '../../holdings/records.ts';

/** A claim with its unread display data. */
interface DescribedClaim {
  path: ClaimDisplay['path'];
  display: unknown;
  /** Whether the issuer always has it. */
  mandatory: unknown;
}

/** The most claims and groups of claims that are looked at. */
const MAX_VISITED = 2000;
const MAX_DEPTH = 16;
const MAX_NAME = 128;

/** The claims that an issuer describes in a credential configuration, with their paths in the credential. */
export function* describedClaims(configuration: JsonObject): Generator<DescribedClaim> {
  const { credential_metadata: described, credential_definition: definition } = configuration;
  const { claims } = isObject(described) ? described : configuration;
  if (Array.isArray(claims)) yield* listed(claims);
  const budget = { left: MAX_VISITED };
  if (isObject(claims)) yield* nested(claims, [], budget);
  const { credentialSubject: subject = configuration.credentialSubject } = isObject(definition) ? definition : {};
  if (isObject(subject)) yield* nested(subject, ['credentialSubject'], budget);
}

/** A list of descriptions with their claims path pointers (OpenID4VCI 1.0 appendices B.2 and C). */
function* listed(claims: unknown[]): Generator<DescribedClaim> {
  for (const { path, display, mandatory } of claims.slice(0, MAX_VISITED).filter(isObject))
    if (isPath(path)) yield { path, display, mandatory };
}

function isPath(path: unknown): path is ClaimDisplay['path'] {
  const isPart = (part: unknown): boolean =>
    part === null || isName(part) || (Number.isSafeInteger(part) && Number(part) >= 0);
  return Array.isArray(path) && path.length > 0 && path.length <= MAX_DEPTH && path.every(isPart);
}

/** A tree of descriptions in the form of the credential (draft 13 appendix A): members that are objects are claims. */
function* nested(claims: JsonObject, path: string[], budget: { left: number }): Generator<DescribedClaim> {
  if (path.length === MAX_DEPTH) return;
  for (const [name, claim] of Object.entries(claims)) {
    budget.left -= 1;
    if (budget.left < 0) return;
    if (!isObject(claim) || !isName(name)) continue;
    const { display, ...members } = claim;
    const isLabel = !isObject(display) || isText(display.name);
    if (isLabel) yield { path: [...path, name], display, mandatory: claim.mandatory };
    yield* nested(isLabel ? members : claim, [...path, name], budget);
  }
}

const isName = (part: unknown): part is string =>
  isText(part) && part.length <= MAX_NAME && !/\p{Cc}|\p{Cs}/u.test(part);
