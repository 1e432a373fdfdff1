import type { KeyType, PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Ids } from '../../ports/system.ts';
import { base64, base64url, fromBase64, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { isSameKey, thumbprint, withKid } from '../jose/jwk.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../jose/key-types.ts';
import type { CreatedDid, DidCreation, DidKey, DidPlan } from './did-creation.ts';
import { keyInDocument } from './did-document.ts';
import { DID_METHOD_NAMES, didDocument } from './did-methods.ts';
import { type RegistrationState, readState } from './registration-state.ts';

/** did-registrar.conf. */
interface DidRegistrarSettings {
  /** Absent when there is none. */
  url?: string;
  methods: readonly string[];
  /** The types of the keys that the networks accept. */
  keyTypes: readonly string[];
  /** For each call. */
  timeoutSeconds: number;
}

/** The most calls for one DID, and signatures for one of them. */
const MAX_CALLS = 4;
const MAX_SIGNATURES = 4;
const DID = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]{1,1024}$/;

/** The methods whose DIDs the client chooses, with the network they are on unless a request names another one. */
const CHOSEN: Readonly<Record<string, { network: string; did: (network: string, uuid: string) => string }>> = {
  cheqd: { network: 'testnet', did: (network, uuid) => `did:cheqd:${network}:${uuid}` },
};

/** A registration under way. */
interface Registration {
  method: string;
  url: string;
  options: JsonObject;
  /** The submitted document. */
  document: JsonObject;
  key: DidKey;
}

/**
 * Registers DIDs of network-bound methods at an HTTP registrar (DID Registration of the Decentralized Identity
 * Foundation, client-managed secret mode): it asks for signatures, and never gets a private key. See docs/dids.md.
 */
export class DidRegistrar {
  readonly #settings: DidRegistrarSettings;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      ids: Ids;
      settings: { didRegistrar: DidRegistrarSettings };
    },
  ) {
    this.#settings = parts.settings.didRegistrar;
  }

  /** @throws DomainError `BadRequest` naming `method`, `keyType` or `config.network` */
  prepare({ method, keyType, config = {} }: DidPlan): DidCreation {
    const { url, methods, keyTypes } = this.#settings;
    if (!methods.includes(method))
      throw invalidField(['method'], `is not supported; supported are ${[...DID_METHOD_NAMES, ...methods].join(', ')}`);
    if (url === undefined)
      throw invalidField(['method'], `did:${method} needs a registrar, and did-registrar.conf names none`);
    if (!keyTypes.includes(keyType))
      throw invalidField(['keyType'], `must be ${keyTypes.join(' or ')} for did:${method}, not ${keyType}`);
    const network = config.network ?? CHOSEN[method]?.network;
    if (network !== undefined && !(typeof network === 'string' && /^[a-z0-9-]{1,32}$/.test(network)))
      throw invalidField(['config', 'network'], 'must be the name of a network');
    const options = { ...(network !== undefined && { network }), clientSecretMode: true };
    return (key) => {
      const did = CHOSEN[method]?.did(network ?? '', this.parts.ids.uuid());
      return this.#register({ method, url, options, document: draft(did, key.publicJwk), key });
    };
  }

  keyTypeFor(preferred: KeyType): KeyType {
    const { keyTypes } = this.#settings;
    return keyTypes.includes(preferred)
      ? preferred
      : (KEY_TYPE_NAMES.find((name) => keyTypes.includes(name)) ?? preferred);
  }

  async #register(registration: Registration): Promise<CreatedDid> {
    const { document: didDocument, options } = registration;
    let more: JsonObject = { secret: {} };
    for (let call = 1; call <= MAX_CALLS; call += 1) {
      const state = await this.#call(registration, { didDocument, options, ...more });
      if (state.state === 'finished') return finished(state, registration);
      more = { jobId: state.jobId, secret: { signingResponse: await sign(state, registration) } };
    }
    throw failed('asked for signatures again and again');
  }

  async #call({ method, url }: Registration, body: JsonObject): Promise<RegistrationState> {
    const reply = await this.parts.outbound.send({
      method: 'POST',
      url: `${url}${url.endsWith('/') ? '' : '/'}create?method=${encodeURIComponent(method)}`,
      expects: 'did-registration',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: this.#settings.timeoutSeconds * 1000,
    });
    return readState(reply.status, jsonOf(reply.body));
  }
}

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

