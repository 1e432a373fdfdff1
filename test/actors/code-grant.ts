import { createHash, randomUUID } from 'node:crypto';
import type { PeerReply } from './http-peer.ts';
import type { TestIssuer } from './issuer.ts';

/** How a server of codes behaves; each test changes what it needs. */
export interface CodeBehaviour {
  /** The members of its metadata that differ. */
  metadata: Record<string, unknown>;
  /** The parameters of its redirects that differ; undefined leaves one out. */
  answer: Record<string, string | undefined>;
}

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const SCOPES = { Degree_jwt_vc_json: 'degree', Passport_jwt_vc_json: 'passport' };

/** Makes a test issuer give codes at an authorization endpoint (RFC 6749, RFC 7636, RFC 9207), with scopes. */
export function giveCodes(issuer: TestIssuer): CodeBehaviour & { asked: URLSearchParams[] } {
  const { routes, url } = issuer.peer;
  const behaviour: CodeBehaviour = { metadata: {}, answer: {} };
  const asked: URLSearchParams[] = [];
  const codes = new Map<string, URLSearchParams>();
  const [metadata, token] = [routes[METADATA], routes['/issuer/token']];

  routes[METADATA] = async (request) => {
    const { body } = Object(await metadata?.(request));
    const configurations = structuredClone(body.credential_configurations_supported);
    for (const [id, scope] of Object.entries(SCOPES)) configurations[id].scope = scope;
    const server = {
      issuer: issuer.issuer,
      authorization_endpoint: `${url}/issuer/authorize?tenant=1`,
      authorization_response_iss_parameter_supported: true,
    };
    return { body: { ...body, ...server, ...behaviour.metadata, credential_configurations_supported: configurations } };
  };
  routes['/issuer/authorize'] = ({ url: { searchParams } }) => {
    const code = randomUUID();
    asked.push(searchParams);
    codes.set(code, searchParams);
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    const answer = { code, state: searchParams.get('state') ?? '', iss: issuer.issuer, ...behaviour.answer };
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) back.searchParams.set(name, value);
    return { status: 302, headers: { location: back.href } };
  };
  routes['/issuer/token'] = (request): PeerReply | undefined | Promise<PeerReply | undefined> => {
    const form = new URLSearchParams(request.body);
    if (form.get('grant_type') !== 'authorization_code') return token?.(request);
    const login = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      login?.get('code_challenge') === challenge &&
      login.get('client_id') === form.get('client_id') &&
      login.get('redirect_uri') === form.get('redirect_uri');
    if (!isGood) return { status: 400, body: { error: 'invalid_grant', error_description: 'The code is not known' } };
    const right = {
      grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      'pre-authorized_code': 'the-code',
    };
    return token?.({ ...request, body: new URLSearchParams(right).toString() });
  };
  return Object.assign(behaviour, { asked });
}

/** An offer link of a test issuer for which the user logs in. */
export function loginOffer(issuer: TestIssuer, ids = ['Degree_jwt_vc_json']): string {
  const grants = { authorization_code: { issuer_state: 'the-session' } };
  const offer = { credential_issuer: issuer.issuer, credential_configuration_ids: ids, grants };
  return `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`;
}

/** What a browser does that the user logs in with: follows redirects up to a URL, with cookies; returns its parameters. */
export async function browse(url: string, to: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>();
  let place = url;
  for (let hops = 0; !place.startsWith(to); hops += 1) {
    if (hops === 10) throw new Error(`${url} does not lead to ${to}`);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(place, { redirect: 'manual', headers: { cookie } });
    for (const [, name = '', value = ''] of answer.headers
      .getSetCookie()
      .map((one) => /^([^=]+)=([^;]*)/.exec(one) ?? []))
      cookies.set(name, value);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${place} answers ${answer.status}: ${await answer.text()}`);
    place = new URL(location, place).href;
  }
  return Object.fromEntries(new URL(place).searchParams);
}
