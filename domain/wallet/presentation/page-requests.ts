import { at, badRequest, invalidField, isDomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { type ParsedJws, parseJws } from '../../jose/jws.ts';
import { numericDate } from '../../jose/jwt-claims.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';
import { describedBy, type PresentationRequests, parametersOf, type ResolvedRequest } from './presentation-request.ts';
import type { RequestSigner } from './request-signature.ts';

/** A request of a page over the Digital Credentials API, as the browser passes it to a wallet (OpenID4VP 1.0 annex A). */
export interface PageRequest {
  /** The origin of the page, by the browser's account. */
  origin: string;
  protocol: PageProtocol;
  data: JsonObject;
}

/** Who asks for what: the signer of a request that is signed. */
interface ReadRequest {
  claims: JsonObject;
  signer?: RequestSigner;
}

/** Reads the data of a request. */
type Reader = (data: JsonObject, requests: PresentationRequests) => Promise<ReadRequest>;

/** The most signatures of one request. */
const MAX_SIGNATURES = 8;
const MODES: readonly unknown[] = ['dc_api', 'dc_api.jwt'];
/** Parameters that say nothing over this API (annex A.2), and what an unsigned request says of its client (annex A.3.1). */
const IGNORED = ['response_uri', 'state'];
const IGNORED_UNSIGNED = ['client_id', 'client_id_scheme', 'expected_origins'];

/** The protocols by their names (annex A.1). */
const READERS = {
  'openid4vp-v1-unsigned': async (data) => {
    const stated = Object.entries(data).filter(([name]) => !IGNORED_UNSIGNED.includes(name));
    return { claims: Object.fromEntries(stated) };
  },
  'openid4vp-v1-signed': ({ request }, requests) => {
    if (!isText(request)) throw invalidField(['request'], 'must be a signed request object');
    return verified(parseJws(request, 'The request object'), requests);
  },
  'openid4vp-v1-multisigned': ({ request }, requests) =>
    firstVerified(
      at(['request'], () => signaturesOf(request)),
      requests,
    ),
} as const satisfies Record<string, Reader>;

/** The name of a protocol. */
type PageProtocol = keyof typeof READERS;

/** Reads requests of pages. */
export class PageRequests {
  constructor(private readonly requests: PresentationRequests) {}

  /** Errors name `origin` or `data`. @throws DomainError `BadRequest` */
  async read({ origin, protocol, data }: PageRequest): Promise<ResolvedRequest> {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw invalidField(['origin'], 'must be an origin such as https://shop.example');
    return at(['data'], async () => {
      checkDocumentSize('request-object', JSON.stringify(data));
      const read: Reader = READERS[protocol];
      const { claims, signer } = await read(data, this.requests);
      if (signer) checkOrigins(claims, origin);
      if (!isObject(claims.dcql_query)) throw invalidField([], 'must ask with a dcql_query');
      if (!MODES.includes(claims.response_mode))
        throw invalidField([], `must have a response_mode that is one of ${MODES.join(', ')}`);
      const params = parametersOf(claims);
      for (const name of IGNORED) params.delete(name);
      const expiresAt = numericDate(claims.exp);
      return this.requests.read({ base: origin, origin, params: describedBy(signer, params), signer, expiresAt });
    });
  }
}

/** Browsers and wallets compare origins as texts (annex A.2), so that no request works on another page. */
function checkOrigins({ expected_origins: expected }: JsonObject, origin: string): void {
  if (!Array.isArray(expected) || !expected.some((one) => one === origin))
    throw badRequest('The expected_origins of the request do not list the page that asks');
}

/** Without a verified client a signature proves nothing. */
async function verified(jws: ParsedJws, requests: PresentationRequests): Promise<ReadRequest> {
  if (jws.header.alg === 'none') throw badRequest('The request object is not signed');
  const signer = await requests.verify(jws, { isOverDcApi: true });
  if (!signer) throw badRequest('The client_id of the request object is of no kind that signs requests');
  return { claims: jws.payload, signer };
}

/** One valid signature of a client that the wallet can verify is enough (annex A.3.2.2). */
async function firstVerified(signatures: readonly ParsedJws[], requests: PresentationRequests): Promise<ReadRequest> {
  let refusal: unknown;
  for (const jws of signatures)
    try {
      return await verified(jws, requests);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refusal ??= error;
    }
  throw refusal;
}

/** The request once for each signature, whose protected header names the client (RFC 7515 §7.2.1, annex A.3.2.2). */
function signaturesOf(request: unknown): ParsedJws[] {
  const { payload, signatures } = isObject(request) ? request : {};
  const listed = asList(signatures).filter(isObject);
  if (!isText(payload) || listed.length === 0 || listed.length > MAX_SIGNATURES)
    throw invalidField([], `must have a payload and 1 to ${MAX_SIGNATURES} signatures`);
  return listed.map(({ protected: header, signature }) => {
    const jws = parseJws([header, payload, signature].join('.'), 'The request object');
    if ('client_id' in jws.payload) throw invalidField([], 'must name its clients in the headers of the signatures');
    return { ...jws, payload: { ...jws.payload, client_id: jws.header.client_id } };
  });
}