const failed = (what: string): DomainError => new DomainError('UpstreamFailed', `The DID registrar ${what}`);

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseJson(fromUtf8(body));
  } catch {
    return undefined;
  }
}

/** The document that is submitted: with relative DID URLs where the registrar chooses the DID. */
function draft(did: string | undefined, jwk: PublicJwk): JsonObject {
  if (did !== undefined) return didDocument(did, jwk);
  const id = `#${thumbprint(jwk)}`;
  const { '@context': context, id: _, verificationMethod: __, ...lists } = didDocument('', jwk);
  const method = { id, type: 'JsonWebKey2020', publicKeyJwk: withKid(jwk) };
  return {
    '@context': context,
    verificationMethod: [method],
    ...Object.fromEntries(Object.keys(lists).map((name) => [name, [id]])),
  };
}

/** Signs what the registrar asks for, with the key of the document only. @throws DomainError `UpstreamFailed` */
async function sign({ signingRequest }: RegistrationState, { key, document }: Registration): Promise<JsonObject> {
  const requests = Object.entries(isObject(signingRequest) ? signingRequest : {});
  if (requests.length === 0 || requests.length > MAX_SIGNATURES) throw failed('asked for nothing that can be signed');
  const signer = await key.signer();
  const { alg } = KEY_TYPES[signer.keyType];
  const answers: [string, JsonObject][] = [];
  for (const [name, request] of requests) {
    if (
      !isObject(request) ||
      !isOwnKey(request.kid, document, key.publicJwk) ||
      ![undefined, alg].includes(request.alg as string)
    )
      throw failed('asked for a signature of another key');
    const { bytes, encode } = readPayload(request.serializedPayload);
    answers.push([name, { kid: request.kid, alg, signature: encode(await signer.sign(bytes)) }]);
  }
  return Object.fromEntries(answers);
}

/** A DID URL of the key: that of the document, or one of the DID that the registrar chose. */
function isOwnKey(kid: unknown, { id }: JsonObject, jwk: PublicJwk): boolean {
  const fragment = `#${thumbprint(jwk)}`;
  if (!isText(kid) || !kid.endsWith(fragment)) return false;
  return id === undefined || kid === fragment || kid === `${id}${fragment}`;
}

/**
 * Decodes a payload in base64url or in base64; the signature is written as the payload is. What reads as the input of a
 * JWS is never signed, so that no registrar obtains a token of ours.
 */
function readPayload(text: unknown): { bytes: Uint8Array; encode: (bytes: Uint8Array) => string } {
  const padded = isText(text) ? fromBase64(text) : undefined;
  const bytes = padded ?? (isText(text) ? fromBase64url(text) : undefined);
  if (!bytes || bytes.length === 0) throw failed('asked for a signature of what is not base64');
  if (isTokenInput(latin1(bytes))) throw failed('asked for a signature of a token');
  return { bytes, encode: padded ? base64 : base64url };
}

/** Whether a text is the input of a JWS: of two encoded parts, or with a header before a payload of any form (RFC 7797 §3). */
function isTokenInput(text: string): boolean {
  const [head = '', payload] = text.split('.', 2);
  if (payload === undefined) return false;
  const header = fromBase64url(head.slice(0, head.length - (head.length % 4)));
  const isHeader = header !== undefined && latin1(header).trimStart().startsWith('{');
  return isHeader || /^[\w-]+\.[\w-]*$/.test(text);
}

/** The registered DID: of the method, the submitted one where there was one, with the key in its document. */
function finished({ did, didDocument: registered }: RegistrationState, registration: Registration): CreatedDid {
  const { method, document, key } = registration;
  if (!isText(did) || !DID.test(did) || !did.startsWith(`did:${method}:`) || (document.id ?? did) !== did)
    throw failed('returned another DID');
  const complete = isObject(registered) ? registered : didDocument(did, key.publicJwk);
  try {
    const listed = keyInDocument(complete, `${did}#${thumbprint(key.publicJwk)}`, 'assertionMethod');
    if (isSameKey(listed, key.publicJwk)) return { did, document: complete };
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
  throw failed('returned a document without the key of the DID');
}
