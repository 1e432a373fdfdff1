import { statusEntry } from '../../demo/actors/status-list.ts';
import { EXAMPLE_CERTIFICATE } from '../../domain/verifier/policies/listed-issuers.ts';
import { crossDevice, LOGIN, Openid4vp, type PresentedJwt } from '../actors/openid4vp.ts';
import { issueOf, presentOf } from '../actors/presenters.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { credentialWith } from '../support/status/status-lists.ts';
import type { UrlInput } from './url-inputs.ts';

type Json = Record<string, unknown>;

/** The fields of verification sessions, of VICALs and of status entries that take an address. */
export interface SessionInputs {
  /** Take a URL that is called while the request is answered. */
  urls: UrlInput[];
  /** Take a URL that is called later, or for other credentials: it is refused when the session is created. */
  later: UrlInput[];
  /** Take a URL that the server never calls. */
  idle: UrlInput[];
  /** Take a host, in a did:web. */
  hosts: UrlInput[];
}

const OFFER = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'PRE_AUTHORIZED' };

const didWeb = (authority: string): string => `did:web:${encodeURIComponent(authority)}`;

export async function sessionInputs(server: TestServer): Promise<SessionInputs> {
  const on = new SessionTarget(await Openid4vp.with(server));
  return {
    urls: [...on.policyDoors(), ...on.credentialDoors(), ...statusDoors(server)],
    later: on.laterDoors(),
    idle: on.idleDoors(),
    hosts: on.hostDoors(),
  };
}

class SessionTarget {
  readonly #vp: Openid4vp;

  constructor(vp: Openid4vp) {
    this.#vp = vp;
  }

