import type { StatusReference } from '../../ports/credential-formats.ts';
import { badRequest } from '../foundation/errors.ts';
import { asList, isObject, isSameJson, isText, type JsonObject } from '../foundation/json.ts';
import type { ParsedJws } from '../jose/jws.ts';
import { otherType } from '../jose/token-types.ts';
import { VALIDITY_DATES } from './validity.ts';

/** The parts of a signed token that name its parties. */
type SignedClaims = Pick<ParsedJws, 'header' | 'payload'>;

/** The facts of a credential in JWT form, each once. */
interface CredentialFacts {
  /** The credential: the `vc` claim in the data model 1.1, the claims themselves in 2.0. */
  document: JsonObject;
  /** Undefined when no place names one. */
  issuer: string | undefined;
  /** Undefined when no place names one, and when there are several subjects. */
  subject: string | undefined;
}

/** The facts of a presentation in JWT form, each once. */
export interface PresentationFacts {
  /** The presentation: the `vp` claim in the data model 1.1, the claims in 2.0; undefined when the token has neither. */
  document: JsonObject | undefined;
  /** Undefined when no place names one. */
  holder: string | undefined;
}

/** A place of a token and its value; an absent, null or empty value names nothing. */
type NamedValue = readonly [path: string, value: unknown];

/**
 * Reads a credential that does not contradict itself: all places that name its issuer, its subject or its id agree, and
 * a member that is both in `vc` and beside it has one value (VC Data Model 1.1 §6.3.1, RFC 7519 §5.3). Dates may
 * differ: the strictest of them apply.
 * @throws DomainError `BadRequest` naming the places that disagree or cannot be read
 */
export function readCredentialFacts(token: SignedClaims): CredentialFacts {
  const { document, issuer } = readIssuerFacts(token);
  return { document, issuer, subject: subjectOf(token, document) };
}

/**
 * The same without the subject. Publishers of status lists write the URL of the list as `sub` and another URL as the id
 * of the subject. @throws DomainError `BadRequest`
 */
export function readIssuerFacts({ header, payload }: SignedClaims): Omit<CredentialFacts, 'subject'> {
  checkKind(header, 'vc');
  const inner = innerDocument(payload, 'vc');
  const issuer = oneName('issuer', [
    ...registered('iss', { header, payload }),
    party('vc.issuer', inner?.issuer),
    party('issuer', payload.issuer),
  ]);
  oneName('id', [
    ['jti', payload.jti],
    ['vc.id', inner?.id],
    ['id', payload.id],
  ]);
  return { document: inner ?? payload, issuer };
}

/**
 * Reads a presentation that does not contradict itself: `iss`, `sub` and `holder` name one holder, `jti` and `id` one
 * id, and a member that is both in `vp` and beside it has one value.
 * @throws DomainError `BadRequest` naming the places that disagree or cannot be read
 */
export function readPresentationFacts({ header, payload }: SignedClaims): PresentationFacts {
  checkKind(header, 'vp');
  const inner = innerDocument(payload, 'vp');
  const holder = oneName('holder', [
    ...registered('iss', { header, payload }),
    ...registered('sub', { header, payload }),
    party('vp.holder', inner?.holder),
    party('holder', payload.holder),
  ]);
  oneName('id', [
    ['jti', payload.jti],
    ['vp.id', inner?.id],
    ['id', payload.id],
  ]);
  const isPresentation = asList(payload.type).includes('VerifiablePresentation');
  return { document: inner ?? (isPresentation ? payload : undefined), holder };
}

/** Returns the distinct ids of a credential's subjects. @throws DomainError `BadRequest` for an id that is not a text */
export function subjectIds(document: JsonObject): string[] {
  return [...new Set(subjectPlaces(document).flatMap((place) => nameAt(place) ?? []))];
}

/** Rejects a token whose `typ` is that of another kind (VC-JOSE-COSE §3.1). */
function checkKind({ typ }: JsonObject, kind: 'vc' | 'vp'): void {
  const other = otherType(typ, kind);
  if (other !== undefined) throw badRequest(`the header typ says ${other}, where a ${kind} was expected`);
}

