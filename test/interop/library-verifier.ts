import { type KeyObject, randomUUID } from 'node:crypto';
import { type Openid4vpAuthorizationRequest, Openid4vpVerifier } from '@openid4vc/openid4vp';
import { decodeProtectedHeader } from 'jose';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { HttpPeer, type PeerReply } from '../actors/http-peer.ts';
import { type Claims, keyOfDid, verified } from './judge.ts';
import { callbacks, didJwkOf } from './library.ts';

/** The form of a request to the wallet. */
export type RequestForm = 'parameters' | 'client id with prefix' | 'signed, by reference';

/** A presentation with valid signatures. */
export interface Judged {
  holder: string;
  /** The claims of each descriptor's credential, at the path of the submission. */
  credentials: Record<string, Claims>;
}

interface Submission {
  definition_id: string;
  descriptor_map: { id: string; path: string; path_nested?: { path: string } }[];
}

/** A definition that requests credentials of these types, in either data model. */
export const definitionOf = (...types: string[]) => ({
  id: 'what is wanted',
  input_descriptors: types.map((type) => ({
    id: `the ${type}`,
    format: { jwt_vc_json: { alg: ['ES256', 'EdDSA', 'RS256'] } },
    constraints: { fields: [{ path: ['$.vc.type', '$.type'], filter: { type: 'string', pattern: `^${type}$` } }] },
  })),
});

/** A verifier with the library's protocol; jose verifies the signatures. */
export class LibraryVerifier {
  readonly peer: HttpPeer;
  readonly received: Judged[] = [];
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #verifier: Openid4vpVerifier;

  static async start(): Promise<LibraryVerifier> {
    return new LibraryVerifier(await new HttpPeer().listen());
  }

  private constructor(peer: HttpPeer) {
    const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
    this.peer = peer;
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#verifier = new Openid4vpVerifier({ callbacks: callbacks(privateKey, publicKey) });
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  /** The request link of the definition. */
  async ask(definition: object, form: RequestForm = 'parameters'): Promise<string> {
    const responseUri = `${this.peer.url}/response/${randomUUID()}`;
    const request: Openid4vpAuthorizationRequest = {
      response_type: 'vp_token',
      response_mode: 'direct_post',
      response_uri: responseUri,
      nonce: randomUUID(),
      state: randomUUID(),
      presentation_definition: { ...definition },
      client_metadata: { vp_formats: { jwt_vp: { alg: ['ES256', 'EdDSA'] } } },
      ...this.#client(form, responseUri),
    };
    const { authorizationRequest, jar } = await this.#verifier.createOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: request,
      scheme: 'openid4vp://authorize',
      ...(form === 'signed, by reference' && { jar: this.#signed() }),
    });
    this.peer.routes['/request'] = () => ({ body: jar?.authorizationRequestJwt ?? '' });
    this.peer.routes[new URL(responseUri).pathname] = ({ body }) => this.#take(request, body);
    return authorizationRequest;
  }

  #client(form: RequestForm, responseUri: string) {
    if (form === 'client id with prefix') return { client_id: `redirect_uri:${responseUri}` };
    if (form === 'signed, by reference')
      return { client_id: didJwkOf(this.#publicKey), client_id_scheme: 'did' as const };
    return { client_id: responseUri, client_id_scheme: 'redirect_uri' as const };
  }

  #signed() {
    return {
      requestUri: `${this.peer.url}/request`,
      jwtSigner: { method: 'did' as const, alg: 'ES256', didUrl: `${didJwkOf(this.#publicKey)}#0` },
      expiresInSeconds: 60,
    };
  }

  async #take(request: Openid4vpAuthorizationRequest, body: string): Promise<PeerReply> {
    try {
      return await this.#judge(request, body);
    } catch (error) {
      return { status: 400, body: { error: 'invalid_request', error_description: String(error) } };
    }
  }

  async #judge(request: Openid4vpAuthorizationRequest, body: string): Promise<PeerReply> {
    const response = await this.#verifier.parseOpenid4vpAuthorizationResponse({
      authorizationResponse: Object.fromEntries(new URLSearchParams(body)),
      authorizationRequestPayload: request,
      callbacks: callbacks(this.#privateKey, this.#publicKey),
    });
    if (response.type !== 'pex') return { status: 400, body: { error: 'invalid_request' } };
    const { presentations, presentationSubmission } = response.pex;
    this.received.push(await judge(request, String(presentations[0]), Object(presentationSubmission)));
    return { body: { redirect_uri: `${this.peer.url}/thanks` } };
  }
}

/** @throws Error when a signature is not valid or a value is not bound to the request */
async function judge(
  request: Openid4vpAuthorizationRequest,
  presentation: string,
  submission: Submission,
): Promise<Judged> {
  const { kid = '' } = decodeProtectedHeader(presentation);
  const claims = await verified(presentation, keyOfDid(kid));
  const isBound = claims.nonce === request.nonce && claims.aud === request.client_id;
  if (!isBound || submission.definition_id !== Object(request.presentation_definition).id)
    throw new Error('The presentation is for another request');
  const credentials: Record<string, Claims> = {};
  for (const { id, path, path_nested: { path: place = '' } = {} } of submission.descriptor_map) {
    const [, index] = /^\$\.vp\.verifiableCredential\[(\d+)\]$/.exec(place) ?? [];
    if (path !== '$' || index === undefined) throw new Error(`${path} ${place} leads nowhere`);
    const credential: string = claims.vp.verifiableCredential[Number(index)];
    credentials[id] = await verified(credential, keyOfDid(decodeProtectedHeader(credential).kid ?? ''));
  }
  return { holder: kid.split('#')[0] ?? '', credentials };
}
