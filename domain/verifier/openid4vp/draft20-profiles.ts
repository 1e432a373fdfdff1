import type { FormatName } from '../../../ports/credential-formats.ts';
import type { FormatFacts } from '../../credentials/formats/facts.ts';
import type { CredentialFormats, PresentableFormat } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { RequestParameter } from '../../presentation/request-parameters.ts';
import type { DraftEndpoints, LinkMode, ProfileName } from '../protocol.ts';

/** A parameter of the requests of this version. */
export type MadeParameter = Extract<
  RequestParameter,
  | ('response_type' | 'client_id' | 'client_id_scheme' | 'response_mode' | 'response_uri' | 'redirect_uri' | 'scope')
  | ('state' | 'nonce' | 'presentation_definition' | 'presentation_definition_uri' | 'client_metadata' | 'request_uri')
>;

/** How wallets answer: by a form, or by an encrypted one (OpenID4VP draft 20 §6.2, §6.3.1). */
const RESPONSE_MODES: readonly LinkMode[] = ['direct_post', 'direct_post.jwt'];

/** The verifier's name in a request, and how wallets check it (OpenID4VP draft 20 §5.7). */
interface ClientName {
  id: string;
  /** Absent where the profile has no such parameter. */
  scheme?: 'redirect_uri' | 'pre-registered' | 'x509_san_dns';
}

/** A profile of requests. */
export interface RequestProfile {
  client(verifier: DraftEndpoints, responseUri: string): ClientName;
  /** The parameters of the link, in their order; `state` is always one of them. */
  link: readonly MadeParameter[];
  /** The parameters of the signed request object; absent where the request is not by reference. */
  object?: readonly MadeParameter[];
  /** Whether the request object needs the certificates of its key. */
  needsCertificate?: boolean;
  modes: readonly LinkMode[];
  /** Whether it can ask for a format; for every one when absent. */
  asksFor?(format: FormatFacts): boolean;
}

const ownName: RequestProfile['client'] = ({ client }, responseUri) =>
  client.scheme === 'redirect_uri' ? { id: responseUri, scheme: client.scheme } : client;

/** The table of profiles; add a row to add one. */
export const PROFILES: Readonly<Record<ProfileName, RequestProfile>> = {
  DEFAULT: {
    client: ownName,
    link: [
      ...(['response_type', 'client_id', 'response_mode', 'state', 'presentation_definition_uri'] as const),
      ...(['client_id_scheme', 'client_metadata', 'nonce', 'response_uri'] as const),
    ],
    modes: RESPONSE_MODES,
  },
  // The profile that existing clients know by this name; HAIP 1.0 has DCQL only.
  HAIP: {
    client: ownName,
    link: [
      ...(['response_type', 'client_id', 'response_mode', 'state', 'presentation_definition'] as const),
      ...(['client_id_scheme', 'client_metadata', 'nonce', 'response_uri'] as const),
    ],
    modes: RESPONSE_MODES,
  },
  // ISO/IEC TS 18013-7 annex B.
  ISO_18013_7_MDOC: {
    client: ({ sanDns }) => ({ id: sanDns, scheme: 'x509_san_dns' }),
    link: ['client_id', 'state', 'request_uri'],
    object: [
      ...(['response_type', 'client_id', 'client_id_scheme', 'response_mode', 'response_uri'] as const),
      ...(['state', 'nonce', 'presentation_definition', 'client_metadata'] as const),
    ],
    needsCertificate: true,
    modes: ['direct_post.jwt'],
    asksFor: ({ chainPurpose }) => chainPurpose === 'mdoc',
  },
  // The conformance profile of EBSI's version 3: the response goes to `redirect_uri`.
  EBSIV3: {
    client: ({ identifier }) => ({ id: identifier }),
    link: [
      ...(['client_id', 'response_type', 'response_mode', 'scope', 'state', 'redirect_uri'] as const),
      ...(['presentation_definition_uri', 'request_uri'] as const),
    ],
    object: [
      ...(['response_type', 'client_id', 'response_mode', 'scope', 'state', 'nonce', 'redirect_uri'] as const),
      ...(['presentation_definition', 'presentation_definition_uri', 'client_metadata'] as const),
    ],
    modes: RESPONSE_MODES,
    asksFor: ({ signatures }) => signatures === 'JOSE',
  },
};