/** The document of the data model 1.1; claims beside it may repeat its members, not contradict them. */
function innerDocument(payload: JsonObject, name: 'vc' | 'vp'): JsonObject | undefined {
  const inner = payload[name];
  if (inner === undefined) return undefined;
  if (!isObject(inner)) throw badRequest(`${name} is not an object`);
  const isTwofold = (member: string): boolean =>
    !COMPARED_OTHERWISE.has(member) && Object.hasOwn(payload, member) && !isSameJson(inner[member], payload[member]);
  const twofold = Object.keys(inner).find(isTwofold);
  if (twofold !== undefined) throw badRequest(`${twofold.slice(0, 64)} has one value in ${name} and another beside it`);
  return inner;
}

/** Parties are compared by their ids, and of several dates the strictest applies. */
const COMPARED_OTHERWISE: ReadonlySet<string> = new Set(['issuer', 'holder', ...VALIDITY_DATES]);

const registered = (name: 'iss' | 'sub', { header, payload }: SignedClaims): NamedValue[] => [
  [name, payload[name]],
  [`header ${name}`, header[name]],
];

/** An issuer or holder is a text or an object with the text `id`. */
const party = (path: string, value: unknown): NamedValue =>
  isObject(value) ? [`${path}.id`, isText(value.id) ? value.id : {}] : [path, value];

const subjectPlaces = ({ credentialSubject }: JsonObject): NamedValue[] =>
  asList(credentialSubject).map((subject) => ['credentialSubject.id', isObject(subject) ? subject.id : subject]);

/** A `sub` is the id of every subject that has one; without it several subjects have no common id. */
function subjectOf(token: SignedClaims, document: JsonObject): string | undefined {
  const sub = registered('sub', token);
  const holder = document.credentialSubject === undefined ? token.payload : document;
  const named = oneName('subject', sub);
  if (named !== undefined) return oneName('subject', [...sub, ...subjectPlaces(holder)]);
  const ids = subjectIds(holder);
  return ids.length === 1 ? ids[0] : undefined;
}

function nameAt([path, value]: NamedValue): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (isText(value)) return value;
  throw badRequest(`${path} is not a text`);
}

/** Returns the one name in all these places. @throws DomainError `BadRequest` when two of them differ */
function oneName(what: string, places: readonly NamedValue[]): string | undefined {
  const named = places.flatMap((place) => {
    const name = nameAt(place);
    return name === undefined ? [] : [{ path: place[0], name }];
  });
  const [first] = named;
  const other = named.find(({ name }) => name !== first?.name);
  if (first && other) throw badRequest(`${first.path} and ${other.path} do not name the same ${what}`);
  return first?.name;
}

/** The credential within a JWT's claims (`vc` in VC 1.1), or the claims themselves. */
export const credentialIn = (claims: JsonObject): JsonObject => (isObject(claims.vc) ? claims.vc : claims);

/** The members of a token that say where its status is published, in the token and in its `vc` claim. */
export function statusReferences(claims: JsonObject): StatusReference[] {
  return [...new Set([claims, credentialIn(claims)])].flatMap(({ credentialStatus, status }): StatusReference[] => [
    ...(credentialStatus === undefined ? [] : [{ kind: 'credentialStatus' as const, value: credentialStatus }]),
    ...mechanismsOf(status),
  ]);
}

/** The mechanisms of a `status` that can be evaluated here (IANA: JWT and CWT Status Mechanisms). */
const MECHANISMS = ['status_list', 'identifier_list'] as const;

/**
 * What a `status` refers to (draft-ietf-oauth-status-list-21 §6, ISO 18013-5 second edition §12.3.6): one reference for
 * each of its mechanisms. A `status` with no mechanism, or an unknown one, is a reference that cannot be evaluated.
 */
export function mechanismsOf(status: unknown): StatusReference[] {
  if (status === undefined) return [];
  const named = isObject(status) ? Object.entries(status) : [];
  if (named.length === 0) return [{ kind: 'unknown', value: status }];
  return named.map(([name, value]) => ({ kind: MECHANISMS.find((known) => known === name) ?? 'unknown', value }));
}
