import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { HttpPeer, type PeerReply } from './http-peer.ts';
import { keyOfDid } from './party.ts';

/** A received presentation with a verified signature. */
export interface Presented {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any claim
  claims: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any member
  submission: any;
  state: string | null;
}

export type TestVerifier = Awaited<ReturnType<typeof startVerifier>>;

/** A definition that asks for credentials of these types, one descriptor each. */
export const definitionOf = (...types: string[]) => ({
  id: 'wanted',
  input_descriptors: types.map((type) => ({
    id: `${type} & more`,
    format: { jwt_vc_json: { alg: ['ES256'] } },
    constraints: { fields: [{ path: ['$.vc.type'], filter: { type: 'string', pattern: `^${type}$` } }] },
  })),
});

/** An independent OpenID4VP verifier, written against the specification with jose. */
export async function startVerifier() {
  const peer = await new HttpPeer().listen();
  const received: Presented[] = [];
  const behaviour: { definition: object; reply: PeerReply } = { definition: definitionOf('Degree'), reply: {} };
  const params = () => ({
    response_type: 'vp_token',
    client_id: `${peer.url}/verify`,
    client_id_scheme: 'redirect_uri',
    response_mode: 'direct_post',
    response_uri: `${peer.url}/verify?session=7`,
    state: 'state 7',
    nonce: randomUUID(),
  });
  const byUri = (base = 'openid4vp://authorize'): string =>
    `${base}?${new URLSearchParams({ ...params(), presentation_definition_uri: `${peer.url}/pd?id=1&v=2` })}`;
  peer.routes['/pd'] = () => ({ body: behaviour.definition });
  peer.routes['/verify'] = async ({ body }) => {
    const form = new URLSearchParams(body);
    const token = form.get('vp_token') ?? '';
    const { kid = '' } = decodeProtectedHeader(token);
    const { payload: claims } = await jwtVerify(token, await keyOfDid(kid));
    received.push({
      claims,
      submission: JSON.parse(form.get('presentation_submission') ?? ''),
      state: form.get('state'),
    });
    return behaviour.reply;
  };
  return { peer, behaviour, received, params, byUri, close: () => peer.close() };
}
