import { digest, hex } from '../foundation/bytes.ts';
import type { JsonObject } from '../foundation/json.ts';
import { select } from '../presentation/dcql/claims-path.ts';
import type { PresentedCredential } from '../verifier/verification/outcome.ts';
import type { Transform, WrittenClaim, WrittenLoginProfile, WrittenSource } from './written-sign-in.ts';

/** The credentials of an answer, by query. */
export type Presented = Readonly<Record<string, readonly PresentedCredential[]>>;

/** Why an answer signs no person in although it was verified. */
export type MappingRefusal = 'claim-missing' | 'credential-ambiguous' | 'value-ambiguous' | 'value-unusable';

/** A value that a claim can have. */
type Scalar = string | number | boolean;

/** A value and the issuer of the credential that has it. */
export interface StatedValue {
  value: Scalar;
  issuer: string;
}

/** What a profile makes of an answer. */
interface MappedLogin {
  /** Complete: no required claim is absent. */
  claims: JsonObject;
  /** The values that name the person, in the order of the profile. */
  subject: StatedValue[];
  /** The issuer of each claim, by claim. */
  issuers: Record<string, string>;
}

/** A mapping, or why there is none. */
type Mapping = { login: MappedLogin } | { refusal: MappingRefusal };

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

const ofTexts =
  (change: (text: string) => string) =>
  (value: Scalar): Scalar =>
    typeof value === 'string' ? change(value) : value;

/** Numbers and truth values stay as they are, but for their digest. */
const TRANSFORMS: Readonly<Record<Transform, (value: Scalar) => Scalar>> = {
  none: (value) => value,
  lowercase: ofTexts((text) => text.toLowerCase()),
  uppercase: ofTexts((text) => text.toUpperCase()),
  trim: ofTexts((text) => text.trim()),
  sha256: (value) => hex(digest('sha256', String(value))),
};

/** Thrown and caught in this file. */
class Refused extends Error {
  constructor(readonly refusal: MappingRefusal) {
    super(refusal);
  }
}

/**
 * What a profile makes of verified credentials. Two credentials for one query, several values where one is wanted, a
 * value that is no text, number or truth value, and the absence of what is required are refusals of the whole.
 */
export function mapLogin({ claims, subject }: WrittenLoginProfile, presented: Presented): Mapping {
  try {
    const mapped = Object.entries(claims).flatMap(([name, written]) => {
      const found = claimOf(presented, written);
      return found ? [{ name, ...found }] : [];
    });
    return {
      login: {
        claims: Object.fromEntries(mapped.map(({ name, value }) => [name, value])),
        subject: subject.values.map((source) => required(single(valuesAt(presented, source)))),
        issuers: Object.fromEntries(mapped.map(({ name, issuer }) => [name, issuer])),
      },
    };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

function claimOf(
  presented: Presented,
  written: WrittenClaim,
): { value: Scalar | Scalar[]; issuer: string } | undefined {
  const found = valuesAt(presented, written);
  const transform = TRANSFORMS[written.transform];
  const [first] = found;
  if (!first) return written.required ? required(undefined) : undefined;
  if (written.list) return { value: found.map(({ value }) => transform(value)), issuer: first.issuer };
  const { value, issuer } = required(single(found));
  return { value: transform(value), issuer };
}

function valuesAt(presented: Presented, { query, path }: WrittenSource): StatedValue[] {
  const credentials = (Object.hasOwn(presented, query) && presented[query]) || [];
  if (credentials.length > 1) throw new Refused('credential-ambiguous');
  return credentials.flatMap(({ claims, issuer }) =>
    select(claims, path).map((value) => {
      if (!isScalar(value)) throw new Refused('value-unusable');
      return { value, issuer };
    }),
  );
}

function single([first, ...more]: readonly StatedValue[]): StatedValue | undefined {
  if (more.length > 0) throw new Refused('value-ambiguous');
  return first;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Refused('claim-missing');
  return value;
}