  policyDoors(): UrlInput[] {
    const rules = { policy_name: 'adult', rules: { rego: 'package vc.verification.adult' } };
    return [
      this.#policy('url of the policy webhook', (url) => ({ policy: 'webhook', url })),
      this.#policy('policy_url of the policy dynamic', (url) => ({
        ...{ policy: 'dynamic', ...rules, opa_server: 'http://8.8.8.8' },
        rules: { policy_url: url },
      })),
      this.#policy('opa_server of the policy dynamic', (url) => ({ policy: 'dynamic', ...rules, opa_server: url })),
      {
        name: 'vicalUrl that is fetched',
        send: (vicalUrl) => this.#vp.server.call('fetchVical', { json: { vicalUrl } }),
      },
    ];
  }

  /** What credentials name, and policies follow. */
  credentialDoors(): UrlInput[] {
    const policies = { vc_policies: ['revoked-status-list'] };
    const ofStatus = (kind: string, content: (url: string) => PresentedContent): UrlInput => ({
      name: `${kind} of a presented credential`,
      send: async (url) => this.#present(crossDevice({ policies }), content(url)),
    });
    return [
      ofStatus('statusListCredential', (url) => ({ vc: { credentialStatus: statusEntry(url, 3) } })),
      ofStatus('revocationListCredential', (url) => ({ vc: { credentialStatus: revocationEntry(url) } })),
      ofStatus('id of a SimpleCredentialStatus2022', (url) => ({ vc: { credentialStatus: simpleEntry(url) } })),
      ofStatus('uri of a status_list', (uri) => ({ claims: { status: { status_list: { idx: 1, uri } } } })),
      { name: 'vct of a presented credential', send: (url) => this.#presentType(url) },
    ];
  }

  laterDoors(): UrlInput[] {
    const trusted = { trustedSourceSignerCertificates: [EXAMPLE_CERTIFICATE] };
    return [
      this.#core('webhook of a session', (url) => ({ notifications: { webhook: { url } } })),
      this.#core('webhook of a session with credentials', (url) => ({
        notifications: { webhook: { url, bearer_token: 'b3arer' } },
      })),
      {
        name: 'webhook of a managed offer',
        send: (url) => {
          const json = { ...OFFER, runtimeOverrides: { notifications: { webhook: { url } } } };
          return this.#vp.server.call('createCredentialOffer', { json });
        },
      },
      this.#policy('vicalUrl of the policy vical', (vicalUrl) => ({ policy: 'vical', vicalUrl, ...trusted })),
      this.#policy('trustLists of the policy etsi-trust-list', (url) => ({
        ...{ policy: 'etsi-trust-list', trustLists: [url], ...trusted },
      })),
    ];
  }

  idleDoors(): UrlInput[] {
    const create = (name: string, more: (url: string) => Json, core: (url: string) => Json = () => ({})): UrlInput => ({
      name,
      send: (url) => this.#outcome(crossDevice(core(url), more(url))),
    });
    return [
      create('url_host', (url_host) => ({ url_config: { url_host } })),
      create('url_prefix', (url_prefix) => ({ url_config: { url_prefix } })),
      create('redirects', (url) => ({ redirects: { success_redirect_uri: url, error_redirect_uri: url } })),
      create(
        'client_metadata',
        () => ({}),
        (url) => ({ client_metadata: { logo_uri: url, jwks_uri: url, policy_uri: url, client_uri: url } }),
      ),
    ];
  }

  hostDoors(): UrlInput[] {
    const { issuer, holder, server } = this.#vp;
    return [
      {
        name: 'did:web of the verifier of a session',
        send: (host) => {
          const clientId = `decentralized_identifier:${didWeb(host)}`;
          const json = crossDevice({ signed_request: true, clientId });
          return server.call('createVerificationSession', { json });
        },
      },
      {
        name: 'did:web of an issuer in a session',
        send: async (host) => {
          const iss = didWeb(host);
          const vc = { type: ['VerifiableCredential', 'UniversityDegreeCredential'], credentialSubject: {} };
          const credential = await issuer.sign({ iss, sub: holder.did, vc }, { kid: `${iss}#0` });
          return this.#outcome(crossDevice(), { credential });
        },
      },
      {
        name: 'did:web of a login',
        send: async (host) => {
          const did = didWeb(host);
          const request = await this.#vp.request(await this.#vp.create(crossDevice({}, { openid: LOGIN })));
          const id_token = await this.#vp.idToken(request, { iss: did, sub: did }, { kid: `${did}#0` });
          return this.#vp.respond(request, { ...(await this.#vp.response(request)), id_token });
        },
      },
      {
        name: 'did:web of a credential that is revoked',
        send: async (host) => {
          const iss = didWeb(host);
          const vc = credentialWith(iss, statusEntry(`${server.url}/status-lists/x`, 1));
          return server.call('revokeCredential', { text: await issuer.sign({ iss, vc }, { kid: `${iss}#0` }) });
        },
      },
    ];
  }

  #core(name: string, core: (url: string) => Json): UrlInput {
    return { name, send: (url) => this.#outcome(crossDevice(core(url))) };
  }

  #policy(name: string, policy: (url: string) => Json): UrlInput {
    return this.#core(name, (url) => ({ policies: { vc_policies: ['signature', policy(url)] } }));
  }

  async #present(setup: Json, content: PresentedContent): Promise<Answer> {
    return this.#outcome(setup, { credential: await this.#vp.credential(content) });
  }

  /** Creates a session and responds to it; the first error counts. */
  async #outcome(setup: Json, presented: PresentedJwt = {}): Promise<Answer> {
    const created = await this.#vp.server.call('createVerificationSession', { json: setup });
    if (created.status !== 200) return created;
    const request = await this.#vp.request(created.body);
    return this.#vp.respond(request, await this.#vp.response(request, presented));
  }

  async #presentType(vct: string): Promise<Answer> {
    const credentials = [{ id: 'type', format: 'dc+sd-jwt', meta: { vct_values: [vct] } }];
    const policies = { vc_policies: ['signature', 'vct-integrity'] };
    const setup = crossDevice({ dcql_query: { credentials }, policies });
    const created = await this.#vp.server.call('createVerificationSession', { json: setup });
    if (created.status !== 200) return created;
    const request = await this.#vp.request(created.body);
    const { nonce, client_id: clientId, state } = request.parameters;
    const integrity = `sha256-${'A'.repeat(43)}=`;
    const document = await issueOf('dc+sd-jwt', {
      type: vct,
      document: { 'vct#integrity': integrity },
      selectiveDisclosure: { fields: {} },
    });
    const asked = { url: '', params: new URLSearchParams(), state, nonce, clientId };
    const { token } = await presentOf('dc+sd-jwt', asked, { documents: [document] });
    return this.#vp.respond(request, { vp_token: { type: [token] }, state });
  }
}

type PresentedContent = Parameters<Openid4vp['credential']>[0];

const revocationEntry = (url: string): Json => ({
  ...{ id: `${url}#1`, type: 'RevocationList2020Status' },
  ...{ revocationListIndex: '1', revocationListCredential: url },
});

const simpleEntry = (id: string): Json => ({ id, type: 'SimpleCredentialStatus2022' });

/** The status check, with the entries that lists of other kinds have. */
const statusDoors = (server: TestServer): UrlInput[] =>
  Object.entries({ revocationListCredential: revocationEntry, 'id of a SimpleCredentialStatus2022': simpleEntry }).map(
    ([name, entry]) => ({
      name: `${name} that is checked`,
      send: (url) => {
        const text = JSON.stringify(credentialWith('did:example:issuer', entry(url)));
        return server.call('checkRevocation', { text });
      },
    }),
  );