/** Reads the name of a profile in any letter case. @throws DomainError `BadRequest` for one that is unknown */
export function readProfile(text: string): ProfileName {
  const name = text.toUpperCase();
  if (isProfile(name)) return name;
  throw invalidField([], `${text.slice(0, 64)} is not a profile; use ${Object.keys(PROFILES).join(', ')}`);
}

const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);

/** The profile of a request that names none: the scheme of the wallet's URL decides. */
export function impliedProfile(authorizeBaseUrl: string): ProfileName {
  if (/^mdoc-openid4vp:\/\//i.test(authorizeBaseUrl)) return 'ISO_18013_7_MDOC';
  return /^haip:\/\//i.test(authorizeBaseUrl) ? 'HAIP' : 'DEFAULT';
}

/** Response modes that other verifiers have; no response reaches this one by them. */
const OTHER_MODES = ['query', 'fragment', 'form_post', 'post'];

/** Reads a response mode. @throws DomainError `BadRequest` for one that is unknown or not supported */
export function readResponseMode(text: string): LinkMode {
  const mode = RESPONSE_MODES.find((known) => known === text.replace('_jwt', '.jwt'));
  if (mode) return mode;
  const why = OTHER_MODES.includes(text) ? 'is not supported by this verifier' : 'is not a response mode';
  throw invalidField([], `${text.slice(0, 64)} ${why}; use ${RESPONSE_MODES.join(' or ')}`);
}

const NO_FORMAT = 'has no format that the definition allows';

/** What a request asks for: by each descriptor, the formats that can satisfy it. */
interface AskedFormats {
  requestProfile: ProfileName;
  /** What the caller named, if anything. */
  responseMode: LinkMode | undefined;
  descriptors: readonly (readonly PresentableFormat[])[];
  /** Those of the installation. */
  formats: CredentialFormats;
}

/** How a request is answered. */
export interface AnswerForm {
  responseMode: LinkMode;
  /** The formats of presentations that can satisfy it. */
  formats: FormatName[];
}

/**
 * Chooses the response mode: the one named where the profile has it, else the first of the profile by which every
 * descriptor can be satisfied. So a caller that knows `direct_post` alone gets encrypted responses where its profile has
 * no others. @throws DomainError `BadRequest` naming the descriptor below `descriptors` that no format can satisfy
 */
export function answerForm({ requestProfile, responseMode, descriptors, formats: all }: AskedFormats): AnswerForm {
  const { modes, asksFor } = PROFILES[requestProfile];
  const isOfProfile = (format: PresentableFormat) => asksFor?.(format) ?? true;
  for (const [index, formats] of descriptors.entries()) {
    if (formats.some(isOfProfile)) continue;
    const names = all.presented.filter(isOfProfile).map(({ name }) => name);
    const why = asksFor ? `the profile ${requestProfile} asks for ${names.join(', ')} only` : NO_FORMAT;
    throw invalidField(['descriptors', index], why);
  }
  const named = modes.find((mode) => mode === responseMode);
  const carries = (mode: LinkMode) => (format: PresentableFormat) =>
    mode === named || mode === 'direct_post.jwt' || !format.presentation.isEncrypted;
  const chosen =
    named ?? modes.find((mode) => descriptors.every((formats) => formats.some(carries(mode)))) ?? 'direct_post.jwt';
  const formats = new Set(descriptors.flat().filter((format) => isOfProfile(format) && carries(chosen)(format)));
  return { responseMode: chosen, formats: [...formats].map(({ name }) => name) };
}
